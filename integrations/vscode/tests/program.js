// The program that tests ask, the sources around them, and files for it.
"use strict";

const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

const sources = path.resolve(__dirname, "../../..");
const program = path.resolve(process.env.HEADWAY_BINARY ?? path.join(sources, "build/release/headway"));

// A folder with these files, which is gone when the test is over.
function folderOf(t, files) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "headway-"));
  t.after(() => fs.rmSync(folder, {recursive: true}));
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text);
  return folder;
}

const passing = "litmus waits\nlocations flag;\nthread 0 { flag = 1; }\n" +
    "thread 1 { while (Load(flag) == 0); }\nexpect { pass fair; fail unfair; }\n";
const failing = passing.replace("pass fair", "pass OBE:weak");

module.exports = {sources, program, folderOf, passing, failing};
