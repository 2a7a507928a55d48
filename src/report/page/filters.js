// Which tests are shown, and the controls that say so.

const columnLabel = (reading) =>
  `${report.models[readings[reading].model].name}:${readings[reading].fairness}`;

// What links call the verdicts of devices.
const kDeviceKeys = {
  pass: "ended",
  fail: "hung"
};

class Filters {
  // `changed` is called after every change.
  constructor(changed) {
    this.changed = changed;
    this.reset();
    this.lowerNames = null;  // for the search, made when it is first used
  }

  reset() {
    this.text = "";
    this.threads = new Set();
    this.instructions = new Set();
    this.idiom = "";  // a name; "*": any; "-": none
    this.signature = null;
    this.wanted = new Map();   // of a reading: "pass" or "fail"
    this.devices = new Map();  // of a device: "pass" or "fail"
  }

  get active() {
    return this.text !== "" || this.threads.size > 0 || this.instructions.size > 0 ||
      this.idiom !== "" || this.signature !== null || this.wanted.size > 0 || this.devices.size > 0;
  }

  // The numbers of the tests that pass all filters.
  apply() {
    const signatures = report.signatures.map(
      (letters, s) => (this.signature === null || this.signature === s) &&
        [...this.wanted].every(([r, verdict]) => kVerdicts[letters[r]] === verdict));
    const needle = this.text.trim().toLowerCase();
    if (needle !== "" && this.lowerNames === null) {
      this.lowerNames = report.tests.name.map((name) => name.toLowerCase());
      this.lowerFiles = report.texts.map((text) => text.toLowerCase());
    }
    const {name, signature, idiom, file} = report.tests;
    const named = (t) => needle === "" || this.lowerNames[t].includes(needle) ||
      this.lowerFiles[file[t]].includes(needle);
    const isIdiom = (t) => this.idiom === "" ||
      (this.idiom === "*"   ? idiom[t] >= 0 :
         this.idiom === "-" ? idiom[t] < 0 :
                              report.idioms[idiom[t]] === this.idiom);
    const among = (set, value) => set.size === 0 || set.has(value);
    const result = [];
    for (let t = 0; t < name.length; ++t) {
      if (
        signatures[signature[t]] && named(t) && isIdiom(t) &&
        among(this.threads, suite.threads(t)) &&
        (this.instructions.size === 0 || this.instructions.has(suite.instructions(t))) &&
        [...this.devices].every(([d, verdict]) => deviceVerdict(d, t) === verdict)) {
        result.push(t);
      }
    }
    return result;
  }

  // To and from the parameters of a link.
  write(parameters) {
    const put = (key, values) => {
      for (const value of values) parameters.append(key, value);
    };
    put("search", this.text === "" ? [] : [this.text]);
    put("threads", this.threads);
    put("instructions", this.instructions);
    put("idiom", this.idiom === "" ? [] : [this.idiom]);
    put("signature", this.signature === null ? [] : [report.signatures[this.signature]]);
    for (const [r, verdict] of this.wanted) parameters.append(verdict, columnLabel(r));
    for (const [d, verdict] of this.devices) {
      parameters.append(kDeviceKeys[verdict], report.devices[d].name);
    }
  }

  read(parameters) {
    this.reset();
    this.text = parameters.get("search") ?? "";
    this.threads = new Set(parameters.getAll("threads").map(Number));
    this.instructions = new Set(parameters.getAll("instructions").map(Number));
    this.idiom = parameters.get("idiom") ?? "";
    const signature = report.signatures.indexOf(parameters.get("signature") ?? "");
    this.signature = signature < 0 ? null : signature;
    const labels = readings.map((_, r) => columnLabel(r));
    const names = report.devices.map((device) => device.name);
    const take = (map, known, name, verdict) => {
      if (known.includes(name)) map.set(known.indexOf(name), verdict);
    };
    for (const verdict of ["pass", "fail"]) {
      for (const label of parameters.getAll(verdict)) take(this.wanted, labels, label, verdict);
      for (const name of parameters.getAll(kDeviceKeys[verdict])) {
        take(this.devices, names, name, verdict);
      }
    }
  }
}

