// A witness that headway has found and put into words: of programs whose threads wait, choose or form
// groups, which the page does not explore. report/html.cpp writes it.

class RecordedRun {
  constructor({leaf, stem, smallest, wrong = false, steps, groups, summary}) {
    this.leaf = leaf;  // what a thread is called
    this.stem = stem;
    this.smallest = smallest;
    this.wrong = wrong;    // whether its last step goes wrong
    this.groups = groups;  // [name, what is said of it]
    this.summary = summary;
    this.steps = steps.map(([thread, line, ...texts]) => {
      const [statement, effect, memory, fair] = texts.map((text) => report.texts[text]);
      return {thread, line, statement, effect, memory, fair};
    });
  }

  // Whether it ends, in a state in which nobody can step.
  get isStuck() {
    return this.steps.length === this.stem;
  }
}

// The transition system of such a program, in the shape in which drawing.js and detail.js take one
// that the page has explored (lts.js, explanation.js). report/recorded_system.cpp writes it.
class RecordedProgram {
  constructor(graph) {
    this.leaf = graph.leaf;
    this.states = graph.states.map(([memory, texts, lines, alive, failed]) => ({
      memory: report.texts[memory],
      texts: texts.map((text) => report.texts[text]),
      lines,
      alive,
      failed
    }));
    this.count = this.states[0].texts.length;
  }

  hasTerminated(state, thread) {
    return !has(this.states[state].alive, thread);
  }

  // Who waits says where.
  line(state, thread) {
    const {texts, lines} = this.states[state];
    return lines[thread] || Number(/\(line (\d+)\)/.exec(texts[thread])?.[1] ?? 0);
  }

  instruction(state, thread) {
    return {line: this.line(state, thread)};
  }

  placeOf(state, thread) {
    if (has(this.states[state].failed, thread)) return "error";
    return String(this.line(state, thread) || "start");
  }

  describeMemory(state) {
    return this.states[state].memory;
  }

  describeThread(state, thread) {
    return this.states[state].texts[thread];
  }
}

class RecordedAnalysis {
  // `run` is the witness, null where the test passes.
  constructor({fair, owed, marked, graph, path}, run) {
    const {states, edges} = report.graphs[graph];
    this.program = new RecordedProgram(report.graphs[graph]);
    this.steps = run?.steps.map(({thread}) => thread) ?? [];
    this.stemLength = run?.stem ?? 0;
    this.passes = run === null;
    this.isStuck = run?.isStuck ?? false;
    this.path = path;
    this.marked = new Set(marked);
    const ways = states.map(() => []);
    for (const [from, thread, target, effect] of edges)
      ways[from].push({thread, target, effect: report.texts[effect]});
    this.lts = {
      program: this.program,
      threads: this.program.count,
      automaton: {},
      states: states.map((_, state) => state),
      nodes: states.map(() => 0),
      alive: this.program.states.map(({alive}) => alive),
      fair: owed,
      fairTexts: fair.map((text) => report.texts[text]),
      ways
    };
    this.sets = this.componentsOfMarked();
  }

  componentsOfMarked() {
    const targets = (state) => this.lts.ways[state].map(({target}) => target)
                                 .filter((target) => this.marked.has(target));
    const size = this.lts.states.length;
    const {component, count} = strongComponents(size, [...this.marked], targets);
    const sets = Array.from({length: count}, () => []);
    for (const state of this.marked) sets[component[state]].push(state);
    return sets;
  }
}
