#!/usr/bin/env python3
"""Ends headway by SIGINT, SIGTERM and SIGHUP at random moments, and looks at what it says.

    tests/kills/interrupts.py [--headway PROGRAM] [--tries NUMBER] [--seed NUMBER] [--seconds LIMIT]
                              [--quick] [--only WORD]

Commands that decide folders, single files and families, that search and that compare are interrupted
in turn. After each signal:

- headway ends within the limit (its own is a second; machines that have other work get more) with
  128 + the signal, or with what an undisturbed run gives where it had ended before;
- no process that it started lives on, and nothing is left in the temporary folder;
- what it printed is nothing, or a whole document whose answers are among those of an undisturbed run,
  but for ones that are left open.

Exit status: 0 when nothing was found, 1 otherwise.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from kills import ROOT, Job, Kills

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
OPEN = ("unknown", "")


def verdicts(document):
    """{(test, model or property): answer} of what check or verify prints as JSON."""
    answers = {}
    for test in document:
        for finding in test.get("findings", ()):
            answers[test["file"], test["kernel"], finding["property"]] = finding["verdict"]
        for verdict in test.get("verdicts", ()):
            answers[test["test"], verdict["model"], verdict["fairness"]] = verdict["verdict"]
    return answers


class Interrupts(Kills):
    def __init__(self, headway, seed, seconds):
        super().__init__(headway, seed)
        self.seconds = seconds
        self.slowest = 0.0

    def one(self, job, base, reference):
        folder, temporary = self.prepare(job, base)
        status, whole, _, taken, _ = reference
        process = self.start(job, folder, temporary)
        which = self.random.choice(SIGNALS)
        time.sleep(self.random.random() * taken)
        begin = time.monotonic()
        process.send_signal(which)
        try:
            said = process.communicate(timeout=60)[1].decode()
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            self.object_to(job, f"lives on for a minute after {which.name}")
            return
        needed = time.monotonic() - begin
        self.slowest = max(self.slowest, needed)
        if needed > self.seconds:
            self.object_to(job, f"takes {needed:.1f} s to end by {which.name}")
        ended = process.returncode == status
        self.ended += ended
        # Before the first line of main() the signal has its usual effect.
        if not ended and process.returncode not in (128 + which, -which):
            self.object_to(job, f"status {process.returncode} after {which.name}: {said[-300:]}")
        self.killed += 1
        for alive in self.orphans():
            self.object_to(job, f"{alive} lives on after {which.name}")
        # Before that line, too, nothing can be left.
        left = sorted(path.name for path in temporary.iterdir())
        if left:
            self.object_to(job, f"{left} is left in the temporary folder after {which.name}")
        self.look_at_output(job, base, whole)

    def look_at_output(self, job, base, whole):
        printed = (base / "stdout").read_bytes()
        if not printed or "json" not in job.arguments:
            return
        try:
            answers, expected = verdicts(json.loads(printed)), verdicts(json.loads(whole))
        except ValueError as error:
            self.object_to(job, f"prints no whole document: {error}: {printed[-200:]}")
            return
        for key, answer in answers.items():
            if answer not in OPEN and expected.get(key) != answer:
                self.object_to(job, f"says {answer} of {key}, undisturbed {expected.get(key)}")


def jobs(quick):
    """If `quick`, over fewer kernels."""
    kernels = ROOT / "litmus/kernels"
    folder, inputs = str(kernels), []
    if quick:
        chosen = ("chained-scan.cu", "persistent-threads.cl", "spin-lock-broken.cu", "ticket-lock.cu")
        folder, inputs = "kernels", [(f"kernels/{name}", (kernels / name).read_bytes()) for name in chosen]
    proved = ROOT / "tests/data/verify"
    one = kernels / "chained-scan.cu"
    return [
        Job("check of a folder", ["check", "--format", "json", folder], inputs=inputs),
        Job("verify of a folder", ["verify", "--format", "json", "--timeout", "5", folder],
            inputs=inputs),
        Job("check of a kernel", ["check", "--format", "json", str(one)]),
        Job("verify of a kernel", ["verify", "--format", "json", "--timeout", "4" if quick else "30",
                                   "--bounds", *([] if quick else ["--suggest"]),
                                   str(proved / "transpose.cu")]),
        Job("check of a family", ["check", "--threads", "any", str(ROOT / "litmus/idioms")]),
        Job("synth", ["synth", "-k", "5", "-j", "2", "-o", "out.jsonl"]),
        Job("explain", ["explain", "--model", "HSA", str(one)]),
        Job("slice", ["slice", str(one)]),
        Job("models", ["models", "compare", "HSA", "OBE", "LOBE", "--threads", "6"]),
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--headway", default=os.environ.get("HEADWAY_BINARY",
                                                            ROOT / "build/release/headway"))
    parser.add_argument("--tries", type=int, default=200)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 1_000_000)
    parser.add_argument("--seconds", type=float, default=1.5)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", help="a word in the names of the commands that are tried")
    options = parser.parse_args()
    interrupts = Interrupts(str(Path(options.headway).resolve()), options.seed, options.seconds)
    print(f"seed {options.seed}", flush=True)
    for which in SIGNALS:  # what is ignored here, as in the background of a shell, headway ignores
        signal.signal(which, signal.SIG_DFL)
    with tempfile.TemporaryDirectory(prefix="headway_interrupts_") as scratch:
        base = Path(scratch)
        all_jobs = [job for job in jobs(options.quick) if not options.only or options.only in job.name]
        interrupts.random.shuffle(all_jobs)
        for turn in range(options.tries):
            job = all_jobs[turn % len(all_jobs)]
            interrupts.one(job, base, interrupts.reference(job, base, statuses=(0, 1, 3)))
    print(f"{interrupts.killed} signals ({interrupts.ended} commands had ended before), the slowest "
          f"end {interrupts.slowest:.2f} s: "
          f"{f'{len(interrupts.wrong)} findings' if interrupts.wrong else 'nothing found'}")
    return 1 if interrupts.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
