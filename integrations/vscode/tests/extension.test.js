// The extension in a small VS Code, with the program itself.
"use strict";

const assert = require("node:assert");
const fs = require("node:fs");
const path = require("node:path");
const {test} = require("node:test");
const {program, folderOf, passing, failing} = require("./program.js");
const {fresh} = require("./vscode.js");

const contributed = require("../package.json").contributes;

// The settings as they are declared, but for the program.
function settings(changed = {}) {
  const declared = Object.entries(contributed.configuration.properties).map(([name, {default: value}]) => [name, value]);
  return {...Object.fromEntries(declared), "headway.program": program, ...changed};
}

function documentOf(vscode, folder, name, languageId = "litmus") {
  return {uri: vscode.Uri.file(path.join(folder, name)), languageId, isDirty: false};
}

const messages = (seen, document) => (seen.problems.get(document.uri.fsPath) ?? []).map(({message}) => message);

test("what is saved is checked, and its problems go when they are mended", async (t) => {
  const folder = folderOf(t, {"a.litmus": failing});
  const {vscode, seen} = fresh(settings());
  const document = documentOf(vscode, folder, "a.litmus");
  await seen.listeners.save(document);
  const [problem, ...more] = seen.problems.get(document.uri.fsPath);
  assert.deepStrictEqual(more, []);
  assert.strictEqual(problem.message, "waits: expected OBE:weak to pass; it fails");
  assert.strictEqual(problem.severity, vscode.DiagnosticSeverity.Error);
  assert.deepStrictEqual([problem.source, problem.code], ["headway", "expectation"]);
  assert.deepStrictEqual({...problem.range.start}, {...problem.range.end});
  assert.strictEqual(problem.range.start.line, 4);

  fs.writeFileSync(document.uri.fsPath, passing);
  await seen.listeners.save(document);
  assert.deepStrictEqual([...seen.problems], []);
  // Who saves is told nothing besides.
  assert.deepStrictEqual([seen.errors, seen.bar], [[], []]);
});

test("problems of one file stay while another one is checked, and go when it is closed", async (t) => {
  const folder = folderOf(t, {"a.litmus": failing, "b.litmus": failing});
  const {vscode, seen} = fresh(settings());
  const [a, b] = ["a.litmus", "b.litmus"].map((name) => documentOf(vscode, folder, name));
  await seen.listeners.save(a);
  await seen.listeners.save(b);
  assert.strictEqual(messages(seen, a).length + messages(seen, b).length, 2);
  seen.listeners.close(a);
  assert.deepStrictEqual([...seen.problems.keys()], [b.uri.fsPath]);
});

test("only litmus tests in files are checked when they are saved, and only where that is wanted", async (t) => {
  const folder = folderOf(t, {"a.litmus": failing});
  const {vscode, seen} = fresh(settings());
  assert.strictEqual(seen.listeners.save(documentOf(vscode, folder, "a.litmus", "plaintext")), undefined);
  const remote = documentOf(vscode, folder, "a.litmus");
  remote.uri.scheme = "git";
  assert.strictEqual(seen.listeners.save(remote), undefined);
  const off = fresh(settings({"headway.checkOnSave": false}));
  assert.strictEqual(off.seen.listeners.save(documentOf(off.vscode, folder, "a.litmus")), undefined);
});

test("the command saves the file in front, checks it, and answers", async (t) => {
  const folder = folderOf(t, {"a.litmus": failing});
  const {vscode, seen} = fresh(settings());
  const document = {...documentOf(vscode, folder, "a.litmus", "plaintext"), isDirty: true};
  document.save = async () => (fs.writeFileSync(document.uri.fsPath, passing), true);
  vscode.window.activeTextEditor = {document};
  await seen.commands["headway.check"]();
  assert.deepStrictEqual([[...seen.problems], seen.bar], [[], ["headway: a.litmus is as it should be"]]);

  document.isDirty = false;
  fs.writeFileSync(document.uri.fsPath, failing);
  await seen.commands["headway.check"]();
  assert.strictEqual(messages(seen, document).length, 1);
  assert.deepStrictEqual(seen.errors, []);
});

test("the command says when there is no file to check", async (t) => {
  const {vscode, seen} = fresh(settings());
  await seen.commands["headway.check"]();
  assert.deepStrictEqual(seen.errors, ["headway: no file is open to check."]);
  vscode.window.activeTextEditor = {document: {uri: {scheme: "untitled", fsPath: "Untitled-1"}}};
  await seen.commands["headway.check"]();
  assert.match(seen.errors[1], /save this one first/);
});

