// The engine for browsers and the program say the same, byte for byte: node engine_test.mjs MODULE HEADWAY
// Over tests of all kinds, all models, and texts that are wrong.
import {execFile} from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import {fileURLToPath} from "node:url";
import {promisify} from "node:util";

const [module, headway] = process.argv.slice(2);
const root = path.join(path.dirname(fileURLToPath(import.meta.url)), "../..");
// What pages load it with is a script, not a module.
const loader = fs.readFileSync(path.join(root, "src/report/page/engine.js"), "utf8");
const loadEngine = new Function(`${loader}\nreturn loadEngine;`)();
if (!fs.existsSync(module)) {
  console.log(`there is no ${module} (scripts/site builds it)`);
  process.exit(77);  // the exit status that ctest takes for a test that did not run
}
const answer = await loadEngine(await WebAssembly.compile(fs.readFileSync(module)));
const run = promisify(execFile);

async function native(parts) {
  try {
    const {stdout} = await run(path.resolve(headway), parts, {cwd: root, maxBuffer: 1 << 29});
    return {status: 0, output: stdout};
  } catch (error) {
    if (typeof error.code !== "number") throw error;
    return {status: error.code, output: error.stdout, complaints: error.stderr};
  }
}

// How long it took, and how it was explored in memory, is for the machine to say.
const steady = (text) => text.replace(/"(seconds|memory)": [\d.e+-]+/g, '"$1": 0');

let compared = 0;
const failures = [];
async function compare(name, parts, request) {
  const expected = await native(parts);
  const found = answer(request);
  ++compared;
  if (expected.status !== found.status) {
    failures.push(`${name}: exit status ${expected.status}, of the engine ${found.status}: ${
      JSON.stringify(found.messages)} ${expected.complaints ?? ""}`);
  } else if (steady(expected.output) !== steady(found.output)) {
    const [a, b] = [steady(expected.output).split("\n"), steady(found.output).split("\n")];
    const line = a.findIndex((text, i) => text !== b[i]);
    failures.push(`${name}: line ${line + 1}: ${a[line]} but of the engine ${b[line]}`);
  }
  return found;
}

// States, past which only what limits leave is compared; those that are explained one by one are fewer.
const kLarge = 100000;
const kWhole = 5000;

function testsBelow(folder) {
  return fs.readdirSync(path.join(root, folder), {recursive: true})
    .filter((name) => /\.(litmus|txt)$/.test(name)).map((name) => `${folder}/${name}`).sort();
}

async function compareTest(file) {
  const text = fs.readFileSync(path.join(root, file), "utf8");
  const found = await compare(
    `check ${file}`, ["check", "-j", "1", "--format", "json", "--max-states", kLarge, file],
    {command: "check", text, file, max_states: kLarge});
  const tests = found.output === "" ? [] : JSON.parse(found.output).filter((test) => test.test);
  for (const test of tests) {
    if (test.states > kWhole) continue;
    const size = tests.length > 1 ? {threads: String(test.threads)} : {};
    const option = tests.length > 1 ? ["--threads", test.threads] : [];
    for (const model of ["HSA", "OBE"]) {
      for (const fairness of ["weak", "strong"]) {
        const of = {text, file, models: [model], fairness, max_states: kWhole, ...size};
        const options = ["-m", model, "--fairness", fairness, "--format", "json", "--max-states",
                         kWhole, ...option, file];
        await compare(`explain ${file} ${model} ${fairness}`, ["explain", ...options],
                      {command: "explain", ...of});
        if (model === "HSA") await compare(`lts ${file} ${fairness}`, ["lts", ...options], {command: "lts", ...of});
      }
    }
  }
  if (tests.length > 1 && tests.every((test) => test.states < kWhole)) {
    await compare(`residency ${file}`, ["residency", "--format", "json", "--max-states", kWhole, file],
                  {command: "residency", text, file, max_states: kWhole});
  }
}

// Of suites and published tests, which are many and alike, one in five and in twenty.
const inSuites = (file) => file.startsWith("litmus/suite/");
for (const file of [...testsBelow("litmus").filter((file) => !inSuites(file)),
                    ...testsBelow("litmus/suite").filter((_, i) => i % 5 === 0),
                    ...testsBelow("tests/data/programs"), ...testsBelow("tests/data/groups"),
                    ...testsBelow("tests/data/published/tests").filter((_, i) => i % 20 === 0)])
  await compareTest(file);

