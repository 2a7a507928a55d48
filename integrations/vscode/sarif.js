// What headway says, as problems of files. Knows nothing of VS Code.
"use strict";

const {fileURLToPath, pathToFileURL} = require("node:url");

// By the kind of a result: certain, to be looked at, and not decided. What passes is no problem.
const kSeverities = {fail: "error", review: "warning", open: "information"};

// Problems of a SARIF log: {file, line, column, severity, message, rule}. Lines and columns are from 0;
// without a column it is the whole line. Files are absolute: those of the log that are not are below
// `folder`, where headway ran. What has no place is at the top of `checked`, the file that was asked about.
function problemsOf(text, folder, checked) {
  const problems = [];
  for (const run of JSON.parse(text).runs) {
    for (const result of run.results) {
      if (result.kind === "pass") continue;
      const place = result.locations?.[0].physicalLocation;
      const {startLine = 1, startColumn} = place?.region ?? {};
      problems.push({
        file: place ? fileURLToPath(new URL(place.artifactLocation.uri, pathToFileURL(`${folder}/`))) : checked,
        line: startLine - 1,
        column: startColumn === undefined ? undefined : startColumn - 1,
        severity: kSeverities[result.kind],
        message: result.message.text,
        rule: result.ruleId
      });
    }
  }
  return problems;
}

module.exports = {problemsOf};
