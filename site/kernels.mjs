// What the native program says of kernels, for the playground, whose engine does not read them.
import {execFile} from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

// What `headway` prints, where its status is one of `statuses`.
function run(headway, root, parts, statuses = [0]) {
  return new Promise((resolve, reject) => {
    execFile(headway, parts, {cwd: root, maxBuffer: 1 << 26}, (error, output, complaints) => {
      const status = error === null ? 0 : error.code;
      // A line that was too long goes on further in.
      if (statuses.includes(status)) resolve({status, output, complaints: complaints.replace(/\n {4,}/g, " ")});
      else reject(new Error(`headway ${parts.join(" ")}: ${status}: ${complaints}`));
    });
  });
}

// Verdicts as of check, and what is shown of each as in a report of the kernel alone.
async function recordOf(headway, root, file) {
  const check = await run(headway, root, ["check", file, "--models", "all", "--format", "json"]);
  const tests = JSON.parse(check.output);
  if (tests.length !== 1) throw new Error(`${file}: expected one launch, found ${tests.length}`);
  const [{seconds, ...test}] = tests;
  const models = [...new Set(test.verdicts.map(({model}) => model))];
  const page = await run(headway, root, ["report", file, "--engine", "none", "-m", models.join(), "-o", "-"]);
  const [, data] = /<script type="application\/json" id="data">(.*?)<\/script>/s.exec(page.output);
  const {models: columns, readings, texts, shown, views, runs, graphs} = JSON.parse(data);
  const slice = await run(headway, root, ["slice", file], [0, 3]);  // 3: there is none
  return {
    text: fs.readFileSync(path.join(root, file), "utf8"),
    test,
    notes: check.complaints.split("\n").filter((line) => line.startsWith("note: ")).map((line) => line.slice(6)),
    slice: slice.status === 0 ? slice.output : null,
    refusal: slice.status === 0 ? null : slice.complaints.trim().split("\n").pop(),
    file: {models: columns.map(({name, silent}) => ({name, silent})), readings, texts, shown, views, runs, graphs}
  };
}

// Of each file its record, several at a time.
export async function recordKernels(headway, root, files) {
  const records = new Map();
  const left = [...files];
  const work = async () => {
    for (let file = left.shift(); file !== undefined; file = left.shift())
      records.set(file, await recordOf(path.resolve(headway), root, file));
  };
  await Promise.all(os.cpus().map(work));
  return records;
}
