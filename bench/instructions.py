#!/usr/bin/python3 -B
"""Counts the instructions that headway executes, which hardly depend on the machine's load.

bench/instructions.py           counts, and compares with bench/instructions.json: exit status 1
                                when a count is more than a tenth higher, 77 without valgrind
bench/instructions.py --update  writes bench/instructions.json

Needs the release build. Compilers differ more than a tenth at times, so a count of another version
of the compiler is shown and not judged.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from measure import HEADWAY, SOURCES, family, headway

RECORDED = SOURCES / "bench/instructions.json"
TOLERANCE = 1.1

# What is counted: the arguments of headway, and its standard input.
WORKLOADS = {
    "check, small tests": lambda: (
        ["check", "--format", "csv", SOURCES / "tests/data/published/tests"], ""),
    "check, whole transition system": lambda: (
        ["check", "--no-layers", "--format", "csv", "-"], family("spin-mutex", 7)),
    "check, layers without symmetry": lambda: (
        ["check", "--no-symmetry", "--format", "csv", "-"], family("spin-mutex", 9)),
    "check, layers of several threads alive": lambda: (
        ["check", "--format", "csv", "-"], family("flag-barrier", 5)),
    "check, symmetry": lambda: (
        ["check", "--format", "csv", "-"], family("spin-mutex", 10)),
    "check, idioms": lambda: (
        ["check", "--threads", "3", "--format", "csv", SOURCES / "litmus/idioms"], ""),
    "synth, explicit": lambda: (["synth", "-k", "4", "--count", "--engine", "explicit"], ""),
    "synth, minimal": lambda: (["synth", "-k", "3", "--count", "--minimal"], ""),
    "synth, SAT": lambda: (["synth", "-k", "3", "--count", "--engine", "sat"], ""),
}


def count(arguments, text):
    """Instructions executed by headway on one core."""
    with tempfile.TemporaryDirectory() as folder:
        found = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out", HEADWAY,
             *map(str, arguments), "--jobs", "1"],
            input=text, capture_output=True, text=True, check=False)
    collected = re.search(r"Collected\s*:\s*(\d+)", found.stderr)
    if found.returncode not in (0, 1) or not collected:
        raise RuntimeError(found.stderr)
    return int(collected[1])


def compiler():
    """The compiler of the release build, as its cache names it."""
    cache = (pathlib.Path(HEADWAY).parent / "CMakeCache.txt").read_text()
    path = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", cache, re.M)[1]
    return subprocess.run([path, "--version"], capture_output=True, text=True,
                          check=True).stdout.splitlines()[0]


def main():
    if not shutil.which("valgrind"):
        print("skipped: valgrind is not installed")
        return 77
    counts = {name: count(*workload()) for name, workload in WORKLOADS.items()}
    if sys.argv[1:] == ["--update"]:
        RECORDED.write_text(json.dumps({"compiler": compiler(), "instructions": counts},
                                       indent=2) + "\n")
        return 0
    recorded = json.loads(RECORDED.read_text())
    comparable = recorded["compiler"] == compiler()
    status = 0
    for name, found in counts.items():
        expected = recorded["instructions"].get(name)
        ratio = found / expected if expected else float("nan")
        grown = comparable and not ratio <= TOLERANCE
        print(f"{name:40} {found:14,} {ratio:6.3f}{'  too many' if grown else ''}")
        status |= grown
    if not comparable:
        print(f"recorded with {recorded['compiler']}, so not judged")
    elif status:
        print("where that is the price of something: bench/instructions.py --update, and say why")
    return status


if __name__ == "__main__":
    sys.exit(main())
