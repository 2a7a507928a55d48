// The document in the page: the suite, its verdicts, and the models. report/html.cpp writes it.

const report = JSON.parse(document.getElementById("data").textContent);

// A reading is a model under a fairness; readings are numbered in the order of the table.
const readings = report.readings.map(([model, strong]) => {
  const fairness = strong === 1 ? "strong" : "weak";
  const {name, silent} = report.models[model];
  return {model, fairness, name: silent ? name : `${name} ${fairness}`};
});

const kVerdicts = {
  p: "pass",
  f: "fail",
  e: "error",
  "?": "unknown"
};

const engine = engineOf(byId("engine").textContent);
const kSeconds = 10;  // for the engine to answer in

// The tests by column; a test is a number.
const suite = {
  size: report.tests.name.length,
  name: (test) => report.tests.name[test],
  file: (test) => report.texts[report.tests.file[test]],
  identity: (test) => report.tests.identity[test],
  signature: (test) => report.tests.signature[test],
  idiom: (test) => report.tests.idiom[test],  // -1: none
  threads: (test) => report.tests.threads[test],
  instructions: (test) => report.tests.instructions[test],
  verdict: (test, reading) => kVerdicts[report.signatures[report.tests.signature[test]][reading]],
  lines: (test) => report.tests.lines[test].map((text) => report.texts[text]),

  // How its threads are launched, and the order of the readings for that; undefined where the page
  // has none.
  launch: (test) => report.programs[test]?.launch ?? plural(suite.threads(test), "thread"),
  order(test) {
    const launch = report.programs[test]?.launch;
    return launch === undefined ? report.orders[this.threads(test)] : report.shapes[launch];
  },

  // The N of a member of a family; 0 of a test that belongs to none.
  familySize: (test) => report.programs[test]?.size ?? 0,

  // What is in the file of it; null where the engine has to be asked, or nobody can be.
  recorded: (test, reading) => Shown.recorded(report, test, reading),

  // Whether the engine, where there is one, reads the test's language.
  canAsk: (test) => engine !== null && !report.programs[test]?.foreign,

  // What the engine says of it: {shown, why}, of which `shown` is null where it did not say, and
  // `why` then says why not. null when something else was asked before there was an answer.
  async ask(test, reading) {
    const {model, fairness} = readings[reading];
    const request = {
      command: "show",
      text: this.lines(test).join("\n"),
      file: this.name(test),
      models: [report.models[model].name],
      files: report.files,
      fairness,
      timeout: kSeconds
    };
    if (this.familySize(test) > 0) request.threads = String(this.familySize(test));
    const answer = await engine.ask("show", request);
    if (answer === null) return null;
    const why = answer.messages.map(({text}) => text).join("; ");
    if (answer.output === "") return {shown: null, why};
    const document = JSON.parse(answer.output);
    return {shown: new Shown(document, document.texts), why};
  },

  // Tests that are the same program share an identity; the second of them is IDENTITY-2 in links.
  link(test) {
    let earlier = 0;
    for (let t = 0; t < test; ++t)
      if (this.identity(t) === this.identity(test)) ++earlier;
    return earlier === 0 ? this.identity(test) : `${this.identity(test)}-${earlier + 1}`;
  },
  find(link) {
    const [identity, number = "1"] = link.split("-");
    let left = Number(number);
    for (let t = 0; t < this.size; ++t) {
      if (this.identity(t) === identity && --left === 0) return t;
    }
    const named = report.tests.name.indexOf(link);  // as a person writes it
    return named < 0 ? null : named;
  },
};
