#!/usr/bin/env python3
"""Has a CUDA device compute the calls of builtins.txt, and writes down what came out.

    tests/kernel/device/builtins.py [--operands 6] [--seed 1] [--only PREFIX] OUTPUT.tsv

needs nvcc and a device. A line of the output, parted by tabs: the types of the operands, the call, the
operands and the result, as hexadecimal bits. `kernel/device` in the tests holds headway to them. With
--program FILE the program is written and not run, to be compiled elsewhere.
"""
import argparse
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
TYPES = {"i": "int", "u": "unsigned", "m": "long long", "l": "unsigned long long", "f": "float", "d": "double",
         "h": "__half", "b": "__nv_bfloat16", "H": "__half2", "B": "__nv_bfloat162", "s": "short",
         "t": "unsigned short", "c": "unsigned char", "a": "signed char", "o": "bool"}
EDGES = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.0, 2.5, -2.5, 3.0, 8.0, 0.25, -0.75, 1e-10, -1e-10, 127.0, 128.0, 255.0,
         256.0, -128.0, -129.0, 2048.0, 2049.0, 32767.0, -32768.0, 65504.0, 65519.0, 65520.0, 65535.0, 65536.0, 1e-45, -1e-45,
         6e-8, 6.1e-5, 1.1754942e-38, 2147483647.0, 2147483648.0, -2147483648.0, -2147483649.0, 4294967295.0, 4294967296.0,
         9.223372036854775e18, -9.223372036854775e18, 1.8446744073709552e19, 3.4028235e38, -3e38, 1e308, 5e-324,
         float("inf"), float("-inf"), float("nan")]
WORDS = [0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 33, 63, 64, 127, 128, 255, 256, 32767, 32768, 65535, 65536]


def float_bits(value):
    try:
        return struct.unpack("<I", struct.pack("<f", value))[0]
    except OverflowError:
        return 0x7F800000 if value > 0 else 0xFF800000


def half_bits(value):
    try:
        return struct.unpack("<H", struct.pack("<e", value))[0]
    except OverflowError:
        return 0x7C00 if value > 0 else 0xFC00


def double_bits(value):
    return struct.unpack("<Q", struct.pack("<d", value))[0]


REALS = {"f": (32, float_bits), "d": (64, double_bits), "h": (16, half_bits), "b": (16, lambda v: float_bits(v) >> 16)}
WIDTHS = {"i": 32, "u": 32, "m": 64, "l": 64, "s": 16, "t": 16, "c": 8, "a": 8, "o": 1}


def draw(letter, rng):
    if letter in "HB":
        part = letter.lower()
        return draw(part, rng) | draw(part, rng) << 16
    if letter in REALS:
        width, bits = REALS[letter]
        kind = rng.randrange(3)
        if kind == 0:
            return bits(rng.choice(EDGES))
        if kind == 1:
            return bits(rng.randint(-10**6, 10**6) / 2.0 ** rng.randrange(20))
        return rng.getrandbits(width)
    width = WIDTHS[letter]
    kind = rng.randrange(3)
    if kind == 0:
        return (rng.choice(WORDS) * rng.choice((1, -1)) + rng.choice((0, 0, 1 << (width - 1)))) % (1 << width)
    if kind == 1:
        return rng.getrandbits(width) >> rng.randrange(width)
    return rng.getrandbits(width)


HEAD = (HERE / "builtins.h").read_text()


def program(rows):
    text = "#include <cstdio>\n" + HEAD
    for number, (types, call, cases) in enumerate(rows):
        body = "".join(
            f"    {TYPES[t]} {'xyzw'[i]} = from<{TYPES[t]}>(in[{len(types)} * c + {i}]);\n" for i, t in enumerate(types))
        text += f"""__global__ void k{number}(const unsigned long long* in, unsigned long long* out) {{
  for (int c = threadIdx.x; c < {len(cases)}; c += blockDim.x) {{
    LOCALS
{body}    out[c] = bits({call});
  }}
}}
"""
    text += """template <int n, int m> void run(void (*kernel)(const unsigned long long*, unsigned long long*),
    const unsigned long long (&in)[n], const char* name) {
  static unsigned long long *from, *to, out[m];
  cudaMalloc(&from, sizeof in);
  cudaMalloc(&to, sizeof out);
  cudaMemcpy(from, in, sizeof in, cudaMemcpyHostToDevice);
  kernel<<<1, 32>>>(from, to);
  if (cudaMemcpy(out, to, sizeof out, cudaMemcpyDeviceToHost) != cudaSuccess) {
    std::fprintf(stderr, "%s: %s\\n", name, cudaGetErrorString(cudaGetLastError()));
    std::exit(1);
  }
  std::printf("%s", name);
  for (int i = 0; i < m; ++i) std::printf(" %llx", out[i]);
  std::printf("\\n");
  std::fflush(stdout);
  cudaFree(from);
  cudaFree(to);
}
"""
    for number, (types, _, cases) in enumerate(rows):
        flat = ", ".join(f"{word:#x}ull" for case in cases for word in case)
        text += f"static const unsigned long long in{number}[] = {{{flat}}};\n"
    text += "int main() {\n"
    for number, (types, _, cases) in enumerate(rows):
        text += f"  run<{sum(map(len, cases))}, {len(cases)}>(k{number}, in{number}, \"{number}\");\n"
    return text + "}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--operands", type=int, default=6, help="how many of each call (6)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="calls that contain this alone")
    parser.add_argument("--program", type=pathlib.Path, help="write the program there, and run nothing")
    parser.add_argument("--results", type=pathlib.Path, help="what that program printed, elsewhere")
    parser.add_argument("--arch", default="native")
    args = parser.parse_args()
    rows = []
    for line in (HERE / "builtins.txt").read_text().splitlines():
        types, _, call = line.partition(" ")
        if line.startswith("#") or args.only not in call:
            continue
        rng = random.Random(f"{args.seed} {line}")
        rows.append((types, call, [[draw(t, rng) for t in types] for _ in range(args.operands)]))
    if args.program:
        args.program.write_text(program(rows))
        return
    if args.results:
        printed = args.results.read_text()
    else:
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "builtins.cu"
            source.write_text(program(rows))
            subprocess.run(["nvcc", "-std=c++17", "-w", f"-arch={args.arch}", "-o", folder + "/builtins", source], check=True)
            printed = subprocess.run([folder + "/builtins"], check=True, capture_output=True, text=True).stdout
    results = [line.split()[1:] for line in printed.splitlines()]
    if len(results) != len(rows):
        sys.exit(f"expected {len(rows)} lines of results, found {len(results)}")
    text = ""
    for (types, call, cases), found in zip(rows, results):
        for case, result in zip(cases, found, strict=True):
            text += "\t".join((types, call, " ".join(f"{w:x}" for w in case), result)) + "\n"
    temporary = args.output.with_suffix(".new")
    temporary.write_text(text)
    temporary.replace(args.output)


if __name__ == "__main__":
    main()
