"""The page of `headway web`: campaigns through WebGPU on SwiftShader, whatever ends on the way."""

import functools
import http.server
import json
import pathlib
import tempfile
import threading
import unittest

from browser import SOURCES, Browser, headway

FINGERPRINT = "litmus/suite/fingerprint"
# A run of a test that hangs ends when a thread has spun for about so long. Whatever shares this
# machine must not keep a thread waiting for as long, or a test that terminates would seem to hang.
TIME_LIMIT = 1000

ENDLESS = "litmus endless\nlocations x;\nthread 0 { while (Load(x) == 0); }\n"
STORE = "litmus store\nlocations x;\nthread 0 { x = 1; }\n"
ROUND_ROBIN = ("round-robin",)


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):  # pylint: disable=arguments-differ
        pass


class Site:
    """A page that `headway web` wrote, behind a static file server."""

    def __init__(self, suite):
        self._folder = tempfile.TemporaryDirectory(prefix="headway-e2e-")
        self.root = pathlib.Path(self._folder.name)
        if isinstance(suite, dict):
            self.suite = self.root / "suite"
            self.suite.mkdir()
            for name, text in suite.items():
                (self.suite / f"{name}.litmus").write_text(text)
        else:
            self.suite = suite
        headway("web", self.suite, "-o", self.root / "site")
        handler = functools.partial(Quiet, directory=self.root / "site")
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}/"

    def close(self):
        self.server.shutdown()
        self.server.server_close()
        self._folder.cleanup()

    def conform(self, text, *options, status=0):
        """What `headway conform` says of saved results."""
        saved = self.root / "results.json"
        saved.write_text(text)
        return headway("conform", saved, *options, status=status)


class Visit:
    """A browser on a site; one of its own, unless it is given one."""

    def __init__(self, site, profile=None, gpu=True, browser=None):
        self.browser = browser or Browser(*([f"--user-data-dir={profile}"] if profile else []), gpu=gpu)
        self.browser.log()  # what pages before this one wrote is not its own
        self.browser.driver.get(site.address)
        self.until(lambda: "Looking" not in self.browser.text("#device"), "a word on the device")

    def close(self):
        self.browser.close()

    def until(self, condition, what):
        for _ in range(6):  # 60 seconds: devices may be slow, here above all
            try:
                return self.browser.until(condition, what)
            except AssertionError:
                pass
        raise AssertionError(f"waited in vain for {what}; it says: {self.browser.text('body')}")

    def pause_at(self, test):
        """Pauses the campaign to come as soon as the page says that it runs this test: within the
        page, as a command from here may come when a busy machine is through with the test."""
        self.browser.js("""
            const [test] = arguments;
            const status = document.getElementById("status");
            const seen = new MutationObserver(() => {
              if (!status.textContent.includes(test)) return;
              seen.disconnect();
              document.getElementById("pause").click();
            });
            seen.observe(status, {characterData: true, childList: true, subtree: true});""", test)

    def start(self, mappings=None, instances=4, iterations=2, timeout=TIME_LIMIT):
        if mappings is not None:
            for box in self.browser.all("#mappings input"):
                if box.is_selected() != (box.get_attribute("value") in mappings):
                    box.click()
        for name, value in (("instances", instances), ("iterations", iterations),
                            ("timeout", timeout)):
            field = self.browser.one(f"#{name}")
            field.clear()
            field.send_keys(str(value))
        self.browser.click("#go")

    def status(self):
        return self.browser.text("#status")

    def finish(self):
        self.until(lambda: "Finished" in self.status(), "the end of the campaign")

    def saved(self):
        """The file that the page saves."""
        return self.browser.driver.execute_async_script("""
            const done = arguments[0];
            const original = URL.createObjectURL;
            URL.createObjectURL = (blob) => {
              URL.createObjectURL = original;
              blob.text().then(done);
              return original.call(URL, new Blob());
            };
            document.getElementById("save").click();""")

    def tests(self):
        """By test, what the table says of it under each mapping."""
        return {row[0]: row[1:] for row in self._rows("tests")}

    def models(self):
        """By reading: result, tests, held, refuting and mappings."""
        return {row[0]: row[1:] for row in self._rows("models")}

    def _rows(self, table):
        return self.browser.js("""return [...document.getElementById(arguments[0]).tBodies[0].rows]
            .map((row) => [...row.cells].map((cell) => cell.textContent))""", table)


