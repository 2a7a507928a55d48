"""The verdicts of a folder of tests as a table; with pandas, as a data frame by model."""

import sys

import headway

tests = headway.read(sys.argv[1] if len(sys.argv) > 1 else "litmus/spin-mutex.litmus")
rows = headway.table(headway.check(test, ["HSA", "OBE"]) for test in tests)
try:
    import pandas
except ImportError:
    for row in rows:
        print(*row.values())
else:
    frame = pandas.DataFrame(rows)
    print(frame.pivot(index="test", columns=["model", "fairness"], values="verdict"))
