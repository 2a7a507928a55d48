#!/usr/bin/python3 -B
"""How long the page of `headway report` takes to open and to filter, in headless Chromium.

bench/report_bench.py [TESTS...]: with so many tests each, 12000 and 416280 unless told. Needs the
release build, and the Debian packages that scripts/test installs.
"""

import os
import pathlib
import statistics
import sys
import tempfile

SOURCES = pathlib.Path(__file__).resolve().parent.parent
os.environ.setdefault("HEADWAY_SOURCE_DIR", str(SOURCES))
os.environ.setdefault("HEADWAY_BINARY", str(SOURCES / "build/release/headway"))
sys.path.insert(0, str(SOURCES / "tests/e2e"))

from browser import Browser, headway  # noqa: E402

RUNS = 5

# Milliseconds from the start of loading until everything is drawn and the page is at rest.
OPENING = """
  const done = arguments[0];
  requestAnimationFrame(() => setTimeout(() => {
    const [entry] = performance.getEntriesByType("navigation");
    done(entry.loadEventEnd);
  }));"""

# Milliseconds from an action until the frame that shows what it led to.
ACTION = """
  const done = arguments[0];
  const grid = document.getElementById("grid");
  const search = document.getElementById("search");
  const actions = {
    search: () => { search.value = "a1"; search.dispatchEvent(new Event("input")); },
    model: () => document.querySelector('.want[aria-label*="OBE strong"]').click(),
    scroll: () => { grid.scrollTop = grid.scrollHeight / 2; },
    test: () => document.querySelector(".rows .row:not([hidden])").click(),
  };
  const start = performance.now();
  actions["%s"]();
  requestAnimationFrame(() => setTimeout(() => done(performance.now() - start)));"""


def main():
    counts = [int(word) for word in sys.argv[1:]] or [12000, 416280]
    browser = Browser()
    print(f"{'tests':>8} {'MB':>6} {'open':>7} {'search':>7} {'model':>7} {'scroll':>7} {'test':>7}"
          f"   medians of {RUNS} runs in ms")
    with tempfile.TemporaryDirectory() as folder:
        for count in counts:
            suite, page = f"{folder}/{count}.jsonl", f"{folder}/{count}.html"
            headway("synth", "-n", 2, "-k", 5, "--limit", count, "-o", suite)
            headway("report", suite, "-o", page)
            measured = {name: [] for name in ("open", "search", "model", "scroll", "test")}
            for _ in range(RUNS):
                browser.open(page)
                measured["open"].append(browser.driver.execute_async_script(OPENING))
                for name in ("search", "model", "scroll", "test"):
                    measured[name].append(browser.driver.execute_async_script(ACTION % name))
            size = os.path.getsize(page) / 1e6
            print(f"{count:8} {size:6.1f} " + " ".join(
                f"{statistics.median(times):7.0f}" for times in measured.values()))
    browser.close()


if __name__ == "__main__":
    main()
