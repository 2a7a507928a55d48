// The page's side of the engine's worker. Of requests of one kind only the last matters; an older one
// has a moment to end, and is then given up with the worker that it runs in.

const kPatience = 150;  // milliseconds

const failed = (why) => ({
  status: 3,
  messages: [{kind: "limit", text: `the engine gave up: ${why}`}],
  output: ""
});

export class Engine {
  #module;
  #worker = null;
  #next = 0;
  #waiting = new Map();  // by id: {kind, request, resolve}

  // `changed()` is called when it begins to work or has nothing left to do.
  constructor(changed) {
    this.changed = changed;
    this.#module = fetch("headway_engine.wasm").then(async (response) => {
      if (!response.ok) throw new Error(`headway_engine.wasm: ${response.status}`);
      return WebAssembly.compile(await response.arrayBuffer());
    });
    this.#start();
  }

  async #start() {
    const worker = new Worker("worker.js");
    this.#worker = worker;
    worker.onmessage = ({data: {id, answer, failure}}) => {
      const entry = this.#waiting.get(id);
      this.#waiting.delete(id);
      entry?.resolve(answer ?? failed(failure));
      // Whoever runs out of memory, or of stack, leaves it as it was then.
      if (failure) this.#restart();
      this.changed();
    };
    worker.onerror = () => this.#fail("its worker did not start");
    try {
      const module = await this.#module;
      if (worker !== this.#worker) return;
      worker.postMessage({module});
      for (const [id, {request}] of this.#waiting) worker.postMessage({id, request});
      worker.ready = true;
    } catch (error) {
      this.#fail(error.message);
    }
  }

  #fail(why) {
    for (const {resolve} of this.#waiting.values()) resolve(failed(why));
    this.#waiting.clear();
    this.changed();
  }

  // Requests that are left are asked again.
  #restart() {
    this.#worker.terminate();
    this.#start();
  }

  get busy() {
    return this.#waiting.size > 0;
  }

  // Gives null when a newer one of its kind came, or when it was stopped.
  ask(kind, request) {
    for (const [id, entry] of this.#waiting) {
      if (entry.kind === kind) this.#giveUp(id, entry);
    }
    const id = ++this.#next;
    const answer = new Promise((resolve) => this.#waiting.set(id, {kind, request, resolve}));
    if (this.#worker.ready) this.#worker.postMessage({id, request});
    this.changed();
    return answer;
  }

  #giveUp(id, entry) {
    entry.resolve(null);
    entry.kind = null;
    setTimeout(() => {
      if (!this.#waiting.delete(id)) return;
      this.#restart();
      this.changed();
    }, kPatience);
  }

  stop() {
    for (const {resolve} of this.#waiting.values()) resolve(null);
    this.#waiting.clear();
    this.#restart();
    this.changed();
  }
}
