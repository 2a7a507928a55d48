"""The page of `headway report`, opened in a browser and used as a person would."""

import csv
import io
import json
import os
import pathlib
import sys
import unittest

from browser import SKIPPED, SOURCES, Browser, Keys, headway
from pages import (FAIRNESSES, HOSTILE, PUBLISHED, Pages, identity_of, identity_of_published,
                   verdicts)

ENGINE = os.environ.get("HEADWAY_ENGINE", "none")  # that pages carry
if ENGINE != "none" and not pathlib.Path(ENGINE).is_file():
    print(f"there is no {ENGINE} (scripts/site builds it)")
    sys.exit(SKIPPED)


class PageBrowser(Browser):
    """One that waits for what the page has asked its engine."""

    def all(self, selector):
        self.until(lambda: not self.js("return window.headway?.busy() ?? false"), "the engine")
        return super().all(selector)


def setUpModule():
    global PAGES, BROWSER
    PAGES = Pages(ENGINE)
    unittest.addModuleCleanup(PAGES.folder.cleanup)
    BROWSER = PageBrowser()
    unittest.addModuleCleanup(BROWSER.close)


class PageCase(unittest.TestCase):
    def setUp(self):
        BROWSER.resize(1440, 950)
        BROWSER.prefer("light")
        BROWSER.log()

    def tearDown(self):
        self.assertEqual(BROWSER.log(), [], "the console stays empty")
        loaded = BROWSER.js("return performance.getEntriesByType('resource').map((r) => r.name)")
        self.assertEqual([name for name in loaded if not name.startswith("blob:")], [],
                         "nothing is loaded from elsewhere")


class Exactness(PageCase):
    """What the page shows is what headway says."""

    # For every test and reading: the names, the verdict in the table, and what is shown.
    FINDINGS = """
      const done = arguments[0];
      const {report, readings, suite} = window.headway;
      const find = async () => {
        const found = [];
        for (let t = 0; t < suite.size; ++t) {
          for (let r = 0; r < readings.length; ++r) {
            const {model, fairness} = readings[r];
            const shown = suite.recorded(t, r) ??
              (suite.canAsk(t) ? (await suite.ask(t, r)).shown : null);
            found.push({test: suite.name(t), file: suite.file(t), fairness,
                        model: report.models[model].name, silent: report.models[model].silent,
                        verdict: suite.verdict(t, r), shown: shown && {
                          verdict: shown.verdict, run: shown.run, leaf: shown.leaf,
                          states: shown.states?.map(({memory, threads, set}) => [
                            memory, threads.map(({does}) => does), set >= 0]) ?? null}});
          }
        }
        return found;
      };
      find().then(done, (error) => done(String(error)));"""

    def findings(self, page):
        BROWSER.open(page)
        found = BROWSER.driver.execute_async_script(self.FINDINGS)
        self.assertIsInstance(found, list, found)
        return found

    def compare(self, suite, page, *options):
        """How many verdicts are shown with what is behind them."""
        expected = verdicts(suite, *options)
        witnesses = PAGES.witnesses(suite, *options)
        seen = compared = 0
        for found in self.findings(page):
            for fairness in FAIRNESSES if found["silent"] else (found["fairness"],):
                key = (found["test"], found["model"], fairness)
                with self.subTest(key):
                    seen += 1
                    self.assertEqual(found["verdict"], expected[key])
                    if found["shown"] is None:
                        continue
                    compared += 1
                    self.assertEqual(found["shown"]["verdict"], expected[key])
                    if expected[key] == "fail" and fairness == found["fairness"]:
                        self.compare_witness(found["shown"], witnesses[key])
        self.assertEqual(seen, len(expected))
        return compared

    def compare_witness(self, shown, whole):
        witness = whole["witness"]
        steps = witness["stem"] + witness.get("cycle", [])
        run = shown["run"]
        self.assertEqual(
            [[step["thread"], step["line"], step["statement"], step["effect"], step["memory"]]
             for step in run["steps"]],
            [[step[shown["leaf"]], step["line"], step["statement"], step["effect"],
              step["memory_after"]] for step in steps])
        self.assertEqual(run["stem"], len(witness["stem"]))
        self.assertEqual(run["summary"], witness["summary"])
        if shown["states"] is not None:
            self.assertEqual(len(shown["states"]), whole["states"])
        if "cycle" not in witness:
            return
        self.assertEqual(run["smallest"], witness["smallest"])
        if steps and isinstance(steps[0]["fair_before"], list):  # a flat launch
            self.assertEqual([step["fair"] for step in run["steps"]],
                             [f"{{{', '.join(map(str, step['fair_before']))}}}" for step in steps])
            self.assertEqual([why for _, why in run["groups"]],
                             [leaf["why_fair"] for leaf in witness[shown["leaf"] + "s"]])

    def test_litmus(self):
        self.assertEqual(self.compare(PAGES.litmus_suite, PAGES.litmus),
                         len(PAGES.litmus_names) * 12)

    def test_all_published_tests(self):
        # The lines of the page are those of the litmus format, not of the published one.
        folder = pathlib.Path(PAGES.folder.name) / "as-litmus"
        folder.mkdir()
        BROWSER.open(PAGES.published)
        for name, lines in BROWSER.js("""
              const {suite} = window.headway;
              return [...Array(suite.size).keys()].map((t) => [suite.name(t), suite.lines(t)]);"""):
            (folder / f"{name}.litmus").write_text("\n".join(lines) + "\n")
        self.assertEqual(self.compare(folder, PAGES.published), 184 * 12)

    def test_programs_of_the_idiom_language(self):
        least = 40 if ENGINE != "none" else 20  # the larger ones are not in the file
        self.assertGreater(self.compare(PAGES.idioms_suite, PAGES.idioms), least * 12)

    def test_other_models_and_more_threads(self):
        compared = self.compare(PAGES.others_suite, PAGES.others, *PAGES.model_options())
        self.assertGreater(compared, 40 * 2 * len(PAGES.other_models))

    def test_programs_with_groups(self):
        self.assertEqual(
            self.compare(PAGES.scoped_suite, PAGES.scoped, "-m", "CUDA,HSA,WebGPU"), 5 * 3 * 2)

    def test_transition_systems_are_those_of_headway_lts(self):
        for page in (PAGES.litmus, PAGES.scoped):
            for entry in self.findings(page):
                with self.subTest({key: entry[key] for key in ("file", "model", "fairness")}):
                    lts = json.loads(headway("lts", entry["file"], "--model", entry["model"],
                                             "--fairness", entry["fairness"], "--format", "json"))
                    leaves = entry["shown"]["leaf"] + "s"
                    self.assertEqual(
                        entry["shown"]["states"],
                        [[s["memory"], s.get(leaves, s.get("threads")), s["on_fair_cycle"]]
                         for s in lts["states"]])

    def test_a_wrong_verdict_in_the_file_is_found_out(self):
        page = pathlib.Path(PAGES.folder.name) / "wrong.html"
        text = PAGES.single.read_text()
        self.assertIn('"signatures":["fffpppppppp"]', text)
        page.write_text(text.replace('["fffpppppppp"]', '["ffppppppppp"]'))
        BROWSER.open(page, "#test=" + identity_of("litmus/spin-mutex.litmus") +
                     "&model=HSA&fairness=strong")
        self.assertIn('This page decides "fail" for HSA strong', BROWSER.text(".trouble"))


