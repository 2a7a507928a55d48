"""SPIN's verdicts under weak fairness of all threads, against headway's under fair:weak."""

import os
import pathlib
import shutil
import sys
import unittest

SOURCES = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(SOURCES / "bench"))

from measure import headway  # noqa: E402
from spin import promela, spin  # noqa: E402

SUITE = SOURCES / "litmus/suite/fingerprint"

# Every form of statement, with jumps back, ahead and to END.
TESTS = {
    "looks first": """locations m;
thread 0 { A: while (Load(m) == 1); if (Exch(m, 1) == 1) goto A; m = 0; }
thread 1 { A: while (Load(m) == 1); if (Exch(m, 1) == 1) goto A; m = 0; }""",
    "left taken": """locations m;
thread 0 { while (Exch(m, 1) == 1); m = 1; }
thread 1 { while (Exch(m, 1) == 1); m = 0; }""",
    "turns": """locations m, n;
thread 0 { A: m = 1; if (Load(n) == 0) goto A; }
thread 1 { B: m = 0; if (Load(m) == 0) goto B; n = 1; }""",
    "jumps ahead": """locations m, n;
thread 0 { if (Exch(m, 1) == 1) goto END; while (Load(n) == 0); }
thread 1 { if (Exch(m, 1) == 0) goto C; n = 1; C: while (Load(n) == 1); }""",
    "raw": """values 3; locations m = 2;
thread 0 { AXB(m, 2, 0, true, 1); AXB(m, 0, 1, false, -); }
thread 1 { AXB(m, 1, END, false, -); m = 0; m = 2; }""",
}


def verdict(litmus):
    rows = headway("check", "--format", "csv", "-m", "fair", "-f", "weak", "-", text=litmus).out
    return rows.strip().endswith("pass")


class Spin(unittest.TestCase):
    def compare(self, litmus):
        expected = verdict(litmus)
        self.assertEqual(spin(litmus, optimize="-O0").passes, expected, promela(litmus))
        return expected

    def test_families_of_four_threads(self):
        names = [line.split()[0] for line in headway("family").out.splitlines()]
        members = [headway("family", name, "-n", 4).out for name in names]
        axb = [text for text in members if "\nidiom " not in text]
        self.assertGreater(len(axb), 5)
        verdicts = {self.compare(text) for text in axb}
        self.assertEqual(verdicts, {True, False})

    def test_every_form_of_statement(self):
        for name, litmus in TESTS.items():
            with self.subTest(name):
                self.compare(litmus)

    def test_the_fingerprint_suite(self):
        tests = sorted(SUITE.glob("*.litmus"))
        self.assertTrue(tests)
        for test in tests:
            with self.subTest(test.name):
                self.compare(test.read_text())


if __name__ == "__main__":
    if not (shutil.which("spin") and shutil.which("cc")):
        print("skipped: spin is not installed")
        sys.exit(77)
    unittest.main()
