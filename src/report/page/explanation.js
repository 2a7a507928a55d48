// An explanation in words: the counterpart of report/explanation.cpp, sentence by sentence.

// A verdict with the reasons for it. `lts` is null when the program is too large for the page;
// nothing else is there then.
class Analysis {
  constructor(program, automaton, fairness) {
    this.program = program;
    this.fairness = fairness;
    this.lts = explore(program, automaton);
    if (this.lts === null) return;
    this.sets = fairSets(this.lts, fairness);
    this.passes = this.sets.length === 0;
    this.marked = new Set(this.sets.flat());
    if (this.passes) {
      this.broken = brokenCycles(this.lts, fairness);
      return;
    }
    this.witness = findWitness(this.lts, fairness, this.sets);
    const {stem, cycle} = this.witness;
    this.objection = objection(program, automaton, fairness, this.witness);
    this.steps = [...stem, ...cycle];
    this.path = statesAlong(this.lts, 0, this.steps);  // before each step, and after the last
  }

  // The states before each step of the cycle, and who steps in it or never does.
  get cycleStates() {
    return this.path.slice(this.witness.stem.length, -1);
  }
  get stepping() {
    return this.witness.cycle.reduce((set, t) => set | bit(t), 0);
  }
  get starved() {
    return this.lts.alive[this.cycleStates[0]] & ~this.stepping;
  }

  // The threads that have taken a step when the cycle goes round.
  get startedInCycle() {
    return this.steps.reduce((set, t) => set | bit(t), 0);
  }

  // Why fairness asks nothing of `thread` that the cycle does not do.
  whyFair(thread) {
    const states = this.cycleStates;
    const steps = has(this.stepping, thread);
    const standing = has(this.startedInCycle, thread) ? ": it has started" : ": it has not started";
    if (!has(this.lts.alive[states[0]], thread)) return "has terminated";
    if (this.fairness === "strong") {
      if (states.some((s) => has(this.lts.fair[s], thread))) {
        return "takes every step that it is guaranteed in the cycle";
      }
      return steps ? "steps in the cycle, and is guaranteed nothing in it" :
                     `is nowhere guaranteed in the cycle${standing}`;
    }
    if (steps) return "steps in the cycle";
    const at = states.findIndex((s) => !has(this.lts.fair[s], thread));
    return `is not guaranteed before step ${at + 1} of the cycle, where F = ` +
      `${setText(this.lts.fair[states[at]])}${standing}`;
  }

  // One sentence about what goes wrong.
  moral() {
    const {starved, stepping} = this;
    const loop = members(stepping).length === 1 ? "loops" : "loop";
    if (starved !== 0) {
      const are = members(starved).length === 1 ? "is" : "are";
      const when = (starved & this.startedInCycle) === 0 ? "at all" : "again";
      return `${capital(threadNames(starved))} ${are} starved: never scheduled ${when}, while ` +
        `${threadNames(stepping)} ${loop} for ever.`;
    }
    if (members(stepping).length === 1) {
      return `${capital(threadNames(stepping))} loops for ever on its own.`;
    }
    return `A livelock: ${threadNames(stepping)} keep stepping for ever and none of them ` +
      "terminates.";
  }

  // Why a cycle that `broken` describes cannot go on for ever, in two sentences.
  whyBroken(broken) {
    const {lts} = this;
    const statement = this.program.describeThread(lts.states[broken.at], broken.thread);
    const who = threadNames(broken.breakers);
    const one = members(broken.breakers).length === 1;
    const steps = `${plural(broken.states, "state")}; ${threadNames(broken.steps)} ` +
      `${members(broken.steps).length === 1 ? "steps" : "step"} in it.`;
    if (this.fairness === "weak") {
      return `${steps} ${capital(who)} ${one ? "is" : "are"} guaranteed all along and must step, ` +
        `which leaves the cycle: ${statement}`;
    }
    const must = `${steps} Where F = ${setText(lts.fair[broken.at])}, thread ` +
      `${broken.thread} must take its step, which leaves the cycle: ${statement}`;
    if (broken.remaining === 0) return must;
    return `${must} ${plural(broken.remaining, "state")} without such a step ` +
      `${broken.remaining === 1 ? "is" : "are"} looked at again without the others.`;
  }
}
