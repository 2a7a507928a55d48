#!/usr/bin/env python3
"""How much a killed search has to do again: bench/checkpoint.py [--headway PROGRAM] [-- OPTIONS OF synth]

Runs `headway synth --count --jobs 1 --checkpoint FILE` with these options, default -n 2 -k 6, and looks
at the file a thousand times a second. Whatever the search has done since the file last grew is lost
when it is killed. Seconds are processor time of the search.
"""

import argparse
import pathlib
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]


def processor_seconds(process):
    """Of its threads, by the kernel."""
    spent = 0
    for task in pathlib.Path(f"/proc/{process.pid}/task").iterdir():
        try:
            spent += int((task / "schedstat").read_text().split()[0])
        except (OSError, IndexError):
            pass
    return spent / 1e9


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--headway", default=ROOT / "build/release/headway")
    parser.add_argument("options", nargs="*", default=[])
    given = parser.parse_args()
    options = given.options or ["-n", "2", "-k", "6"]
    with tempfile.TemporaryDirectory() as folder:
        checkpoint = pathlib.Path(folder) / "checkpoint"
        process = subprocess.Popen(
            [str(given.headway), "synth", *options, "--count", "--jobs", "1", "--checkpoint", str(checkpoint)],
            stdout=subprocess.PIPE, text=True)
        gaps, size, last, now = [], 0, 0.0, 0.0
        while process.poll() is None:
            try:
                now = max(now, processor_seconds(process))
                grown = checkpoint.stat().st_size
            except OSError:
                grown = size
            if grown != size:
                gaps.append(now - last)
                size, last = grown, now
            time.sleep(0.001)
        tests = process.stdout.read().strip()
        if process.returncode != 0:
            raise SystemExit(process.returncode)
        cubes = len(checkpoint.read_text().splitlines()) - 1
    total = sum(gaps)
    # A kill at a random moment of the search falls into a gap with the probability of its length.
    mean = sum(gap * gap for gap in gaps) / 2 / total if total else 0
    print(f"{' '.join(options)}: {tests} tests, {cubes} cubes, {total:.1f} seconds; "
          f"a kill loses {mean:.3f} seconds on average, {max(gaps, default=0):.3f} at most")


if __name__ == "__main__":
    main()