class Finding(PageCase):
    """Filters, and what the table shows."""

    def count(self):
        return int(BROWSER.text("#count").split()[0].replace(",", ""))

    def wants(self, name):
        return f'.want[aria-label^="Show only tests by {name}: "]'

    def test_filters_by_models_that_pass_or_fail(self):
        expected = verdicts(f"{PUBLISHED}/tests")
        tests = {test for test, _, _ in expected}
        passes = {t for t in tests if expected[t, "OBE", "strong"] == "pass"}
        fails = {t for t in tests if expected[t, "HSA", "weak"] == "fail"}
        BROWSER.open(PAGES.published)
        self.assertEqual(BROWSER.text("#count"), "184 tests")
        BROWSER.click(self.wants("OBE strong"))
        self.assertEqual(self.count(), len(passes))
        BROWSER.click(self.wants("HSA weak"))
        BROWSER.click(self.wants("HSA weak"))
        self.assertEqual(self.count(), len(passes & fails))
        self.assertEqual(BROWSER.hash(), {"pass": "OBE:strong", "fail": "HSA:weak"})
        shown = {cell.text for cell in BROWSER.all(".rows .name")}
        self.assertTrue(shown and shown <= passes & fails)
        BROWSER.click(self.wants("HSA weak"))
        self.assertEqual(self.count(), len(passes))
        BROWSER.click("#clear")
        self.assertEqual(self.count(), 184)
        self.assertEqual(BROWSER.hash(), {})

    def test_filters_by_size_name_idiom_and_signature(self):
        BROWSER.open(PAGES.published)
        BROWSER.click('input[value="2"] + span')
        self.assertEqual(self.count(), 8)
        BROWSER.click("#clear")
        BROWSER.one("#search").send_keys("2T_3I_17")
        self.assertEqual(self.count(), 7)  # 17, and 170 to 175
        BROWSER.click("#clear")
        BROWSER.click("#filters select")
        BROWSER.js("""const select = document.querySelector("#filters select");
                      select.value = "producer-consumer-increasing";
                      select.dispatchEvent(new Event("change"));""")
        self.assertEqual([cell.text for cell in BROWSER.all(".rows .name")], ["2t_2i_5"])
        BROWSER.click("#clear")
        BROWSER.click(".signatures summary")
        first = BROWSER.all(".signatures li button")[1]
        expected = int(first.text.split()[-1])
        first.click()
        self.assertEqual(self.count(), expected)
        letters = BROWSER.hash()["signature"]
        own = BROWSER.js("""const {report, suite} = window.headway;
            return [...Array(suite.size).keys()].filter(
              (t) => report.signatures[suite.signature(t)] === arguments[0]).length;""", letters)
        self.assertEqual(own, expected)

    def test_filters_by_what_a_device_did(self):
        hung = set()
        for path in SOURCES.glob(f"{PUBLISHED}/devices/*/a620.csv"):
            for row in list(csv.reader(io.StringIO(path.read_text())))[1:]:
                if row[0].isdigit() and any(field.startswith("F") for field in row[1:-1]):
                    hung.add(f"{path.parent.name}_{row[0]}")
        BROWSER.open(PAGES.published)
        control = BROWSER.one(self.wants("device a620"))
        control.click()
        control.click()
        self.assertEqual(self.count(), len(hung))
        self.assertEqual(BROWSER.hash(), {"hung": "a620"})

    def test_no_test_passes_the_filters(self):
        BROWSER.open(PAGES.published)
        BROWSER.one("#search").send_keys("no such test")
        self.assertEqual(BROWSER.text("#count"), "0 of 184 tests")
        self.assertEqual(BROWSER.text("#table .notice"), "No test passes these filters.")

    def test_sorts(self):
        BROWSER.open(PAGES.published)
        first = lambda: BROWSER.js("""return [...document.querySelectorAll(".rows .row")]
            .find((row) => row.dataset.row === "0").querySelector(".name").textContent""")
        self.assertEqual(first(), "2t_2i_0")
        BROWSER.click(".h-name .sort")
        BROWSER.click(".h-name .sort")
        self.assertEqual(first(), "2t_3i_175")
        self.assertEqual(BROWSER.one(".h-name").get_attribute("aria-sort"), "descending")
        BROWSER.click(".h-name .sort")
        self.assertEqual(first(), "2t_2i_0")

    def test_twelve_thousand_tests_need_few_rows(self):
        BROWSER.open(PAGES.many)
        self.assertEqual(BROWSER.text("#count"), "12,000 tests")
        BROWSER.js("""const grid = document.getElementById("grid");
                      grid.scrollTop = grid.scrollHeight;""")
        last = BROWSER.js("const {suite} = window.headway; return suite.name(suite.size - 1)")
        BROWSER.until(lambda: last in [cell.text for cell in BROWSER.all(".rows .name")],
                      "the last test")
        self.assertLess(BROWSER.js("return document.querySelectorAll('.rows .row').length"), 100)
        self.assertEqual(BROWSER.one("#grid").get_attribute("aria-rowcount"), "12002")


