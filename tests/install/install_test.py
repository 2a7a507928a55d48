"""What `cmake --install` leaves, used as its users would: the library by CMake and pkg-config, the
pages of the manual, completion in the shells that are there, the binary interface."""

import gzip
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

SOURCES = pathlib.Path(os.environ["HEADWAY_SOURCE_DIR"])
# What is tested: what a build installs, or a tree that is there, as scripts/release has it.
BUILD = os.environ.get("HEADWAY_BUILD_DIR")
LIBRARIES = os.environ.get("HEADWAY_LIBDIR", "lib")
COMPILER = os.environ.get("HEADWAY_CXX", "c++")


def run(*words, status=0, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True,
                          timeout=300, **options)
    if done.returncode != status:
        raise AssertionError(f"{words}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def setUpModule():
    global FOLDER, TREE, ENVIRONMENT
    FOLDER = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(FOLDER.cleanup)
    if "HEADWAY_TREE" in os.environ:
        TREE = pathlib.Path(os.environ["HEADWAY_TREE"])
    else:
        TREE = pathlib.Path(FOLDER.name) / "tree"
        run("cmake", "--install", BUILD, "--prefix", TREE)
    ENVIRONMENT = {**os.environ, "PATH": f"{TREE}/bin:{os.environ['PATH']}",
                   "LD_LIBRARY_PATH": f"{TREE}/{LIBRARIES}",
                   "PYTHONPATH": f"{TREE}/lib/python3/dist-packages", "PYTHONDONTWRITEBYTECODE": "1",
                   "PKG_CONFIG_PATH": f"{TREE}/{LIBRARIES}/pkgconfig"}


@unittest.skipUnless(BUILD, "a tree that is there already")
class Program(unittest.TestCase):
    def test_alone(self):
        tree = pathlib.Path(FOLDER.name) / "program"
        run("cmake", "--install", BUILD, "--prefix", tree, "--component", "headway")
        self.assertIn("may hang as CUDA promises",
                      run(tree / "bin/headway", "check", tree / "share/headway/litmus/kernels/spin-wait.cu"))
        for page in ("share/man/man1/headway-check.1.gz", "share/fish/vendor_completions.d/headway.fish",
                     "share/bash-completion/completions/headway"):
            self.assertTrue((tree / page).is_file(), page)
        self.assertFalse((tree / "include").exists())


class Library(unittest.TestCase):
    def test_examples_by_cmake(self):
        build = pathlib.Path(FOLDER.name) / "examples"
        run("cmake", "-S", TREE / "share/doc/libheadway-dev/examples/cpp", "-B", build,
            f"-DCMAKE_PREFIX_PATH={TREE}", f"-DCMAKE_CXX_COMPILER={COMPILER}")
        run("cmake", "--build", build, "--parallel", "2")
        check = run(build / "check", env=ENVIRONMENT)
        self.assertIn("spin-mutex: 12 states", check)
        self.assertIn("OBE: pass weakly, pass strongly", check)
        # What the program says of the same file.
        test = SOURCES / "litmus/chain-3.litmus"
        table = run(TREE / "bin/headway", "check", "--format", "csv", test)
        says = run(build / "check", test, env=ENVIRONMENT)
        for line in table.splitlines()[1:]:
            _, model, fairness, verdict = line.split(",")
            words = dict(zip(("weak", "strong"),
                             re.search(rf"^  {re.escape(model)}: (\w+) weakly, (\w+) strongly$",
                                       says, re.MULTILINE).groups()))
            self.assertEqual(words[fairness], verdict, line)
        explain = run(build / "explain", env=ENVIRONMENT)
        self.assertIn("while thread 0 loops for ever", explain)
        self.assertIn("HSA and OBE are incomparable", explain)
        self.assertIn("broken.litmus, line 1: refused", explain)
        synthesize = run(build / "synthesize", env=ENVIRONMENT)
        self.assertIn("176 tests of 2 threads and 3 instructions", synthesize)
        self.assertIn("was stopped: cancelled", synthesize)
        count = run(TREE / "bin/headway", "synth", "-n", "2", "-k", "3", "--count")
        self.assertEqual(count.strip(), "176")

    def test_pkg_config(self):
        if shutil.which("pkg-config") is None:
            self.skipTest("no pkg-config")
        flags = run("pkg-config", "--cflags", "--libs", "headway", env=ENVIRONMENT).split()
        source = pathlib.Path(FOLDER.name) / "version.cpp"
        source.write_text('#include <headway/headway.hpp>\n#include <cstdio>\n'
                          'int main() { std::puts(headway::api::version().c_str()); }\n')
        program = source.with_suffix("")
        run(COMPILER, "-std=c++17", source, "-o", program, *flags)
        version = run(program, env=ENVIRONMENT).strip()
        self.assertEqual(run(TREE / "bin/headway", "--version").strip(), f"headway {version}")
        self.assertEqual(
            run("pkg-config", "--modversion", "headway", env=ENVIRONMENT).strip(), version)

    def test_interface(self):
        if shutil.which("abidw") is None or BUILD is None:
            self.skipTest("no abidw, or no debug information")
        run(SOURCES / "scripts/abi", pathlib.Path(BUILD) / "libheadway.so")

    def test_nothing_else_is_exported(self):
        for line in run("nm", "-DC", "--defined-only", TREE / LIBRARIES / "libheadway.so").splitlines():
            name = line.split(" ", 2)[2]
            self.assertRegex(name, r"^(HEADWAY_0|((typeinfo|vtable|typeinfo name) for )?"
                                   r"headway::api::)", line)


class AddCheck(unittest.TestCase):
    """headway_add_check, in a project that finds the installed package."""

    # What only ends in an error where a definition and a folder of headers are not handed on.
    HEADER = "#define SAID 1\n"
    KERNEL = ('#include "said.h"\n// headway: expect pass CUDA\n__global__ void scan(int *data) {\n'
              "  data[blockIdx.x * blockDim.x + threadIdx.x] = SAID + VALUE;\n}\n")
    # All threads write to one place.
    RACE = "__global__ void race(int *data) { data[0] = threadIdx.x; }\n"
    LATE = ('#include "said.h"\nkernel void late(global int *data) {\n'
            "  data[get_global_id(0)] = SAID + VALUE;\n}\n")
    TEST = ("litmus waits\nlocations flag;\nthread 0 { flag = 1; }\n"
            "thread 1 { while (Load(flag) == 0); }\nexpect { pass fair; fail unfair; }\n")
    PROJECT = ("cmake_minimum_required(VERSION 3.16)\nproject(tiny LANGUAGES CXX)\nenable_testing()\n"
               "find_package(headway REQUIRED)\n"
               "add_library(kernels STATIC host.cpp scan.cu waits.litmus)\n"
               "add_library(headers INTERFACE)\n"
               "target_include_directories(headers INTERFACE ${CMAKE_CURRENT_SOURCE_DIR}/headers)\n"
               "target_link_libraries(kernels PRIVATE headers)\n"
               'target_compile_definitions(kernels PRIVATE VALUE=2 "TEXT=\\"a b\\"" '
               "$<$<COMPILE_LANGUAGE:CXX>:HOST>)\n")

    def project(self, name, text, **files):
        folder = pathlib.Path(FOLDER.name) / name
        (folder / "headers").mkdir(parents=True)
        files = {"host_cpp": "int host;\n", "headers/said_h": self.HEADER, "scan_cu": self.KERNEL,
                 "waits_litmus": self.TEST, **files}
        for file, content in files.items():
            (folder / ".".join(file.rsplit("_", 1))).write_text(content)
        (folder / "CMakeLists.txt").write_text(self.PROJECT + text)
        return folder

    def configure(self, folder, *words, status=0):
        done = subprocess.run(["cmake", "-S", folder, "-B", folder / "build", *words,
                               f"-DCMAKE_PREFIX_PATH={TREE}", f"-DCMAKE_CXX_COMPILER={COMPILER}"],
                              capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return " ".join(done.stderr.split())

    def build(self, folder, target, status=0):
        """What building it says; how make and ninja end where it fails is theirs."""
        done = subprocess.run(["cmake", "--build", folder / "build", "--target", target],
                              capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode != 0, status != 0, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_sources_with_their_definitions_and_headers(self):
        folder = self.project("sources", "headway_add_check(kernels)\n"
                              "headway_add_check(kernels COMMAND verify OPTIONS --block 8)\n"
                              # Also what the target gets after the call.
                              "target_sources(kernels PRIVATE late.cl)\n", late_cl=self.LATE)
        self.configure(folder)
        check = self.build(folder, "kernels_headway_check")
        for part in ("scan.cu:scan", "late.cl:late", "waits "):
            self.assertIn(part, check)
        verify = self.build(folder, "kernels_headway_verify")
        self.assertIn("scan.cu", verify)
        self.assertIn("of 8 threads", verify)
        self.assertNotIn("waits", verify)
        tests = run("ctest", "--test-dir", folder / "build")
        self.assertRegex(tests, r"kernels_headway_check \.+ +Passed")
        self.assertRegex(tests, r"kernels_headway_verify \.+ +Passed")
        self.assertIn("0 tests failed out of 2", tests)

    def test_findings_fail(self):
        # Of three checks one fails, and of the file that it names alone.
        folder = self.project("findings", "headway_add_check(kernels COMMAND verify)\n"
                              "headway_add_check(kernels NAME good COMMAND verify SOURCES scan.cu)\n"
                              "headway_add_check(kernels NAME broken SOURCES broken.litmus)\n"
                              "target_sources(kernels PRIVATE race.cu)\n", race_cu=self.RACE,
                              broken_litmus=self.TEST.replace("pass fair", "pass OBE"))
        self.configure(folder)
        self.assertRegex(self.build(folder, "kernels_headway_verify", 1), r"race\.cu +race +violated")
        self.assertNotIn("race.cu", self.build(folder, "good"))
        self.assertIn("expected OBE:weak to pass", self.build(folder, "broken", 1))
        done = subprocess.run(["ctest", "--test-dir", folder / "build"], capture_output=True,
                              text=True, timeout=300)
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"kernels_headway_verify \.+\*+Failed")
        self.assertRegex(done.stdout, r"broken \.+\*+Failed")
        self.assertRegex(done.stdout, r"good \.+ +Passed")

    def test_no_tests_where_testing_is_off(self):
        folder = self.project("off", "headway_add_check(kernels)\n")
        lists = folder / "CMakeLists.txt"
        lists.write_text(lists.read_text().replace("enable_testing()\n", ""))
        self.configure(folder)
        self.assertIn("waits", self.build(folder, "kernels_headway_check"))
        self.assertFalse((folder / "build/CTestTestfile.cmake").exists())

    def test_mistakes(self):
        for number, (call, said) in enumerate([
                ("nothing", "headway_add_check(nothing): there is no target of this name"),
                ("kernels COMMAND run",
                 "headway_add_check(kernels): expected COMMAND check or verify, found 'run'"),
                ("kernels OPTION x", "expected NAME, COMMAND, OPTIONS or SOURCES, found 'OPTION;x'")]):
            folder = self.project(f"mistake{number}", f"headway_add_check({call})\n")
            self.assertIn(said, self.configure(folder, status=1))
        folder = self.project("missing", "set(HEADWAY_PROGRAM HEADWAY_PROGRAM-NOTFOUND)\n"
                              "headway_add_check(kernels)\n")
        self.assertIn("the program headway was not found", self.configure(folder, status=1))


class Python(unittest.TestCase):
    def setUp(self):
        if not (TREE / "lib/python3/dist-packages/headway").exists():
            self.skipTest("the Python module was not built")

    def python(self, text, *words):
        return run("python3", "-c", text, *words, env=ENVIRONMENT, cwd=SOURCES)

    def example(self, name):
        return run("python3", TREE / f"share/doc/python3-headway/examples/python/{name}.py",
                   env=ENVIRONMENT, cwd=SOURCES)

    def test_examples(self):
        self.assertIn("spin-mutex", self.example("verdicts"))
        witness = self.example("witness")
        self.assertIn("fail - Thread 1 is starved", witness)
        self.assertIn("HSA is below HSA+OBE", witness)
        self.assertIn("suffices: OBE:weak", witness)
        search = self.example("search")
        count = run(TREE / "bin/headway", "synth", "-n", "2", "-k", "3", "--pass", "OBE:weak", "--fail",
                    "HSA:weak", "--count")
        self.assertIn(f"{count.strip()} tests of 3 instructions", search)
        self.assertIn("stopped by time", search)
        self.assertIn("mine.litmus, line 1: refused", search)

    def test_verdicts_are_those_of_the_program(self):
        table = run(TREE / "bin/headway", "check", "--format", "csv", "litmus", "-m", "HSA", "-m", "LOBE",
                    cwd=SOURCES)
        rows = self.python("import headway\n"
                           "for test in headway.read('litmus'):\n"
                           "  for row in headway.table([headway.check(test, ['HSA', 'LOBE'])]):\n"
                           "    print(*row.values(), sep=',')")
        # The program also looks for kernels below the folder.
        litmus = {row for row in table.splitlines()[1:]}
        self.assertGreater(len(rows.splitlines()), 100)
        self.assertFalse(set(rows.splitlines()) - litmus)

    def test_displays_and_graphs(self):
        self.python("""if True:
            import headway, threading
            test = headway.read('litmus/spin-mutex.litmus')[0]
            system = headway.transition_system(test, 'HSA')
            assert system.edges[0][2].keys() == {'thread', 'label'} and system.states[0]['fair']
            assert '<table>' in system._repr_html_()
            svg = system._repr_svg_()
            assert svg is None or '<svg' in svg
            assert 'starved' in headway.explain(test, 'HSA')._repr_html_()
            assert headway.compare([test], [test])['in_both'] == 1
            assert headway.compare([test], [])['differences'][0]['kind'] == 'only_a'
            assert len(headway.synthesize(2, 2)) > 0
            # What a callback raises comes back; a cancelled search is an answer.
            try:
                headway.synthesize(2, 3, found=lambda test: 1 / 0)
                raise AssertionError('nothing was raised')
            except ZeroDivisionError:
                pass
            token = headway.Cancellation()
            threading.Timer(0.2, token.cancel).start()
            answer = headway.synthesize(2, 7, found=lambda test: True,
                                        limits=headway.Limits(cancellation=token))
            assert answer['stopped_by'] == 'cancelled', answer
            unknown = headway.check(headway.read('litmus/chain-3.litmus')[0],
                                    limits=headway.Limits(max_states=1))
            assert not unknown['complete'] and unknown['stopped_by'] == 'states'
            """)

    def test_stubs_name_what_there_is(self):
        self.python("""if True:
            import ast, pathlib, headway
            from headway import _headway
            stub = pathlib.Path(headway.__file__).with_name('_headway.pyi').read_text()
            named = {node.name for node in ast.parse(stub).body if hasattr(node, 'name')}
            there = {name for name in dir(_headway) if not name.startswith('_')}
            assert named == there, named ^ there
            """)


class Parts(unittest.TestCase):
    """docs/reference/scaling.md, under GNU parallel. scripts/slurm does the same on a Slurm."""

    def test_parallel(self):
        if shutil.which("parallel") is None:
            self.skipTest("no GNU parallel")
        folder = pathlib.Path(FOLDER.name) / "parts"
        folder.mkdir()
        # A part fails at first, after it has done some, and goes on when the same command comes again.
        (folder / "part").write_text(
            '#!/bin/sh\n[ $1 != 2 ] || [ -e again ] || { touch again; exit 1; }\n'
            'exec headway synth -n 2 -k 3 --jobs 1 --shard $1/4 --checkpoint checkpoint.$1 '
            '--out part.$1.jsonl\n')
        (folder / "part").chmod(0o755)
        command = ["parallel", "--will-cite", "--jobs", "2", "--joblog", "log", "--resume-failed",
                   "./part", "{}", ":::", "1", "2", "3", "4"]
        run(*command, cwd=folder, env=ENVIRONMENT, status=1)
        self.assertFalse((folder / "part.2.jsonl").exists())
        run(*command, cwd=folder, env=ENVIRONMENT)
        parts = [str(part) for part in sorted(folder.glob("part.*.jsonl"))]
        self.assertEqual(len(parts), 4)
        merged = run(TREE / "bin/headway", "merge", *parts)
        self.assertEqual(merged, run(TREE / "bin/headway", "synth", "-n", "2", "-k", "3"))


class Pages(unittest.TestCase):
    def test_manual(self):
        listed = run(TREE / "bin/headway", "--help").split("Subcommands:")[1]
        commands = re.findall(r"^  (\S+) ", listed, re.MULTILINE)
        self.assertGreater(len(commands), 15)
        for command in commands:
            page = TREE / f"share/man/man1/headway-{command}.1.gz"
            text = gzip.decompress(page.read_bytes()).decode()
            help_text = run(TREE / "bin/headway", command, "--help")
            for option in re.findall(r"^ +(?:-\w,)?(--[\w-]+)", help_text, re.MULTILINE):
                self.assertIn(option.replace("-", "\\-"), text, command)
            # Examples are for the folder of data that comes along.
            for word in re.findall(r"\S+/\S+", help_text.partition("Example")[2]):
                if (SOURCES / word).exists():
                    self.assertTrue((TREE / "share/headway" / word).exists(), f"{command}: {word}")
        if shutil.which("man") is None:
            return
        for page in sorted((TREE / "share/man/man1").iterdir()):
            done = subprocess.run(["man", "--warnings", "-l", page], capture_output=True, text=True,
                                  env={**os.environ, "MANWIDTH": "100", "LC_ALL": "C.UTF-8"})
            self.assertEqual((done.returncode, done.stderr), (0, ""), page)

    def test_readme_commands_have_their_files(self):
        for name in ("litmus/spin-mutex.litmus", "litmus/kernels/chained-scan.cu",
                     "tests/data/published/tests", "litmus/suite/fingerprint", "models/obe.yaml"):
            self.assertTrue((TREE / "share/headway" / name).exists(), name)


class Completion(unittest.TestCase):
    """Asked as the shells ask."""

    ASKED = [("che", {"check", "check-proof", "check-certificate"}),
             ("suite ver", {"verdicts"}),
             ("check --form", {"--format"}),
             ("check --format ", {"table", "csv", "json"}),
             ("explain x.litmus --model OB", {"OBE", "OBE-k"})]

    def hold(self, candidates, expected, line):
        missing = expected - set(candidates)
        self.assertFalse(missing, f"headway {line}: {candidates}")

    def test_bash(self):
        script = TREE / "share/bash-completion/completions/headway"
        for line, expected in self.ASKED:
            words = ["headway"] + line.split(" ")
            out = run("bash", "-c", 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($#-1)); '
                      '_headway; printf "%s\\n" "${COMPREPLY[@]}"', "-", script, *words,
                      env=ENVIRONMENT)
            self.hold(out.splitlines(), expected, line)
        folder = pathlib.Path(FOLDER.name) / "files"
        folder.mkdir()
        (folder / "mine.litmus").write_text("")
        out = run("bash", "-c", 'source "$1"; COMP_WORDS=(headway check mi); COMP_CWORD=2; _headway; '
                  'printf "%s\\n" "${COMPREPLY[@]}"', "-", script, cwd=folder, env=ENVIRONMENT)
        self.assertEqual(out.split(), ["mine.litmus"])

    def test_fish(self):
        if shutil.which("fish") is None:
            self.skipTest("no fish")
        script = TREE / "share/fish/vendor_completions.d/headway.fish"
        home = pathlib.Path(FOLDER.name) / "home"
        for line, expected in self.ASKED:
            out = run("fish", "--no-config", "-c", f'source {script}; complete -C "headway {line}"',
                      env={**ENVIRONMENT, "HOME": str(home)})
            self.hold([each.split("\t")[0] for each in out.splitlines()], expected, line)

    def test_zsh(self):
        if shutil.which("zsh") is None:
            self.skipTest("no zsh")
        # A zsh on a terminal of its own; what it would offer is written by a compadd in between.
        asking = r"""
          zmodload zsh/zpty
          zpty shell zsh -f -i
          typeset -g line
          feed() { zpty -w shell "$1" }
          feed "PS1=; unsetopt zle_bracketed_paste; fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D"
          feed 'compadd() { [[ ${@[1,(i)(-|--)]} == *-(O|A|D)* ]] && { builtin compadd "$@"; return }
            typeset -a __hits; builtin compadd -A __hits "$@"
            print -l -- __OFFER__${^__hits} >>'$2'; builtin compadd "$@" }'
          feed 'ask() { : }; zle -C ask complete-word _main_complete; bindkey "^X" ask'
          sleep 1
          zpty -w -n shell "headway $3"$'\C-x'
          for i in {1..100}; do
            sleep 0.1; zpty -r -t shell line 2>/dev/null
            [[ -s $2 ]] && grep -q __OFFER__ $2 && break
          done
          sleep 0.3
          zpty -d shell
        """
        for number, (line, expected) in enumerate(self.ASKED):
            found = pathlib.Path(FOLDER.name) / f"zsh{number}"
            run("zsh", "-f", "-c", asking, "-", TREE / "share/zsh/vendor-completions", found, line,
                env={**ENVIRONMENT, "TERM": "dumb"})
            text = found.read_text() if found.exists() else ""
            self.hold(re.findall(r"__OFFER__(\S+)", text), expected, line)


if __name__ == "__main__":
    unittest.main()
