// The page: options, buttons, and tables that follow the campaign.
import {Campaign, isHang} from "./campaign.js";
import {Device, nameOf} from "./device.js";
import {conformance, isRefuted, strongest} from "./models.js";
import {printResults} from "./results.js";
import {Store} from "./store.js";
import {loadSuite} from "./suite.js";

const at = (id) => document.getElementById(id);

function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

const write = (id, text) => {
  if (at(id).textContent !== text) at(id).textContent = text;
};

const plural = (count, what) => `${count} ${what}${count === 1 ? "" : "s"}`;

class Page {
  constructor(suite, store) {
    Object.assign(this, {suite, store, device: new Device(suite.needsSubgroups), campaign: null, running: false});
    document.title = at("title").textContent = `Progress tests: ${suite.title}`;
    for (const mapping of suite.mappings) {
      const box = element("input", {type: "checkbox", value: mapping});
      box.checked = mapping !== "hybrid";
      at("mappings").append(element("label", {}, box, ` ${mapping}`));
    }
    at("instances").max = suite.mostInstances;
    at("instances").value = Math.min(64, suite.mostInstances);
    at("iterations").max = suite.most_iterations;
    at("go").onclick = () => this.guard(() => this.go());
    at("pause").onclick = () => this.pause();
    at("anew").onclick = () => this.guard(() => this.startAnew());
    at("save").onclick = () => this.save();
    this.buildModels();
  }

  // Shows what goes wrong, and leaves the page usable.
  async guard(action) {
    try {
      at("problem").hidden = true;
      await action();
    } catch (error) {
      at("problem").textContent = `${error.message ?? error}`;
      at("problem").hidden = false;
    }
    this.show();
  }

  async load() {
    const {campaign, results} = await this.store.load(this.suite.key);
    if (campaign) this.adopt(new Campaign(this.suite, this.store, campaign, results));
    await this.findDevice();
  }

  async findDevice() {
    const answer = await this.device.open(20_000);
    if (answer.type !== "open") {
      at("device").textContent = "There is no GPU to run on.";
      const secure = isSecureContext ? "" :
        " Browsers offer WebGPU only to pages that come by https or from this machine.";
      throw new Error(`No device: ${answer.message ?? "the browser does not answer"}.${secure}`);
    }
    this.info = answer.info;
    at("device").textContent = `This machine: ${nameOf(answer.info)}.`;
  }

  // Makes the page about a campaign: its options, its results.
  adopt(campaign) {
    this.campaign = campaign;
    const {mappings, instances, iterations, timeout} = campaign.record;
    for (const box of at("mappings").querySelectorAll("input")) {
      box.checked = mappings.includes(box.value);
    }
    Object.entries({instances, iterations, timeout}).forEach(([id, value]) => { at(id).value = value; });
    this.current = null;
    this.buildTests();
    this.show();
  }

  // What the form says, null when something in it is not valid.
  options() {
    const mappings = [...at("mappings").querySelectorAll("input:checked")].map((box) => box.value);
    if (mappings.length === 0) throw new Error("Choose a mapping.");
    if (!at("options").reportValidity()) return null;
    const [instances, iterations, timeout] =
      ["instances", "iterations", "timeout"].map((id) => at(id).valueAsNumber);
    return {mappings, instances, iterations, timeout};
  }

  async startAnew() {
    const question = "Start anew? The results of this campaign will be gone; save them first if you " +
      "want to keep them.";
    if (!confirm(question)) return;
    this.campaign = null;
    this.running = false;
    this.buildTests();
    at("options").querySelector("input").focus();
  }

  async go() {
    if (!this.info) await this.findDevice();
    if (!this.campaign) {
      const options = this.options();
      if (options === null) return;
      const details = Object.fromEntries(
        Object.entries({...this.info, browser: navigator.userAgent}).filter(([, value]) => value));
      const device = {name: nameOf(this.info), driver: "", target: "webgpu", details};
      const record = Campaign.record(this.suite, device, options);
      await this.store.begin(record);
      this.adopt(new Campaign(this.suite, this.store, record, []));
    }
    // Two pages must not run one campaign: they would hang each other's tests.
    await navigator.locks.request("headway", {ifAvailable: true}, async (lock) => {
      if (lock === null) throw new Error("Another page on this site is running tests already.");
      this.running = true;
      this.show();
      try {
        await this.campaign.run(this.device, (event) => this.follow(event));
      } finally {
        this.running = false;
        this.current = null;
        this.buildTests();
      }
    });
  }

  pause() {
    this.campaign.stop();
    at("pause").disabled = true;
    write("status", "Pausing after this test ...");
  }

  save() {
    const {suite, campaign} = this;
    const text = printResults(suite, campaign.record, campaign.list());
    const link = element("a", {
      href: URL.createObjectURL(new Blob([text], {type: "application/json"})),
      download: "results.json"});
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }

  // Events of the campaign ------------------------------------------------------------------------

  follow(event) {
    const before = this.current;
    this.current = event.type === "test" ? event : null;
    this.waiting = event.type === "waiting";
    for (const place of [before, event]) {
      if (place?.mapping) this.showCell(place.mapping, place.t);
    }
    this.showSoon();
  }