class Looking(PageCase):
    """The details of a test."""

    def heading(self):
        return BROWSER.text(".run h3").replace("\n", " ")

    def open_test(self, name, model, fairness, page=None, more=""):
        page = page or PAGES.litmus
        BROWSER.open(page, f"#test={identity_of(f'litmus/{name}.litmus')}&model={model}"
                           f"&fairness={fairness}{more}")

    def open_scoped(self, name, model, fairness):
        BROWSER.open(PAGES.scoped)
        link = BROWSER.js(f"""
          const {{suite}} = window.headway;
          return suite.link([...Array(suite.size).keys()].find((t) => suite.name(t) === "{name}"));
          """)
        BROWSER.open(PAGES.scoped, f"#test={link}&model={model}&fairness={fairness}")

    def test_a_cell_chooses_a_test_and_a_reading(self):
        BROWSER.open(PAGES.litmus)
        row = next(row for row in BROWSER.all(".rows .row") if "spin-mutex\n" in row.text)
        row.find_elements("css selector", '[data-cell="4"]')[0].click()
        self.assertEqual(BROWSER.text("#test-name"), "spin-mutex")
        self.assertEqual(self.heading(), "\u00d7 Fail under HSA, weakly fair")
        self.assertEqual(BROWSER.hash(), {"test": identity_of("litmus/spin-mutex.litmus"),
                                          "model": "HSA", "fairness": "weak"})
        lines = (SOURCES / "litmus/spin-mutex.litmus").read_text().splitlines()
        shown = BROWSER.js("""return [...document.querySelectorAll(".listing code")].map(
                                (code) => code.textContent)""")
        self.assertEqual([line.rstrip() for line in shown], lines)

    def test_another_model_changes_the_drawing(self):
        self.open_test("spin-mutex", "HSA", "weak")
        self.assertEqual(len(BROWSER.all(".canvas .node")), 8)
        self.assertEqual(len(BROWSER.all(".canvas .node.fair")), 1)
        BROWSER.js("""document.querySelector('input[aria-label^="OBE strong"]').click()""")
        self.assertEqual(self.heading(), "\u2713 Pass under OBE, strongly fair")
        self.assertEqual(len(BROWSER.all(".canvas .node")), 12)
        self.assertEqual(len(BROWSER.all(".canvas .node.fair")), 0)
        self.assertGreater(len(BROWSER.all(".broken li")), 0)
        BROWSER.click('.order .node[aria-label="unfair"]')
        self.assertEqual(BROWSER.hash()["model"], "unfair")
        self.assertGreater(len(BROWSER.all(".canvas .node.fair")), 0)

    def test_steps_through_a_witness(self):
        self.open_test("spin-mutex", "HSA", "weak")
        here = lambda: int(BROWSER.one(".canvas .node.here").get_attribute("data-state"))
        current = lambda: [row.get_attribute("data-step") for row in BROWSER.all(".steps .current")]
        memory = lambda: BROWSER.all(".state dd")[0].text
        next_line = lambda: BROWSER.text(".listing .current").split("\n")[-1].strip()
        self.assertEqual((here(), current(), memory()), (0, ["0"], "m=0"))
        self.assertEqual(next_line(), "while (Exch(m, 1) == 1);")
        self.assertEqual(len(BROWSER.all(".edge.next")), 1)
        BROWSER.click("#step-on")
        spinning = here()
        self.assertEqual((current(), memory()), (["1"], "m=1"))
        self.assertIn("fair", BROWSER.one(".canvas .node.here").get_attribute("class"))
        self.assertEqual(BROWSER.text(".where"), "before step 2 of 2")
        self.assertEqual(BROWSER.hash()["step"], "1")
        BROWSER.click("#step-on")
        self.assertEqual((here(), BROWSER.text(".where")), (spinning, "round again"))
        BROWSER.click("#step-on")
        self.assertEqual((here(), BROWSER.text(".where")), (spinning, "round again"))
        BROWSER.click("#step-first")
        BROWSER.click("#step-cycle")
        self.assertEqual(current(), ["1"])
        BROWSER.click("#step-back")
        self.assertEqual(current(), ["0"])
        BROWSER.all(".steps tr[data-step]")[1].click()
        self.assertEqual(here(), spinning)
        self.assertEqual([fact.text for fact in BROWSER.all(".state dd")], ["m=1", "{0}"])

    def test_steps_through_a_witness_that_came_with_the_page(self):
        self.open_scoped("mp-groupid", "HSA", "weak")
        self.assertEqual(BROWSER.all(".steps"), [])  # it passes
        self.assertIn("Every fair execution terminates", BROWSER.text(".run .moral"))
        self.assertIn("2 workgroups of 2 threads", BROWSER.text(".facts"))
        BROWSER.js("""document.querySelector('input[aria-label^="CUDA weak"]').click()""")
        self.assertEqual(self.heading(), "\u00d7 Fail under CUDA, weakly fair")
        self.assertEqual(BROWSER.text(".listing .current").split("\n")[-1].strip(),
                         "barrier(workgroup);")
        BROWSER.click("#step-cycle")
        self.assertIn("while (load(flag) == 0);", BROWSER.text(".listing .current"))
        BROWSER.click("#step-on")
        self.assertEqual(BROWSER.text(".where"), "round again")
        BROWSER.click(".reasons summary")
        self.assertIn("workgroup 0", BROWSER.text(".reasons"))
        self.open_scoped("barrier-trip-counts-ended-lockstep", "CUDA", "weak")
        self.assertEqual(BROWSER.all("#step-cycle"), [])
        for _ in range(9):
            BROWSER.click("#step-on")
        self.assertEqual(BROWSER.text(".where"), "stuck")
        BROWSER.click("#step-back")
        self.assertTrue(BROWSER.text(".where").startswith("before step "))
        BROWSER.click(".reasons summary")
        self.assertIn("for thread 0, which is not active", BROWSER.text(".reasons"))

    def test_a_program_of_groups_is_drawn_and_explored(self):
        self.open_scoped("mp-groupid", "CUDA", "weak")
        lts = json.loads(headway("lts", SOURCES / "litmus/scoped/mp-groupid.litmus", "-m", "CUDA",
                                 "--format", "json"))
        nodes = BROWSER.all(".canvas .node")
        self.assertEqual(len(nodes), len(lts["states"]))
        self.assertEqual(len(BROWSER.all(".canvas .node.fair")),
                         sum(state["on_fair_cycle"] for state in lts["states"]))
        here = lambda: int(BROWSER.one(".canvas .node.here").get_attribute("data-state"))
        self.assertEqual((here(), BROWSER.text(".where")[:13]), (0, "before step 1"))
        self.assertEqual(BROWSER.all(".state dd")[1].text, "workgroups {}, threads {}")
        BROWSER.click("#step-cycle")
        self.assertTrue(lts["states"][here()]["on_fair_cycle"])
        self.assertEqual(len(BROWSER.all(".edge.next")), 1)
        BROWSER.click("#step-first")
        BROWSER.click('[data-take="0"]')  # not the witness, in which workgroup 1 steps
        self.assertEqual(BROWSER.text(".where"), "off the witness")
        self.assertEqual(BROWSER.all('.state [data-take="0"]')[0].text, "Waits")
        self.assertEqual(BROWSER.text(".state .threads li code"),
                         "waits at barrier(workgroup); (line 9) for thread 1")
        BROWSER.click("#step-first")
        for _ in range(3):
            BROWSER.click("#step-on")
        self.assertEqual(BROWSER.all(".steps .current")[0].get_attribute("data-step"), "3")

    def test_a_stuck_program_is_explored_to_its_end(self):
        self.open_scoped("barrier-trip-counts-ended-lockstep", "CUDA", "weak")
        last = int(BROWSER.one(".stepper input").get_attribute("max"))
        for _ in range(last):
            BROWSER.click("#step-on")
        self.assertEqual(BROWSER.text(".where"), "stuck")
        self.assertIn("final", BROWSER.one(".canvas .node.here").get_attribute("class"))
        self.assertEqual({take.text for take in BROWSER.all(".state .take")}, {"Waits"})

    def test_leaves_the_witness_and_comes_back(self):
        self.open_test("spin-mutex", "HSA", "weak")
        BROWSER.click('[data-take="0"]')
        self.assertEqual(BROWSER.text(".where"), "off the witness")
        self.assertEqual(BROWSER.all(".steps .current"), [])
        BROWSER.click("#step-first")
        BROWSER.click('[data-take="1"]')
        self.assertEqual(BROWSER.text(".where"), "before step 2 of 2")
        BROWSER.click('.canvas .node[data-state="0"]')
        self.assertEqual(BROWSER.text(".where"), "before step 1 of 2")

    def test_a_link_leads_to_a_step(self):
        self.open_test("philosophers-livelock", "OBE", "weak", more="&step=3")
        self.assertEqual(BROWSER.text("#test-name"), "philosophers-livelock")
        self.assertTrue(BROWSER.text(".where").startswith("before step 4 of "))
        self.assertEqual(BROWSER.hash(), {
            "test": identity_of("litmus/philosophers-livelock.litmus"), "model": "OBE",
            "fairness": "weak", "step": "3"})

    def test_a_link_may_name_a_test(self):
        BROWSER.open(PAGES.litmus, "#test=spin-mutex-3&model=HSA&fairness=weak")
        BROWSER.until(lambda: BROWSER.text("#test-name") == "spin-mutex-3", "the test")

    def test_a_program_that_goes_wrong_shows_how(self):
        BROWSER.open(PAGES.failing, "#test=failing")
        BROWSER.until(lambda: BROWSER.text("#test-name") == "failing", "the test")
        self.assertIn("goes wrong", BROWSER.text(".steps .part"))
        self.assertEqual(len(BROWSER.all(".steps tr[data-step]")), 2)
        BROWSER.click("#step-on")
        BROWSER.click("#step-on")
        self.assertEqual(BROWSER.text(".where"), "wrong")

    @unittest.skipIf(ENGINE != "none", "the engine explores it")
    def test_what_is_not_in_the_file_is_shown_by_a_command(self):
        BROWSER.open(PAGES.crowd)
        name, file = BROWSER.js("""
            const {suite} = window.headway;
            const t = [...Array(suite.size).keys()].findLast((t) => suite.recorded(t, 0) === null);
            location.hash = `#test=${suite.name(t)}`;
            return [suite.name(t), suite.file(t)];""")
        BROWSER.until(lambda: BROWSER.text("#test-name") == name, "the test")
        self.assertIn("The file does not hold", BROWSER.text(".run"))
        self.assertIn(f'headway explain "{file}"', BROWSER.text(".run pre"))
        self.assertEqual(BROWSER.all(".system"), [])

    @unittest.skipIf(ENGINE == "none", "there is no engine")
    def test_the_engine_explores_what_no_file_would_hold(self):
        """Programs of many threads and states, of groups, and models that look at instructions."""
        folder = pathlib.Path(PAGES.folder.name) / "large"
        folder.mkdir()
        for name, size in (("litmus/idioms/ticket-lock", "7..7"), ("litmus/idioms/ttas-lock", "8..8")):
            path = SOURCES / f"{name}.litmus"
            (folder / path.name).write_text(path.read_text().replace("N = 2..4;", f"N = {size};"))
        page = folder.with_suffix(".html")
        PAGES.report(folder, "-o", page, "-m", "HSA,OBE")
        for name in ("ticket-lock-7", "ttas-lock-8"):
            with self.subTest(name):
                BROWSER.open(page, f"#test={name}&model=HSA&fairness=weak")
                self.assertIn("starved", BROWSER.text(".run .moral"))
                BROWSER.click("#step-cycle")
                self.assertTrue(BROWSER.text(".where").startswith("before step "))

    def test_an_engine_that_does_not_start_is_told_of(self):
        folder = pathlib.Path(PAGES.folder.name)
        junk = folder / "junk.wasm.gz"
        junk.write_bytes(b"\x1f\x8bjunk")
        page = folder / "junk.html"
        headway("report", "litmus/spin-mutex.litmus", "--engine", junk, "-o", page)
        BROWSER.open(page, "#test=spin-mutex&model=HSA&fairness=weak")
        for _ in range(2):  # and asked again it says so again
            self.assertIn("The page could not explore this test: the engine gave up",
                          BROWSER.text(".run"))
            self.assertIn('headway explain "litmus/spin-mutex.litmus"', BROWSER.text(".run pre"))
            BROWSER.js("""document.querySelector('input[aria-label^="HSA strong"]').click()""")

    def test_threads_are_scheduled_by_hand_and_steps_taken_back(self):
        self.open_test("spin-mutex", "OBE", "weak")
        for _ in range(2):
            BROWSER.click('[data-take="0"]')
        self.assertIn("By hand: 0 0.", BROWSER.text(".state"))
        for _ in range(2):
            BROWSER.click('[data-take="1"]')
        self.assertIn("Everybody has ended.", BROWSER.text(".state"))
        BROWSER.click("#undo")
        self.assertIn("By hand: 0 0 1.", BROWSER.text(".state"))
        BROWSER.click("#restart")
        self.assertEqual(BROWSER.all("#undo"), [])

    def test_a_link_is_read_with_care(self):
        for step, where in (("-5", "before step 1 of 2"), ("1.5", "before step 2 of 2"),
                            ("x", "before step 1 of 2"), ("1e9", "round again")):
            self.open_test("spin-mutex", "HSA", "weak", more=f"&step={step}")
            self.assertEqual(BROWSER.text(".where"), where)
        self.open_test("spin-mutex", "nonesuch", "weak", more="&pass=nonesuch:weak&hung=x&idiom=y")
        self.assertEqual(BROWSER.text("#test-name"), "spin-mutex")
        self.assertTrue(BROWSER.text("#count").startswith("0 of "))
        BROWSER.js("""location.hash = "#pass=OBE:weak&fail=HSA:weak&fail=HSA:strong&threads=2"; """)
        BROWSER.until(lambda: BROWSER.text("#test-name") == "Overview", "the overview")
        expected = verdicts(PAGES.litmus_suite)
        tests = [t for t in PAGES.litmus_names if expected[t, "OBE", "weak"] == "pass" and
                 expected[t, "HSA", "weak"] == expected[t, "HSA", "strong"] == "fail" and
                 "thread 2 " not in (PAGES.litmus_suite / f"{t}.litmus").read_text()]
        self.assertEqual([cell.text for cell in BROWSER.all(".rows .name")], tests)

    def test_a_link_leads_to_one_of_two_equal_programs(self):
        BROWSER.open(PAGES.hostile)
        identities = BROWSER.js("return window.headway.report.tests.identity")
        self.assertEqual(identities[0], identities[1])
        for number, name in ((2, "twin"), (1, HOSTILE.strip('"'))):
            BROWSER.open(PAGES.hostile, f"#test={identities[0]}-{number}")
            self.assertEqual(BROWSER.js("return document.getElementById('test-name').textContent"),
                             name)

    def test_a_link_to_no_test_says_so(self):
        BROWSER.open(PAGES.litmus, "#test=0123456789abcdef")
        self.assertIn("not in this report: 0123456789abcdef", BROWSER.text("#problems"))
        self.assertEqual(BROWSER.text("#test-name"), "Overview")

    def test_back_returns_to_the_overview(self):
        BROWSER.open(PAGES.litmus)
        BROWSER.all(".rows .row")[0].click()
        BROWSER.hash()
        BROWSER.driver.back()
        BROWSER.until(lambda: BROWSER.text("#test-name") == "Overview", "the overview")

    def test_devices_stand_beside_the_verdicts(self):
        BROWSER.open(PAGES.published, "#test=" + identity_of_published("2t_2i_1") +
                     "&model=fair&fairness=strong")
        rows = {row.find_element("css selector", "th").text: row
                for row in BROWSER.all(".devices tr")}
        self.assertEqual(len(rows), 11)
        self.assertIn("(13/20)", rows["a620"].text)
        self.assertIn("not as fair strong promises", rows["a620"].text)
        self.assertNotIn("promises", rows["a12"].text)

    def test_the_order_leads_to_tests(self):
        BROWSER.open(PAGES.litmus)
        by_threads = {2: set(), 3: set()}
        passing = set()
        for (test, model, fairness), verdict in verdicts(PAGES.litmus_suite).items():
            text = (PAGES.litmus_suite / f"{test}.litmus").read_text()
            by_threads[3 if "thread 2 " in text else 2].add(test)
            if (model, fairness, verdict) == ("OBE", "weak", "pass"):
                passing.add(test)
        for threads, tests in by_threads.items():
            node = BROWSER.one(f'.order[aria-label*="{threads}"] .node[aria-label^="OBE weak"]')
            self.assertIn(f"{len(tests & passing)} of {len(tests)} pass", node.text)
            node.click()
            self.assertEqual(BROWSER.text("#count"),
                             f"{len(tests & passing)} of {len(PAGES.litmus_names)} tests")


