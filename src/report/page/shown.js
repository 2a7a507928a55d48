// What is shown of a test under a reading: its verdict, an execution or reasons, and the transition
// system. All of it comes from report/shown_test.cpp, by a report's file or by the engine.

class Shown {
  // `states` is null where there is none, or too many; so is `path`, the states before each step of
  // `run` and after its last.
  constructor({verdict, run, reasons, graph, reading, path}, texts) {
    this.verdict = verdict;
    this.reasons = reasons ?? null;
    this.run = run ? {...run, steps: run.steps.map((step) => Shown.step(step, texts))} : null;
    this.leaf = graph?.leaf ?? run?.leaf ?? "thread";
    this.path = path ?? null;
    this.states = graph ? Shown.states(graph, reading, texts) : null;
  }

  // What a file of a report holds of its test of that number under a reading; null where it holds nothing.
  static recorded(file, test, reading) {
    const numbers = file.shown[test];
    if (numbers === undefined) return null;
    const {run, graph, ...rest} = file.views[numbers[reading]];
    return new Shown({...rest, run: file.runs[run], graph: file.graphs[graph]}, file.texts);
  }

  static step([thread, line, ...numbers], texts) {
    const [statement, effect, memory, fair] = numbers.map((number) => texts[number]);
    return {thread, line, statement, effect, memory, fair};
  }

  // `set` numbers the fair cycles that a state lies on, -1 for none.
  static states(graph, {fair, owed, sets, started}, texts) {
    const thread = (s, t, does, at, alive, failed) => {
      let place = String(at || "start");
      if (has(failed, t)) place = "error";
      if (started && !has(started[s], t)) place = "\u2013";
      if (!has(alive, t)) place = "end";
      const line = parseInt(at, 10);
      return {does: texts[does], line, place, isAlive: has(alive, t), isOwed: has(owed[s], t)};
    };
    const states = graph.states.map(([memory, does, places, alive, failed], s) => {
      const threads = does.map((text, t) => thread(s, t, text, places[t], alive, failed));
      const set = sets.findIndex((each) => each.includes(s));
      return {
        memory: texts[memory],
        fair: texts[fair[s]],
        started: started?.[s],
        set,
        threads,
        ways: []
      };
    });
    for (const [from, t, target, effect] of graph.edges)
      states[from].ways.push({thread: t, target, effect: texts[effect]});
    return states;
  }

  // Whether the run ends in a state in which nobody can step.
  get isStuck() {
    return !this.run.wrong && this.run.steps.length === this.run.stem;
  }
  get onCycles() {
    return this.states.filter(({set}) => set >= 0).length;
  }
}