test("a missing program is one clear message, again only when a person asks", async (t) => {
  const folder = folderOf(t, {"a.litmus": failing});
  const {vscode, seen} = fresh(settings({"headway.program": path.join(folder, "nothing")}));
  const document = documentOf(vscode, folder, "a.litmus");
  await seen.listeners.save(document);
  await seen.listeners.save(document);
  assert.deepStrictEqual(seen.errors, [
    `The program '${folder}/nothing' was not found. Install headway, or say in the setting headway.program where it is.`
  ]);
  assert.deepStrictEqual([[...seen.problems], seen.executed], [[], []]);
  vscode.window.activeTextEditor = {document};
  vscode.window.answer = "Open Settings";
  await seen.commands["headway.check"]();
  assert.strictEqual(seen.errors.length, 2);
  await new Promise(setImmediate);
  assert.deepStrictEqual(seen.executed, [["workbench.action.openSettings", "headway.program"]]);
});

test("options of the settings go to the program, and what it refuses is said", async (t) => {
  const folder = folderOf(t, {"a.litmus": failing});
  const changed = settings({"headway.options": ["--max-states", "1"]});
  const {vscode, seen} = fresh(changed);
  const document = documentOf(vscode, folder, "a.litmus");
  await seen.listeners.save(document);
  const [problem] = seen.problems.get(document.uri.fsPath);
  assert.deepStrictEqual([problem.code, problem.severity], ["limit", vscode.DiagnosticSeverity.Information]);
  // A problem without a column is of the whole line.
  assert.deepStrictEqual({...problem.range.end}, {line: problem.range.start.line, character: Number.MAX_VALUE});
  changed["headway.options"] = ["--nonsense"];
  await seen.listeners.save(document);
  assert.match(seen.errors[0], /^headway could not check a\.litmus: .*--nonsense/);
});

test("headway runs in the folder that is open", async (t) => {
  const folder = folderOf(t, {"a.litmus": passing.replace("pass fair", "fail mine")});
  // A model file that the options name relative to that folder.
  fs.mkdirSync(path.join(folder, "deep"));
  fs.renameSync(path.join(folder, "a.litmus"), path.join(folder, "deep/a.litmus"));
  fs.writeFileSync(path.join(folder, "mine.yaml"), "name: mine\nsummary: as fair is\nfair: alive\n");
  const {vscode, seen} = fresh(settings({"headway.options": ["--model", "mine.yaml"]}));
  vscode.workspace.folder = folder;
  const document = documentOf(vscode, folder, "deep/a.litmus");
  await seen.listeners.save(document);
  assert.deepStrictEqual(seen.errors, []);
  assert.ok(messages(seen, document).includes("waits: expected mine:weak to fail; it passes"));
});

test("of two checks of a file the later one counts", async (t) => {
  const folder = folderOf(t, {"a.litmus": failing});
  // The first run answers late, with what is no longer so.
  const slow = path.join(folder, "slow");
  fs.writeFileSync(slow, `#!/bin/sh\nif [ -e '${folder}/second' ]; then exec '${program}' "$@"; fi\n` +
                   `touch '${folder}/second'\n'${program}' "$@" > '${folder}/held'\nsleep 2\ncat '${folder}/held'\n`,
                   {mode: 0o755});
  const {vscode, seen} = fresh(settings({"headway.program": slow}));
  const document = documentOf(vscode, folder, "a.litmus");
  const first = seen.listeners.save(document);
  while (!fs.existsSync(path.join(folder, "second"))) await new Promise((resolve) => setTimeout(resolve, 5));
  fs.writeFileSync(document.uri.fsPath, passing);
  await seen.listeners.save(document);
  await first;
  assert.deepStrictEqual([[...seen.problems], seen.errors], [[], []]);
});

test("nothing is left when the extension goes", async (t) => {
  const folder = folderOf(t, {"a.litmus": failing});
  const {vscode, seen, context} = fresh(settings());
  await seen.listeners.save(documentOf(vscode, folder, "a.litmus"));
  for (const each of context.subscriptions) each.dispose();
  assert.deepStrictEqual([[...seen.problems], Object.keys(seen.listeners)], [[], []]);
});

test("the commands that are declared are there", () => {
  const {seen} = fresh(settings());
  assert.deepStrictEqual(Object.keys(seen.commands), contributed.commands.map(({command}) => command));
});
