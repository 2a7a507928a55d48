// Puts the page together: what is chosen, the link that says so, keys and colours.

const main = byId("main");
// `asked`: a reading was chosen, and not just taken.
const view = {
  test: null,
  reading: 0,
  asked: false,
  detail: null
};

const filters = new Filters(() => {
  table.show(filters.apply());
  tellCount();
  later(writeLink);
});
const updateFilters = buildFilters(byId("filters"), filters);
const table = new Table(byId("table"), filters, {
  choose: (test, reading) => choose(test, reading),
  open: () => openDetail(),
});

function tellCount() {
  const shown = table.rows.length;
  byId("count").textContent = shown === suite.size ?
    plural(shown, "test") :
    `${shown.toLocaleString("en")} of ${plural(suite.size, "test")}`;
  byId("clear").hidden = !filters.active;
  updateFilters();
}

// Links -----------------------------------------------------------------------------------------

let waiting = null;
function later(action) {
  clearTimeout(waiting);
  waiting = setTimeout(action, 150);
}

function writeLink(push = false) {
  clearTimeout(waiting);
  const parameters = new URLSearchParams();
  if (view.test !== null) {
    parameters.set("test", suite.link(view.test));
    const {model, fairness} = readings[view.reading];
    parameters.set("model", report.models[model].name);
    parameters.set("fairness", fairness);
    if (view.detail.position > 0) parameters.set("step", view.detail.position);
  }
  filters.write(parameters);
  const link = `#${parameters}`;
  if (link === location.hash || (link === "#" && location.hash === "")) return;
  history[push ? "pushState" : "replaceState"](null, "", link);
}

function readLink() {
  const parameters = new URLSearchParams(location.hash.slice(1));
  filters.read(parameters);
  table.show(filters.apply());
  tellCount();
  const link = parameters.get("test");
  // One test is what a report of it is opened for.
  const only = suite.size === 1 ? 0 : null;
  const test = link === null ? only : suite.find(link);
  const lost = link !== null && test === null ?
    [`The link names a test that is not in this report: ${link}`] :
    [];
  showProblems([...report.problems, ...lost]);
  if (test === null) {
    overview();
    return;
  }
  const reading = readings.findIndex(
    (r) => report.models[r.model].name === parameters.get("model") &&
      (r.fairness === parameters.get("fairness") || report.models[r.model].silent));
  view.asked = reading >= 0;
  main.classList.add("open");
  showTest(
    test, reading >= 0 ? reading : defaultReading(test), Number(parameters.get("step")) || 0);
}

// Choosing --------------------------------------------------------------------------------------

// The reading to show first: the strongest that does not suffice has the most to tell.
function defaultReading(test) {
  if (view.asked) return view.reading;
  const order = suite.order(test);
  const fails = (r) => suite.verdict(test, r) === "fail";
  const nodes = (order?.nodes ?? readings.map((_, r) => [r])).map((node) => node[0]).filter(fails);
  return nodes.length > 0 ? nodes[nodes.length - 1] : readings.length - 1;
}

function choose(test, reading) {
  const first = view.test === null;
  if (reading !== null) view.asked = true;
  showTest(test, reading ?? defaultReading(test), 0);
  if (first)
    writeLink(true);
  else
    later(writeLink);
}

function chooseReading(reading) {
  view.asked = true;
  showTest(view.test, reading, 0);
  later(writeLink);
}

function showTest(test, reading, position) {
  if (view.test !== test || view.detail === null) {
    view.test = test;
    view.detail = new Detail(test, {choose: chooseReading, moved: () => later(writeLink)});
    byId("detail").replaceChildren(detailHead(test), view.detail.columns);
    byId("detail").scrollTop = 0;
  }
  view.reading = reading;
  view.detail.show(reading, position);
  table.select(test, reading);
}

