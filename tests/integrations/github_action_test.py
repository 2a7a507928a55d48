"""integrations/github-action: the steps of action.yml, run as a runner does: each by bash, with its
inputs in the environment, and with files for outputs, for what goes to PATH, and for the summary."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    import yaml
except ImportError:
    print("skipped: no python3-yaml")
    sys.exit(77)

BINARY = pathlib.Path(os.environ["HEADWAY_BINARY"]).resolve()
SOURCES = pathlib.Path(os.environ["HEADWAY_SOURCE_DIR"]).resolve()
ACTION = SOURCES / "integrations/github-action"

PASSING = ("litmus waits\nlocations flag;\nthread 0 { flag = 1; }\n"
           "thread 1 { while (Load(flag) == 0); }\nexpect { pass fair; fail unfair; }\n")
FAILING = PASSING.replace("pass fair", "pass OBE:weak")


class Run:
    """What a job has after the action: how it ended, what it printed, outputs, summary."""

    def __init__(self, workspace, on_path=True, action=ACTION, **inputs):
        self.workspace = workspace
        text = yaml.safe_load((action / "action.yml").read_text())
        given = {name: inputs.get(name, of.get("default")) for name, of in text["inputs"].items()}
        assert None not in given.values(), "a required input is missing"
        files = {name: workspace / f".{name}" for name in
                 ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_PATH")}
        for file in files.values():
            file.write_text("")
        programs = workspace / ".bin"
        if on_path:
            programs.mkdir(exist_ok=True)
            (programs / "headway").unlink(missing_ok=True)
            (programs / "headway").symlink_to(BINARY)
        steps = {}
        self.status = 0
        self.printed = ""
        for step in text["runs"]["steps"]:
            assert step["shell"] == "bash"
            # A text of others in the script itself would be a program of theirs.
            assert "${{" not in step["run"]
            paths = [*reversed(files["GITHUB_PATH"].read_text().splitlines()), str(programs), "/usr/bin", "/bin"]
            environment = {"PATH": ":".join(paths), "HOME": str(workspace),
                           "GITHUB_ACTION_PATH": str(action), "GITHUB_WORKSPACE": str(workspace),
                           **{name: str(file) for name, file in files.items()}}
            for name, value in step.get("env", {}).items():
                environment[name] = re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda m: given[m[1]], value)
            script = workspace / ".step.sh"
            script.write_text(step["run"])
            done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", script],
                                  cwd=workspace, env=environment, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, timeout=300)
            self.printed += done.stdout
            self.status = done.returncode
            steps[step.get("id")] = dict(
                line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines())
            if self.status != 0:
                break
        self.outputs = {}
        for name, of in text["outputs"].items():
            step, output = re.fullmatch(r"\$\{\{ steps\.(\w+)\.outputs\.(\w+) \}\}", of["value"]).groups()
            self.outputs[name] = steps.get(step, {}).get(output, "")
        self.summary = files["GITHUB_STEP_SUMMARY"].read_text()


class Action(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "tests/more").mkdir(parents=True)
        (self.folder / "tests/passing.litmus").write_text(PASSING)

    def fail_too(self, name="tests/failing.litmus"):
        (self.folder / name).write_text(FAILING)

    def test_what_passes_passes(self):
        run = Run(self.folder, paths="tests")
        self.assertEqual(run.status, 0, run.printed)
        self.assertEqual(run.outputs, {"status": "0", "sarif": ""})
        self.assertRegex(run.printed, r"fair +pass +pass")
        self.assertIn("### headway check: all is as it should be\n", run.summary)
        self.assertRegex(run.summary, r"(?s)````text\n.*fair +pass +pass.*\n````\n")

    def test_what_fails_fails_the_step(self):
        self.fail_too()
        run = Run(self.folder, paths="tests")
        self.assertEqual(run.status, 1, run.printed)
        self.assertEqual(run.outputs, {"status": "1", "sarif": ""})
        self.assertIn("### headway check: something is not as it should be\n", run.summary)
        self.assertIn("tests/failing.litmus:5:15: expected OBE:weak to pass; it fails", run.summary)

    def test_findings_as_sarif(self):
        self.fail_too()
        run = Run(self.folder, paths="tests", sarif="found/headway.sarif")
        self.assertEqual(run.status, 1, run.printed)
        self.assertEqual(run.outputs, {"status": "1", "sarif": "found/headway.sarif"})
        results = json.loads((self.folder / "found/headway.sarif").read_text())["runs"][0]["results"]
        self.assertEqual([(result["ruleId"],
                           result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"])
                          for result in results], [("expectation", "tests/failing.litmus")])
        # People still read it in the log and in the summary.
        self.assertIn("failing.litmus:5:15: expected OBE:weak", run.printed)
        self.assertIn("failing.litmus:5:15: expected OBE:weak", run.summary)

    def test_input_that_cannot_be_read(self):
        (self.folder / "tests/broken.litmus").write_text("locations m;\nthread 0 { m = 1 }\n")
        run = Run(self.folder, paths="tests")
        self.assertEqual((run.status, run.outputs["status"]), (2, "2"), run.printed)
        self.assertIn("what was given cannot be read", run.summary)

    def test_paths_and_options_are_words(self):
        self.fail_too("tests/more/has a blank.litmus")
        # Quoted, and by a pattern that does not match it.
        self.assertEqual(Run(self.folder, paths="'tests/more/has a blank.litmus'").status, 1)
        self.assertEqual(Run(self.folder, paths="tests/*.litmus").status, 0)
        self.assertEqual(Run(self.folder, paths="tests/**/*.litmus").status, 1)
        self.assertEqual(Run(self.folder, paths="\n  tests/passing.litmus\n  tests/more\n").status, 1)
        run = Run(self.folder, paths="tests", options="--model 'OBE-k(k=2)' -m HSA --format csv")
        self.assertIn("waits,OBE-k(k=2),weak,", run.printed)
        self.assertIn("waits,HSA,weak,pass", run.printed)
        # Nothing of it is a command.
        run = Run(self.folder, paths="$(touch owned) `touch owned`;touch owned", options="--model fair")
        self.assertEqual(run.status, 2, run.printed)
        self.assertFalse((self.folder / "owned").exists())

    def test_verify(self):
        (self.folder / "race.cu").write_text("__global__ void race(int *data) { data[0] = threadIdx.x; }\n")
        run = Run(self.folder, paths="race.cu", command="verify", options="--block 8")
        if "clang" in run.printed and run.status == 2:
            self.skipTest("no clang that reads kernels")
        self.assertEqual(run.status, 1, run.printed)
        self.assertRegex(run.summary, r"race\.cu +race +violated")
        self.assertIn("### headway verify: something is not as it should be\n", run.summary)

    def test_only_commands_that_find(self):
        run = Run(self.folder, paths="tests", command="run")
        self.assertEqual((run.status, run.outputs["status"]), (2, ""))
        self.assertIn("::error::headway: command is check or verify, not 'run'", run.printed)

    def test_messages_are_annotations(self):
        self.fail_too()
        matcher = json.loads((ACTION / "problem-matcher.json").read_text())["problemMatcher"][0]
        run = Run(self.folder, paths="tests")
        lines = run.printed.splitlines()
        first = lines.index(f"::add-matcher::{ACTION}/problem-matcher.json")
        last = lines.index(f"::remove-matcher owner={matcher['owner']}::")
        pattern = matcher["pattern"][0]
        found = [match for line in lines[first:last] if (match := re.match(pattern["regexp"], line))]
        self.assertEqual([[match[pattern[part]] for part in ("file", "line", "column", "message")]
                          for match in found],
                         [["tests/failing.litmus", "5", "15", "expected OBE:weak to pass; it fails"]])
        self.assertEqual(re.match(pattern["regexp"], "warning: a.litmus:1:14: location 'b' is never used")
                         [pattern["severity"]], "warning")

    def test_is_built_where_it_is_not_on_the_path(self):
        if shutil.which("headway", path="/usr/bin:/bin"):
            self.skipTest("headway is installed")
        # A checkout whose scripts/demo does at once what takes minutes.
        checkout = self.folder / "checkout"
        shutil.copytree(ACTION, checkout / "integrations/github-action")
        (checkout / "scripts").mkdir()
        demo = checkout / "scripts/demo"
        demo.write_text('#!/bin/sh\ncd "$(dirname "$0")/.." && mkdir -p build/release && '
                        f"ln -s {BINARY} build/release/headway && echo built\n")
        demo.chmod(0o755)
        run = Run(self.folder, on_path=False, action=checkout / "integrations/github-action", paths="tests")
        self.assertEqual((run.status, run.outputs["status"]), (0, "0"), run.printed)
        self.assertIn("built\n", run.printed)
        demo.write_text("#!/bin/sh\nexit 3\n")
        run = Run(self.folder, on_path=False, action=checkout / "integrations/github-action", paths="tests")
        self.assertEqual((run.status, run.outputs["status"]), (3, ""))
        # And it is there in a checkout of this.
        self.assertTrue(os.access(SOURCES / "scripts/demo", os.X_OK))
        self.assertIn("build/release/headway", (SOURCES / "scripts/demo").read_text())


if __name__ == "__main__":
    unittest.main()
