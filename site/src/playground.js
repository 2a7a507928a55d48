// The playground: a test as one types it, its verdicts, and what is behind each of them. Whatever is
// true of a test comes from the engine; this file asks it and shows what it says.
import {createEditor} from "./editor.js";
import {everyNumberOf, residencyOf} from "./families.js";
import {fillKernelBox, foreign, loadKernel} from "./kernels.js";
import {pack, unpack} from "./link.js";
import {button, byId, drawOrder, element, Engine, Explorer, plural, Shown, useReadings,
        verdictMark} from "./report_page.js";
import {startTheme} from "./theme.js";

const kFairnesses = ["weak", "strong"];
const kStandard = ["unfair", "HSA", "OBE", "HSA+OBE", "LOBE", "fair"];
const kFirst = "litmus/spin-mutex.litmus";  // what the page opens on
const kOwnFile = "test.litmus";             // of a text that is no example
const kPause = 40;  // milliseconds after a key, before the engine is asked
const kNewModel = "name: mine\nsummary: the lowest thread that can step, and whoever has started\n" +
  "fair: lowest(ready) | (started & alive)\n";

const state = {
  text: "",
  file: kOwnFile,
  models: [...kStandard],  // that are shown, by name
  more: "",                // others, as the command line names them, with ';' between
  own: "",                 // a model file; empty: none
  chosen: null,            // {model, fairness}
  threads: null,           // of the member of a family that is looked at
  seconds: 10
};

let known = [];     // models, as the engine lists them
let decided = [];   // the tests of the text, as check gives them
let messages = [];
let picked = false;  // whether the reading was chosen by a person
let notice = [];    // what is said of what could not be shown, until the text changes
let kernel = null;  // the kernel that is shown, as it was recorded; null: the engine reads the text

