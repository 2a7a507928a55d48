#!/usr/bin/env python3
"""Ends headway by SIGKILL at random moments, and looks at what is left.

    tests/kills/kills.py [--headway PROGRAM] [--kills NUMBER] [--seed NUMBER] [--quick]

Commands that write files, keep finished work or use temporary folders are killed in turn. After each
kill:

- every file under a name that was asked for is whole: what an undisturbed run writes, or what the
  next run can go on from;
- there is no other file, in the folder of results or beside it, but for the whole new one that was about to
  replace a file of finished work, which the next run removes;
- no process that headway started lives on;
- of what was printed, all lines but the last are those that an undisturbed run prints.

Then the same command is run to its end. It has to print and write what the undisturbed run did, and
to sweep what the killed one left in the temporary folder (made older than a minute, as what is
younger may belong to a process that is about to lock it).

Exit status: 0 when nothing was found, 1 otherwise.
"""

import argparse
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MARK = "HEADWAY_KILLS"


class Job:
    """A command, run in a folder of its own. `outputs` are names there, which it writes whole;
    `kept` are files of finished work, which may be there at any stage as long as they can be read;
    `results` are folders of files each of which is whole."""

    def __init__(self, name, arguments, outputs=(), kept=(), results=(), inputs=()):
        self.name = name
        self.arguments = arguments
        self.outputs = outputs
        self.kept = kept
        self.results = results
        self.inputs = inputs  # files to be there first: (name, content or path)


def timeless(printed):
    """Without times, the one thing in an output that two runs do not share."""
    return re.sub(rb'"(seconds|taken)": ?[0-9.e+-]+', rb'"\1": 0', printed)


