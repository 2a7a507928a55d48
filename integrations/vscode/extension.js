// Runs `headway check` on files when they are saved, or asked about, and shows what it finds as problems.
"use strict";

const vscode = require("vscode");
const {execFile} = require("node:child_process");
const path = require("node:path");
const {problemsOf} = require("./sarif.js");

const kSeverities = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information
};

function diagnosticOf(problem) {
  // An empty range is the word there, for VS Code; one to the end of all columns is the line.
  const range = problem.column === undefined
      ? new vscode.Range(problem.line, 0, problem.line, Number.MAX_VALUE)
      : new vscode.Range(problem.line, problem.column, problem.line, problem.column);
  const diagnostic = new vscode.Diagnostic(range, problem.message, kSeverities[problem.severity]);
  diagnostic.source = "headway";
  diagnostic.code = problem.rule;
  return diagnostic;
}

class Checker {
  constructor() {
    this.collection = vscode.languages.createDiagnosticCollection("headway");
    this.problems = new Map();  // of each file that was checked, which may be in files that it includes
    this.running = new Map();   // the run of a file, which the next one of the same file ends
    this.missing = undefined;   // the program that was said to be missing, so as to say it once
  }

  dispose() {
    for (const run of this.running.values()) run.abort();
    this.collection.dispose();
  }

  forget(file) {
    this.running.get(file)?.abort();
    if (this.problems.delete(file)) this.show();
  }

  show() {
    const files = new Map();
    for (const problem of [...this.problems.values()].flat()) {
      if (!files.has(problem.file)) files.set(problem.file, []);
      files.get(problem.file).push(diagnosticOf(problem));
    }
    this.collection.clear();
    for (const [file, diagnostics] of files) this.collection.set(vscode.Uri.file(file), diagnostics);
  }

  // Checks a file as it is on disk. `asked` is whether a person asked, who is then answered in any case.
  async check(document, asked) {
    const settings = vscode.workspace.getConfiguration("headway", document.uri);
    const program = settings.get("program");
    const file = document.uri.fsPath;
    const folder = vscode.workspace.getWorkspaceFolder(document.uri)?.uri.fsPath ?? path.dirname(file);
    const words = ["check", "--format", "sarif", ...settings.get("options"), "--", file];
    this.running.get(file)?.abort();
    const run = new AbortController();
    this.running.set(file, run);
    const {error, stdout, stderr} = await new Promise((resolve) => {
      execFile(program, words, {cwd: folder, signal: run.signal, maxBuffer: 64 << 20},
               (error, stdout, stderr) => resolve({error, stdout, stderr}));
    });
    if (run.signal.aborted) return;
    this.running.delete(file);
    if (error?.code === "ENOENT") {
      this.sayMissing(program, asked);
      return;
    }
    this.missing = undefined;
    let problems;
    try {
      problems = problemsOf(stdout, folder, file);
    } catch {
      // Without findings to read, it was not asked well, or was ended.
      const why = stderr.trim().split("\n")[0] || error?.message || "it printed nothing that can be read";
      vscode.window.showErrorMessage(`headway could not check ${path.basename(file)}: ${why}`);
      return;
    }
    this.problems.set(file, problems);
    this.show();
    if (asked && problems.length === 0) {
      vscode.window.setStatusBarMessage(`headway: ${path.basename(file)} is as it should be`, 5000);
    }
  }

  async sayMissing(program, asked) {
    if (this.missing === program && !asked) return;
    this.missing = program;
    const settings = "Open Settings";
    const chosen = await vscode.window.showErrorMessage(
        `The program '${program}' was not found. Install headway, or say in the setting ` +
        "headway.program where it is.", settings);
    if (chosen === settings) {
      vscode.commands.executeCommand("workbench.action.openSettings", "headway.program");
    }
  }
}

// The document in front, saved, or nothing after it was said why.
async function savedDocument() {
  const document = vscode.window.activeTextEditor?.document;
  if (document === undefined) {
    vscode.window.showErrorMessage("headway: no file is open to check.");
    return undefined;
  }
  if (document.uri.scheme !== "file" || (document.isDirty && !(await document.save()))) {
    vscode.window.showErrorMessage("headway checks files: save this one first.");
    return undefined;
  }
  return document;
}

function activate(context) {
  const checker = new Checker();
  context.subscriptions.push(
      checker,
      vscode.workspace.onDidSaveTextDocument((document) => {
        const wanted = vscode.workspace.getConfiguration("headway", document.uri).get("checkOnSave");
        if (wanted && document.languageId === "litmus" && document.uri.scheme === "file") {
          return checker.check(document, false);
        }
      }),
      vscode.workspace.onDidCloseTextDocument((document) => checker.forget(document.uri.fsPath)),
      vscode.commands.registerCommand("headway.check", async () => {
        const document = await savedDocument();
        if (document !== undefined) await checker.check(document, true);
      }));
}

module.exports = {activate, deactivate() {}};
