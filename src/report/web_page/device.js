// The GPU behind a worker, with a watchdog: a worker that is silent for too long is ended.

export class Device {
  #worker = null;
  #subgroups;
  #listener = null;

  // Whether to ask for subgroups, which not all devices have.
  constructor(subgroups = false) {
    this.#subgroups = subgroups;
  }

  get isOpen() {
    return this.#worker !== null;
  }

  // Opens a device; {type: "open", info} when that works.
  async open(patience) {
    this.close();
    const worker = this.#worker = new Worker("worker.js");
    worker.onmessage = ({data}) => this.#receive(worker, data);
    worker.onerror = (event) => {
      event.preventDefault();
      const message = event.message || "the worker cannot be started";
      this.#receive(worker, {type: "failed", message});
    };
    const answer = await this.ask({type: "open", subgroups: this.#subgroups}, patience);
    if (answer.type !== "open") this.close();
    return answer;
  }

  // Ends the worker. A shader that still runs goes on until it gives up.
  close() {
    this.#worker?.terminate();
    this.#worker = null;
  }

  // Sends a message and comes back with the last answer to it, {type: "lost"} when the device was
  // lost, or {type: "silent"} when nothing came for `patience` milliseconds; in both cases the
  // device is closed. `onRun` gets each {type: "run"}.
  ask(message, patience, onRun = () => {}) {
    return new Promise((resolve) => {
      let timer;
      const finish = (answer) => {
        clearTimeout(timer);
        this.#listener = null;
        resolve(answer);
      };
      const wait = () => {
        clearTimeout(timer);
        timer = setTimeout(() => {
          this.close();
          finish({type: "silent"});
        }, patience);
      };
      this.#listener = (answer) => {
        if (answer.type !== "run") return finish(answer);
        onRun(answer);
        wait();
      };
      wait();
      this.#worker.postMessage(message);
    });
  }

  #receive(worker, answer) {
    if (worker !== this.#worker) return;  // the last words of one that was ended
    if (answer.type === "lost") this.close();
    this.#listener?.(answer);
  }
}

// A name for people; browsers tell more or less about the GPU.
export function nameOf(info) {
  return info.description || [info.vendor, info.architecture, info.device].filter(Boolean).join(" ") ||
    "a GPU that the browser does not name";
}