  // At most once a frame: results may come fast, and suites may be large.
  showSoon() {
    if (this.due) return;
    this.due = true;
    setTimeout(() => {
      this.due = false;
      this.show();
    }, 100);
  }

  // What one sees ---------------------------------------------------------------------------------

  show() {
    const {campaign, running} = this;
    for (const input of document.querySelectorAll("#options input")) input.disabled = campaign !== null;
    at("go").disabled = running || (campaign?.isComplete ?? false);
    at("go").textContent = campaign === null ? "Start" : "Continue";
    at("go").hidden = running || (campaign?.isComplete ?? false);
    at("pause").hidden = !running;
    if (!running) at("pause").disabled = false;
    at("anew").hidden = running || campaign === null;
    at("save").hidden = campaign === null;
    at("progress").max = campaign?.total ?? 1;
    at("progress").value = campaign?.results.size ?? 0;
    if (!at("pause").disabled) write("status", this.statusText());
    // Not every test is announced: there may be many a second.
    write("announcement", running && !this.waiting ? "Running." : this.statusText());
    write("tally", this.tallyText());
    this.showModels();
  }

  statusText() {
    const {campaign, running, current} = this;
    if (campaign === null) return "Not started.";
    const count = `${campaign.results.size} of ${plural(campaign.total, "result")}`;
    if (campaign.isComplete) return `Finished: ${count}.`;
    if (!running) return `Paused: ${count}.`;
    if (this.waiting) {
      return `${count}. The GPU does not answer. Waiting for the browser to bring it back; if that ` +
        "takes more than a minute, close the browser and open this page again. Nothing that finished " +
        "is lost.";
    }
    if (!current) return `${count}.`;
    return `${count}; ${this.suite.tests[current.t].name}, ${current.mapping} ...`;
  }

  tallyText() {
    const results = [...this.campaign?.results.values() ?? []];
    if (results.length === 0) return "";
    const having = (condition) => results.filter(({runs}) => runs.some(condition)).length;
    const failed = having(({outcome}) => outcome === "error");
    const lost = having(({outcome}) => outcome === "device lost");
    return `${having(isHang)} hung, ${results.length - having(isHang) - failed} ended` +
      (lost ? `, the device was lost in ${lost}` : "") + (failed ? `, ${failed} failed to run` : "") + ".";
  }

  buildModels() {
    at("models").tBodies[0].replaceChildren(...this.suite.readings.map(({name}) => element(
      "tr", {}, element("th", {scope: "row"}, name), ...Array.from({length: 5}, () => element("td", {})))));
  }

  showModels() {
    const readings = conformance(this.suite, this.campaign);
    const mappings = this.campaign?.record.mappings ?? [];
    readings.forEach((reading, r) => {
      const cells = at("models").rows[r + 1].cells;
      const refuted = isRefuted(reading);
      const result = refuted ? "refuted" : reading.tests > 0 ? "not refuted" : "not tested";
      [result, reading.tests, reading.tests - reading.refuting.length, reading.refuting.length,
       mappings.filter((mapping) => reading.mappings.has(mapping)).join(", ")].forEach((text, c) => { cells[c + 1].textContent = text; });
      cells[1].className = refuted ? "refuted" : "";
    });
    const groups = strongest(readings).map((names) => names.join(" = "));
    const seen = readings.some(({tests}) => tests > 0);
    at("strongest").textContent =
      seen ? `Strongest models not refuted: ${groups.join(", ") || "none"}.` : "Nothing has run yet.";
  }

  buildTests() {
    const mappings = this.campaign?.record.mappings ?? [];
    at("tests").tHead.replaceChildren(element(
      "tr", {}, ...["test", ...mappings].map((name) => element("th", {scope: "col"}, name))));
    at("tests").tBodies[0].replaceChildren(...this.suite.tests.map(({name}) => element(
      "tr", {}, element("th", {scope: "row"}, name), ...mappings.map(() => element("td", {})))));
    for (const {mapping, t} of this.campaign?.results.values() ?? []) this.showCell(mapping, t);
  }

  showCell(mapping, t) {
    const {campaign, current} = this;
    const cell = at("tests").tBodies[0].rows[t].cells[1 + campaign.record.mappings.indexOf(mapping)];
    const isCurrent = current?.mapping === mapping && current.t === t;
    const runs = isCurrent ? current.runs : campaign.result(mapping, t)?.runs ?? [];
    const hung = runs.filter(isHang).length;
    const valid = hung + runs.filter(({outcome}) => outcome === "terminated").length;
    cell.textContent = hung > 0 ? `hung ${hung}/${valid}` :
      valid > 0 ? `ended ${valid}` : runs.length > 0 ? "error" : isCurrent ? "..." : "";
    cell.className = isCurrent ? "running" : hung > 0 ? "hung" : valid > 0 ? "ended" : "odd";
    cell.title = runs.findLast(({message}) => message)?.message ?? "";
  }
}

try {
  const page = new Page(await loadSuite(), await Store.open());
  window.headway = page;
  await page.guard(() => page.load());
} catch (error) {
  at("problem").textContent = `This page cannot be shown: ${error.message ?? error}`;
  at("problem").hidden = false;
}
