// The engine: headway as a module of WebAssembly, which turns requests into answers (docs/engine.md).
// It is given a clock and nothing else: there are no files, no network and no input.

const kNoSuchThing = 52;  // ENOSYS, as WASI and Emscripten number it
const kBadFile = 8;       // EBADF of WASI

function importsFor(module, memory) {
  const view = () => new DataView(memory().buffer);
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
  return imports;
}

export async function loadEngine(module) {
  let exports = null;
  const instance =
    await WebAssembly.instantiate(module, importsFor(module, () => exports.memory));
  exports = instance.exports;
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
