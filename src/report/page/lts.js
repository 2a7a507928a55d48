// The transition system of a program under a model, and its fair cycles: the counterpart of
// checker/explore.hpp, components.hpp and fair_cycles.hpp, which say why this is right. Both number
// states alike, so that what they find is equal to the last detail, and tests hold that it is.
//
// A model is an automaton over thread events (models/automaton.hpp): `fair[node]` is F,
// `started[node]` the threads that have started when the model looks at them, and `next` names the
// node after a step.

const kMaxStates = 20000;

// null when there are more than kMaxStates states. A state of the result is a number; `alive`,
// `fair` and `nodes` are by state, `successors` by state and thread, -1 for one that has
// terminated.
function explore(program, automaton) {
  const threads = program.count;
  const lts =
    {program, automaton, threads, states: [], nodes: [], alive: [], fair: [], successors: []};
  const numbers = new Map();
  const reach = (state, node) => {
    const key = String.fromCharCode(node, ...state);
    let number = numbers.get(key);
    if (number === undefined) {
      number = lts.states.length;
      numbers.set(key, number);
      lts.states.push(state);
      lts.nodes.push(node);
      lts.alive.push(program.alive(state));
      lts.fair.push(automaton.fair[node]);
    }
    return number;
  };
  reach(program.initial(), 0);
  for (let source = 0; source < lts.states.length; ++source) {
    if (lts.states.length > kMaxStates) return null;
    for (let t = 0; t < threads; ++t) {
      let target = -1;
      if (has(lts.alive[source], t)) {
        const state = program.step(lts.states[source], t);
        target = reach(state, nodeAfter(program, automaton, lts.nodes[source], state, t));
      }
      lts.successors.push(target);
    }
  }
  return lts;
}

// The node of a model's automaton after a step of `thread` that led to `state`.
function nodeAfter(program, automaton, node, state, thread) {
  const terminates = program.hasTerminated(state, thread) ? 1 : 0;
  return automaton.next[2 * (node * program.count + thread) + terminates];
}

const successor = (lts, state, thread) => lts.successors[state * lts.threads + thread];
// The components, of the states for which `kept` holds, that contain a transition: their states in
// increasing order and the threads that step inside; and for each state the threads whose step
// leaves its component.
function cyclicComponents(lts, kept = () => true) {
  const states = everyState(lts).filter(kept);
  const targets = (state) =>
    members(lts.alive[state]).map((t) => successor(lts, state, t)).filter(kept);
  const {component, count} = strongComponents(lts.states.length, states, targets);
  const all = Array.from({length: count}, () => ({states: [], steps: 0}));
  const leaving = new Int32Array(lts.states.length);
  for (const state of states) {
    const own = all[component[state]];
    own.states.push(state);
    for (const t of members(lts.alive[state])) {
      if (component[successor(lts, state, t)] === component[state])
        own.steps |= bit(t);
      else
        leaving[state] |= bit(t);
    }
  }
  return {components: all.filter((c) => c.steps !== 0), leaving};
}

// The threads that are in F in every one of `states`.
const alwaysFair = (lts, states) => states.reduce((set, s) => set & lts.fair[s], ~0);

// The maximal sets of states that a fair cycle can visit, each a sorted list; none when the test
// passes.
function fairSets(lts, fairness) {
  return fairness === "weak" ? weakSets(lts) : strongSets(lts);
}

function weakSets(lts) {
  return cyclicComponents(lts)
    .components.filter((c) => (alwaysFair(lts, c.states) & ~c.steps) === 0)
    .map((c) => c.states);
}

function strongSets(lts) {
  const result = [];
  let kept = () => true;
  for (;;) {
    const {components, leaving} = cyclicComponents(lts, kept);
    const left = new Set();
    for (const {states} of components) {
      const closed = states.filter((s) => (lts.fair[s] & leaving[s]) === 0);
      if (closed.length === states.length)
        result.push(states);
      else
        for (const state of closed) left.add(state);
    }
    if (left.size === 0) return result;
    kept = (state) => left.has(state);
  }
}
