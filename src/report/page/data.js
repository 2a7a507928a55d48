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

// An instruction takes two numbers in a thread's code: which one it is, and its line. A program of
// the idiom language has a table instead (null: one too large for the page).
const instructionCounts = report.tests.code.map(
  (threads, test) => report.programs[test]?.accesses ??
    threads.reduce((sum, code) => sum + code.length / 2, 0));

// What report/html.cpp writes of a program as tables.
function tableProgram({memory, threads}) {
  return new TableProgram(
    memory.map(([name, isArray, low, cells]) => ({name, isArray, low, cells})),
    threads.map((number) => {
      const {initial, locals} = report.tables[number];
      return {
        initial,
        locals: locals.map(([cell, line, statement, registers, reads, writes, ...outcomes]) => ({
          cell,
          line,
          statement: report.texts[statement],
          registers: report.texts[registers],
          reads: reads === 1,
          writes: writes === 1,
          outcomes: Array.from(
            {length: outcomes.length / 2}, (_, value) => outcomes.slice(2 * value, 2 * value + 2))
        }))
      };
    }));
}

// The tests by column; a test is a number.
const suite = {
  size: report.tests.name.length,
  name: (test) => report.tests.name[test],
  file: (test) => report.texts[report.tests.file[test]],
  identity: (test) => report.tests.identity[test],
  signature: (test) => report.tests.signature[test],
  idiom: (test) => report.tests.idiom[test],  // -1: none
  threads: (test) => report.tests.code[test].length,
  instructions: (test) => instructionCounts[test],
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
  isRecorded: (test) => report.programs[test]?.launch !== undefined,

  program(test) {
    const tables = report.programs[test];
    if (tables !== undefined) return tableProgram(tables);
    const locations = report.locations[report.tests.locations[test]].map(
      ([name, initial]) => ({name: report.texts[name], initial}));
    const threads = report.tests.code[test].map((code) => {
      const instructions = [];
      for (let i = 0; i < code.length; i += 2) {
        const [location, check, jump, exchanges, value, statement] = report.instructions[code[i]];
        instructions.push({
          location,
          check,
          jump,
          exchanges: exchanges === 1,
          value,
          statement: report.texts[statement],
          line: code[i + 1]
        });
      }
      return instructions;
    });
    return new AxbProgram(locations, threads);
  },

  // The automaton of a reading's model; null where the page has no tables for so many threads.
  automaton(test, reading) {
    return report.automata[this.threads(test)]?.[readings[reading].model] ?? null;
  },

  // What the page finds out for itself; null where it cannot.
  analysis(test, reading) {
    const automaton = this.automaton(test, reading);
    if (automaton === null || report.programs[test]?.threads === null) return null;
    if (this.verdict(test, reading) === "error") return null;
    const analysis = new Analysis(this.program(test), automaton, readings[reading].fairness);
    return analysis.lts === null ? null : analysis;
  },

  // The witness that came with the page, of a program that it does not explore; null where it has
  // none.
  run(test, reading) {
    const number = report.programs[test]?.runs?.[reading];
    return number === undefined ? null : new RecordedRun(report.runs[number]);
  },

  // The same of its transition system, with the witness where there is one.
  recordedAnalysis(test, reading) {
    const number = report.programs[test]?.systems?.[reading];
    if (number === undefined) return null;
    return new RecordedAnalysis(report.systems[number], this.run(test, reading));
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