class Kernels(PageCase):
    """Kernels stand in a report as tests do."""

    def open_kernel(self, name, model):
        BROWSER.open(PAGES.kernels)
        link = BROWSER.js("""
          const {suite} = window.headway;
          return suite.link([...Array(suite.size).keys()].find(
            (t) => suite.file(t).endsWith(arguments[0])));""", name)
        BROWSER.open(PAGES.kernels, f"#test={link}&model={model}&fairness=weak")
        BROWSER.until(lambda: BROWSER.text("#test-name") != "Overview", "the kernel")

    def test_verdicts_are_those_of_check(self):
        BROWSER.open(PAGES.kernels)
        shown = {(pathlib.Path(file).name, model, fairness): verdict
                 for file, model, fairness, verdict in BROWSER.js("""
                     const {report, readings, suite} = window.headway;
                     const found = [];
                     for (let t = 0; t < suite.size; ++t)
                       readings.forEach(({model, fairness}, r) => found.push(
                         [suite.file(t), report.models[model].name, fairness, suite.verdict(t, r)]));
                     return found;""")}
        expected = {(pathlib.Path(test["file"]).name, v["model"], v["fairness"]): v["verdict"]
                    for test in json.loads(headway("check", "--models", "all", "--format", "json",
                                                       PAGES.kernels_suite))
                    for v in test["verdicts"]}
        self.assertEqual(set(expected.values()), {"pass", "fail", "error"})
        self.assertEqual(shown, {key: expected[key] for key in shown})
        self.assertEqual(len({file for file, _, _ in shown}), 3)

    def test_a_hanging_kernel_steps_through_its_source(self):
        self.open_kernel("spin-lock.cu", "HSA")
        lines = (SOURCES / "litmus/kernels/spin-lock.cu").read_text().splitlines()
        shown = BROWSER.js("""return [...document.querySelectorAll(".listing code")].map(
                                (code) => code.textContent)""")
        self.assertEqual([line.rstrip() for line in shown], lines)
        self.assertIn("starved", BROWSER.text(".run .moral"))
        BROWSER.click("#step-cycle")
        self.assertIn("while (atomicCAS(lock, 0, 1) != 0)", BROWSER.text(".listing .current"))
        BROWSER.click("#step-on")
        self.assertEqual(BROWSER.text(".where"), "round again")

    def test_a_report_of_one_kernel_opens_on_it(self):
        BROWSER.open(PAGES.one_kernel)
        self.assertEqual(BROWSER.text("#test-name"), "follow")
        self.assertIn("starved", BROWSER.text(".run .moral"))
        self.assertGreater(len(BROWSER.all(".system .node")), 1)
        self.assertIn("Fail under OBE, strongly fair", BROWSER.text(".run h3"))
        BROWSER.click("#home")
        self.assertEqual(BROWSER.text("#test-name"), "Overview")
        BROWSER.resize(390, 800)  # where the details take the place of the list
        BROWSER.open(PAGES.one_kernel)
        self.assertTrue(BROWSER.one("#test-name").is_displayed())

    def test_a_race_is_shown_with_both_lines(self):
        self.open_kernel("spin-lock-broken.cu", "fair")
        self.assertIn("goes wrong", BROWSER.text(".steps .part"))
        steps = BROWSER.all(".steps tr[data-step]")
        self.assertIn("race: line 7", steps[-1].text)
        for _ in steps:
            BROWSER.click("#step-on")
        self.assertEqual(BROWSER.text(".where"), "wrong")


