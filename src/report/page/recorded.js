// A witness that headway has found and put into words: of programs whose threads wait, choose or form
// groups, which the page does not explore. report/html.cpp writes it.

class RecordedRun {
  constructor({leaf, stem, smallest, steps, groups, summary}) {
    this.leaf = leaf;  // what a thread is called
    this.stem = stem;
    this.smallest = smallest;
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
