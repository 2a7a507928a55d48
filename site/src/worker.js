// The engine in a worker, which is given the module first and then one request after the other. To
// stop it is to end the worker.
import {loadEngine} from "./engine.js";

let engine = null;

self.onmessage = async ({data: {module, id, request}}) => {
  if (module !== undefined) {
    engine = loadEngine(module);
    return;
  }
  try {
    const answer = await engine;
    self.postMessage({id, answer: answer(request)});
  } catch (error) {
    self.postMessage({id, failure: String(error)});
  }
};
