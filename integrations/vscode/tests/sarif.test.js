// Problems are what the program says: each test runs it.
"use strict";

const assert = require("node:assert");
const {spawnSync} = require("node:child_process");
const path = require("node:path");
const {test} = require("node:test");
const {problemsOf} = require("../sarif.js");
const {program, folderOf, passing, failing} = require("./program.js");

// The last word is the file that is asked about.
function problems(folder, ...words) {
  const done = spawnSync(program, ["check", "--format", "sarif", ...words], {cwd: folder, encoding: "utf8"});
  assert.ifError(done.error);
  return problemsOf(done.stdout, folder, path.resolve(folder, words.at(-1)));
}

test("a test that is as it should be has no problem", (t) => {
  const folder = folderOf(t, {"a.litmus": passing});
  assert.deepStrictEqual(problems(folder, "a.litmus"), []);
});

test("an expectation that is not met is an error at its model", (t) => {
  const folder = folderOf(t, {"a.litmus": failing});
  const expected = [{
    file: path.join(folder, "a.litmus"),
    line: 4,
    column: failing.split("\n")[4].indexOf("OBE"),
    severity: "error",
    message: "waits: expected OBE:weak to pass; it fails",
    rule: "expectation"
  }];
  // However the file was named.
  assert.deepStrictEqual(problems(folder, "a.litmus"), expected);
  assert.deepStrictEqual(problems(folder, path.join(folder, "a.litmus")), expected);
});

test("a file that cannot be read has a problem for each mistake", (t) => {
  const folder = folderOf(t, {"b.litmus": "locations m;\nthread 0 { m = 1 }\nthread 1 { while (CAS(m, 1, 0) == 0); }\n"});
  const found = problems(folder, "b.litmus");
  assert.deepStrictEqual(found.map(({line, column, severity, rule}) => [line, column, severity, rule]),
                         [[1, 16, "error", "input"], [2, 18, "error", "input"]]);
  assert.match(found[0].message, /^expected ';', found '}'/);
});

test("a program that goes wrong is an error of a line", (t) => {
  const folder = folderOf(t, {"d.litmus": "shared bool busy;\nthreads 0..1 {\n  assert(exch(busy, 1) == 0);\n}\n"});
  const [problem, ...more] = problems(folder, "d.litmus");
  assert.deepStrictEqual([problem.line, problem.column, problem.severity, problem.rule, more],
                         [2, undefined, "error", "wrong", []]);
  assert.match(problem.message, /the assertion does not hold/);
});

test("what a limit left open is information", (t) => {
  const folder = folderOf(t, {"e.litmus": passing});
  const [problem] = problems(folder, "--max-states", "1", "e.litmus");
  assert.deepStrictEqual([problem.severity, problem.rule], ["information", "limit"]);
});

test("what has no place is at the top of the file that was asked about", (t) => {
  const folder = folderOf(t, {"f.litmus": passing, "table.csv": "test,model,fairness,verdict\nwaits,fair,weak,fail\n"});
  assert.deepStrictEqual(problems(folder, "--against", "table.csv", "f.litmus"), [{
    file: path.join(folder, "f.litmus"), line: 0, column: undefined, severity: "error",
    message: "table: verdicts differ from the table", rule: "reference"
  }]);
});

test("names of files may have blanks and more", (t) => {
  const folder = folderOf(t, {"a b#c%20\u00e4.litmus": failing});
  assert.strictEqual(problems(folder, "a b#c%20\u00e4.litmus")[0].file, path.join(folder, "a b#c%20\u00e4.litmus"));
});

test("what is verified is no problem, and what is to be looked at is one", () => {
  const place = {physicalLocation: {artifactLocation: {uri: "k.cu"}, region: {startLine: 3}}};
  const result = (kind) => ({ruleId: "race", kind, level: "none", message: {text: kind}, locations: [place]});
  const log = {runs: [{results: ["pass", "review", "open"].map(result)}]};
  assert.deepStrictEqual(problemsOf(JSON.stringify(log), "/f", "/f/k.cu").map(({message, severity}) => [message, severity]),
                         [["review", "warning"], ["open", "information"]]);
});
