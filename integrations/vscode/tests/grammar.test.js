// The grammar, by the engine that VS Code has, over every litmus test of headway and against what the
// reference says of both languages.
"use strict";

const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const {before, test} = require("node:test");
const oniguruma = require("vscode-oniguruma");
const textmate = require("vscode-textmate");
const {sources} = require("./program.js");

let grammar;
before(async () => {
  await oniguruma.loadWASM(fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer);
  const file = path.join(__dirname, "../litmus.tmLanguage.json");
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text)
    }),
    loadGrammar: async () => textmate.parseRawGrammar(fs.readFileSync(file, "utf8"), file)
  });
  grammar = await registry.loadGrammar("source.litmus");
});

// Pieces of a text, [text, scope] with the innermost scope, and how deep rules are nested at its end.
function pieces(text) {
  const result = [];
  let state = textmate.INITIAL;
  for (const line of text.split("\n")) {
    const {tokens, ruleStack} = grammar.tokenizeLine(line, state);
    for (const {startIndex, endIndex, scopes} of tokens) {
      result.push([line.slice(startIndex, endIndex), scopes.at(-1)]);
    }
    result.push(["\n", "source.litmus"]);
    state = ruleStack;
  }
  return {result, depth: state.depth};
}

// The scope of each word or sign, in order, without blanks.
function scopes(text) {
  return pieces(text).result.filter(([piece]) => piece.trim() !== "")
      .map(([piece, scope]) => [piece.trim(), scope.replace(/\.litmus$/, "")]);
}
const scopesOf = (word, text) => [...new Set(scopes(text).filter(([piece]) => piece === word).map(([, scope]) => scope))];

const files = fs.readdirSync(path.join(sources, "litmus"), {recursive: true})
    .filter((name) => name.endsWith(".litmus")).map((name) => path.join(sources, "litmus", name));

// Comments, strings and the rest, told apart by hand.
function kinds(text) {
  const result = [];
  for (const [part] of text.matchAll(/\/\/[^\n]*|\/\*[^]*?\*\/|"[^"\n]*"|[^/"]+|[^]/g)) {
    result.push([part, part.startsWith("//") || part.startsWith("/*") ? "comment"
                     : part.length > 1 && part.startsWith('"') ? "string" : "code"]);
  }
  return result;
}

test("there are the litmus tests of headway to look at", () => assert.ok(files.length > 400));

test("every litmus test is coloured to its end, without a sign that means nothing", () => {
  for (const file of files) {
    const {result, depth} = pieces(fs.readFileSync(file, "utf8"));
    assert.strictEqual(depth, 1, `${file}: a comment or an expectation does not end`);
    for (const [piece, scope] of result) assert.doesNotMatch(scope, /invalid/, `${file}: ${piece}`);
    // Every word and number is something.
    for (const [piece, scope] of result) {
      if (scope === "source.litmus") assert.match(piece, /^\s*$/, file);
    }
  }
});

test("comments of every litmus test are comments, and nothing else is", () => {
  for (const file of files) {
    const text = fs.readFileSync(file, "utf8");
    const letters = (list) => list.map(([part, kind]) => part.replace(/[^\n]/g, kind === "comment" ? "c" : ".")).join("");
    const coloured = pieces(text).result.map(([piece, scope]) => [piece, scope.split(".")[0]]);
    assert.strictEqual(letters(coloured).slice(0, -1), letters(kinds(text)), file);
  }
});

test("words of the languages have their colours in every litmus test", () => {
  const expected = {
    while: ["keyword.control"], if: ["keyword.control"], else: ["keyword.control"], for: ["keyword.control"],
    do: ["keyword.control"], goto: ["keyword.control"],
    assert: ["keyword.control"], barrier: ["keyword.control"],
    idiom: ["keyword.other"], litmus: ["keyword.other"], expect: ["keyword.other"], locations: ["keyword.other"],
    final: ["keyword.other"], pass: ["keyword.other.verdict"],
    fail: ["keyword.other.verdict"], shared: ["storage.modifier"], const: ["storage.modifier"],
    weak: ["storage.modifier.fairness"], strong: ["storage.modifier.fairness"],
    int: ["storage.type"], bool: ["storage.type"], load: ["support.function"], store: ["support.function"],
    exch: ["support.function"], cas: ["support.function"], fetch_add: ["support.function"],
    Load: ["support.function"], Exch: ["support.function"],
    tid: ["variable.language"], lid: ["variable.language"], WORKGROUP_SIZE: ["variable.language"],
    OBE: ["entity.name.type.model"], "HSA+OBE": ["entity.name.type.model"], CUDA: ["entity.name.type.model"]
  };
  const found = Object.fromEntries(Object.keys(expected).map((word) => [word, new Set()]));
  for (const file of files) {
    for (const [piece, scope] of scopes(fs.readFileSync(file, "utf8"))) {
      if (Object.hasOwn(found, piece) && !scope.startsWith("comment")) found[piece].add(scope);
    }
  }
  for (const word of Object.keys(expected)) {
    if (found[word].size > 0) assert.deepStrictEqual([...found[word]], expected[word], word);
  }
  const missing = Object.keys(found).filter((word) => found[word].size === 0);
  assert.deepStrictEqual(missing, []);
});

