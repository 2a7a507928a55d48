// A test as a program: the counterpart of lang/program.hpp. A state is an array of numbers, one a
// thread that says where it stands, and then the values in memory. Sets of threads are bit masks.

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

  // Where a thread that is alive stands: the line of its next statement, where that says it.
  placeOf(state, thread) {
    const lines = this.threads[thread].map((i) => i.line);
    const pc = state[thread];
    return new Set(lines).size === lines.length ? String(lines[pc]) : `#${pc}`;
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

// A program of the idiom language as tables, those of lang/step_tables.hpp: a thread stands in one
// of its local states, each of which has a step that reads one cell of memory.
class TableProgram {
  // `memory`: {name, isArray, low, cells: initial values less low}, in order; a cell that no variable
  // has, behind the last, is read by steps without an access. `threads`: {initial, locals}, locals
  // {cell, line, statement, registers, reads, writes, outcomes: [local state, value] by value read}.
  // The local state behind the last is the end, the next one where the thread has failed.
  constructor(memory, threads) {
    this.memory = memory;
    this.threads = threads;
    this.cells = memory.flatMap((variable) => variable.cells);
    this.lows = memory.flatMap((variable) => variable.cells.map(() => variable.low));
  }

  get count() {
    return this.threads.length;
  }

  initial() {
    return Uint16Array.from([...this.threads.map((t) => t.initial), ...this.cells, 0]);
  }

  hasTerminated(state, thread) {
    return state[thread] === this.threads[thread].locals.length;
  }

  alive(state) {
    let set = 0;
    for (let t = 0; t < this.count; ++t)
      if (!this.hasTerminated(state, t)) set |= bit(t);
    return set;
  }

  // The local state of `thread`, which is alive.
  instruction(state, thread) {
    return this.threads[thread].locals[state[thread]] ?? {line: 0, statement: "ERROR"};
  }

  step(state, thread) {
    const local = this.instruction(state, thread);
    if (local.outcomes === undefined) return state;  // has failed
    const next = state.slice();
    const cell = this.count + local.cell;
    [next[thread], next[cell]] = local.outcomes[state[cell]];
    return next;
  }

  placeOf(state, thread) {
    const {line} = this.instruction(state, thread);
    return line > 0 ? String(line) : "start";
  }

  describeMemory(state) {
    let cell = this.count;
    return this.memory
      .map(({name, isArray, low, cells}) => {
        const values = cells.map(() => state[cell++] + low).join(",");
        return `${name}=${isArray ? `{${values}}` : values}`;
      })
      .join(" ");
  }

  describeThread(state, thread) {
    if (this.hasTerminated(state, thread)) return "END";
    const {statement, registers} = this.instruction(state, thread);
    return registers ? `${statement} [${registers}]` : statement;
  }

  describeEffect(state, thread) {
    const local = this.instruction(state, thread);
    if (local.outcomes === undefined) return "";
    const parts = [];
    const value = (where) => where[this.count + local.cell] + (this.lows[local.cell] ?? 0);
    const next = this.step(state, thread);
    if (local.reads) parts.push(`reads ${value(state)}`);
    if (local.writes || value(next) !== value(state)) parts.push(`writes ${value(next)}`);
    if (!local.reads && !local.writes) parts.push("computes");
    if (next[thread] > this.threads[thread].locals.length) parts.push("goes wrong");
    return parts.join(", ");
  }
}