function detailHead(test) {
  const copy = button("Copy link", {title: "Copy a link to this test"}, async () => {
    writeLink();
    let text = "Copied";
    try {
      await navigator.clipboard.writeText(location.href);
    } catch {
      text = "Copy the address of this page";
    }
    copy.textContent = text;
    setTimeout(() => {
      copy.textContent = "Copy link";
    }, 2000);
  });
  const alike = report.tests.signature.filter((s) => s === suite.signature(test)).length - 1;
  const idiom = suite.idiom(test);
  return element(
    "header", {class: "detail-head"},
    element(
      "div", {class: "tools"},
      button("\u2190 Tests", {id: "back", class: "back"}, () => closeDetail()),
      button(
        "\u2191", {"aria-label": "Previous test", title: "Previous test (k)", id: "previous"},
        () => neighbour(-1)),
      button(
        "\u2193", {"aria-label": "Next test", title: "Next test (j)", id: "next"},
        () => neighbour(1)),
      copy),
    element("h2", {tabindex: -1, id: "test-name"}, suite.name(test)),
    element(
      "p", {class: "facts"},
      [suite.launch(test), plural(suite.instructions(test), "instruction")].join(", "),
      element("span", {}, suite.file(test)),
      idiom < 0 ? null : element("span", {class: "tag"}, `idiom: ${report.idioms[idiom]}`),
      alike === 0 ?
        element("span", {}, "the only test with these verdicts") :
        button(`${plural(alike, "other test")} with these verdicts`, {class: "link"}, () => {
          filters.reset();
          filters.signature = suite.signature(test);
          filters.changed();
        })));
}

// The test `by` rows from the chosen one.
function neighbour(by) {
  const at = table.rows.indexOf(view.test);
  const to = table.rows[at < 0 ? 0 : at + by];
  if (to !== undefined) choose(to, null);
}

// On a narrow screen the details take the place of the list.
const isNarrow = () => getComputedStyle(byId("detail")).position === "fixed";

function openDetail() {
  main.classList.add("open");
  if (!isNarrow()) return;
  view.detail.explorer.fit();
  byId("test-name").focus({preventScroll: true});
}

function closeDetail() {
  main.classList.remove("open");
  byId("grid").focus();
}

// The overview ----------------------------------------------------------------------------------

function overview() {
  view.test = null;
  view.detail = null;
  main.classList.remove("open");
  table.select(null, null);
  const box = byId("detail");
  box.replaceChildren(element(
    "header", {class: "detail-head"},
    element("div", {class: "tools"}, button("\u2190 Tests", {class: "back"}, closeDetail)),
    element("h2", {tabindex: -1, id: "test-name"}, "Overview"),
    element(
      "p", {class: "facts"},
      suite.size === 0 ?
        "This suite has no tests." :
        `${plural(suite.size, "test")} with ${plural(report.signatures.length, "signature")} ` +
          `under ${plural(readings.length, "reading")} of ` +
          plural(report.models.length, "model"))));
  const card = (threads) => element(
    "section", {class: "card", "aria-label": `Order for ${plural(threads, "thread")}`},
    element(
      "h3", {}, `Order of the models for ${plural(threads, "thread")} `,
      element("span", {class: "aside"}, "what passes below passes above")),
    element("div", {class: "order-box"}, orderWithCounts(threads)));
  const cards = Object.keys(report.orders).map((threads) => card(Number(threads)));
  const models = element(
    "section", {class: "card", "aria-label": "Models"}, element("h3", {}, "Models"),
    element(
      "dl", {class: "models"},
      report.models.map(
        (model) => element(
          "div", {}, element("dt", {}, model.name),
          element(
            "dd", {}, "F = ", element("code", {}, model.definition), element("br"),
            model.summary)))));
  box.append(
    element("div", {class: "columns"}, element("div", {}, cards), element("div", {}, models)));
  byId("detail").scrollTop = 0;
}

// The order for tests of so many threads, each node with how many of them pass, which it leads to.
function orderWithCounts(threads) {
  const counts = readings.map(() => 0);
  let all = 0;
  for (let t = 0; t < suite.size; ++t) {
    if (suite.order(t) !== report.orders[threads]) continue;
    ++all;
    const letters = report.signatures[suite.signature(t)];
    readings.forEach((_, r) => {
      if (letters[r] === "p") ++counts[r];
    });
  }
  return drawOrder(report.orders[threads], plural(threads, "thread"), {
    classOf: () => "plain",
    lineOf: (node) => {
      const [some, most] = [counts[node[0]], all].map((count) => count.toLocaleString("en"));
      return all === 0 ? null : `${some} of ${most} pass`;
    },
    choose: (r) => {
      filters.reset();
      filters.wanted.set(r, "pass");
      if (all < suite.size) filters.threads.add(threads);
      filters.changed();
    },
  });
}

