// Why a test fails, as an execution that is fair and never ends (checker/witness.hpp), judged by
// running it (checker/replay.hpp); and why a test passes (checker/explain.hpp).
//
// A lasso is {stem, cycle}: the threads that step, the stem once and the cycle for ever.

const kEffort = 1000000;  // steps that the search for a smallest cycle may look at

// A shortest walk of at least `least` (0 or 1) steps, through `allowed` states, to one that is a
// `goal`: {threads, end}; null when there is none.
function shortestWalk(lts, from, least, allowed, goal) {
  if (least === 0 && goal(from)) return {threads: [], end: from};
  const cameFrom = new Map();
  if (least === 0) cameFrom.set(from, null);
  const queue = [from];
  for (const state of queue) {
    for (const t of members(lts.alive[state])) {
      const next = successor(lts, state, t);
      if (cameFrom.has(next) || !allowed(next)) continue;
      cameFrom.set(next, {state, thread: t});
      if (goal(next)) return {threads: traceBack(cameFrom, from, next), end: next};
      queue.push(next);
    }
  }
  return null;
}

function traceBack(cameFrom, from, end) {
  const threads = [];
  let state = end;
  do {
    const step = cameFrom.get(state);
    threads.push(step.thread);
    state = step.state;
  } while (state !== from);
  return threads.reverse();
}

const shortestStem = (lts, to) =>
  shortestWalk(lts, 0, 0, () => true, (state) => state === to).threads;

// Weak fairness ------------------------------------------------------------------------------

// Shortest paths in the product of a component with the threads that the walk has settled: those
// that step in it, and those that are absent from F in one of its states.
class SmallestCycle {
  constructor(lts) {
    this.lts = lts;
    this.all = bit(lts.threads) - 1;
    this.effort = 0;
    this.gaveUp = false;
  }

  absent(state) {
    return this.all & ~this.lts.fair[state];
  }

  // A fair cycle through `start`, inside `member`, of fewer than `bound` steps, or null.
  find(start, member, bound) {
    const nodes = [];
    const known = new Set();
    const add = (state, settled, parent, thread, length) => {
      const key = state * (this.all + 1) + settled;
      if (known.has(key)) return;
      known.add(key);
      nodes.push({state, settled, parent, thread, length});
    };
    add(start, this.absent(start), null, -1, 0);
    for (const node of nodes) {
      if (node.length + 1 >= bound) return null;
      for (const t of members(this.lts.alive[node.state])) {
        const next = successor(this.lts, node.state, t);
        if (!member.has(next)) continue;
        const settled = node.settled | bit(t) | this.absent(next);
        if (next === start && settled === this.all) return SmallestCycle.trace(node, t);
        add(next, settled, node, t, node.length + 1);
        if (++this.effort > kEffort) {
          this.gaveUp = true;
          return null;
        }
      }
    }
    return null;
  }

  static trace(node, last) {
    const threads = [last];
    for (; node.parent !== null; node = node.parent) threads.push(node.thread);
    return threads.reverse();
  }
}

// Some fair cycle of a component: it settles one thread after the other.
function someCycle(lts, component) {
  const member = new Set(component);
  const inside = (state) => member.has(state);
  const start = component[0];
  const cycle = [];
  let here = start;
  const extend = (walk) => {
    cycle.push(...walk.threads);
    here = walk.end;
  };
  for (let t = 0; t < lts.threads; ++t) {
    const settles = (state) =>
      !has(lts.fair[state], t) || (has(lts.alive[state], t) && inside(successor(lts, state, t)));
    extend(shortestWalk(lts, here, 0, inside, settles));
    if (has(lts.fair[here], t)) extend({threads: [t], end: successor(lts, here, t)});
  }
  extend(shortestWalk(lts, here, cycle.length === 0 ? 1 : 0, inside, (s) => s === start));
  return cycle;
}

function weakWitness(lts, sets) {
  const starts = sets.flatMap((states) => {
    const member = new Set(states);
    return states.map((state) => ({state, member, states}));
  });
  starts.sort((a, b) => a.state - b.state);
  const search = new SmallestCycle(lts);
  let entry = starts[0].state;
  let cycle = null;
  for (const {state, member} of starts) {
    const shorter = search.find(state, member, cycle === null ? Infinity : cycle.length);
    if (search.gaveUp) break;
    if (shorter === null) continue;
    cycle = shorter;
    entry = state;
    if (cycle.length === 1) break;
  }
  cycle ??= someCycle(lts, starts[0].states);
  return {stem: shortestStem(lts, entry), cycle, smallest: !search.gaveUp};
}

// Strong fairness ----------------------------------------------------------------------------

// A strongly connected set inside `states` that has a step and that no guaranteed step leaves, as
// small as the bottom components of the guaranteed steps, or a shortest cycle, make it.
function smallestClosed(lts, states) {
  const member = new Set(states);
  const inside = (state) => member.has(state);
  const targets = (state) => members(lts.fair[state]).map((t) => successor(lts, state, t));
  const {component, count} =
    strongComponents(lts.states.length, states, (state) => targets(state).filter(inside));
  const bottoms = Array.from({length: count}, () => ({states: [], closed: true}));
  for (const state of states) {
    const bottom = bottoms[component[state]];
    bottom.states.push(state);
    if (lts.fair[state] === 0) bottom.closed = false;
    if (targets(state).some((to) => component[to] !== component[state])) bottom.closed = false;
  }
  let best = states;
  for (const bottom of bottoms) {
    if (bottom.closed && bottom.states.length < best.length) best = bottom.states;
  }
  if (states.some((state) => lts.fair[state] !== 0)) return best;
  for (const start of states) {
    const walk = shortestWalk(lts, start, 1, inside, (state) => state === start);
    if (walk === null || walk.threads.length >= best.length) continue;
    best = statesAlong(lts, start, walk.threads).slice(0, -1).sort((a, b) => a - b);
    if (best.length === 1) break;
  }
  return best;
}