test("every access and operation that the reference lists is a function", () => {
  const page = fs.readFileSync(path.join(sources, "docs/reference/idiom-language.md"), "utf8");
  const listed = [...page.matchAll(/^\| (`\w+\(.*?) \|/gm)].flatMap(([, cell]) => [...cell.matchAll(/`(\w+)\(/g)])
      .map(([, name]) => name).filter((name) => !["assert", "assume", "await", "barrier", "f", "int"].includes(name));
  assert.ok(listed.includes("weak_cas") && listed.includes("ballot") && listed.length > 15, listed.join());
  for (const name of listed) {
    assert.deepStrictEqual(scopesOf(name, `threads { ${name}(x); }`), ["support.function"], name);
  }
  assert.deepStrictEqual(scopesOf("Store", "thread 0 { Store(m, 1); }"), ["support.function"]);
});

test("every example of the reference is coloured to its end", () => {
  for (const name of ["idiom-language", "litmus-format"]) {
    const page = fs.readFileSync(path.join(sources, `docs/reference/${name}.md`), "utf8");
    const examples = [...page.matchAll(/```c\n([^]*?)```/g)].map(([, text]) => text)
        .filter((text) => !text.includes("..."));
    assert.ok(examples.length > 0, name);
    for (const text of examples) {
      const {result, depth} = pieces(text);
      assert.strictEqual(depth, 1, text);
      for (const [piece, scope] of result) assert.doesNotMatch(scope, /invalid/, `${text}: ${piece}`);
    }
  }
});

test("a name is the name of the test, whatever it is made of", () => {
  for (const [name, text] of [["spin-mutex_2+a.b", "litmus spin-mutex_2+a.b"], ["ticket-lock", "idiom ticket-lock"],
                              ['"of while"', 'litmus "of while"']]) {
    assert.deepStrictEqual(scopesOf(name, text), ["entity.name.section"]);
  }
});

test("labels are told from other things with a colon", () => {
  const text = "thread 0 { AGAIN: while (Load(m) == 1); if (Exch(m, 1) == 1) goto AGAIN;\n  OUT: m = 0;\n  L: }";
  for (const label of ["AGAIN", "OUT", "L"]) assert.deepStrictEqual(scopesOf(label, text), ["entity.name.label"]);
  assert.deepStrictEqual(scopesOf("END", "goto END;"), ["constant.language"]);
  const other = "execution: lockstep;\nthreads: { switch (r) { case A: s = a ? b : c; break; default: ; } }";
  for (const word of ["execution", "threads", "A", "b", "default"]) {
    assert.ok(!scopesOf(word, other).includes("entity.name.label"), word);
  }
});

test("words that no litmus test of headway has", () => {
  const text = "values 3;\nthread 0 { AXB(m, 0, 1, false, -); switch (choose(0..2)) { case 1: await(load(x)); } }";
  for (const word of ["switch", "case", "await"]) assert.deepStrictEqual(scopesOf(word, text), ["keyword.control"]);
  assert.deepStrictEqual(scopesOf("values", text), ["keyword.other"]);
  assert.deepStrictEqual(scopesOf("AXB", text), ["support.function"]);
  assert.deepStrictEqual(scopesOf("false", text), ["constant.language"]);
});

test("a launch, workgroup variables and levels of barriers", () => {
  const text = "N workgroups of 4 threads, subgroups of 2;\nworkgroup bool ready;\n" +
      "threads { barrier(workgroup or ended); barrier(grid); fair choose(0..1); }";
  assert.deepStrictEqual(scopesOf("workgroups of", text), ["keyword.other.launch"]);
  assert.deepStrictEqual(scopesOf("subgroups of", text), ["keyword.other.launch"]);
  assert.deepStrictEqual(scopesOf("workgroup", text), ["storage.modifier", "constant.language"]);
  assert.deepStrictEqual(scopesOf("grid", text), ["constant.language"]);
  assert.deepStrictEqual(scopesOf("fair", text), ["storage.modifier"]);
  assert.deepStrictEqual(scopesOf("..", text), ["keyword.operator"]);
});

test("expectations: models, readings, parameters, conditions, models for levels", () => {
  const text = 'expect (N >= 3) {\n  pass OBE-k(k=3), fair:weak; // why\n' +
      '  fail "workgroup=OBE,thread=unfair":strong, independent-threads;\n  error;\n}\nthread 0 { pass = 1; }';
  assert.deepStrictEqual(scopesOf("N", text), ["variable.language"]);
  assert.deepStrictEqual(scopesOf("OBE-k", text), ["entity.name.type.model"]);
  assert.deepStrictEqual(scopesOf("k", text), ["variable.parameter"]);
  assert.deepStrictEqual(scopesOf("fair", text), ["entity.name.type.model"]);
  assert.deepStrictEqual(scopesOf('"workgroup=OBE,thread=unfair"', text), ["string.quoted.double"]);
  assert.deepStrictEqual(scopesOf("independent-threads", text), ["entity.name.type.model"]);
  assert.deepStrictEqual(scopesOf("error", text), ["keyword.other.verdict"]);
  assert.deepStrictEqual(scopesOf("// why", text), ["comment.line.double-slash"]);
  // They end at their brace.
  assert.deepStrictEqual(scopesOf("pass", text), ["keyword.other.verdict", "variable.other"]);
});

test("what no language has is shown as a mistake", () => {
  assert.deepStrictEqual(scopesOf("#", "thread 0 { # }"), ["invalid.illegal"]);
});