def content(folder, but=()):
    """{name: bytes} of all files below a folder."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_file() and name not in but:
            found[name] = path.read_bytes()
    return found


class Kills:
    def __init__(self, headway, seed):
        self.headway = headway
        self.random = random.Random(seed)
        self.mark = uuid.uuid4().hex
        self.wrong = []
        self.references = {}
        self.killed = 0
        self.ended = 0  # before it was their turn
        self.swept = 0
        self.swept_files = 0

    def object_to(self, job, what):
        self.wrong.append(f"{job.name}: {what}")
        print("WRONG", self.wrong[-1], flush=True)

    def start(self, job, folder, temporary):
        environment = dict(os.environ, TMPDIR=str(temporary), **{MARK: self.mark})
        environment.pop("HEADWAY_UPDATE_GOLDEN", None)
        out = open(folder.parent / "stdout", "wb")
        with out:
            return subprocess.Popen([self.headway, *job.arguments], cwd=folder, env=environment,
                                    stdout=out, stderr=subprocess.PIPE)

    def prepare(self, job, base):
        folder, temporary = base / "work", base / "tmp"
        for path in (folder, temporary):
            shutil.rmtree(path, ignore_errors=True)
            path.mkdir(parents=True)
        for name, source in job.inputs:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(source)
        return folder, temporary

    def finish(self, job, folder, temporary):
        """Runs to the end: status, what was printed and the files, and how long it took."""
        begin = time.monotonic()
        process = self.start(job, folder, temporary)
        said = process.communicate(timeout=300)[1]
        taken = time.monotonic() - begin
        printed = (folder.parent / "stdout").read_bytes()
        return process.returncode, printed, content(folder, job.kept), taken, said.decode()

    def reference(self, job, base, statuses=(0, 1)):
        """What finish() says of a run that nobody disturbs, which is made once."""
        if job.name not in self.references:
            folder, temporary = self.prepare(job, base)
            self.references[job.name] = self.finish(job, folder, temporary)
            status, _, _, _, said = self.references[job.name]
            if status not in statuses:
                self.object_to(job, f"exit status {status}: {said[-300:]}")
            if list(temporary.iterdir()):
                self.object_to(job, "leaves something in the temporary folder")
        return self.references[job.name]

    def orphans(self):
        mark = f"{MARK}={self.mark}".encode()
        alive = []
        for process in Path("/proc").iterdir():
            if not process.name.isdigit() or int(process.name) == os.getpid():
                continue
            try:
                if mark in (process / "environ").read_bytes().split(b"\0"):
                    state = (process / "stat").read_text().rsplit(")", 1)[1].split()[0]
                    if state != "Z":
                        alive.append((process / "cmdline").read_bytes().replace(b"\0", b" "))
            except OSError:
                continue
        return alive

    def look(self, job, folder, whole):
        """At what a kill has left in the folder of results."""
        inputs = {name for name, _ in job.inputs}
        for name, found in content(folder).items():
            if name in inputs or name in job.kept:
                if name in job.kept and name.endswith(".json"):
                    try:
                        json.loads(found)
                    except ValueError as error:
                        self.object_to(job, f"{name} is not whole: {error}")
                continue
            if re.search(r"\.tmp-\d+-\d+$", name) and name[: name.rindex(".tmp-")] in job.kept:
                self.swept_files += 1  # the next run has to remove it
                continue
            ours = name in job.outputs or any(name.startswith(r + "/") for r in job.results)
            if not ours:
                self.object_to(job, f"{name} was left behind")
            elif found != whole.get(name):
                self.object_to(job, f"{name} is not whole")

    def one(self, job, base, reference):
        status, printed, files, taken, _ = reference
        folder, temporary = self.prepare(job, base)
        process = self.start(job, folder, temporary)
        time.sleep(self.random.uniform(0, taken))
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            self.killed += 1
        else:
            self.ended += 1
        process.communicate()
        so_far = (base / "stdout").read_bytes()
        whole_lines = timeless(so_far[: so_far.rfind(b"\n") + 1])
        if not timeless(printed).startswith(whole_lines):
            self.object_to(job, "printed lines that an undisturbed run does not print")
        self.look(job, folder, files)
        deadline = time.monotonic() + 30  # of a machine with more to do
        while self.orphans() and time.monotonic() < deadline:
            time.sleep(0.05)
        for orphan in self.orphans():
            self.object_to(job, f"a process lives on: {orphan.decode(errors='replace')}")

        left = sorted(path.name for path in temporary.iterdir())
        long_ago = time.time() - 120
        for name in left:
            if not name.startswith("headway-"):
                self.object_to(job, f"{name} was left in the temporary folder")
            os.utime(temporary / name, (long_ago, long_ago))
        for result in job.results:  # a command refuses to mix with what is there
            shutil.rmtree(folder / result, ignore_errors=True)
        again = self.finish(job, folder, temporary)
        if again[0] != status or again[2] != files:
            self.object_to(job, f"the next run differs (exit status {again[0]}): {again[4][-300:]}")
        if timeless(again[1]) != timeless(printed):
            self.object_to(job, "the next run prints something else")
        still = sorted(path.name for path in temporary.iterdir())
        if still:
            self.object_to(job, f"the next run leaves {still} in the temporary folder")
        self.swept += len(left)


def jobs(headway, quick):
    """Sized so that each takes some tenths of a second or more; if `quick`, fewer and shorter."""

    def written(*arguments):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "out.jsonl"
            subprocess.run([headway, "synth", *arguments, "-o", str(out)], check=True,
                           capture_output=True)
            return out.read_bytes()

    size = "4" if quick else "5"
    suite = written("-k", "4")
    halves = [("a.jsonl", written("-k", size, "--shard", "1/2")),
              ("b.jsonl", written("-k", size, "--shard", "2/2"))]
    kernel = (ROOT / "litmus/kernels/chained-scan.cu").read_bytes()
    shown = [str(ROOT / "litmus" / name) for name in ("idioms", "scoped", "spin-mutex.litmus")]
    first = [
        Job("synth", ["synth", "-k", size, "-j", "2", "-o", "out.jsonl", "--checkpoint", "done"],
            outputs=["out.jsonl"], kept=["done"]),
        Job("synth to a folder", ["synth", "-k", "3", "--minimal", "-o", "tests"],
            results=["tests"]),
        Job("suite verdicts",
            ["suite", "verdicts", "--keep", "--format", "csv", "-j", "1", "s.jsonl"],
            inputs=[("s.jsonl", suite)], kept=["s.jsonl.verdicts.json"]),
        Job("merge", ["merge", "a.jsonl", "b.jsonl", "-o", "all.jsonl"], outputs=["all.jsonl"],
            inputs=halves),
        Job("check of a kernel", ["check", "--format", "csv", "k.cu"], inputs=[("k.cu", kernel)]),
    ]
    more = [
        Job("conform", ["conform", str(ROOT / "tests/data/published/devices"), "--suite",
                        str(ROOT / "tests/data/published/tests"), "--format", "html"]),
        Job("check --format csv", ["check", "--format", "csv", "-j", "1", *shown]),
        Job("check --format json", ["check", "--format", "json", "-j", "1", *shown]),
        Job("report", ["report", str(ROOT / "litmus/scoped"), "-o", "page.html"], outputs=["page.html"]),
        Job("export", ["export", str(ROOT / "litmus/suite/minimal"), "--target", "opencl", "-o", "programs"],
            results=["programs"]),
    ]
    return first if quick else first + more


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--headway", default=os.environ.get("HEADWAY_BINARY",
                                                            ROOT / "build/release/headway"))
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 1_000_000)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    headway = str(Path(options.headway).resolve())
    kills = Kills(headway, options.seed)
    print(f"seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="headway_kills_") as scratch:
        base = Path(scratch)
        all_jobs = jobs(headway, options.quick)
        turn = 0
        while kills.killed < options.kills and turn < 4 * options.kills:
            job = all_jobs[turn % len(all_jobs)]
            turn += 1
            kills.one(job, base, kills.reference(job, base))
    print(f"{kills.killed} kills ({kills.ended} commands had ended before), "
          f"{kills.swept} temporary folders and {kills.swept_files} files left and swept: "
          f"{'nothing half-written' if not kills.wrong else f'{len(kills.wrong)} findings'}")
    return 1 if kills.wrong or kills.killed < options.kills else 0


if __name__ == "__main__":
    sys.exit(main())
