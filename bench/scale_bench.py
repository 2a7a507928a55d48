#!/usr/bin/python3 -B
"""How headway does on large tests, beside SPIN; prints the tables of docs/internals/performance.md.

bench/scale_bench.py [TABLE...]            measures, and prints the tables, all unless named
bench/scale_bench.py --update [TABLE...]   and writes them into docs/internals/performance.md

Needs the release build, and SPIN and a C compiler for the first table. Takes about five minutes.
What is compared is run in turns, and medians are shown.
"""

import re
import statistics
import sys

from measure import SOURCES, family, headway, run
from spin import spin

RUNS = 3
PAGE = SOURCES / "docs/internals/performance.md"
OFF = ["--no-symmetry", "--no-sleep-sets", "--no-early-stop"]


def median(values):
    return statistics.median(list(values))


def seconds(value):
    return f"{value * 1000:.0f} ms" if value < 1 else f"{value:.3g} s"


# A child counts the memory of this program, too, as it starts as a copy of it.
LEAST_KIB = 1.05 * run(["true"]).kib


def mebibytes(kib):
    return f"{kib / 1024:.0f}" if kib > LEAST_KIB else f"at most {LEAST_KIB / 1024:.0f}"


def table(heading, rows):
    lines = ["| " + " | ".join(heading) + " |", "|" + "---|" * len(heading)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


def explored(err):
    """Of what --stats says: states, transitions, seconds."""
    return (int(re.search(r"states +(\d+)", err)[1]), int(re.search(r"transitions +(\d+)", err)[1]),
            float(re.search(r"seconds +([\d.]+)", err)[1]))


def against_spin():
    rows = []
    for name, threads in [("spin-mutex", 12), ("spin-mutex", 16), ("increasing-chain", 16),
                          ("token-ring", 16), ("philosophers", 7), ("flag-barrier", 6),
                          ("flag-barrier", 7)]:
        litmus = family(name, threads)
        ask = ["check", "--format", "csv", "-m", "fair", "-f", "weak", "-"]
        runs = [(headway(*ask, text=litmus), headway(*ask, *OFF, text=litmus), spin(litmus))
                for _ in range(RUNS)]
        for ours, plain, theirs in runs:
            verdicts = {each.out.strip().endswith("pass") for each in (ours, plain)}
            if verdicts != {theirs.passes}:
                raise RuntimeError(f"{name}: SPIN and headway disagree")
        ours, plain, theirs = ([median(one[i].seconds for one in runs),
                                median(one[i].kib for one in runs)] for i in range(3))
        rows.append([f"{name} {threads}", seconds(theirs[0]), seconds(plain[0]), seconds(ours[0]),
                     f"{theirs[0] / plain[0]:,.0f}", f"{theirs[0] / ours[0]:,.0f}",
                     *(mebibytes(each[1]) for each in (theirs, plain, ours))])
    return table(["test", "SPIN", "every state", "headway", "times as fast", "times as fast",
                  "SPIN, MiB", "every state, MiB", "headway, MiB"], rows)


def all_verdicts():
    rows = []
    for name, threads, options in [
            ("spin-mutex", 12, []), ("spin-mutex", 12, ["--no-symmetry"]), ("spin-mutex", 16, []),
            ("spin-mutex", 20, ["-m", "fair", "-m", "HSA"]),
            ("spin-mutex", 20, ["-m", "fair", "-m", "HSA", "--no-symmetry"])]:
        runs = [headway("check", "--stats", "--format", "csv", *options, "-",
                        text=family(name, threads)) for _ in range(RUNS)]
        states, _, _ = explored(runs[0].err)
        rows.append([f"{name} {threads}", f"`{' '.join(options)}`" if options else "all 11",
                     f"{states:,}", seconds(median(one.seconds for one in runs)),
                     mebibytes(median(one.kib for one in runs))])
    return table(["test", "asked", "states", "time", "MiB"], rows)


def rates():
    rows = []
    for name, threads, options in [
            ("spin-mutex", 8, []), ("spin-mutex", 10, []), ("spin-mutex", 12, []),
            ("spin-mutex", 13, []), ("spin-mutex", 16, ["-m", "fair"]),
            ("spin-mutex", 18, ["-m", "fair"]), ("token-ring", 14, []),
            ("philosophers", 8, ["-m", "fair"]),            ("flag-barrier", 7, [])]:
        litmus = family(name, threads)
        runs = []
        for _ in range(RUNS):
            runs.append([headway("check", "--stats", "--format", "csv", "--no-symmetry",
                                 "--no-early-stop", *options, "--jobs", jobs, "-", text=litmus)
                         for jobs in (1, 2)])
        states, transitions, _ = explored(runs[0][0].err)
        alone, both = (median(explored(pair[i].err)[2] for pair in runs) for i in (0, 1))
        kib = median(pair[0].kib for pair in runs)
        rows.append([f"{name} {threads}", " ".join(options) or "all 11", f"{states:,}",
                     f"{transitions:,}", seconds(alone), f"{states / max(alone, 1e-3) / 1e6:.1f}",
                     f"{transitions / max(alone, 1e-3) / 1e6:.0f}", f"{alone / max(both, 1e-3):.2f}",
                     f"{kib * 1024 / states:.1f}" if states > 1e6 else ""])
    return table(["test", "asked", "states", "transitions", "one core", "million states a second",
                  "million transitions a second", "two cores: times as fast", "bytes a state"],
                 rows)


# What texts promise and machines do, for workgroups, subgroups and threads.
PRESETS = ["C++", "CUDA", "CUDA-cooperative", "HIP", "SYCL-concurrent", "SYCL-parallel",
           "SYCL-weakly-parallel", "Vulkan", "Metal", "WebGPU", "independent-threads", "lockstep"]


def groups():
    rows = []
    for name, was, launch in [
            ("leader-barrier", "2 workgroups of 2", "2 workgroups of 8"),
            ("leader-barrier", "2 workgroups of 2", "2 workgroups of 32"),
            ("global-barrier-by-leaders", "N = 2;\nN workgroups of 4", "4 workgroups of 4"),
            ("global-barrier-by-leaders", "N = 2;\nN workgroups of 4", "8 workgroups of 4"),
            ("look-back", "N = 2..3;\nN workgroups of 2", "4 workgroups of 8"),
            ("subgroup-lock-done-lockstep", "2 workgroups of 2", "2 workgroups of 16")]:
        text = (SOURCES / f"litmus/scoped/{name}.litmus").read_text()
        # Without what is expected of another launch.
        text = re.sub(r"expect \{.*", "", text.replace(was, launch), flags=re.S)
        text = text.replace("N = 2;\n", "").replace("N = 2..3;\n", "")
        text = re.sub(r"\bN\b", "WORKGROUPS", text)
        ask = ["check", "--stats", "--format", "csv", "-m", ",".join(PRESETS + ["HSA"]), "-"]
        runs = [headway(*ask, text=text) for _ in range(RUNS)]
        counted = re.search(r"states +(\d+)", runs[0].err)
        rows.append([name, f"{launch} threads", f"{int(counted[1]):,}",
                     seconds(median(one.processor for one in runs)),
                     mebibytes(median(one.kib for one in runs))])
    return table(["program", "launch", "states",
                  "processor time, all 13 verdicts, weak and strong", "MiB"], rows)


def growing(threads=4, instructions=4, values=4):
    """Threads that each store numbers and then wait for one; no two run the same code."""
    lines = [f"values {values};", "locations m, n;"]
    for t in range(threads):
        stores = "".join(f" m = {(t + i * (t + 1)) % values};" for i in range(instructions - 1))
        lines.append(f"thread {t} {{{stores} while (Load(m) == {t % values}); }}")
    return "\n".join(lines)


def growth():
    rows = []
    for what, numbers in [("threads", [2, 3, 4, 5, 6]), ("instructions", [4, 8, 16, 32]),
                          ("values", [2, 4, 8, 16])]:
        before = None
        for number in numbers:
            found = headway("check", "--stats", "--format", "csv", "--no-layers", "-",
                            text=growing(**{what: number}))
            states = int(re.search(r"states +(\d+)", found.err)[1])
            swept = median(headway("check", "--format", "csv", "--no-early-stop", "-",
                                   text=growing(**{what: number})).seconds for _ in range(RUNS))
            rows.append([f"{number} {what}", f"{states:,}",
                         f"{states / before:.1f}" if before else "", seconds(swept)])
            before = states
    return table(["of 4 threads, 4 instructions each, 4 values", "states", "times", "all 11 verdicts"],
                 rows)


def small():
    folder = SOURCES / "tests/data/published/tests"
    runs = [headway("check", "--format", "csv", "--jobs", "1", folder) for _ in range(RUNS * 3)]
    rows = sum(1 for _ in runs[0].out.splitlines()) - 1
    taken = median(one.seconds for one in runs)
    return table(["asked", "verdicts", "time with reading the files"],
                 [["the published tests, all standard models", f"{rows:,}", seconds(taken)]])


def main():
    tables = {"spin": against_spin, "verdicts": all_verdicts, "rates": rates, "growth": growth,
              "small": small, "groups": groups}
    page = PAGE.read_text()
    arguments = sys.argv[1:]
    names = [argument for argument in arguments if argument != "--update"] or tables
    if not set(names) <= set(tables):
        sys.exit(f"{__doc__}\nThe tables are {', '.join(tables)}.")
    for name in names:
        text = tables[name]()
        print(f"{name}\n\n{text}\n", flush=True)
        begin, end = f"<!-- {name} -->\n", f"\n<!-- /{name} -->"
        if begin not in page:
            raise RuntimeError(f"{PAGE} has no place for the table {name}")
        head, rest = page.split(begin)
        page = head + begin + text + end + rest.split(end, 1)[1]
    if "--update" in arguments:
        PAGE.write_text(page)


if __name__ == "__main__":
    main()