class Web(unittest.TestCase):
    def site(self, suite):
        site = Site(suite)
        self.addCleanup(site.close)
        return site

    @classmethod
    def setUpClass(cls):
        # To start a browser takes longer than most tests.
        cls.shared = Browser(gpu=True)
        cls.addClassCleanup(cls.shared.close)

    def visit(self, site):
        """A visit by the browser that tests share, whose pages end with the test."""
        # The port of a site may be that of one before it, whose campaign would be found.
        self.shared.driver.execute_cdp_cmd("Storage.clearDataForOrigin", {
            "origin": site.address.rstrip("/"), "storageTypes": "all"})
        visit = Visit(site, browser=self.shared)
        self.addCleanup(self.shared.driver.get, "about:blank")
        return visit

    def own_visit(self, site, **options):
        """A visit by a browser of its own, for what ends parts of it or has another one's options."""
        visit = Visit(site, **options)
        self.addCleanup(visit.close)
        return visit

    def outcomes(self, text):
        """By test, the outcomes of its runs under all mappings."""
        found = {}
        for result in json.loads(text)["results"]:
            found.setdefault(result["test"], []).extend(run["outcome"] for run in result["runs"])
        return found

    def test_a_campaign_says_of_models_what_headway_says(self):
        site = self.site(FINGERPRINT)
        visit = self.visit(site)
        self.assertIn("swiftshader", visit.browser.text("#device"))
        visit.start()
        visit.finish()
        text = visit.saved()
        results = json.loads(text)
        self.assertTrue(results["complete"])
        self.assertEqual(results["mappings"], ["plain", "round-robin", "chunked"])
        self.assertEqual(len(results["results"]), 15)
        self.assertTrue(all(len(result["runs"]) == 2 for result in results["results"]))
        report = json.loads(site.conform(text, "--format", "json"))
        [device] = report["devices"]
        self.assertEqual(device["runs"], 30)
        expected = {
            reading["reading"]: [
                reading["result"], str(reading["tests"]), str(reading["held"]),
                str(reading["refuting"]),
                ", ".join(m["mapping"] for m in reading["mappings"] if m["refuting"] > 0)]
            for reading in device["readings"]}
        self.assertEqual(visit.models(), expected)
        strongest = ", ".join(" = ".join(group) for group in device["strongest_not_refuted"])
        self.assertEqual(visit.browser.text("#strongest"),
                         f"Strongest models not refuted: {strongest}.")
        self.assertEqual(expected["OBE:weak"][0], "not refuted")
        for test, cells in visit.tests().items():
            runs = {result["mapping"]: [run["outcome"] for run in result["runs"]]
                    for result in results["results"] if result["test"] == test}
            hung = [runs[mapping].count("timed out") for mapping in results["mappings"]]
            self.assertEqual(cells, [f"hung {h}/2" if h else "ended 2" for h in hung])

        # It stays on this machine, and says nothing else.
        self.assertEqual(visit.browser.log(), [])
        loaded = visit.browser.js(
            "return performance.getEntriesByType('resource').map((entry) => entry.name)")
        self.assertGreater(len(loaded), 5)
        self.assertTrue(all(name.startswith(site.address) for name in loaded), loaded)

        # Saved results are refused when they are about another suite, or edited.
        site.conform(text, "--suite", "litmus/suite/minimal/2t_2i", status=2)
        self.assertIn("terminated", text)
        site.conform(text.replace("terminated", "timed out"), status=2)

    def test_what_cannot_terminate_is_reported_and_ended(self):
        site = self.site({"a-endless": ENDLESS, "b-store": STORE})
        visit = self.visit(site)
        visit.start(ROUND_ROBIN, iterations=3, timeout=200)
        visit.finish()
        self.assertEqual(visit.tests(), {"endless": ["hung 3/3"], "store": ["ended 3"]})
        self.assertEqual(self.outcomes(visit.saved()),
                         {"endless": ["timed out"] * 3, "store": ["terminated"] * 3})

    def test_a_killed_browser_loses_nothing_that_finished(self):
        site = self.site({"a-store": STORE, "b-endless": ENDLESS, "c-store": STORE.replace(
            "litmus store", "litmus other").replace("x = 1", "x = 1; x = 0")})
        with tempfile.TemporaryDirectory(prefix="headway-e2e-") as profile:
            first = Visit(site, profile)
            try:
                first.start(ROUND_ROBIN, iterations=3, timeout=20_000)
                first.until(lambda: first.status().startswith("1 of 3 results; endless"), "a hang")
            finally:
                first.browser.kill()
                first.close()
            second = Visit(site, profile)
            try:
                self.assertEqual(second.status(), "Paused: 1 of 3 results.")
                self.assertEqual(second.tests(), {"store": ["ended 3"], "endless": [""], "other": [""]})
                self.assertEqual(second.browser.text("#go"), "Continue")
                # Unfinished results are saved and read as well.
                text = second.saved()
                self.assertFalse(json.loads(text)["complete"])
                device = json.loads(site.conform(text, "--format", "json"))["devices"][0]
                self.assertEqual(device["tests"], 1)

                second.browser.click("#anew")
                second.browser.driver.switch_to.alert.dismiss()
                self.assertEqual(second.status(), "Paused: 1 of 3 results.")
                second.browser.click("#anew")
                second.browser.driver.switch_to.alert.accept()
                second.start(ROUND_ROBIN, iterations=1, timeout=100)
                second.finish()
                self.assertEqual(
                    second.tests(),
                    {"store": ["ended 1"], "endless": ["hung 1/1"], "other": ["ended 1"]})
            finally:
                second.close()

    def test_a_paused_campaign_goes_on_in_another_visit(self):
        site = self.site(FINGERPRINT)
        with tempfile.TemporaryDirectory(prefix="headway-e2e-") as profile:
            first = Visit(site, profile)
            try:
                first.pause_at("producer-consumer-decreasing")
                first.start(("chunked",), iterations=3)
                first.until(lambda: first.status().startswith("Paused: 1 of 5"), "the pause")
            finally:
                first.close()
            second = Visit(site, profile)
            try:
                before = second.saved()
                second.browser.click("#go")
                second.finish()
                after = second.saved()
            finally:
                second.close()
        self.assertEqual(json.loads(before)["started"], json.loads(after)["started"])
        self.assertEqual(json.loads(before)["results"][0], json.loads(after)["results"][0])
        self.assertEqual(len(json.loads(after)["results"]), 5)
        site.conform(after)

    def test_a_lost_device_is_reported_and_the_next_test_runs(self):
        site = self.site({"a-endless": ENDLESS, "b-store": STORE})
        visit = self.own_visit(site)
        visit.start(ROUND_ROBIN, iterations=3, timeout=30_000)
        visit.until(lambda: "endless" in visit.status(), "a hang")
        visit.browser.kill("gpu-process")
        visit.finish()
        self.assertEqual(self.outcomes(visit.saved()),
                         {"endless": ["device lost"], "store": ["terminated"] * 3})
        self.assertEqual(visit.tests(), {"endless": ["hung 1/1"], "store": ["ended 3"]})
        self.assertIn("the device was lost in 1", visit.browser.text("#tally"))

    def test_a_silent_device_is_given_up_and_the_next_test_runs(self):
        site = self.site({"a-endless": ENDLESS, "b-store": STORE})
        # The threads of the first test never give up.
        path = site.root / "site" / "suite.json"
        suite = json.loads(path.read_text())
        lines = suite["lines"]
        asks = lines.index("    if gives_up() { return; }")
        lines.append("    if atomicLoad(&gave_up) == 7u { return; }")
        endless = suite["tests"][0]
        endless["shaders"] = [[len(lines) - 1 if line == asks else line for line in shader]
                              for shader in endless["shaders"]]
        path.write_text(json.dumps(suite))
        visit = self.own_visit(site)
        visit.start(ROUND_ROBIN, iterations=3, timeout=10)
        visit.until(lambda: visit.status().startswith("1 of 2 results. The GPU does not answer"),
                    "the watchdog")
        self.assertEqual(visit.tests()["endless"], ["hung 1/1"])
        visit.browser.kill("gpu-process")  # as a driver does that finds it hung
        visit.finish()
        text = visit.saved()
        self.assertEqual(self.outcomes(text),
                         {"endless": ["timed out"], "store": ["terminated"] * 3})
        self.assertIn("no answer from the device", text)

    def test_a_loop_that_is_left_early_says_nothing(self):
        site = self.site({"a-endless": ENDLESS, "b-store": STORE})
        path = site.root / "site" / "suite.json"
        text = path.read_text()
        self.assertIn("    atomicStore(&gave_up, 1u);", text)
        # As a driver does that leaves a loop after so many rounds, without a word.
        path.write_text(text.replace("    atomicStore(&gave_up, 1u);", "    atomicStore(&gave_up, 0u);"))
        visit = self.visit(site)
        visit.start(ROUND_ROBIN, timeout=100)
        visit.finish()
        self.assertEqual(self.outcomes(visit.saved())["endless"], ["error"] * 2)
        self.assertEqual(visit.models()["fair:strong"][:2], ["not refuted", "1"])

    def test_every_shader_is_valid(self):
        for suite in ("litmus/idioms", "litmus/suite/minimal", "tests/data/published/tests/2t_2i"):
            visit = self.visit(self.site(suite))
            count, wrong = visit.browser.driver.execute_async_script("""
                const [done] = arguments;
                (async () => {
                  const {suite} = window.headway;
                  const device = await (await navigator.gpu.requestAdapter()).requestDevice();
                  let count = 0;
                  const wrong = [];
                  for (let t = 0; t < suite.tests.length; ++t) {
                    for (const mapping of suite.mappings) {
                      const {code} = suite.job(t, mapping, 3);
                      const module = device.createShaderModule({code});
                      const {messages} = await module.getCompilationInfo();
                      wrong.push(...messages.map(
                        (m) => `${suite.tests[t].name}, ${mapping}: ${m.lineNum}: ${m.message}`));
                      ++count;
                    }
                  }
                  return [count, wrong];
                })().then(done, (error) => done([0, [String(error)]]));""")
            self.assertEqual(wrong, [])
            self.assertGreaterEqual(count, 24)

    def test_threads_run_in_groups(self):
        names = ("scoped/leader-barrier", "scoped/mp-groupid-drawn")
        files = {pathlib.Path(name).name: (SOURCES / "litmus" / f"{name}.litmus").read_text()
                 for name in names}
        files["memory"] = ("idiom memory\n2 workgroups of 4 threads;\n"
                           "workgroup int(0..9) sum = 3;\n"
                           "int(0..9) more() { return fetch_add(sum, 1); }\n"
                           "threads { more(); barrier(workgroup); assert(load(sum) == 7); }\n")
        visit = self.visit(self.site(files))
        visit.start(ROUND_ROBIN, instances=2)
        visit.finish()
        for name, outcomes in self.outcomes(visit.saved()).items():
            self.assertEqual(outcomes, ["terminated"] * 2, name)

    def test_threads_run_in_subgroups_where_there_are_any(self):
        files = {"vote": ("idiom vote\n2 workgroups of 4 threads, subgroups of 2;\nshared int(0..4) x;\n"
                          "threads { int(0..1) both = all(lane < 2);\n"
                          "  if (lane == 0) fetch_add(x, both); }\n"),
                 "plain": STORE}
        visit = self.visit(self.site(files))
        sizes = visit.browser.driver.execute_async_script("""
            const [done] = arguments;
            navigator.gpu.requestAdapter().then(({features, info}) => done(
              features.has("subgroups") ? [info.subgroupMinSize, info.subgroupMaxSize] : null));""")
        visit.start(ROUND_ROBIN, instances=2)
        visit.finish()
        saved = visit.saved()
        outcomes = self.outcomes(saved)
        self.assertEqual(outcomes["store"], ["terminated"] * 2)
        if sizes is None:
            self.assertEqual(outcomes["vote"], ["error"])
            self.assertIn("the browser offers no subgroups here", json.dumps(saved))
        elif sizes[1] >= 2:
            self.assertEqual(outcomes["vote"], ["terminated"] * 2, (sizes, saved))

    def test_two_pages_do_not_run_at_once(self):
        site = self.site({"a-endless": ENDLESS})
        visit = self.own_visit(site)  # whose end ends the hang, which is as long as it may take here
        visit.start(ROUND_ROBIN, iterations=1, timeout=60_000)
        visit.until(lambda: "endless" in visit.status(), "a hang")
        driver = visit.browser.driver
        driver.switch_to.new_window("window")
        driver.get(site.address)
        visit.until(lambda: visit.browser.all("#go:enabled"), "the second page")
        visit.browser.click("#go")
        visit.until(lambda: "Another page" in visit.browser.text("#problem"), "the refusal")

    def test_a_campaign_is_not_mixed_from_two_devices(self):
        site = self.site({"a-endless": ENDLESS, "b-store": STORE})
        visit = self.visit(site)
        visit.pause_at("endless")
        visit.start(ROUND_ROBIN, iterations=1, timeout=1000)
        visit.until(lambda: visit.status() == "Paused: 1 of 2 results.", "the pause")
        # As if another GPU were there when the page is opened again.
        visit.browser.js("""window.headway.campaign.record.device.name = "another";
                            window.headway.device.close();""")
        visit.browser.click("#go")
        visit.until(lambda: "start anew" in visit.browser.text("#problem"), "the refusal")
        self.assertEqual(visit.status(), "Paused: 1 of 2 results.")

    def test_what_is_not_valid_is_not_run(self):
        site = self.site({"a-store": STORE})
        visit = self.visit(site)
        visit.start(())
        self.assertEqual(visit.browser.text("#problem"), "Choose a mapping.")
        visit.start(ROUND_ROBIN, instances=10 ** 6)
        self.assertEqual(visit.status(), "Not started.")
        visit.start(ROUND_ROBIN, instances=65535, timeout=5000)
        visit.finish()

    def test_without_a_gpu_the_page_says_so(self):
        site = self.site({"a-store": STORE})
        visit = self.own_visit(site, gpu=False)
        self.assertEqual(visit.browser.text("#device"), "There is no GPU to run on.")
        self.assertIn("No device", visit.browser.text("#problem"))


if __name__ == "__main__":
    # Where a page does not load, each test would wait in vain.
    unittest.main(failfast=True)