// What a device did with a test: "pass" when all runs ended, "fail" when some did not, null when it
// was not run there.
function deviceVerdict(device, test) {
  const result = report.devices[device].results[test];
  if (result === undefined) return null;
  return result.slice(1).every((outcome) => report.outcomes[outcome] === "P") ? "pass" : "fail";
}

// How many tests there are for each value of `of(test)`, by value; in increasing order.
function tally(of) {
  const counts = new Map();
  for (let t = 0; t < suite.size; ++t) counts.set(of(t), (counts.get(of(t)) ?? 0) + 1);
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
}

// The controls of `filters`, in the form that the page has for them. Returns a function that brings
// them up to date.
function buildFilters(form, filters) {
  const search = element("input", {
    type: "search",
    id: "search",
    placeholder: "Search",
    "aria-label": "Search in names and files",
    autocomplete: "off",
    spellcheck: "false"
  });
  search.addEventListener("input", () => {
    filters.text = search.value;
    filters.changed();
  });
  form.addEventListener("submit", (event) => event.preventDefault());

  const updates = [];
  const chips = (legend, set, of) => {
    const values = tally(of);
    if (values.length < 2) return null;
    return element(
      "fieldset", {class: "chips"}, element("legend", {}, legend), values.map(([value, count]) => {
        const box = element("input", {type: "checkbox", value});
        box.addEventListener("change", () => {
          if (box.checked)
            filters[set].add(value);
          else
            filters[set].delete(value);
          filters.changed();
        });
        updates.push(() => {
          box.checked = filters[set].has(value);
        });
        return element(
          "label", {title: plural(count, "test")}, box, element("span", {}, String(value)));
      }));
  };
  form.append(
    search,
    ...
      [chips("Threads", "threads", (t) => suite.threads(t)),
       chips("Instructions", "instructions", (t) => suite.instructions(t)),
       idiomControl(filters, updates), signatureControl(filters, updates)]
        .filter((control) => control !== null));
  return () => {
    if (search.value !== filters.text) search.value = filters.text;
    for (const update of updates) update();
  };
}

function idiomControl(filters, updates) {
  const counts = tally((t) => suite.idiom(t)).filter(([idiom]) => idiom >= 0);
  if (counts.length === 0) return null;
  const choice = (value, text) => element("option", {value}, text);
  const select = element(
    "select", {"aria-label": "Idiom"}, choice("", "Idiom: all tests"), choice("*", "Any idiom"),
    choice("-", "No idiom"),
    counts.map(
      ([idiom, count]) => choice(report.idioms[idiom], `${report.idioms[idiom]} (${count})`)));
  select.addEventListener("change", () => {
    filters.idiom = select.value;
    filters.changed();
  });
  updates.push(() => {
    select.value = filters.idiom;
  });
  return select;
}

function signatureControl(filters, updates) {
  if (report.signatures.length < 2) return null;
  const threads = Math.max(...Object.keys(report.orders).map(Number));
  const counts = tally((t) => suite.signature(t)).sort(([, a], [, b]) => b - a);
  const summary = element("summary", {});
  const box = element("details", {class: "signatures"}, summary);
  const choose = (signature) => {
    filters.signature = signature;
    box.open = false;
    summary.focus();
    filters.changed();
  };
  const item = (signature, ...content) => {
    const entry = button("", {"data-signature": signature}, () => choose(signature));
    entry.append(...content);
    updates.push(() => entry.setAttribute("aria-pressed", filters.signature === signature));
    return element("li", {}, entry);
  };
  box.append(element(
    "ul", {},
    item(
      null, element("span", {}, "Any signature"),
      element("span", {class: "count"}, String(suite.size))),
    counts.map(
      ([signature, count]) => item(
        signature, signatureStrip(signature),
        element("span", {class: "from"}, passesFrom(signature, report.orders[threads])),
        element("span", {class: "count"}, String(count))))));
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    box.open = false;
    summary.focus();
  });
  box.addEventListener("focusout", (event) => {
    if (event.relatedTarget !== null && !box.contains(event.relatedTarget)) box.open = false;
  });
  document.addEventListener("click", (event) => {
    if (!box.contains(event.target)) box.open = false;
  });
  updates.push(
    () => summary.replaceChildren(
      "Signature: ", ...(filters.signature === null ? ["any of ", String(counts.length)] : [
        signatureStrip(filters.signature)
      ])));
  return box;
}
