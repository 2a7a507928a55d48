"""Runs a program and measures it."""

import collections
import os
import pathlib
import subprocess
import tempfile
import time

SOURCES = pathlib.Path(__file__).resolve().parent.parent
HEADWAY = os.environ.get("HEADWAY_BINARY", str(SOURCES / "build/release/headway"))

Run = collections.namedtuple("Run", "seconds kib status out err processor")


def run(arguments, text="", cwd=None):
    """Wall and processor time in seconds, and the most memory in KiB, of a program with `text` as input."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, \
            tempfile.TemporaryFile() as given:
        given.write(text.encode())
        given.seek(0)
        start = time.perf_counter()
        child = subprocess.Popen(arguments, stdin=given, stdout=out, stderr=err, cwd=cwd)
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.perf_counter() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode())
        return Run(seconds, usage.ru_maxrss, child.returncode, *texts,
                   usage.ru_utime + usage.ru_stime)


def headway(*arguments, text=""):
    """Runs headway; an exit status other than 0 or 1 is an error."""
    found = run([HEADWAY, *map(str, arguments)], text)
    if found.status not in (0, 1):
        raise RuntimeError(f"headway {' '.join(map(str, arguments))}: {found.err}")
    return found


def family(name, threads):
    """A member of a family as a litmus test."""
    return headway("family", name, "--threads", threads).out
