#!/usr/bin/env python3
"""What headway verify takes for each stage of its proofs, and what its rules are worth.

bench/verify_bench.py [--rules] [FOLDER]

Proves the kernels of FOLDER (default litmus/kernels), one at a time, and prints the median, the
ninth tenth and the longest of each stage in seconds, and how many kernels have each verdict about
races. With --rules it proves each of them once more for each rule, which takes minutes, and prints
what `headway verify --rules --format csv` does: bench/rules.csv keeps that of litmus/kernels.
"""

import argparse
import collections
import json
import sys

from measure import HEADWAY, run

STAGES = ["front_end", "encoding", "houdini", "checks", "runs"]


def verify(folder, *options):
    found = run([HEADWAY, "verify", "--jobs", "1", *options, folder])
    if found.status not in (0, 1, 3):
        sys.exit(found.err)
    return found.out


def times(reports):
    """By stage, of each kernel."""
    result = collections.defaultdict(list)
    for report in reports:
        stages = dict(report["stages"])
        proof = sum(stages[name] for name in ("encoding", "houdini", "checks"))
        stages["runs"] = max(0.0, report["seconds"] - proof)
        for name in STAGES:
            result[name].append(stages[name])
        result["all"].append(report["seconds"] + stages["front_end"])
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rules", action="store_true", help="what each rule is worth")
    parser.add_argument("folder", nargs="?", default="litmus/kernels")
    arguments = parser.parse_args()
    if arguments.rules:
        print(verify(arguments.folder, "--rules", "--format", "csv"), end="")
        return
    reports = json.loads(verify(arguments.folder, "--format", "json"))
    print(f"{len(reports)} kernels")
    print(f"{'seconds':<10} {'median':>8} {'9 of 10':>8} {'longest':>8}")
    for name, seconds in times(reports).items():
        seconds.sort()
        last = len(seconds) - 1
        print(f"{name:<10} {seconds[last // 2]:8.3f} {seconds[last * 9 // 10]:8.3f} "
              f"{seconds[last]:8.3f}")
    verdicts = collections.Counter(
        finding["verdict"] for report in reports for finding in report["findings"]
        if finding["property"] == "race")
    print("races: " + ", ".join(f"{count} {verdict}" for verdict, count in verdicts.items()))


if __name__ == "__main__":
    main()