// The page --------------------------------------------------------------------------------------

function showProblems(problems) {
  byId("problems").hidden = problems.length === 0;
  byId("problems").replaceChildren(...problems.map((text) => element("p", {}, text)));
}

const kThemes = ["auto", "light", "dark"];
function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  byId("theme")
    .textContent = {auto: "\u25d0 Auto", light: "\u25cb Light", dark: "\u25cf Dark"}[theme];
  byId("theme").setAttribute("aria-label", `Colours: ${theme}`);
  byId("theme").title = "Colours: as the system says, light or dark";
}

function storedTheme(theme) {
  try {  // a browser may refuse storage to a local file
    if (theme !== undefined) localStorage.setItem("headway-theme", theme);
    return localStorage.getItem("headway-theme");
  } catch {
    return null;
  }
}

function buildHelp() {
  const keys = [
    ["j, k", "next and previous test"], ["\u2190, \u2192", "step the witness"], ["/", "search"],
    ["o", "overview"], ["?", "this help"],
    ["arrows in the table", "move from test to test and from model to model"],
    ["Enter in the table", "open the details of a test"]
  ];
  byId("help").replaceChildren(
    element("h2", {id: "help-title"}, "How to read this"),
    element(
      "p", {},
      "A test passes under a model when every execution that is fair under the model ends. It " +
        "fails when one goes on for ever: then the details show one such execution, the witness. " +
        "F is the set of threads that the model guarantees to run at a point. Strong fairness " +
        "excludes more executions than weak, so more tests pass under it."),
    element(
      "p", {}, verdictMark("pass"), " pass ", verdictMark("fail"), " fail ", verdictMark("unknown"),
      " not decided. The boxes above the columns filter: any, only pass, only fail."),
    element(
      "dl", {class: "keys"},
      keys.map(
        ([key, what]) =>
          element("div", {}, element("dt", {}, element("kbd", {}, key)), element("dd", {}, what)))),
    element("p", {class: "aside"}, `Made by headway ${report.version}.`),
    button("Close", {id: "help-close"}, () => byId("help").close()));
}

function onKey(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || byId("help").open) return;
  const {target} = event;
  const hasArrows =
    target.closest("input, select, [role=grid], .scroll, .canvas, .listing") !== null;
  const actions = {
    "/": () => byId("search").focus(),
    "?": () => byId("help").showModal(),
    o: () => goHome(),
    j: () => neighbour(1),
    k: () => neighbour(-1),
    ArrowLeft: () => view.detail?.explorer.stepBy(-1),
    ArrowRight: () => view.detail?.explorer.stepBy(1),
  };
  const inText = target.closest("input[type=search], select") !== null;
  const arrow = event.key.startsWith("Arrow");
  if (inText || (arrow && hasArrows) || !(event.key in actions)) return;
  event.preventDefault();
  actions[event.key]();
}

function goHome() {
  overview();
  writeLink();
  main.classList.add("open");
}

document.title = report.title;
byId("home").textContent = report.title;
byId("about").textContent = suite.size === 0 ? "no tests" : "progress litmus tests";
byId("home").addEventListener("click", goHome);
byId("clear").addEventListener("click", () => {
  filters.reset();
  filters.changed();
});
byId("skip").addEventListener("click", () => byId("grid").focus());
byId("theme").addEventListener("click", () => {
  const theme = kThemes[(kThemes.indexOf(document.documentElement.dataset.theme) + 1) % 3];
  setTheme(theme);
  storedTheme(theme);
});
byId("help-open").addEventListener("click", () => byId("help").showModal());
document.addEventListener("keydown", onKey);
window.addEventListener("popstate", readLink);
const remembered = storedTheme();
setTheme(kThemes.includes(remembered) ? remembered : "auto");
main.classList.toggle("with-devices", report.devices.length > 0);
buildHelp();
readLink();

// For the console: what the page knows, and what it is waiting for.
window.headway = {
  report,
  readings,
  suite,
  hasEngine: engine !== null,
  busy: () => view.detail?.loading === true
};
