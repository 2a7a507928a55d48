"""The site of scripts/site: the playground as one uses it, and every page as one who cannot see it."""

import functools
import http.server
import json
import os
import pathlib
import re
import sys
import threading
import unittest

from browser import SKIPPED, SOURCES, Browser, Keys, headway

SITE = pathlib.Path(os.environ.get("HEADWAY_SITE", SOURCES / "build/site"))
if not (SITE / "playground/index.html").is_file():
    print(f"there is no site in {SITE} (scripts/site --check builds it, and then opens it)")
    sys.exit(SKIPPED)

AXE = SOURCES / "site/node_modules/axe-core/axe.min.js"
SPIN = ("locations m; thread 0 { while (Exch(m, 1) == 1); m = 0; } "
        "thread 1 { while (Exch(m, 1) == 1); m = 0; }")
PAGES = ("index.html", "docs/index.html", "docs/start/first-kernel.html", "docs/reference/idioms.html",
         "docs/reference/engine.html", "devices/index.html", "playground/index.html")
# What is to be seen on a page besides what it opens with.
LINKS = {"playground/index.html": ("#example=litmus/spin-mutex.litmus", "#example=litmus/kernels/spin-wait.cu"),
         "devices/published.html": ("", "#test=2t_2i_1&model=OBE&fairness=weak&step=2")}


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):  # pylint: disable=arguments-differ
        pass


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 128  # a browser asks for all of a page at once; five do not hold that


class SiteTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        handler = functools.partial(Quiet, directory=SITE)
        cls.server = Server(("127.0.0.1", 0), handler)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        cls.address = f"http://127.0.0.1:{cls.server.server_address[1]}/"
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.server.shutdown()
        cls.server.server_close()

    def setUp(self):
        self.browser.resize(1440, 950)
        self.browser.log()

    def tearDown(self):
        self.assertEqual([line for line in self.browser.log() if "favicon" not in line], [])

    def open(self, page="playground/index.html", link=""):
        self.browser.driver.get("about:blank")
        self.browser.driver.get(self.address + page + link)
        if page.startswith("playground"):
            self.browser.until(lambda: self.browser.js("return window.playground !== undefined"),
                               "the playground")

    def verdicts(self):
        tests = self.browser.js("return window.playground.decided()")
        return {(t["threads"], v["model"], v["fairness"]): v["verdict"]
                for t in tests for v in t["verdicts"]}

    def shown(self, selector):
        """The text of an element, which may come and go."""
        return self.browser.js(
            "return document.querySelector(arguments[0])?.textContent ?? ''", selector)

    def rest(self):
        self.browser.until(lambda: self.browser.js("return window.playground.atRest()"), "rest")

    def type(self, text):
        """As a person does it: the editor closes no brackets, and indents nothing that matters."""
        self.browser.click("#editor .cm-content")
        self.browser.press(Keys.CONTROL + "a", Keys.DELETE)
        self.browser.press(*text)

    def paste(self, text):
        """All at once: the page decides after each key of what is typed."""
        self.browser.click("#editor .cm-content")
        self.browser.press(Keys.CONTROL + "a", Keys.DELETE)
        self.browser.driver.execute_cdp_cmd("Input.insertText", {"text": text})

    def choose(self, example):
        self.browser.js("""
            const select = document.getElementById("example");
            select.value = arguments[0];
            select.dispatchEvent(new Event("change"));""", example)
        self.browser.until(lambda: self.browser.js("return playground.state.file") == example, "the example")
        self.rest()

    def test_it_opens_on_an_example_with_its_verdict_and_a_picture(self):
        self.open()
        self.rest()
        self.assertEqual(self.shown("#why"), "\u00d7 fail under HSA, weakly fair")
        self.assertIn("is starved", self.browser.text("#run .moral"))
        self.assertGreater(len(self.browser.all("#system .node")), 1)
        self.assertEqual(self.browser.js("return playground.editor.text"),
                         (SOURCES / "litmus/spin-mutex.litmus").read_text())

    def test_kernels_have_the_verdicts_of_check(self):
        self.open()
        for file in ("litmus/kernels/chained-scan.cl", "litmus/kernels/spin-lock-broken.cu",
                     "litmus/shaders/grid-barrier.comp"):
            with self.subTest(file):
                self.choose(file)
                expected, = json.loads(headway("check", file, "--models", "all", "--format", "json"))
                shown, = self.browser.js("return playground.decided()")
                del expected["seconds"]
                self.assertEqual(shown, expected)
                self.assertEqual(self.browser.js("return playground.editor.text"),
                                 (SOURCES / file).read_text())

    def test_a_kernel_shows_its_execution_in_its_source(self):
        self.open(link="#example=litmus/kernels/spin-wait.cu")
        self.rest()
        self.assertIn("may hang as CUDA promises: block 1 waits at line 7", self.browser.text("#kernel"))
        self.assertEqual(self.shown("#why"), "\u00d7 fail under CUDA, weakly fair")
        explained = json.loads(headway("explain", "litmus/kernels/spin-wait.cu", "--model", "CUDA", "--format",
                                       "json"))
        self.assertEqual(len(self.browser.all("#run tr[data-step]")),
                         len(explained["witness"]["stem"]) + len(explained["witness"]["cycle"]))
        self.browser.click("#step-cycle")
        self.assertIn("while (atomicAdd(flag, 0) == 0) {}", self.browser.text("#editor .cm-line.current"))
        self.assertGreater(len(self.browser.all("#system .node")), 1)

    def test_of_a_broken_kernel_the_race_is_shown(self):
        self.open(link="#example=litmus/kernels/spin-lock-broken.cu")
        self.rest()
        self.assertIn("race: line 7", self.browser.all("#run tr[data-step]")[-1].text)
        self.browser.click("#kernel summary")
        self.assertIn("a slice is of a launch that does not go wrong", self.browser.text("#kernel details"))

    def test_the_slice_of_a_kernel_is_edited(self):
        file = "litmus/kernels/ticket-lock.cu"
        self.open(link=f"#example={file}")
        self.rest()
        kernel = self.verdicts()
        self.browser.click("#editor .cm-content")
        self.browser.press("x")
        self.rest()
        self.assertEqual(self.browser.js("return playground.editor.text"), (SOURCES / file).read_text(),
                         "what takes a compiler is not changed")
        self.browser.click("#kernel summary")
        self.assertEqual(self.browser.text("#kernel pre"), headway("slice", file).rstrip())
        self.browser.click("#edit-slice")
        self.rest()
        self.assertEqual(self.browser.all("#kernel"), [])
        sliced = self.verdicts()
        self.assertEqual(len(sliced), 12)
        self.assertEqual(sliced, {reading: kernel[reading] for reading in sliced})
        self.browser.press("// mine")
        self.rest()
        self.assertIn("// mine", self.browser.js("return playground.editor.text"))
        self.assertEqual(self.verdicts(), sliced)

    def test_a_kernel_is_linked_by_its_name(self):
        file = "litmus/kernels/spin-lock.cl"
        self.open()
        self.choose(file)
        self.browser.click("#share")
        self.browser.until(lambda: self.shown("#shared"), "a link")
        self.assertTrue(self.browser.driver.current_url.endswith(f"#example={file}"))

    def test_what_takes_the_native_program_says_so(self):
        self.open()
        for text, language in (("; SPIR-V\nOpCapability Shader\n", "SPIR-V"),
                               ("#version 450\nvoid main() {}\n", "GLSL"),
                               ("[numthreads(4, 1, 1)]\nvoid main() {}\n", "HLSL"),
                               ("target triple = \"nvptx64\"\n", "LLVM's language"),
                               ((SOURCES / "litmus/kernels/spin-wait.cu").read_text(), "CUDA"),
                               ((SOURCES / "litmus/kernels/spin-lock.cl").read_text(), "OpenCL C")):
            with self.subTest(language):
                self.browser.js("window.playground.editor.text = arguments[0]", text)
                self.browser.until(lambda: f"looks like {language}, which takes the native program" in
                                   self.shown("#messages .limit"), "the message")
        self.type("locations x; thread 0 { x = ; }")
        self.browser.until(lambda: self.shown("#messages .error") and not self.shown("#messages .limit"),
                           "an error alone")

    def test_typing_a_spin_lock_shows_its_verdicts(self):
        self.open()
        self.type(SPIN)
        self.browser.until(self.verdicts, "verdicts")
        self.rest()
        verdicts = self.verdicts()
        self.assertEqual({m: verdicts[2, m, "weak"] for m in ("unfair", "HSA", "OBE", "fair")},
                         {"unfair": "fail", "HSA": "fail", "OBE": "pass", "fair": "pass"})
        self.assertIn("Thread 1 is starved", self.shown("#run"))

    def test_verdicts_come_in_less_than_200_ms_after_the_last_key(self):
        self.open()
        self.type(SPIN)
        self.browser.until(self.verdicts, "verdicts")
        self.rest()
        times = self.browser.driver.execute_async_script("""
            const done = arguments[0];
            const {view} = window.playground.editor;
            const box = document.getElementById("verdicts");
            const times = [];
            function again() {
              if (times.length === 7) return done(times);
              const start = performance.now();
              const observer = new MutationObserver(() => {
                observer.disconnect();
                times.push(performance.now() - start);
                setTimeout(again, 400);
              });
              observer.observe(box, {childList: true});
              view.dispatch({changes: {from: view.state.doc.length, insert: " "}});
            }
            again();""")
        print(f"verdicts after {sorted(round(t) for t in times)} ms")
        self.assertLess(sorted(times)[3], 200)

    def test_an_error_stands_in_its_place(self):
        self.open()
        self.type("locations x; thread 0 { x = ; }")
        self.browser.until(
            lambda: "1:29 expected a constant" in self.shown("#messages .error"), "an error")
        self.browser.until(lambda: self.shown("#editor .cm-lintRange-error") == ";", "a mark")
        self.assertEqual(self.verdicts(), {})

    def test_examples_agree_with_the_program(self):
        self.open()
        for file in ("litmus/chain-3.litmus", "litmus/idioms/ticket-lock.litmus",
                     "litmus/scoped/look-back.litmus"):
            with self.subTest(file):
                self.choose(file)
                expected = {(t["threads"], v["model"], v["fairness"]): v["verdict"]
                            for t in json.loads(headway("check", file, "--format", "json"))
                            for v in t["verdicts"]}
                self.assertEqual(self.verdicts(), expected)

    def test_the_examples_of_the_first_pages_give_their_verdicts(self):
        """As somebody types them who has read these pages and nothing else."""
        first = (SOURCES / "docs/start/litmus-test.md").read_text()
        own = re.search(r"```c\n(locations ready;.*?)```", first, re.DOTALL)[1]
        spin = (SOURCES / "litmus/spin-mutex.litmus").read_text()
        ticket = (SOURCES / "litmus/idioms/ticket-lock.litmus").read_text()
        models = ("unfair", "HSA", "OBE", "HSA+OBE", "LOBE", "fair")

        def expected(name, text):
            """What that page prints of a test."""
            self.assertIn(f"$ headway check litmus/{name}.litmus", first)
            rows = first.split(f"$ headway check litmus/{name}.litmus")[1].split("```")[0]
            return {tuple(row.split()) for row in rows.splitlines()
                    if row.split() and row.split()[0] in text}

        self.open()
        self.type(own)
        self.browser.until(self.verdicts, "verdicts")
        self.rest()
        self.assertEqual(self.browser.js("return playground.decided()[0].test"), "test")
        self.assertEqual((self.verdicts()[2, "HSA", "weak"], self.verdicts()[2, "OBE", "weak"]),
                         ("pass", "fail"))
        self.assertEqual(self.browser.all("#messages .unmet"), [])

        self.paste(spin)
        self.browser.until(
            lambda: self.browser.js("return playground.decided()[0]?.test") == "spin-mutex",
            "the spin mutex")
        self.rest()
        found = self.verdicts()
        self.assertEqual(expected("spin-mutex", models),
                         {(m, found[2, m, "weak"], found[2, m, "strong"]) for m in models})
        self.assertIn("Thread 1 is starved: never scheduled again, while thread 0 loops for ever.",
                      self.browser.text("#run"))

        self.paste(ticket)
        self.browser.until(lambda: (4, "fair", "strong") in self.verdicts(), "the ticket lock")
        self.rest()
        found = self.verdicts()
        names = [f"ticket-lock-{n}" for n in (2, 3, 4)]
        language = (SOURCES / "docs/reference/idiom-language.md").read_text()
        table = language.split("$ headway check litmus/idioms/ticket-lock.litmus")[1].split("```")[0]
        for n, name in zip((2, 3, 4), names):
            row = next(line.split() for line in table.splitlines() if line.startswith(name))
            self.assertEqual(row[1:], [found[n, m, "weak"] for m in models])

    def test_the_witness_steps_through_the_source(self):
        self.open(link="#example=litmus/spin-mutex.litmus")
        self.rest()
        here = lambda: self.browser.js(
            "return document.querySelector('#editor .cm-line.current')?.textContent ?? ''")
        current = lambda: self.browser.one("#run tr.current").get_attribute("data-step")
        self.assertIn("while (Exch(m, 1) == 1)", here())
        self.assertEqual(current(), "0")
        self.browser.click("#step-on")
        self.assertEqual(current(), "1")
        self.assertEqual(len(self.browser.all("#system .node.here")), 1)
        self.browser.click("#step-on")
        self.browser.click("#step-on")  # the cycle goes round
        self.assertEqual(self.browser.text("#run .where"), "round again")

    def test_threads_are_scheduled_by_hand_from_the_keyboard(self):
        self.open(link="#example=litmus/spin-mutex.litmus")
        self.rest()
        self.browser.js("document.querySelector('#hand [data-take]').focus()")
        for _ in range(2):
            self.browser.press(Keys.ENTER)
        self.assertIn("By hand: 0 0.", self.browser.text("#hand"))
        self.assertIn("m=0", self.browser.text("#hand dl"))
        self.browser.press(Keys.ENTER, Keys.ENTER)
        self.assertIn("Everybody has ended.", self.browser.text("#hand"))
        self.browser.click("#undo")
        self.assertIn("By hand: 0 0 1.", self.browser.text("#hand"))

    def test_a_link_opens_in_a_second_window(self):
        self.open()
        self.type(SPIN)
        self.rest()
        expected = self.verdicts()
        self.assertNotEqual(expected, {})
        self.browser.click("#share")
        # The address had the fragment of an earlier text before.
        self.browser.until(lambda: self.shown("#shared"), "a link")
        link = self.browser.driver.current_url
        self.assertIn("#p=", link)
        self.browser.driver.switch_to.new_window("window")
        try:
            self.browser.driver.get(link)
            self.browser.until(lambda: self.browser.js("return window.playground !== undefined"),
                               "the playground")
            self.rest()
            self.assertEqual(self.verdicts(), expected)
            self.assertIn("while (Exch(m, 1) == 1)", self.browser.text("#editor"))
        finally:
            self.browser.driver.close()
            self.browser.driver.switch_to.window(self.browser.driver.window_handles[0])

    def test_a_damaged_link_says_so(self):
        self.open(link="#p=AAAA")
        self.browser.until(lambda: "damaged" in self.shown("#messages .error"), "a message")

    def test_a_model_of_ones_own_is_decided_and_put_in_order(self):
        self.open(link="#example=litmus/spin-mutex.litmus")
        self.rest()
        self.browser.click("#models > summary")
        self.browser.click("#own .cm-content")
        self.browser.press(*"name: mine\nfair: started & alive\n")
        self.browser.until(lambda: (2, "mine", "weak") in self.verdicts(), "verdicts of the model")
        self.assertEqual(self.verdicts()[2, "mine", "weak"], "pass")
        self.browser.until(lambda: "mine weak" in self.browser.text("#order"), "the order")
        self.browser.press(*"fare: x")
        self.browser.until(lambda: "unknown field 'fare'" in self.browser.js(
            "return document.getElementById('own-messages').textContent"), "an error")

    def test_models_may_be_named_for_each_level(self):
        self.open(link="#example=litmus/scoped/mp-groupid.litmus")
        self.rest()
        self.browser.click("#models > summary")
        self.browser.js("""
            const more = document.getElementById("more");
            more.value = "CUDA; workgroup=HSA; WebGPU";
            more.dispatchEvent(new Event("change"));""")
        self.browser.until(lambda: (4, "WebGPU", "weak") in self.verdicts(), "verdicts")
        self.assertEqual([self.verdicts()[4, model, "weak"]
                          for model in ("CUDA", "workgroup=HSA", "WebGPU")],
                         ["fail", "pass", "fail"])

    def test_families_are_decided_for_every_number_of_threads(self):
        self.open(link="#example=litmus/idioms/ttas-lock.litmus")
        self.rest()
        self.browser.click("#show-every")
        self.browser.until(lambda: self.browser.all("#residency tbody tr"), "answers")
        rows = {row.text for row in self.browser.all("#residency tbody tr")}
        self.assertIn("HSA fail from 2 fail from 2", rows)
        self.assertIn("OBE pass pass", rows)
        self.browser.click("#show-residency")
        self.browser.until(
            lambda: {row.text for row in self.browser.all("#residency tbody tr")} != rows, "sizes")

    def test_a_long_search_can_be_stopped_and_limited(self):
        self.open()
        file = "litmus/idioms/mcs-lock.litmus"
        text = (SOURCES / file).read_text().replace("N = 2..4;", "N = 12..12;")
        self.assertIn("N = 12..12;", text)
        self.browser.js("""
            document.getElementById("seconds").value = "600";
            document.getElementById("seconds").dispatchEvent(new Event("change"));""")
        self.browser.js("window.playground.editor.text = arguments[0]", text)
        self.browser.until(lambda: self.browser.all("#stop"), "the button")
        self.browser.click("#stop")
        self.assertIn("Stopped", self.browser.text("#messages"))
        self.type(SPIN)  # and it goes on to answer
        self.browser.until(lambda: (2, "HSA", "weak") in self.verdicts(), "verdicts")

    def test_it_goes_on_without_a_network(self):
        self.open(link="#example=litmus/spin-mutex.litmus")
        self.browser.until(lambda: self.browser.driver.execute_async_script(
            "const done = arguments[0]; navigator.serviceWorker.ready.then(() => done(true));"),
            "the service worker")
        self.browser.until(lambda: self.browser.driver.execute_async_script("""
            const done = arguments[0];
            caches.match(new URL("headway_engine.wasm", location).href)
                .then((found) => done(found !== undefined));"""), "the copies")
        driver = self.browser.driver
        driver.execute_cdp_cmd("Network.enable", {})
        driver.execute_cdp_cmd("Network.emulateNetworkConditions", {
            "offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0})
        try:
            self.type(SPIN.replace("m", "lock"))
            self.rest()
            self.assertEqual(self.verdicts()[2, "OBE", "weak"], "pass")
        finally:
            driver.execute_cdp_cmd("Network.emulateNetworkConditions", {
                "offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})

    def test_it_opens_without_its_server(self):
        handler = functools.partial(Quiet, directory=SITE)
        server = Server(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}/playground/index.html"
        ready = lambda: self.browser.js("return window.playground !== undefined")
        try:
            self.browser.driver.get(address)
            self.browser.until(ready, "the playground")
            self.browser.until(lambda: self.browser.driver.execute_async_script("""
                const done = arguments[0];
                caches.match(new URL("headway_engine.wasm", location).href)
                    .then((found) => done(found !== undefined));"""), "the copies")
            self.browser.until(lambda: self.browser.driver.execute_async_script("""
                const done = arguments[0];
                navigator.serviceWorker.ready.then(({active}) => done(active !== null));"""),
                "the service worker")
            self.browser.until(lambda: self.browser.driver.execute_async_script("""
                const done = arguments[0];
                caches.match(new URL("kernels/spin-wait.cu.json", location).href)
                    .then((found) => done(found !== undefined));"""), "the copy of the kernel")
        finally:
            server.shutdown()
            server.server_close()
        self.browser.driver.get("about:blank")
        self.browser.driver.get(address + "#example=litmus/spin-mutex.litmus")
        self.browser.until(ready, "the playground")
        self.rest()
        self.assertEqual(self.verdicts()[2, "OBE", "weak"], "pass")
        self.choose("litmus/kernels/spin-wait.cu")
        self.assertEqual(self.verdicts()[2, "CUDA", "weak"], "fail")
        self.browser.log()  # says that the server is gone

    def test_it_works_on_a_slow_machine(self):
        driver = self.browser.driver
        driver.execute_cdp_cmd("Emulation.setCPUThrottlingRate", {"rate": 6})
        try:
            self.open(link="#example=litmus/idioms/ticket-lock.litmus")
            self.browser.until(self.verdicts, "verdicts")
            self.assertEqual(self.verdicts()[4, "OBE", "weak"], "pass")
        finally:
            driver.execute_cdp_cmd("Emulation.setCPUThrottlingRate", {"rate": 1})

    def test_the_first_paint_comes_within_a_second(self):
        self.open()
        paint = self.browser.js("""
            return performance.getEntriesByName("first-contentful-paint")[0].startTime""")
        print(f"first paint after {paint:.0f} ms")
        self.assertLess(paint, 1000)

    def test_a_phone_shows_all_of_it(self):
        self.browser.resize(390, 800)
        for page in PAGES:
            with self.subTest(page):
                self.open(page, "#example=litmus/spin-mutex.litmus" if "playground" in page else "")
                self.assertLessEqual(self.browser.js(
                    "return document.documentElement.scrollWidth"), 390)

    def test_no_page_has_a_barrier(self):
        looks = [(page, link) for page in (*PAGES, "devices/published.html")
                 for link in LINKS.get(page, ("",))]
        for page, link in looks:
            for scheme in ("light", "dark"):
                with self.subTest(f"{page}{link}, {scheme}"):
                    self.browser.prefer(scheme)
                    self.open(page, link)
                    if "playground" in page:
                        self.rest()
                        self.browser.click("#models > summary")
                        self.browser.click("#step-cycle")
                        self.rest()
                    if "published" in page and link:
                        self.browser.until(lambda: self.browser.all(".on-cycle"), "the state")
                    # By the debugger, which no policy stops.
                    self.browser.driver.execute_cdp_cmd(
                        "Runtime.evaluate", {"expression": AXE.read_text()})
                    # What a page says is the same in the dark: only its colours are others.
                    options = {"runOnly": ["color-contrast"]} if scheme == "dark" else {}
                    result = self.browser.driver.execute_async_script(
                        "const [options, done] = arguments; axe.run(options).then(done);", options)
                    found = [f"{v['id']}: {n['html'][:200]}" for v in result["violations"]
                             for n in v["nodes"]]
                    self.assertEqual(found, [])
        self.browser.prefer("light")

    def test_scripts_of_others_do_not_run(self):
        for page in PAGES:
            policy = (SITE / page).read_text().split("Content-Security-Policy\" content=\"")[1]
            policy = policy.split('"')[0]
            self.assertNotIn("'unsafe-eval'", policy)
            self.assertNotIn("'unsafe-inline'", policy)
            self.assertIn("default-src 'none'", policy)

    def test_a_hostile_link_stays_text(self):
        hostile = '<img src=x onerror="window.hurt=1">'
        self.open()
        packed = self.browser.driver.execute_async_script("""
            const done = arguments[1];
            const bytes = new TextEncoder().encode(JSON.stringify(
                {file: arguments[0], text: "litmus " + JSON.stringify(arguments[0]) +
                 "\\nlocations x;\\nthread 0 { x = 1; }\\n", own: arguments[0]}));
            new Response(new Blob([bytes]).stream().pipeThrough(
                new CompressionStream("deflate-raw"))).arrayBuffer().then((buffer) =>
                done(btoa(String.fromCharCode(...new Uint8Array(buffer)))
                     .replaceAll("+", "-").replaceAll("/", "_")));""", hostile)
        self.open(link=f"#p={packed}")
        self.rest()
        self.assertIsNone(self.browser.js("return window.hurt ?? null"))


if __name__ == "__main__":
    # Where a page does not load, each test would wait in vain.
    unittest.main(verbosity=2, failfast=True)
