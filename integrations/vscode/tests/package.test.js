// What is packed: the extension with all that it needs, and nothing besides.
"use strict";

const assert = require("node:assert");
const {spawnSync} = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const {test} = require("node:test");
const yauzl = require("yauzl");
const {sources, folderOf} = require("./program.js");

const extension = path.join(__dirname, "..");
const manifest = require("../package.json");

function filesOf(archive) {
  return new Promise((resolve, reject) => {
    yauzl.open(archive, (error, zip) => {
      if (error) return reject(error);
      const names = [];
      zip.on("entry", ({fileName}) => names.push(fileName));
      zip.on("end", () => resolve(names));
      zip.on("error", reject);
    });
  });
}

test("the package has the extension, and only that", async (t) => {
  const folder = folderOf(t, {});
  const done = spawnSync("npm", ["run", "package", "--", "--out", path.join(folder, "headway.vsix")],
                         {cwd: extension, encoding: "utf8"});
  assert.strictEqual(done.status, 0, done.stdout + done.stderr);
  const needed = ["package.json", "readme.md", "LICENSE.txt", "extension.js", "sarif.js", "language-configuration.json",
                  "litmus.tmLanguage.json"];
  const files = (await filesOf(path.join(folder, "headway.vsix"))).filter((name) => name.startsWith("extension/"));
  assert.deepStrictEqual(files.map((name) => name.slice("extension/".length).toLowerCase()).sort(),
                         needed.map((name) => name.toLowerCase()).sort());
});

test("files that the manifest names are there", () => {
  const {languages, grammars} = manifest.contributes;
  for (const file of [manifest.main, languages[0].configuration, grammars[0].path]) {
    assert.ok(fs.existsSync(path.join(extension, file)), file);
  }
  for (const file of [languages[0].configuration, grammars[0].path]) {
    JSON.parse(fs.readFileSync(path.join(extension, file), "utf8"));
  }
});

test("its version is that of headway", () => {
  const lists = fs.readFileSync(path.join(sources, "CMakeLists.txt"), "utf8");
  assert.strictEqual(manifest.version, /VERSION (\d+\.\d+\.\d+)/.exec(lists.slice(lists.indexOf("project(")))[1]);
});
