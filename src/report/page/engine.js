// The engine: headway as a module of WebAssembly, which turns requests into answers
// (docs/reference/engine.md), in a worker. The module is given a clock and nothing else: there are
// no files, no network and no input.

// A function from requests to answers. It stands alone, so that its text can be a worker's.
async function loadEngine(module) {
  const kNoSuchThing = 52;  // ENOSYS, as WASI and Emscripten number it
  const kBadFile = 8;       // EBADF of WASI
  let exports = null;
  const view = () => new DataView(exports.memory.buffer);
  const known = {
    clock_time_get(clock, precision, result) {
      view().setBigUint64(result, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    },
    environ_sizes_get(count, bytes) {
      view().setUint32(count, 0, true);
      view().setUint32(bytes, 0, true);
      return 0;
    },
    environ_get: () => 0,
    fd_write: () => kBadFile,
    fd_read: () => kBadFile,
    fd_close: () => kBadFile,
    fd_seek: () => kBadFile,
    fd_fdstat_get: () => kBadFile,
    emscripten_notify_memory_growth() {},
    proc_exit(status) {
      throw new Error(`the engine ended with status ${status}`);
    }
  };
  const imports = {};
  for (const {module: from, name, kind} of WebAssembly.Module.imports(module)) {
    if (kind !== "function") throw new Error(`the engine asks for ${kind} ${name}`);
    imports[from] ??= {};
    imports[from][name] = known[name] ?? (() => -kNoSuchThing);
  }
  ({exports} = await WebAssembly.instantiate(module, imports));
  exports._initialize();
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  // {status, messages, output}: what the command line would exit with, complain of and print.
  return function answer(request) {
    const text = encoder.encode(JSON.stringify(request));
    const place = exports.reserve(text.length);
    new Uint8Array(exports.memory.buffer, place, text.length).set(text);
    const length = exports.answer(place, text.length) >>> 0;
    const begin = exports.answer_begin() >>> 0;
    return JSON.parse(decoder.decode(new Uint8Array(exports.memory.buffer, begin, length)));
  };
}

// What a worker does: it is given the module first and then one request after the other.
function serveEngine(load) {
  let engine = null;
  self.onmessage = async ({data: {module, id, request}}) => {
    if (module !== undefined) {
      engine = load(module);
      return;
    }
    try {
      const answer = await engine;
      self.postMessage({id, answer: answer(request)});
    } catch (error) {
      self.postMessage({id, failure: String(error)});
    }
  };
}

// The page's side of a worker. Of requests of one kind only the last matters; an older one has a
// moment to end, and is then given up with the worker that it runs in.
class Engine {
  static #kPatience = 150;  // milliseconds
  static #failed = (why) =>
    ({status: 3, messages: [{kind: "limit", text: `the engine gave up: ${why}`}], output: ""});
  #module = null;
  #worker = null;
  #next = 0;
  #waiting = new Map();  // by id: {kind, request, resolve}

  // `load()` promises the module and `start()` makes a worker, both when they are first needed;
  // `changed()` is called when it begins to work or has nothing left to do.
  constructor(load, start, changed = () => {}) {
    Object.assign(this, {load, start, changed});
  }

  async #begin() {
    try {
      const worker = this.start();
      this.#worker = worker;
      worker.onmessage = ({data: {id, answer, failure}}) => {
        const entry = this.#waiting.get(id);
        this.#waiting.delete(id);
        entry?.resolve(answer ?? Engine.#failed(failure));
        // Whoever runs out of memory, or of stack, leaves it as it was then.
        if (failure) this.#restart();
        this.changed();
      };
      worker.onerror = () => this.#fail("its worker did not start");
      this.#module ??= this.load();
      const module = await this.#module;
      if (worker !== this.#worker) return;
      worker.postMessage({module});
      for (const [id, {request}] of this.#waiting) worker.postMessage({id, request});
      worker.ready = true;
    } catch (error) {
      this.#fail(error.message);
    }
  }

  // The next request begins anew.
  #fail(why) {
    this.#worker = null;
    for (const {resolve} of this.#waiting.values()) resolve(Engine.#failed(why));
    this.#waiting.clear();
    this.changed();
  }

  // Requests that are left are asked again.
  #restart() {
    this.#worker?.terminate();
    this.#begin();
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
    if (this.#worker === null)
      this.#begin();
    else if (this.#worker.ready)
      this.#worker.postMessage({id, request});
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
    }, Engine.#kPatience);
  }

  stop() {
    for (const {resolve} of this.#waiting.values()) resolve(null);
    this.#waiting.clear();
    this.#restart();
    this.changed();
  }
}

// The engine that stands in a page as text, gzip in base64, with a worker that is no file; null
// where there is none.
function engineOf(text) {
  if (text === "") return null;
  const load = async () => {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return WebAssembly.compile(await new Response(stream).arrayBuffer());
  };
  const source = `(${serveEngine})(${loadEngine});`;
  const start = () =>
    new Worker(URL.createObjectURL(new Blob([source], {type: "text/javascript"})));
  return new Engine(load, start);
}
