#!/usr/bin/env python3
"""Round trips: what `headway export` writes is read back and has the verdicts of its test.

    tests/round_trips/round_trips.py [--headway PROGRAM] [--target TARGET] [--quick]
                                     [--threads MOST] [--timeout SECONDS] [FILE...]

Each test of litmus/, litmus/idioms and litmus/scoped is written for vulkan, opencl, cuda and webgpu, read
back as a shader or a kernel and decided. Three things are arranged, and nothing else is changed:

- the launch, which the exported file says in a comment (or in code, for CUDA), and the memory at
  first become directives;
- where a failed assertion is noted for the host, it becomes an error: an `assert` in C, in GLSL and
  WGSL, which have none, an access beyond the end of a buffer;
- of CUDA the part between the constants and the host's code is taken, the assembly that loads a
  word becomes the atomic load that it is, and warps are as wide as the subgroups of the test;
- of WGSL no thread gives up after so many steps.

Exit status: 0 when all agree, 1 when one does not, 3 when one is too large to be decided.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ENDINGS = {"vulkan": ".comp", "opencl": ".cl", "cuda": ".cu", "webgpu": ".wgsl"}
# One for each kind of program: flat, of values, of groups, of subgroups, with memory at first,
# going wrong.
QUICK = [
    "litmus/spin-mutex.litmus",
    "litmus/strong-only.litmus",
    "litmus/idioms/chained-scan.litmus",
    "litmus/idioms/mcs-lock.litmus",
    "litmus/scoped/mp-groupid.litmus",
    "litmus/scoped/subgroup-lock-elect.litmus",
]
MODELS = ["unfair", "HSA", "OBE", "HSA+OBE", "LOBE", "fair"]
SCOPED_MODELS = ["CUDA", "workgroup=HSA", "WebGPU", "Vulkan", "independent-threads"]


LIMIT = [300]


def run(words):
    timeout = LIMIT[0]
    try:
        return subprocess.run(words, capture_output=True, text=True, timeout=timeout, cwd=ROOT)
    except subprocess.TimeoutExpired as late:
        return subprocess.CompletedProcess(words, 124, "", f"no end in {late.timeout} s")


def reads_wgsl(headway):
    words = [headway, "check", "-x", "wgsl", "-"]
    text = "@compute @workgroup_size(1) fn main() {}"
    return subprocess.run(words, input=text, capture_output=True, text=True).returncode == 0


def verdicts(headway, path, models, more=()):
    """{test: {(model, fairness): verdict}}, and what was said."""
    words = [headway, "check", "--format", "csv", *more]
    for model in models:
        words += ["-m", model]
    done = run(words + [str(path)])
    result = {}
    for line in done.stdout.splitlines()[1:]:
        test, model, fairness, verdict = line.rsplit(",", 3)
        result.setdefault(test, {})[(model, fairness)] = verdict
    return result, done.stderr


def memory_at_first(text):
    """The words of memory, from the comment that says them."""
    comment = " ".join(re.findall(r"^//(.*)$", text, re.M))
    words = int(re.search(r"Memory is (\d+) words? an instance", comment).group(1))
    values = [0] * words
    places = dict(
        (name, int(value))
        for name, value in re.findall(r"\bLOC_(\w+)(?: = |\s+)(-?\d+)u", text)
    )
    said = re.search(r"at first 0, but (.*?)\.(?:\s|$)", comment)
    for name, index, value in re.findall(r"LOC_(\w+)(?:\[(\d+)\])? = (-?\d+)", said.group(1)) if said else []:
        values[places[name] + int(index or 0)] = int(value)
    return values


def arranged(target, text, threads_of_groups):
    values = memory_at_first(text)
    memory = "{" + ",".join(str(value) for value in values) + "}"
    comment = " ".join(re.findall(r"^//(.*)$", text, re.M))
    groups, local = threads_of_groups
    if target == "vulkan":
        groups = int(re.search(r"Dispatch (\d+) workgroups", comment).group(1))
        text = text.replace(
            "atomicOr(finished, VIOLATED)", "atomicAdd(memory[base + 1000000u], 1u)"
        )
        names, local = ("Memory", "Finished"), None
    elif target == "webgpu":
        groups = int(re.search(r"Dispatch (\d+) workgroups", comment).group(1))
        text = text.replace(
            "atomicOr(&finished, VIOLATED)", "atomicAdd(&memory[base + 1000000u], 1u)"
        )
        text = re.sub(
            r"fn gives_up\(\) -> bool \{.*?\n\}\n",
            "fn gives_up() -> bool { return false; }\n",
            text,
            flags=re.S,
        )
        names, local = ("memory", "finished"), None
    elif target == "opencl":
        text = re.sub(r"atomic_or\((t\.)?finished, VIOLATED\)", "__assert(false)", text)
        names = ("memory", "finished")
    else:
        begin = text.index("constexpr unsigned INSTANCES")
        kernel = text.index("__global__ void litmus")
        end = text.index("\n}\n", kernel) + 3
        head = re.sub(r"constexpr unsigned kInitial.*?;\n", "", text[begin:end], flags=re.S)
        head = re.sub(r"using Seconds.*?;\n", "", head)
        head = re.sub(
            r"#if __CUDA_ARCH__ >= 700.*?#endif\n",
            "  value = cuda::atomic_ref<const unsigned, cuda::thread_scope_device>(*word)"
            ".load(cuda::memory_order_relaxed);\n",
            head,
            flags=re.S,
        )
        text = "#include <cassert>\n#include <cuda/atomic>\n" + head
        text = re.sub(r"atomicOr\((t\.)?finished, VIOLATED\)", "assert(false)", text)
        # A warp is as wide as the subgroups of the test.
        text = text.replace("kWarp = 32u", "kWarp = SUBGROUP_SIZE")
        names = ("memory", "finished")
    launch = f"// headway: kernel {'litmus' if local else 'main'} grid {groups}"
    if local:
        launch += f" block {local}"
    launch += f" subgroup {SUBGROUP[0]}" if SUBGROUP[0] else ""
    launch += f" buffer {names[0]}={memory}, {names[1]}=1:zero\n"
    # A version comes first in GLSL.
    if text.startswith("#version"):
        first, rest = text.split("\n", 1)
        return first + "\n" + launch + rest
    return launch + text


def shape_of(text):
    """Workgroups, and threads of each: "3 threads", "2 workgroups of 2 subgroups of 2 threads"."""
    comment = " ".join(re.findall(r"^//(.*)$", text, re.M)[:2])
    groups = re.search(r": (\d+) workgroups? of (?:(\d+) subgroups? of )?(\d+) threads?", comment)
    if groups:
        return int(groups.group(1)), int(groups.group(2) or 1) * int(groups.group(3))
    return int(re.search(r": (\d+) threads?", comment).group(1)), 1


SUBGROUP = [0]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--headway", default=os.environ.get("HEADWAY_BINARY", "build/release/headway"))
    parser.add_argument("--target", action="append", choices=sorted(ENDINGS))
    parser.add_argument("--quick", action="store_true", help="a few tests of each kind")
    parser.add_argument("--threads", type=int, default=64, help="of tests, at most")
    parser.add_argument("--timeout", type=int, default=300, help="seconds for each decision")
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("files", nargs="*", metavar="FILE")
    arguments = parser.parse_args()
    LIMIT[0] = arguments.timeout
    headway = str(Path(arguments.headway).resolve())
    files = arguments.files or (
        QUICK
        if arguments.quick
        else [
            str(file.relative_to(ROOT))
            for folder in ("litmus", "litmus/idioms", "litmus/scoped")
            for file in sorted((ROOT / folder).glob("*.litmus"))
        ]
    )
    needs = {
        "vulkan": "glslangValidator",
        "opencl": "clang-19",
        "cuda": "clang-19",
        "webgpu": "node",
    }
    targets = [t for t in arguments.target or ENDINGS if shutil.which(needs[t])]
    if "webgpu" in targets and not reads_wgsl(headway):
        print("WGSL is left out: headway was built without naga")
        targets.remove("webgpu")
    if not targets:
        print("neither glslangValidator nor clang-19 is here, nor node")
        return 77
    agree = differ = open_ones = 0
    refused = []
    with tempfile.TemporaryDirectory(prefix="headway-round-trips-") as folder:
        for file in files:
            scoped = "/scoped/" in file
            models = SCOPED_MODELS if scoped else MODELS
            expected, _ = verdicts(headway, file, models)
            for target in targets:
                into = Path(folder) / target / Path(file).stem
                done = run([headway, "export", "-t", target, file, "-o", str(into)])
                if done.returncode != 0:
                    refused.append(f"{target}: {done.stderr.strip().splitlines()[0]}")
                for written in sorted(into.glob("*" + ENDINGS[target])):
                    test = written.stem
                    text = written.read_text()
                    groups, local = shape_of(text)
                    if groups * local > arguments.threads:
                        continue
                    width = re.search(r"SUBGROUP_SIZE\s*=?\s*(\d+)u", text)
                    SUBGROUP[0] = int(width.group(1)) if width else 0
                    written.write_text(arranged(target, text, (groups, local)))
                    found, said = verdicts(headway, written, models)
                    own = next(iter(found.values()), {})
                    if own == expected[test]:
                        agree += 1
                    elif not own or "unknown" in own.values():
                        open_ones += 1
                        print(f"open: {target} {test}: {said.strip().splitlines()[-1:]}")
                    else:
                        differ += 1
                        print(f"differs: {target} {test}")
                        for key, verdict in expected[test].items():
                            if own.get(key) != verdict:
                                print(f"  {key[0]} {key[1]}: {verdict}, read back {own.get(key)}")
                        if said:
                            print("  " + said.strip().splitlines()[0])
                    if arguments.verbose:
                        print(target, test, flush=True)
    for one in refused if arguments.verbose else []:
        print("not expressed:", one)
    print(f"{agree} round trips agree, {differ} differ, {open_ones} are open")
    print(f"{len(refused)} exports are refused")
    return 1 if differ > 0 or agree == 0 else 3 if open_ones > 0 else 0


if __name__ == "__main__":
    sys.exit(main())