const module = fetch("headway_engine.wasm").then(async (response) => {
  if (!response.ok) throw new Error(`headway_engine.wasm: ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
});
const engine = new Engine(() => module, () => new Worker("worker.js"), () => {
  byId("stop").hidden = !engine.busy;
  byId("busy").textContent = engine.busy ? "deciding\u2026" : "";
});

// Requests ---------------------------------------------------------------------------------------

const ownName = () => /^name:\s*["']?([\w+.-]+)/m.exec(state.own)?.[1] ?? null;
const hasOwn = () => state.own.trim() !== "";
const files = () => (hasOwn() ? {"own.yaml": state.own} : {});

// Of the models that are shown those that there are; the own one by its file, so that it is known.
function modelsToAsk() {
  const names = state.models.map((name) => (hasOwn() && name === ownName() ? "own.yaml" : name));
  names.push(...state.more.split(";").map((name) => name.trim()).filter((name) => name !== ""));
  return names.join() === kStandard.join() ? [] : names;
}

const limits = () => ({timeout: state.seconds, max_states: 5000000});

async function check() {
  const text = state.text;
  if (text.trim() === "") {
    decided = [];
    messages = notice;
    showAll();
    return;
  }
  if (kernel !== null) {
    decided = [kernel.test];
    messages = [...notice, ...kernel.messages];
    byId("took").textContent = "";
    showAll();
    return;
  }
  const started = performance.now();
  const answer = await engine.ask("check", {
    command: "check",
    text,
    file: state.file,
    models: modelsToAsk(),
    files: files(),
    ...limits()
  });
  if (answer === null || text !== state.text) return;
  const other = answer.status === 2 ? foreign(text) : [];
  messages = [...notice, ...other, ...answer.messages];
  decided = answer.output === "" ? [] : JSON.parse(answer.output).filter((test) => test.test);
  byId("took").textContent =
    decided.length === 0 ? "" : `${Math.round(performance.now() - started)} ms`;
  showAll();
}

function member() {
  return decided.find((test) => test.threads === state.threads) ?? decided[0] ?? null;
}

const verdictOf = (test, model, fairness) =>
  test.verdicts.find((v) => v.model === model && v.fairness === fairness)?.verdict ?? "unknown";

async function look() {
  const test = member();
  const {chosen} = state;
  showDefinition();
  byId("why").replaceChildren();
  if (test === null || chosen === null) {
    explorer.clear();
    return;
  }
  if (kernel !== null) {
    tellVerdict(verdictOf(test, chosen.model, chosen.fairness));
    showBehind(kernel.shown(chosen));
    if (explorer.run.childElementCount === 0) explorer.run.append(kernel.command(chosen));
    return;
  }
  const request = {
    command: "show",
    text: state.text,
    file: state.file,
    models: [chosen.model],
    files: files(),
    fairness: chosen.fairness,
    timeout: state.seconds
  };
  if (decided.length > 1) request.threads = String(test.threads);
  const answer = await engine.ask("show", request);
  if (answer === null || chosen !== state.chosen) return;
  const document = answer.output === "" ? null : JSON.parse(answer.output);
  tellVerdict(document?.verdict ?? "unknown");
  showBehind(document === null ? null : new Shown(document, document.texts),
             ...answer.messages.map(({text}) => element("p", {}, text)));
}

function tellVerdict(verdict) {
  const {model, fairness} = state.chosen;
  byId("why").replaceChildren(verdictMark(verdict), ` ${verdict} under ${model}, ${fairness}ly fair`);
}

// What is behind a verdict; where nothing is to be had, `otherwise`.
function showBehind(shown, ...otherwise) {
  if (shown === null) {
    explorer.clear(...otherwise);
    return;
  }
  explorer.show(shown, state.chosen.fairness);
  if (shown.states === null)
    explorer.system.replaceChildren(
      element("p", {class: "aside"}, "This transition system is too large to be drawn."));
}

// What one sees ------------------------------------------------------------------------------------

function showAll() {
  editor.complain(messages.filter((message) => message.line > 0));
  showMessages();
  fillKernelBox(byId("kernel"), kernel, editSlice);
  showMembers();
  showVerdicts();
  look();
  remember();
}

function showMessages() {
  const list = messages.map(({kind, text, line, column}) => {
    const place = line > 0 ? `${line}:${column ?? 1} ` : "";
    const go = () => editor.view.focus();
    return element(
      "li", {class: kind}, place === "" ? null : button(place, {class: "place"}, go), text);
  });
  byId("messages").replaceChildren(...list);
}

function editSlice() {
  const name = state.file.replace(/^.*\//, "").replace(/\.\w+$/, "");
  load({file: `${name}-slice.litmus`, text: kernel.slice});
  editor.focus();
}

function showMembers() {
  const box = byId("members");
  box.hidden = decided.length < 2;
  byId("residency-box").hidden = decided.length < 2;
  byId("residency").replaceChildren();
  if (decided.length < 2) return;
  const select = byId("member");
  select.replaceChildren(...decided.map(
    (test) => element("option", {value: test.threads}, plural(test.threads, "thread"))));
  select.value = String(member().threads);
}

function showVerdicts() {
  const test = member();
  const box = byId("verdicts");
  if (test === null) {
    const empty = state.text.trim() === "";
    box.replaceChildren(element(
      "p", {class: "aside"},
      empty ? "Type a test, or choose an example." : "There is something to mend in the text."));
    return;
  }
  const models = [...new Set(test.verdicts.map((v) => v.model))];
  const isThere = state.chosen !== null && models.includes(state.chosen.model);
  if (!isThere || !picked) state.chosen = firstOfInterest(test, models);
  const focused = box.contains(document.activeElement);
  const cell = (model, fairness) => {
    const verdict = verdictOf(test, model, fairness);
    const name = `${model} ${fairness}: ${verdict}`;
    const radio = element("input", {type: "radio", name: "reading", "aria-label": name});
    radio.checked = state.chosen.model === model && state.chosen.fairness === fairness;
    radio.addEventListener("change", () => choose(model, fairness));
    return element(
      "td", {},
      element("label", {class: `choice ${verdict}`, title: name}, radio, verdictMark(verdict), verdict));
  };
  box.replaceChildren(
    element(
      "table", {class: "verdicts"},
      element("caption", {class: "hidden"}, "Verdicts by model and fairness; choose one to see why"),
      element(
        "thead", {},
        element(
          "tr", {}, element("th", {scope: "col"}, "model"),
          kFairnesses.map((fairness) => element("th", {scope: "col"}, fairness)))),
      element(
        "tbody", {},
        models.map((model) => element(
                     "tr", {},
                     element("th", {scope: "row", title: summaryOf(model)}, model),
                     kFairnesses.map((fairness) => cell(model, fairness)))))),
    element(
      "p", {class: "aside"},
      `${test.test}: ${plural(test.threads, "thread")}, ${plural(test.instructions, "instruction")}, ` +
        `${plural(test.states, "state")}`),
    test.weakest_sufficient === undefined ? "" : element("p", {}, boundaryText(test)));
  if (focused) box.querySelector("input:checked")?.focus();
}

function boundaryText({weakest_sufficient: weakest, strongest_insufficient: strongest}) {
  const list = (names) => (names.length === 0 ? "none of these" : names.join(", "));
  return `Weakest that suffice: ${list(weakest)}. Strongest that do not: ${list(strongest)}.`;
}

const summaryOf = (model) => known.find(({name}) => name === model)?.summary ?? "";

// A failure says more than a pass, and one under a model that promises something the most.
function firstOfInterest(test, models) {
  const failing = test.verdicts.filter(({verdict}) => verdict === "fail" || verdict === "error");
  const telling = failing.find(({model}) => model !== "unfair") ?? failing[0];
  return telling ? {model: telling.model, fairness: telling.fairness} :
                   {model: models[models.length - 1], fairness: "weak"};
}

function choose(model, fairness) {
  picked = true;
  state.chosen = {model, fairness};
  look();
  drawModels();
  remember();
}

function showDefinition() {
  const model = known.find(({name}) => name === state.chosen?.model);
  byId("definition").replaceChildren(...(
    model === undefined || member() === null ? [] : [
      element("b", {}, model.name), ": F = ", element("code", {}, model.definition), `. ${
        model.summary}.`
    ]));
}

// Models ------------------------------------------------------------------------------------------

async function listModels() {
  const answer = await engine.ask("models", {command: "models", files: files()});
  if (answer === null) return;
  ownEditor.complain(answer.messages.filter((message) => message.line > 0));
  byId("own-messages").replaceChildren(...answer.messages.map(
    ({kind, text, line}) => element("li", {class: kind}, line > 0 ? `line ${line}: ` : "", text)));
  if (answer.output === "") return;
  known = JSON.parse(answer.output);
  if (hasOwn() && !state.models.includes(ownName())) state.models.push(ownName());
  const names = known.map(({name}) => name);
  state.models = state.models.filter((name) => names.includes(name));
  byId("shown").replaceChildren(...known.map(({name, summary}) => {
    const box = element("input", {type: "checkbox"});
    box.checked = state.models.includes(name);
    box.addEventListener("change", () => {
      const wanted = new Set(state.models);
      if (box.checked) wanted.add(name);
      else wanted.delete(name);
      if (wanted.size === 0) {
        box.checked = true;
        return;
      }
      state.models = names.filter((each) => wanted.has(each));
      drawModels();
      check();
    });
    return element("label", {title: summary}, box, name);
  }));
  drawModels();
  check();
}

async function drawModels() {
  if (!byId("models").open) return;
  const test = member();
  const threads = Math.min(Math.max(test?.threads ?? 3, 2), 4);
  const answer = await engine.ask("compare", {
    command: "compare",
    models: modelsToAsk(),
    files: files(),
    threads: String(threads)
  });
  if (answer === null) return;
  if (answer.output === "") {
    byId("order").replaceChildren(...answer.messages.map(({text}) => element("p", {}, text)));
    return;
  }
  const {hasse} = JSON.parse(answer.output);
  const names = hasse.nodes.flat();
  const number = new Map(names.map((name, n) => [name, n]));
  useReadings(names.map((name) => ({name: name.replace(/:(weak|strong)$/, " $1")})));
  const readingOf = (n) => {
    const [, model, fairness] = /^(.*):(weak|strong)$/.exec(names[n]);
    return {model, fairness};
  };
  const classOf = (node) => {
    const {model, fairness} = readingOf(node[0]);
    const here = node.some((n) => {
      const reading = readingOf(n);
      return reading.model === state.chosen?.model && reading.fairness === state.chosen?.fairness;
    });
    return `${test === null ? "unknown" : verdictOf(test, model, fairness)}${here ? " here" : ""}`;
  };
  const picture = drawOrder(
    {nodes: hasse.nodes.map((node) => node.map((name) => number.get(name))), edges: hasse.edges},
    plural(threads, "thread"), {
      classOf,
      choose: (n) => {
        const {model, fairness} = readingOf(n);
        choose(model, fairness);
        showVerdicts();
      }
    });
  byId("order").replaceChildren(
    element("p", {class: "aside"},
            `For ${plural(threads, "thread")}: what is higher promises more, and what passes below ` +
              "passes above."),
    element("div", {class: "canvas", tabindex: 0, role: "region",
                    "aria-label": "Picture of the order of the models"},
            picture));
}

async function askFamily(request, shownOf) {
  const answer = await engine.ask("residency", {...request, text: state.text, file: state.file});
  if (answer !== null) byId("residency").replaceChildren(...shownOf(answer));
}

// Links and examples --------------------------------------------------------------------------------

let examples = [];
let writing = 0;

// With all that is shown; a kernel is an example and never another text.
async function wholeFragment() {
  const {file, text, models, more, own, chosen} = state;
  return kernel !== null ? `#example=${file}` : `#p=${await pack({file, text, models, more, own, chosen})}`;
}

function remember() {
  clearTimeout(writing);
  writing = setTimeout(async () => {
    writing = 0;
    const example = examples.find(({file, text}) => file === state.file && text === state.text);
    const plain = example && !hasOwn() && state.more === "" && state.models.join() === kStandard.join();
    const fragment = state.text === "" && !hasOwn() ? "" :
      plain ? `#example=${example.file}` :
              await wholeFragment();
    if (location.hash !== fragment)
      window.history.replaceState(null, "", fragment === "" ? location.pathname : fragment);
  }, 150);
}

async function readLink() {
  const [, key, value] = /^#(p|example)=(.+)$/.exec(location.hash) ?? [];
  if (key === "example") {
    const example = examples.find(({file}) => file === decodeURIComponent(value));
    if (example) await openExample(example);
    else complain("There is no example of that name.");
  } else if (key === "p") {
    const packed = await unpack(value);
    if (packed === null) complain("This link is damaged: it cannot be read.");
    else load(packed);
  } else {
    await openExample(examples.find(({file}) => file === kFirst));
  }
}

let opened = 0;   // examples that were chosen
let arrived = 0;  // the last of these that is shown, or could not be

// `beside`: what is kept of what was shown before.
async function openExample(example, beside = {}) {
  const number = ++opened;
  try {
    const recorded = example.record === undefined ? null : await loadKernel(example);
    if (number === opened) load({...example, text: recorded?.text ?? example.text, ...beside}, recorded);
  } catch (error) {
    if (number === opened) complain(`This example could not be had: ${error.message}`);
  }
  arrived = Math.max(arrived, number);
}

function complain(text) {
  notice = [{kind: "error", text}];
  listModels();
}

const textOr = (value, otherwise) => (typeof value === "string" ? value : otherwise);

function load({file, text, models, more, own, chosen}, recorded = null) {
  notice = [];
  kernel = recorded;
  editor.readOnly = kernel !== null;
  state.file = textOr(file, kOwnFile);
  state.own = textOr(own, "");
  state.more = textOr(more, "");
  byId("more").value = state.more;
  state.models = Array.isArray(models) && models.every((name) => typeof name === "string") ?
    [...models] :
    [...kStandard];
  const isReading = typeof chosen?.model === "string" && kFairnesses.includes(chosen?.fairness);
  state.chosen = isReading ? {model: chosen.model, fairness: chosen.fairness} : null;
  picked = isReading;
  state.threads = null;
  byId("example").value = state.file;
  ownEditor.text = state.own;
  editor.text = text;
  if (state.own !== "") byId("models").open = true;
  listModels();
}

async function share() {
  clearTimeout(writing);
  writing = 0;
  byId("shared").textContent = "";
  window.history.replaceState(null, "", await wholeFragment());
  try {
    await navigator.clipboard.writeText(location.href);
    byId("shared").textContent = "The link is in the clipboard.";
  } catch {
    byId("shared").textContent = "The address of this page is the link.";
  }
}

// The page ------------------------------------------------------------------------------------------

let typing = 0;
const editor = createEditor(byId("editor"), {
  label: "Test",
  language: "test",
  changed() {
    state.text = editor.text;
    notice = [];
    if (state.text.trim() === "") {  // what is typed next is no example
      state.file = kOwnFile;
      byId("example").value = "";
    }
    clearTimeout(typing);
    typing = setTimeout(() => {
      typing = 0;
      check();
    }, kPause);
  }
});

let typingModel = 0;
const ownEditor = createEditor(byId("own"), {
  label: "Model of your own",
  language: "model",
  changed() {
    if (state.own === ownEditor.text) return;
    const before = ownName();
    state.own = ownEditor.text;
    // A new name is the same model.
    state.models = state.models.filter((name) => name !== before || kStandard.includes(name));
    clearTimeout(typingModel);
    typingModel = setTimeout(() => {
      typingModel = 0;
      listModels();
    }, 2 * kPause);
  }
});

const explorer = new Explorer({
  mark: (threads, current) => editor.show({threads, current}),
  moved() {}
});
byId("run").append(explorer.run);
byId("hand").append(explorer.state);
byId("system").append(explorer.system);

function buildExamples() {
  const groups = [...new Set(examples.map(({group}) => group))];
  byId("example").replaceChildren(
    element("option", {value: ""}, "Examples\u2026"),
    ...groups.map((group) => element(
                    "optgroup", {label: group},
                    examples.filter((example) => example.group === group)
                      .map(({file, name}) => element("option", {value: file}, name)))));
}

byId("example").addEventListener("change", ({target}) => {
  const example = examples.find(({file}) => file === target.value);
  if (example) openExample(example, {models: state.models, more: state.more, own: state.own});
});
byId("member").addEventListener("change", ({target}) => {
  state.threads = Number(target.value);
  showVerdicts();
  look();
  drawModels();
});
byId("stop").addEventListener("click", () => {
  engine.stop();
  messages = [{kind: "limit", text: "Stopped."}];
  showMessages();
});
byId("seconds").addEventListener("change", ({target}) => {
  state.seconds = Number(target.value);
  check();
});
byId("more").addEventListener("change", ({target}) => {
  state.more = target.value;
  drawModels();
  check();
});
byId("share").addEventListener("click", share);
byId("show-residency").addEventListener(
  "click", () => askFamily({command: "residency", ...limits()}, residencyOf));
byId("show-every").addEventListener(
  "click", () => askFamily({command: "check", threads: "any"}, everyNumberOf));
byId("models").addEventListener("toggle", drawModels);
byId("new-model").addEventListener("click", () => {
  const model = known.find(({name}) => name === state.chosen?.model);
  ownEditor.text = model === undefined || hasOwn() ?
    kNewModel :
    model.file.replace(/^name:.*$/m, "name: mine");
  ownEditor.focus();
});
document.addEventListener("keydown", (event) => {
  const inText = event.target.closest("input, select, .cm-editor, .scroll, .canvas") !== null;
  if (inText || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === "ArrowLeft") explorer.stepBy(-1);
  else if (event.key === "ArrowRight") explorer.stepBy(1);
  else return;
  event.preventDefault();
});
window.addEventListener("hashchange", readLink);

startTheme();
examples = await (await fetch("examples.json")).json();
buildExamples();
await readLink();
// For the console, and for tests. At rest nothing is left to be decided, shown or remembered.
window.playground = {
  state, engine, editor, explorer,
  decided: () => decided,
  atRest: () => !engine.busy && opened === arrived && typing === 0 && typingModel === 0 && writing === 0
};
if ("serviceWorker" in navigator && location.protocol === "https:" || location.hostname === "127.0.0.1" || location.hostname === "localhost")
  navigator.serviceWorker?.register("offline.js");
