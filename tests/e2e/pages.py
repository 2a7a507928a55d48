"""The reports that tests open, and what other commands of headway say of the same suites."""

import csv
import io
import json
import pathlib
import tempfile

from browser import SOURCES, headway

PUBLISHED = "tests/data/published"
FAIRNESSES = ("weak", "strong")

HOSTILE = '"</script><script>window.hurt=1</script><!--<img src=x onerror=hurt=1>"'


class Pages:
    """The reports that the tests open, made once: with the engine of that file, or with none."""

    def __init__(self, engine):
        self.engine = engine
        self.folder = tempfile.TemporaryDirectory(prefix="headway-e2e-")
        root = pathlib.Path(self.folder.name)
        self.published = root / "published.html"
        devices = sorted(str(path) for path in SOURCES.glob(f"{PUBLISHED}/devices/*/*.csv"))
        self.report(f"{PUBLISHED}/tests", "-o", self.published, "--devices", *devices)
        # The tests of litmus/ without those of the folders in it.
        self.litmus_suite = root / "litmus"
        self.litmus_suite.mkdir()
        for path in SOURCES.glob("litmus/*.litmus"):
            (self.litmus_suite / path.name).write_text(path.read_text())
        self.litmus_names = [path.stem for path in sorted(self.litmus_suite.iterdir())]
        self.litmus = root / "litmus.html"
        self.report(self.litmus_suite, "-o", self.litmus)

        # Programs of the idiom language, small enough to be in the file.
        self.idioms_suite = root / "idioms"
        self.idioms_suite.mkdir()
        for path in SOURCES.glob("litmus/idioms/*.litmus"):
            text = path.read_text().replace("N = 2..4;", "N = 2..3;")
            (self.idioms_suite / path.name).write_text(text)
        self.idioms = root / "idioms.html"
        self.report(self.idioms_suite, "-o", self.idioms)

        # More than what is shown of tests has room for.
        crowd = root / "crowd"
        crowd.mkdir()
        for path in (*SOURCES.glob("litmus/idioms/*.litmus"), *SOURCES.glob("litmus/scoped/*.litmus")):
            (crowd / path.name).write_text(path.read_text())
        self.crowd = root / "crowd.html"
        self.report(crowd, "-o", self.crowd)

        self.scoped_suite = root / "scoped"
        self.scoped_suite.mkdir()
        for name in ("mp-groupid", "barrier-against-spin", "barrier-trip-counts-ended-lockstep",
                     "subgroup-lock-spin-lockstep", "producer-consumer-in-group"):
            path = SOURCES / f"litmus/scoped/{name}.litmus"
            (self.scoped_suite / path.name).write_text(path.read_text())
        self.scoped = root / "scoped.html"
        self.report(self.scoped_suite, "-o", self.scoped, "-m", "CUDA,HSA,WebGPU")

        self.others_suite = root / "others"
        self.others_suite.mkdir()
        for threads, instructions, values in ((2, 4, 3), (3, 4, 2), (4, 4, 2)):
            headway("synth", "-n", threads, "-k", instructions, "--values", values, "--limit", 40,
                    "-o", self.others_suite / str(threads))
        (self.others_suite / "raw.litmus").write_text(
            "litmus raw\nvalues 4;\nlocations a = 3, b, unused = 1;\n"
            "thread 0 { AXB(a, 3, 0, true, 2); L: if (Exch(b, 1) == 0) goto L; b = 2; }\n"
            "thread 1 { while (Load(b) == 1); AXB(b, 0, 2, false, 0); a = 3; }\n")
        self.others = root / "others.html"
        until = root / "until-it-waits.yaml"  # looks at instructions
        until.write_text("name: until-it-waits\ninitial: all\non_terminate: F - {tid}\n"
                         "on_step: if loops then F - {tid} else F | {tid}\n")
        self.other_models = ["OBE", "OBE-k(k=1)", "OBE-k", "HSA-k(k=2)", str(until),
                             *(f"models/events/{name}.yaml" for name in
                               ("unfair", "hsa", "obe", "hsa_obe", "lobe", "fair"))]
        self.report(self.others_suite, "-o", self.others, *self.model_options())

        many = root / "many.jsonl"
        headway("synth", "-n", 2, "-k", 5, "--limit", 12000, "-o", many)
        self.many = root / "many.html"
        self.report(many, "-o", self.many)

        hostile = root / "hostile"
        hostile.mkdir()
        (hostile / "a<b>&amp;.litmus").write_text(
            f"// <b>\u2028 \u2029 </script> {HOSTILE}\nlitmus {HOSTILE}\nlocations x;\n"
            "thread 0 { x = 1; }\nthread 1 { while (Load(x) == 0); }\n")
        (hostile / "twin.litmus").write_text(
            "locations y;\nthread 0 { y = 1; }\nthread 1 { while (Load(y) == 0); }\n")
        self.hostile = root / "hostile.html"
        self.report(hostile, "-o", self.hostile, "--title", HOSTILE)

        empty = root / "empty.jsonl"
        empty.write_text("")
        self.empty = root / "empty.html"
        self.report(empty, "-o", self.empty)
        failing = root / "failing.litmus"
        failing.write_text("shared bool x;\nthread 0 { assert(load(x) == 0); }\n"
                         "thread 1 { store(x, 1); load(x); }\n")
        self.failing = root / "failing.html"
        self.report(failing, "-o", self.failing)
        self.single = root / "single.html"
        self.report("litmus/spin-mutex.litmus", "-o", self.single)

        self.kernels_suite = root / "kernels"
        self.kernels_suite.mkdir()
        for name in ("persistent-threads.cl", "spin-lock.cu", "spin-lock-broken.cu"):
            path = SOURCES / "litmus/kernels" / name
            (self.kernels_suite / name).write_text(path.read_text())
        self.kernels = root / "kernels.html"
        self.report(self.kernels_suite, "-o", self.kernels)
        self.one_kernel = root / "one-kernel.html"
        self.report("litmus/kernels/spin-wait.cu", "-o", self.one_kernel)

        # Answers for every N, of which some are open.
        self.every = root / "every.html"
        headway("report", "--threads", "any", "litmus/idioms", "-o", self.every, status=3)

    def report(self, *arguments):
        headway("report", "--engine", self.engine, *arguments)

    def model_options(self):
        return [word for model in self.other_models for word in ("-m", model)]

    def witnesses(self, suite, *options):
        """What headway says of every failing verdict, by test, model and fairness."""
        with tempfile.TemporaryDirectory(prefix="headway-e2e-") as folder:
            headway("check", suite, "--format", "json", "--witness", folder, *options)
            found = [json.loads(path.read_text()) for path in pathlib.Path(folder).iterdir()]
        return {(w["test"], w["model"], w["fairness"]): w for w in found}


def verdicts(suite, *options):
    """Verdicts as headway prints them, by test, model and fairness."""
    rows = csv.DictReader(io.StringIO(headway("check", suite, "--format", "csv", *options)))
    return {(r["test"], r["model"], r["fairness"]): r["verdict"] for r in rows}


def identity_of(file):
    """The identity of a test, by itself, from another command."""
    with tempfile.TemporaryDirectory(prefix="headway-e2e-") as folder:
        path = SOURCES / file
        pathlib.Path(folder, path.name).write_text(path.read_text())
        return json.loads(headway("merge", folder, "-o", "-"))["identity"]


def identity_of_published(name):
    return identity_of(f"{PUBLISHED}/tests/{name[:5]}/{name}.txt")
