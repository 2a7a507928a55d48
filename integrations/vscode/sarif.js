// What headway says, as problems of files. Knows nothing of VS Code.
"use strict";

const {fileURLToPath, pathToFileURL} = require("node:url");

// A result of SARIF may say how bad it is (level), and how sure (kind): what is open, or to be looked
// at, has the level none.
function severityOf(result) {
  switch (result.level) {
    case "error": return "error";
    case "warning": return "warning";
    default: return "information";
  }
}

// Problems of a SARIF log: {file, line, column, severity, message, rule}. Lines and columns are from 0,
// in UTF-16 code units as SARIF's are; without a column it is the whole line. Files are absolute; those
// of the log that are not are below `folder`, where headway ran. What passes is no problem.
function problemsOf(text, folder) {
  const log = JSON.parse(text);
  const problems = [];
  for (const run of log.runs) {
    for (const result of run.results) {
      if (result.kind === "pass") continue;
      const {artifactLocation, region = {}} = result.locations[0].physicalLocation;
      const {startLine = 1, startColumn} = region;
      problems.push({
        file: fileURLToPath(new URL(artifactLocation.uri, pathToFileURL(`${folder}/`))),
        line: startLine - 1,
        column: startColumn === undefined ? undefined : startColumn - 1,
        severity: severityOf(result),
        message: result.message.text,
        rule: result.ruleId
      });
    }
  }
  return problems;
}

module.exports = {problemsOf};