// For every number of threads: answers, proofs and why there is none.
for (const file of testsBelow("litmus/idioms")) {
  await compare(`every ${file}`, ["check", "--threads", "any", "--format", "json", file],
                {command: "check", file, threads: "any",
                 text: fs.readFileSync(path.join(root, file), "utf8")});
}

const models = fs.readdirSync(path.join(root, "models"), {recursive: true})
                 .filter((name) => name.endsWith(".yaml")).map((name) => `models/${name}`).sort();
const spin = "litmus/spin-mutex.litmus";
for (const model of models) {
  const files = {[model]: fs.readFileSync(path.join(root, model), "utf8")};
  if (model.startsWith("models/events/")) {
    // By another name, as its own is taken.
    files[model] = files[model].replace(/^name: /m, "name: e-");
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "headway-engine-"));
    const copy = path.join(folder, "model.yaml");
    fs.writeFileSync(copy, files[model]);
    await compare(`compare ${model}`, ["models", "compare", "--format", "json", "OBE", copy],
                  {command: "compare", models: ["OBE", copy], files: {[copy]: files[model]}});
    await compare(`check ${model}`, ["check", "--format", "json", "-m", copy, spin],
                  {command: "check", text: fs.readFileSync(path.join(root, spin), "utf8"), file: spin,
                   models: [copy], files: {[copy]: files[model]}});
    fs.rmSync(folder, {recursive: true});
    continue;
  }
  await compare(`compare ${model}`, ["models", "compare", "--format", "json", "OBE", model],
                {command: "compare", models: ["OBE", model], files});
  await compare(`check ${model}`, ["check", "--format", "json", "-m", model, "litmus/scoped/look-back.litmus"],
                {command: "check", file: "litmus/scoped/look-back.litmus", models: [model], files,
                 text: fs.readFileSync(path.join(root, "litmus/scoped/look-back.litmus"), "utf8")});
}
await compare("compare", ["models", "compare", "--format", "json", "-n", "4", "--histories", "all"],
              {command: "compare", threads: "4", histories: "all"});
await compare("compare by levels", ["models", "compare", "--format", "json", "--launch", "2x2", "CUDA", "WebGPU"],
              {command: "compare", launch: "2x2", models: ["CUDA", "WebGPU"]});

// Texts that are wrong, each at every cut of a good one.
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "headway-engine-"));
for (const file of [spin, "litmus/idioms/ttas-lock.litmus"]) {
  const text = fs.readFileSync(path.join(root, file), "utf8");
  const step = Math.ceil(text.length / 40);
  for (let end = 1; end < text.length; end += step) {
    const copy = path.join(folder, "cut.litmus");
    fs.writeFileSync(copy, text.slice(0, end));
    await compare(`${file} up to ${end}`, ["check", "-j", "1", "--format", "json", copy],
                  {command: "check", text: text.slice(0, end), file: copy});
  }
}
// And texts that nest deeper than a stack is.
const deep = 20000;
for (const [name, text] of [
       ["blocks", `idiom d\nN = 2..2;\nshared bool x;\nthreads {\n${"if (load(x) == 0) {".repeat(deep)}`],
       ["parentheses", `idiom d\nN = 2..2;\nthreads { int(0..3) r = ${"(".repeat(deep)}1; }\n`]]) {
  const copy = path.join(folder, "deep.litmus");
  fs.writeFileSync(copy, text);
  await compare(`nested ${name}`, ["check", "-j", "1", "--format", "json", copy],
                {command: "check", text, file: copy});
}
for (const fair of ["(".repeat(deep), `${"(".repeat(deep)}alive${")".repeat(deep)}`]) {
  const copy = path.join(folder, "deep.yaml");
  fs.writeFileSync(copy, `name: deep\nfair: ${fair}\n`);
  await compare("a nested model", ["models", "compare", "--format", "json", "OBE", copy],
                {command: "compare", models: ["OBE", copy], files: {[copy]: fs.readFileSync(copy, "utf8")}});
}
fs.rmSync(folder, {recursive: true});

console.log(`${compared} answers compared, ${failures.length} differ`);
if (failures.length > 0) {
  console.log(failures.slice(0, 20).join("\n"));
  process.exit(1);
}
