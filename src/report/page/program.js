// A test as a program: the counterpart of lang/program.hpp. A state is a Uint8Array, the program
// counters of the threads and then the values of the locations. Sets of threads are bit masks.

const bit = (thread) => 1 << thread;
const has = (set, thread) => (set >> thread & 1) !== 0;
const members = (set) => {
  const list = [];
  for (let thread = 0; set >> thread !== 0; ++thread)
    if (has(set, thread)) list.push(thread);
  return list;
};
const setText = (set) => `{${members(set).join(", ")}}`;

class AxbProgram {
  // `locations`: {name, initial}; `threads`: for each its instructions, {location, check, jump,
  // exchanges, value, statement, line}.
  constructor(locations, threads) {
    this.locations = locations;
    this.threads = threads;
  }

  get count() {
    return this.threads.length;
  }

  initial() {
    return Uint8Array.from([...this.threads.map(() => 0), ...this.locations.map((l) => l.initial)]);
  }

  hasTerminated(state, thread) {
    return state[thread] === this.threads[thread].length;
  }

  alive(state) {
    let set = 0;
    for (let t = 0; t < this.count; ++t)
      if (!this.hasTerminated(state, t)) set |= bit(t);
    return set;
  }

  // The instruction that `thread`, which is alive, executes next.
  instruction(state, thread) {
    return this.threads[thread][state[thread]];
  }

  value(state, location) {
    return state[this.count + location];
  }

  step(state, thread) {
    const i = this.instruction(state, thread);
    const next = state.slice();
    if (i.exchanges) next[this.count + i.location] = i.value;
    next[thread] = this.value(state, i.location) === i.check ? i.jump : state[thread] + 1;
    return next;
  }

  describeMemory(state) {
    return this.locations.map((l, index) => `${l.name}=${this.value(state, index)}`).join(" ");
  }

  describeThread(state, thread) {
    return this.hasTerminated(state, thread) ? "END" : this.instruction(state, thread).statement;
  }

  // What the step of `thread` reads and writes at its one location.
  describeEffect(state, thread) {
    const i = this.instruction(state, thread);
    const store = i.exchanges && i.jump === state[thread] + 1;
    const parts = [];
    if (!store) parts.push(`reads ${this.value(state, i.location)}`);
    if (i.exchanges) parts.push(`writes ${i.value}`);
    return parts.join(", ");
  }
}