// A closed walk inside a closed set, from its first state, that takes every guaranteed step.
function coveringCycle(lts, states) {
  const member = new Set(states);
  const inside = (state) => member.has(state);
  const owed = new Map();
  for (const state of states)
    if (lts.fair[state] !== 0) owed.set(state, lts.fair[state]);
  const start = states[0];
  const cycle = [];
  let here = start;
  const take = (threads) => {
    for (const t of threads) {
      const debt = owed.get(here);
      if (debt !== undefined && (debt & ~bit(t)) === 0)
        owed.delete(here);
      else if (debt !== undefined)
        owed.set(here, debt & ~bit(t));
      cycle.push(t);
      here = successor(lts, here, t);
    }
  };
  while (owed.size > 0) {
    take(shortestWalk(lts, here, 0, inside, (state) => owed.has(state)).threads);
    if (owed.has(here)) take([members(owed.get(here))[0]]);
  }
  take(shortestWalk(lts, here, cycle.length === 0 ? 1 : 0, inside, (s) => s === start).threads);
  return cycle;
}

function strongWitness(lts, sets) {
  const closed = sets.map((states) => smallestClosed(lts, states));
  closed.sort((a, b) => a.length - b.length || a[0] - b[0]);
  const [states] = closed;
  return {
    stem: shortestStem(lts, states[0]),
    cycle: coveringCycle(lts, states),
    smallest: true,
    closed: states
  };
}

const findWitness = (lts, fairness, sets) =>
  fairness === "weak" ? weakWitness(lts, sets) : strongWitness(lts, sets);

function statesAlong(lts, from, threads) {
  const states = [from];
  for (const t of threads) states.push(successor(lts, states[states.length - 1], t));
  return states;
}

// The judge ----------------------------------------------------------------------------------

// Why a lasso does not show that a test fails, or null when it does. Runs the program and applies
// the definitions of fairness; shares nothing with the search but the step and the model.
function objection(program, automaton, fairness, {stem, cycle}) {
  let state = program.initial();
  let node = 0;
  const moment = () => `${node} ${state}`;
  const run = (thread) => {
    if (!has(program.alive(state), thread)) return false;
    state = program.step(state, thread);
    node = nodeAfter(program, automaton, node, state, thread);
    return true;
  };
  if (!stem.every(run)) return "a thread steps that has terminated";
  if (cycle.length === 0) return "the cycle has no step";
  const entry = moment();
  const seen = [];  // before each step of the cycle
  for (const thread of cycle) {
    seen.push({at: moment(), fair: automaton.fair[node], thread});
    if (!run(thread)) return "a thread steps that has terminated";
  }
  if (moment() !== entry) return "the cycle does not end where it began";
  if (fairness === "weak") {
    const always = seen.reduce((set, {fair}) => set & fair, ~0);
    const idle = members(always).find((t) => !cycle.includes(t));
    return idle === undefined ? null : `thread ${idle} is guaranteed throughout and never steps`;
  }
  for (const {at, fair} of seen) {
    const owed = members(fair).find((t) => !seen.some((s) => s.at === at && s.thread === t));
    if (owed !== undefined) return `a guaranteed step of thread ${owed} is never taken`;
  }
  return null;
}

// Why a test passes --------------------------------------------------------------------------

// The cycles and what makes every fair execution leave each, in the order in which executions can
// reach them: {round, states, steps, breakers, remaining, at, thread}, where the guaranteed step of
// `thread` from state `at` is a way out.
function brokenCycles(lts, fairness) {
  const broken = [];
  let kept = () => true;
  for (let round = 1;; ++round) {
    const {components, leaving} = cyclicComponents(lts, kept);
    if (components.length === 0) break;
    const left = new Set();
    for (const {states, steps} of components) {
      const cycle = {
        round,
        first: states[0],
        states: states.length,
        steps,
        breakers: 0,
        remaining: 0,
        at: states[0],
        thread: 0
      };
      if (fairness === "weak") {
        cycle.breakers = alwaysFair(lts, states) & ~steps;
      } else {
        const forced = states.filter((s) => (lts.fair[s] & leaving[s]) !== 0);
        for (const state of forced) cycle.breakers |= lts.fair[state] & leaving[state];
        [cycle.at] = forced;
        cycle.remaining = states.length - forced.length;
        for (const s of states)
          if ((lts.fair[s] & leaving[s]) === 0) left.add(s);
      }
      const out = fairness === "weak" ? cycle.breakers : lts.fair[cycle.at] & leaving[cycle.at];
      [cycle.thread] = members(out);
      broken.push(cycle);
    }
    if (fairness === "weak") break;
    kept = (state) => left.has(state);
  }
  return broken.sort((a, b) => a.round - b.round || a.first - b.first);
}
