// The playground: a test as one types it, its verdicts, and what is behind each of them. Whatever is
// true of a test comes from the engine; this file asks it and shows what it says.
import {Engine} from "./client.js";
import {createEditor} from "./editor.js";
import {pack, unpack} from "./link.js";
import {button, byId, drawLts, drawOrder, element, members, plural, RecordedAnalysis, threadChip,
        use, verdictMark, waysOn} from "./report_page.js";
import {startTheme} from "./theme.js";

const kFairnesses = ["weak", "strong"];
const kStandard = ["unfair", "HSA", "OBE", "HSA+OBE", "LOBE", "fair"];
const kPause = 40;  // milliseconds after a key, before the engine is asked
const kNewModel = "name: mine\nsummary: the lowest thread that can step, and whoever has started\n" +
  "fair: lowest(ready) | (started & alive)\n";

const state = {
  text: "",
  file: "test.litmus",
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
let notice = [];    // what is said of an empty text
let system = null;  // what is drawn: {analysis, drawing, here, run, step}

const engine = new Engine(() => {
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
  messages = answer.messages;
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
  if (test === null || chosen === null) {
    system = null;
    showRun(null);
    return;
  }
  const request = {
    text: state.text,
    file: state.file,
    models: [hasOwn() && chosen.model === ownName() ? "own.yaml" : chosen.model],
    files: files(),
    fairness: chosen.fairness,
    threads: decided.length > 1 ? String(test.threads) : "",
    timeout: state.seconds
  };
  if (request.threads === "") delete request.threads;
  const [explained, drawn] = await Promise.all([
    engine.ask("explain", {command: "explain", ...request}),
    engine.ask("system", {command: "system", ...request})
  ]);
  if (explained === null || drawn === null || chosen !== state.chosen) return;
  const explanation = explained.output === "" ? null : JSON.parse(explained.output);
  const parts = drawn.output === "" ? null : JSON.parse(drawn.output);
  system = parts?.graph ? systemOf(parts) : null;
  showRun(explanation, parts, [...explained.messages, ...drawn.messages]);
}

function systemOf({graph, reading, path, texts, steps, stem, verdict}) {
  use({texts, graphs: [graph]}, []);
  const fails = verdict === "fail";
  const run = fails ?
    {steps: steps.map((thread) => ({thread})), stem, isStuck: steps.length === stem} :
    null;
  const analysis = new RecordedAnalysis({...reading, graph: 0, path: path ?? []}, run);
  if (!path) analysis.steps = [];
  return {analysis, here: 0, step: path ? 0 : null, trace: []};
}

// What one sees ------------------------------------------------------------------------------------

function showAll() {
  editor.complain(messages.filter((message) => message.line > 0));
  showMessages();
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

function showRun(explanation, parts = null, complaints = []) {
  const box = byId("run");
  editor.show({threads: [], current: 0});
  if (explanation === null) {
    box.replaceChildren(...complaints.map(({text}) => element("p", {}, text)));
    byId("system").replaceChildren();
    byId("hand").replaceChildren();
    return;
  }
  const {verdict, model, fairness} = explanation;
  const title = element("h3", {}, verdictMark(verdict), ` ${verdict} under ${model}, ${fairness}ly fair`);
  if (verdict === "fail") {
    box.replaceChildren(title, element("p", {class: "moral"}, parts?.summary ?? ""),
                        witnessTable(explanation.witness, parts?.groups ?? []));
  } else if (verdict === "pass") {
    box.replaceChildren(title, ...whyItPasses(explanation.broken_cycles));
  } else if (verdict === "error") {
    box.replaceChildren(title, wrongTable(explanation.error));
  } else {
    box.replaceChildren(title, ...complaints.map(({text}) => element("p", {}, text)));
  }
  showSystem();
}

const leafOf = (step) => step.thread ?? step.subgroup ?? 0;

function stepRow(step, number, onClick) {
  const {line, statement, effect, memory_after: memory} = step;
  const row = element(
    "tr", {"data-step": number},
    [
      String(number + 1), threadChip(leafOf(step)), String(line ?? ""),
      element("code", {}, statement ?? ""), effect ?? "", element("code", {}, memory ?? "")
    ].map((content) => element("td", {}, content)));
  if (onClick) row.addEventListener("click", onClick);
  return row;
}

function stepTable(parts) {
  return element(
    "div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Steps"},
    element(
      "table", {class: "steps"},
      element(
        "thead", {},
        element(
          "tr", {},
          ["step", "thread", "line", "statement", "effect", "memory after"].map(
            (name) => element("th", {scope: "col"}, name)))),
      parts.filter(({rows}) => rows.length > 0)
        .map(({name, rows}) => element(
               "tbody", {},
               element("tr", {class: "part"},
                       element("th", {colspan: 6, scope: "rowgroup"}, name)),
               rows))));
}

function witnessTable({stem, cycle = []}, groups) {
  const onClick = (i) => (system?.step !== null && system !== null ? () => goTo(i) : null);
  const rows = (steps, first) => steps.map((step, i) => stepRow(step, first + i, onClick(first + i)));
  const stuck = cycle.length === 0;
  const parts = [
    {name: stuck ? "steps, and then nobody can take one" : "stem, once", rows: rows(stem, 0)},
    {name: "cycle, for ever", rows: rows(cycle, stem.length)}
  ];
  return element(
    "div", {}, stepper(stem.length + cycle.length, stem.length), stepTable(parts),
    element(
      "details", {}, element("summary", {}, stuck ? "Where everybody is" : "Why this is fair"),
      element("ul", {}, groups.map(([name, text]) => element("li", {}, element("b", {}, name),
                                                            ` ${text}`)))));
}

function wrongTable(steps) {
  return stepTable([{name: "steps, the last of which goes wrong",
                     rows: steps.map((step, i) => stepRow(step, i, null))}]);
}

function whyItPasses(cycles) {
  if (cycles.length === 0)
    return [element("p", {class: "moral"}, "There is no cycle: every execution ends, fair or not.")];
  const shown = cycles.slice(0, 10);
  return [
    element("p", {class: "moral"},
            "Every fair execution ends. Each cycle is left by a step that must be taken:"),
    element(
      "ul", {class: "broken"},
      shown.map(({states, way_out: out}) => element(
                  "li", {}, `${plural(states, "state")}: `, threadChip(leafOf(out)), " ",
                  element("code", {}, out.statement)))),
    element("p", {}, cycles.length > shown.length ? `And ${cycles.length - shown.length} more.` : "")
  ];
}

// The witness, step by step -------------------------------------------------------------------------

function stepper(length, stem) {
  const control = (text, label, id, action) =>
    button(text, {"aria-label": label, title: label, id}, action);
  const slider = element(
    "input", {type: "range", id: "slider", min: 0, max: length, "aria-label": "Step of the witness"});
  slider.value = 0;
  slider.addEventListener("input", () => goTo(Number(slider.value)));
  return element(
    "div", {class: "stepper", role: "group", "aria-label": "Witness"},
    control("\u2190", "Step back", "step-back", () => stepBy(-1)),
    control("\u2192", "Step on", "step-on", () => stepBy(1)),
    stem === length ? null : control("\u21bb", "To the cycle", "step-cycle", () => goTo(stem)),
    slider);
}

function stepBy(change) {
  if (system === null || system.step === null) return;
  const {path, stemLength, steps} = system.analysis;
  let next = system.step + change;
  // Behind the last step of a cycle comes its first.
  if (next > path.length - 1) next = stemLength < steps.length ? stemLength + 1 : path.length - 1;
  goTo(Math.max(0, next));
}

function goTo(step) {
  if (system === null || system.step === null) return;
  system.step = step;
  system.trace = [];
  system.here = system.analysis.path[step];
  showHere();
}

// The transition system, and threads that are scheduled by hand --------------------------------------

function showSystem() {
  if (system === null) {
    byId("system").replaceChildren(
      element("p", {class: "aside"}, "This transition system is too large to be drawn."));
    byId("hand").replaceChildren();
    return;
  }
  system.drawing = drawLts(system.analysis, (chosen) => {
    system.here = chosen;
    system.trace = [];
    showHere();
  });
  const {picture, size, complete} = system.drawing;
  picture.setAttribute("width", size.width);
  picture.setAttribute("height", size.height);
  byId("system").replaceChildren(
    element("div", {class: "canvas", tabindex: 0, role: "region",
                    "aria-label": "Picture of the transition system"},
            picture),
    element("p", {class: "aside"},
            `${complete ? "" : "Too large to be drawn whole. "}A state is its memory and the line ` +
              "each thread is at; red states lie on fair cycles, full arrows must be taken " +
              "sometime."));
  showHere();
}

function showHere() {
  const {analysis, drawing, here, step, trace} = system;
  const {lts, program} = analysis;
  const onWitness = step !== null && trace.length === 0 && analysis.path[step] === here;
  const thread = onWitness && step < analysis.steps.length ? analysis.steps[step] : null;
  drawing.show(here, thread, onWitness ? analysis.path[step + 1] : null);
  const alive = members(lts.alive[here]);
  editor.show({
    threads: alive.map((t) => ({thread: t, line: program.instruction(here, t).line})),
    current: thread === null ? 0 : program.instruction(here, thread).line
  });
  for (const row of byId("run").querySelectorAll("tr[data-step]"))
    row.classList.toggle("here", onWitness && Number(row.dataset.step) === step);
  const slider = byId("slider");
  if (slider !== null && step !== null) slider.value = step;
  const ways = waysOn(lts, here);
  const focus = document.activeElement?.dataset?.way;
  byId("hand").replaceChildren(
    element(
      "p", {class: "state"}, "Memory ", element("code", {}, program.describeMemory(here)),
      ". F = ", element("code", {}, lts.fairTexts[here]), ".",
      analysis.marked.has(here) ? " On a fair cycle." : "",
      trace.length === 0 ? "" : ` By hand: ${trace.map(({thread: t}) => t).join(" ")}.`),
    element(
      "div", {class: "ways", role: "group", "aria-label": "Let a thread step"},
      ways.map(({thread: t, target, effect}, way) => button(
                 "", {"data-way": way, title: `Let ${program.leaf} ${t} step`}, () => {
                   trace.push({thread: t, from: here});
                   system.here = target;
                   showHere();
                 })),
      ways.length === 0 ?
        element("p", {}, alive.length === 0 ? "Everybody has ended." : "Nobody can step.") :
        null,
      trace.length === 0 ? null : button("Undo", {id: "undo"}, () => {
        system.here = trace.pop().from;
        showHere();
      }),
      button("To the start", {id: "restart"}, () => {
        system.here = 0;
        system.trace = [];
        if (system.step !== null) system.step = 0;
        showHere();
      })));
  for (const way of byId("hand").querySelectorAll("[data-way]")) {
    const {thread: t, effect} = ways[way.dataset.way];
    way.append(threadChip(t), ` ${program.describeThread(here, t)} `,
               element("span", {class: "aside"}, effect));
  }
  if (focus !== undefined) byId("hand").querySelector("[data-way]")?.focus();
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
  use(null, names.map((name) => ({name: name.replace(/:(weak|strong)$/, " $1")})));
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

async function residency() {
  const answer = await engine.ask("residency", {
    command: "residency",
    text: state.text,
    file: state.file,
    ...limits()
  });
  if (answer === null) return;
  byId("residency").replaceChildren(
    ...answer.messages.map(({text}) => element("p", {}, text)),
    answer.output === "" ? "" : residencyTable(JSON.parse(answer.output)));
}

function residencyTable(report) {
  const {sizes} = report;
  const word = (needed) => String(needed);
  return element(
    "table", {class: "verdicts"},
    element("thead", {}, element("tr", {}, ["threads", "weak", "strong"].map(
                                   (name) => element("th", {scope: "col"}, name)))),
    element("tbody", {}, sizes.map(({threads, weak, strong}) => element(
                                     "tr", {}, element("th", {scope: "row"}, String(threads)),
                                     [weak, strong].map((n) => element("td", {}, word(n)))))));
}

// Links and examples --------------------------------------------------------------------------------

let examples = [];
let writing = 0;

function remember() {
  clearTimeout(writing);
  writing = setTimeout(async () => {
    const example = examples.find(({file, text}) => file === state.file && text === state.text);
    const plain = example && !hasOwn() && state.more === "" && state.models.join() === kStandard.join();
    const {file, text, models, more, own, chosen} = state;
    const fragment = text === "" && !hasOwn() ? "" :
      plain ? `#example=${example.file}` :
              `#p=${await pack({file, text, models, more, own, chosen})}`;
    if (location.hash !== fragment)
      window.history.replaceState(null, "", fragment === "" ? location.pathname : fragment);
  }, 150);
}

async function readLink() {
  const [, key, value] = /^#(p|example)=(.+)$/.exec(location.hash) ?? [];
  if (key === "example") {
    const example = examples.find(({file}) => file === decodeURIComponent(value));
    if (example) load(example);
    else complain("There is no example of that name.");
  } else if (key === "p") {
    const packed = await unpack(value);
    if (packed === null) complain("This link is damaged: it cannot be read.");
    else load(packed);
  } else {
    listModels();
  }
}

function complain(text) {
  notice = [{kind: "error", text}];
  listModels();
}

const textOr = (value, otherwise) => (typeof value === "string" ? value : otherwise);

function load({file, text, models, more, own, chosen}) {
  notice = [];
  state.file = textOr(file, "test.litmus");
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
  const {file, text, models, more, own, chosen} = state;
  const fragment = `#p=${await pack({file, text, models, more, own, chosen})}`;
  window.history.replaceState(null, "", fragment);
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
    clearTimeout(typing);
    typing = setTimeout(check, kPause);
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
    typingModel = setTimeout(listModels, 2 * kPause);
  }
});

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
  if (example) load({...example, models: state.models, more: state.more, own: state.own});
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
byId("show-residency").addEventListener("click", residency);
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
  if (event.key === "ArrowLeft") stepBy(-1);
  else if (event.key === "ArrowRight") stepBy(1);
  else return;
  event.preventDefault();
});
window.addEventListener("hashchange", readLink);

startTheme();
examples = await (await fetch("examples.json")).json();
buildExamples();
await readLink();
// For the console, and for tests.
window.playground = {state, engine, editor, system: () => system, decided: () => decided};
if ("serviceWorker" in navigator && location.protocol === "https:" || location.hostname === "127.0.0.1" || location.hostname === "localhost")
  navigator.serviceWorker?.register("offline.js");