class Everyone(PageCase):
    """Keyboard, colours, narrow screens, odd suites."""

    def test_works_from_the_keyboard(self):
        BROWSER.open(PAGES.litmus)
        BROWSER.press("/")
        self.assertEqual(BROWSER.js("return document.activeElement.id"), "search")
        BROWSER.press("mutex")
        mutexes = [name for name in PAGES.litmus_names if "mutex" in name]
        self.assertEqual(BROWSER.text("#count"),
                         f"{len(mutexes)} of {len(PAGES.litmus_names)} tests")
        BROWSER.js("document.getElementById('grid').focus()")
        BROWSER.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
        self.assertEqual(BROWSER.text("#test-name"), mutexes[1])
        BROWSER.press(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        self.assertEqual(BROWSER.hash()["model"], "HSA")
        active = BROWSER.one("#grid").get_attribute("aria-activedescendant")
        verdict = verdicts(PAGES.litmus_suite)[mutexes[1], "HSA", "weak"]
        self.assertEqual(BROWSER.one(f"#{active}").get_attribute("aria-label"),
                         f"HSA weak: {verdict}")
        BROWSER.press(Keys.END)
        self.assertEqual(BROWSER.text("#test-name"), mutexes[-1])
        BROWSER.press(Keys.TAB)
        BROWSER.js("document.activeElement.blur()")
        BROWSER.press(Keys.ARROW_RIGHT)
        self.assertEqual(BROWSER.text(".where"), "before step 2 of 2")
        BROWSER.press("k")
        self.assertEqual(BROWSER.text("#test-name"), mutexes[-2])
        BROWSER.press("j")
        self.assertEqual(BROWSER.text("#test-name"), mutexes[-1])
        BROWSER.press("?")
        self.assertIn("Made by headway", BROWSER.text("#help"))
        BROWSER.press(Keys.ESCAPE)
        self.assertEqual(BROWSER.all("#help"), [])
        BROWSER.press("o")
        self.assertEqual(BROWSER.text("#test-name"), "Overview")

    def test_every_control_has_a_name(self):
        BROWSER.open(PAGES.published, "#test=" + identity_of_published("2t_2i_1") +
                     "&model=OBE&fairness=weak")
        nodes = BROWSER.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
        controls = {"button", "checkbox", "radio", "slider", "searchbox", "combobox", "grid",
                    "gridcell", "link", "dialog"}
        seen = 0
        for node in nodes:
            if node["ignored"] or node.get("role", {}).get("value") not in controls:
                continue
            seen += 1
            self.assertNotEqual(node.get("name", {}).get("value", "").strip(), "", node)
        self.assertGreater(seen, 100)

    CONTRAST = """
      const channel = (value) => (value <= 0.04045 ? value / 12.92
                                                   : ((value + 0.055) / 1.055) ** 2.4);
      const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
      const rgb = (colour) => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data];
      };
      const light = ([r, g, b]) => 0.2126 * channel(r / 255) + 0.7152 * channel(g / 255) +
                                   0.0722 * channel(b / 255);
      const behind = (element) => {
        for (let e = element; e; e = e.parentElement) {
          const colour = rgb(getComputedStyle(e).backgroundColor);
          if (colour[3] === 255) return colour;
        }
        return [255, 255, 255];
      };
      return arguments[0].map((selector) => {
        const element = document.querySelector(selector);
        const own = getComputedStyle(element);
        const text = light(rgb(element instanceof SVGElement ? own.fill : own.color));
        const back = light(behind(element));
        return [selector, (Math.max(text, back) + 0.05) / (Math.min(text, back) + 0.05)];
      });"""

    def test_texts_stand_out_in_light_and_dark(self):
        texts = ["#home", ".top p", "#count", ".rows .name", ".rows .number", ".cell.pass",
                 ".cell.fail", ".rows .selected .name", ".facts", ".aside", ".moral", ".t0", ".t1",
                 ".steps thead th", ".steps .current code", ".definition", ".promise",
                 ".listing code", ".outcome.fail", ".canvas .node text", ".legend", ".on-cycle"]
        for scheme in ("light", "dark"):
            BROWSER.prefer(scheme)
            BROWSER.open(PAGES.published, "#test=" + identity_of_published("2t_2i_1") +
                         "&model=OBE&fairness=weak&step=2")
            BROWSER.one(".legend")
            for selector, contrast in BROWSER.js(self.CONTRAST, texts):
                with self.subTest(scheme=scheme, selector=selector):
                    self.assertGreaterEqual(contrast, 4.5)

    def test_colours_follow_the_system_or_the_switch(self):
        paper = lambda: BROWSER.js("return getComputedStyle(document.body).backgroundColor")
        BROWSER.prefer("dark")
        BROWSER.open(PAGES.litmus)
        BROWSER.js("localStorage.clear()")
        BROWSER.open(PAGES.litmus)
        dark = paper()
        BROWSER.prefer("light")
        light = paper()
        self.assertNotEqual(dark, light)
        self.assertIn("Auto", BROWSER.text("#theme"))
        BROWSER.click("#theme")
        BROWSER.click("#theme")
        self.assertIn("Dark", BROWSER.text("#theme"))
        self.assertEqual(paper(), dark)
        BROWSER.open(PAGES.litmus)
        self.assertEqual(paper(), dark, "the choice is remembered")
        BROWSER.js("localStorage.clear()")

    def test_fits_a_phone(self):
        BROWSER.resize(390, 844)
        BROWSER.open(PAGES.published)
        wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
        self.assertEqual(BROWSER.js(wide), 0)
        self.assertEqual(BROWSER.all("#detail"), [])
        BROWSER.click(".signatures summary")
        left, right = BROWSER.js("""
            const box = document.querySelector(".signatures ul").getBoundingClientRect();
            return [box.left, box.right];""")
        self.assertTrue(left >= 0 and right <= 390, (left, right))
        BROWSER.press(Keys.ESCAPE)
        BROWSER.all(".rows .row")[2].click()
        self.assertEqual(BROWSER.text("#test-name"), "2t_2i_2")
        self.assertEqual(BROWSER.js(wide), 0)
        box = BROWSER.js("""const box = document.getElementById("detail");
                            return box.scrollWidth - box.clientWidth;""")
        self.assertEqual(box, 0)
        BROWSER.click("#back")
        self.assertEqual(BROWSER.all("#detail"), [])
        BROWSER.one("#grid")

    def test_answers_for_every_number_of_threads(self):
        BROWSER.open(PAGES.every)
        shown = BROWSER.js("""
            return [...document.querySelectorAll(".matrix tr")].slice(2).map(
              (row) => [...row.children].map((cell) => cell.textContent));""")
        answers = {}
        for row in csv.DictReader(io.StringIO(headway(
                "check", "--threads", "any", "--format", "csv", "litmus/idioms", status=3))):
            answer = row["answer"]
            if answer == "unknown":
                answer += f", pass to {row['n']}"
            elif answer != "pass":
                answer += f" {row['n']}"
            answers.setdefault(row["family"], []).append(answer)
        self.assertEqual({name: cells[:-1] for name, *cells in shown}, answers)
        # From the table to a family, and to why it passes.
        BROWSER.js("document.querySelector('a[href=\"#family-1\"]').click()")
        self.assertEqual(BROWSER.js("return location.hash"), "#family-1")
        self.assertEqual(BROWSER.all("#family-1 pre"), [])
        BROWSER.click("#family-1 summary")
        self.assertNotEqual(BROWSER.text("#family-1 pre"), "")
        BROWSER.resize(390, 844)
        self.assertEqual(BROWSER.js(
            "return document.documentElement.scrollWidth - document.documentElement.clientWidth"), 0)

    def test_hostile_names_stay_names(self):
        BROWSER.open(PAGES.hostile)
        self.assertIsNone(BROWSER.js("return window.hurt ?? null"))
        self.assertEqual(BROWSER.driver.title, HOSTILE)
        self.assertEqual(BROWSER.js("return document.querySelectorAll('script').length"), 4)
        self.assertEqual(BROWSER.js("return document.querySelectorAll('img').length"), 0)
        names = BROWSER.js("return window.headway.report.tests.name")
        self.assertEqual(names, [HOSTILE.strip('"'), "twin"])
        BROWSER.all(".rows .row")[0].click()
        self.assertEqual(BROWSER.js("return document.getElementById('test-name').textContent"),
                         HOSTILE.strip('"'))
        self.assertIn("a<b>&amp;.litmus", BROWSER.text(".facts"))
        self.assertIn("</script>", BROWSER.text(".listing"))
        self.assertIsNone(BROWSER.js("return window.hurt ?? null"))

    def test_a_suite_without_tests_says_so(self):
        BROWSER.open(PAGES.empty)
        self.assertEqual(BROWSER.text("#table .notice"), "This suite has no tests.")
        self.assertEqual(BROWSER.text(".facts"), "This suite has no tests.")

    def test_a_suite_of_one_test(self):
        BROWSER.open(PAGES.single)
        self.assertEqual(BROWSER.text("#count"), "1 test")
        self.assertEqual(BROWSER.text("#test-name"), "spin-mutex")
        self.assertIn("the only test with these verdicts", BROWSER.text(".facts"))


if __name__ == "__main__":
    # Where a page does not load, each test would wait in vain.
    unittest.main(verbosity=2, failfast=True)
