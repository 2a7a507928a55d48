"""Litmus tests for SPIN: a translation to Promela, and a run of SPIN on it.

SPIN (`spin -a`, then the C program that it writes) decides whether a program has an acceptance
cycle under weak fairness of all processes. Every way back in the code is marked as accepting, so
that an execution without an end is one: what SPIN decides is headway's weak reading of `fair`.
"""

import collections
import pathlib
import re
import subprocess
import tempfile
import time

from measure import run

# Pattern, and what it says of the location, the value checked, the target, the value written.
STATEMENTS = [
    (r"while \(Load\((\w+)\) == (\d+)\)", lambda m: (m[1], m[2], "here", None)),
    (r"while \(Exch\((\w+), (\d+)\) == (\d+)\)", lambda m: (m[1], m[3], "here", m[2])),
    (r"if \(Load\((\w+)\) == (\d+)\) goto (\w+)", lambda m: (m[1], m[2], m[3], None)),
    (r"if \(Exch\((\w+), (\d+)\) == (\d+)\) goto (\w+)", lambda m: (m[1], m[3], m[4], m[2])),
    (r"AXB\((\w+), (\d+), (\w+), true, (\d+)\)", lambda m: (m[1], m[2], m[3], m[4])),
    (r"AXB\((\w+), (\d+), (\w+), false, -\)", lambda m: (m[1], m[2], m[3], None)),
    (r"(\w+) = (\d+)", lambda m: (m[1], None, None, m[2])),
]


def instruction(text):
    for pattern, parts in STATEMENTS:
        if match := re.fullmatch(pattern, text):
            return parts(match)
    raise ValueError(f"not a statement of the litmus format: {text}")


def process(body):
    """The body of a process for the body of a thread."""
    code, places = [], {}
    for statement in body.split(";"):
        statement = statement.strip()
        while match := re.match(r"(\w+):\s*", statement):
            places[match[1]] = len(code)
            statement = statement[match.end():]
        if statement:
            code.append(instruction(statement))
    places["END"] = len(code)
    targets = [places[target] if target in places else
               int(target) if target and target.isdigit() else i
               for i, (_, _, target, _) in enumerate(code)]
    used = {t for t, (_, check, _, _) in zip(targets, code) if check is not None}
    back = {t for i, t in enumerate(targets) if t <= i and code[i][2]}
    label = [("accept" if i in back else "L") + f"_{i}" for i in range(len(code) + 1)]
    lines = []
    for i, (location, check, _, value) in enumerate(code):
        write = f"{location} = {value}" if value else "skip"
        step = write if check is None else (
            f"atomic {{ if :: {location} == {check} -> {write}; goto {label[targets[i]]}"
            f" :: else -> {write} fi }}")
        lines.append((f"{label[i]}: " if i in used else "") + step)
    if len(code) in used:
        lines.append(f"{label[-1]}: skip")
    return ";\n  ".join(lines)


def promela(litmus):
    """A litmus test in Promela."""
    litmus = re.sub(r"//.*", "", litmus)
    declared = re.search(r"\blocations ([^;]*)", litmus)[1]
    bodies = collections.Counter(
        process(body) for body in re.findall(r"\bthread \d+ \{(.*?)\}", litmus, re.S))
    parts = [f"byte {declared};"]
    for i, (body, count) in enumerate(bodies.items()):
        parts.append(f"active [{count}] proctype thread_{i}() {{\n  {body}\n}}")
    return "\n".join(parts) + "\n"


Result = collections.namedtuple("Result", "passes seconds kib states compile_seconds")


def spin(litmus, optimize="-O2"):
    """SPIN's verdict on a litmus test, with what its search took; compiling is apart."""
    threads = len(re.findall(r"\bthread \d+ \{", litmus))
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "test.pml").write_text(promela(litmus))
        start = time.perf_counter()
        subprocess.run(["spin", "-a", "test.pml"], cwd=folder, check=True, capture_output=True)
        # NFAIR words hold a bit for each process and a few more.
        subprocess.run(["cc", optimize, "-w", f"-DNFAIR={threads // 4 + 2}", "-o", "pan", "pan.c"],
                       cwd=folder, check=True)
        compiling = time.perf_counter() - start
        # A small table and stack to begin with, so that the memory is what the states take.
        found = run([f"{folder}/pan", "-a", "-f", "-w18", "-m100000"], cwd=folder)
    if "max search depth too small" in found.out or "errors:" not in found.out:
        raise RuntimeError(f"SPIN did not finish:\n{found.out}{found.err}")
    return Result("errors: 0" in found.out, found.seconds, found.kib,
                  int(re.search(r"(\d+) states, stored", found.out)[1]), compiling)
