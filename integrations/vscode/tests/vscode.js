// As much of the module vscode as the extension uses, which tests can look into.
"use strict";

const Module = require("node:module");

class Position {
  constructor(line, character) { Object.assign(this, {line, character}); }
}
class Range {
  constructor(line, column, endLine, endColumn) {
    this.start = new Position(line, column);
    this.end = new Position(endLine, endColumn);
  }
}
class Diagnostic {
  constructor(range, message, severity) { Object.assign(this, {range, message, severity}); }
}

// A VS Code with the extension activated in it: settings, what happens, and what a person has seen.
function fresh(settings) {
  const seen = {problems: new Map(), errors: [], bar: [], executed: [], listeners: {}, commands: {}};
  const listen = (name) => (listener) => {
    seen.listeners[name] = listener;
    return {dispose() { delete seen.listeners[name]; }};
  };
  const vscode = {
    Position, Range, Diagnostic,
    DiagnosticSeverity: {Error: 0, Warning: 1, Information: 2, Hint: 3},
    Uri: {file: (fsPath) => ({scheme: "file", fsPath})},
    languages: {
      createDiagnosticCollection: () => ({
        clear: () => seen.problems.clear(),
        set: (uri, diagnostics) => seen.problems.set(uri.fsPath, diagnostics),
        dispose: () => seen.problems.clear()
      })
    },
    workspace: {
      folder: undefined,
      getConfiguration: (section) => ({get: (name) => settings[`${section}.${name}`]}),
      getWorkspaceFolder: () => vscode.workspace.folder && {uri: vscode.Uri.file(vscode.workspace.folder)},
      onDidSaveTextDocument: listen("save"),
      onDidCloseTextDocument: listen("close")
    },
    window: {
      activeTextEditor: undefined,
      answer: undefined,
      showErrorMessage: async (message) => (seen.errors.push(message), vscode.window.answer),
      setStatusBarMessage: (message) => seen.bar.push(message)
    },
    commands: {
      registerCommand: (name, command) => (seen.commands[name] = command, {dispose() {}}),
      executeCommand: (...words) => seen.executed.push(words)
    }
  };
  const resolve = Module._load;
  Module._load = (name, ...rest) => name === "vscode" ? vscode : resolve(name, ...rest);
  try {
    delete require.cache[require.resolve("../extension.js")];
    const context = {subscriptions: []};
    require("../extension.js").activate(context);
    return {vscode, seen, context};
  } finally {
    Module._load = resolve;
  }
}

module.exports = {fresh};
