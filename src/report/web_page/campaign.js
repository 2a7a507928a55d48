// Runs the tests of a suite under some mappings, and keeps what finished.
import {nameOf} from "./device.js";

const kOpenPatience = 20_000;
const kReopenPause = 3_000;
const kMostSteps = 2 ** 32 - 2;
const kMisplaced = 2 ** 29;  // what threads add to those that finish where subgroups are others

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export const isHang = (run) => run.outcome === "timed out" || run.outcome === "device lost";

export class Campaign {
  #stopping = false;
  #stepsPerMillisecond = 0;

  // `record` is what the store keeps of a campaign; `results` are those there are.
  constructor(suite, store, record, results) {
    Object.assign(this, {suite, store, record});
    this.results = new Map();  // by mapping and index of the test
    const index = new Map(suite.tests.map(({name}, t) => [name, t]));
    for (const result of results) this.#put(result, index.get(result.test));
  }

  static record(suite, device, options) {
    return {suite: suite.key, started: new Date().toISOString(), device, ...options};
  }

  #put(result, t) {
    this.results.set(`${result.mapping} ${t}`, {...result, t});
  }

  result(mapping, t) {
    return this.results.get(`${mapping} ${t}`);
  }

  get total() {
    return this.suite.tests.length * this.record.mappings.length;
  }

  get isComplete() {
    return this.results.size === this.total;
  }

  // In the order in which they run.
  list() {
    return this.record.mappings.flatMap((mapping) => this.suite.tests.flatMap((test, t) => {
      const result = this.result(mapping, t);
      return result ? [{test: test.name, mapping, runs: result.runs}] : [];
    }));
  }

  // Ends run() after the current test.
  stop() {
    this.#stopping = true;
  }

  // Runs what has no result yet. `listener` is told {type: "test", mapping, t, runs} as runs come,
  // {type: "result", mapping, t} and {type: "waiting", message}.
  async run(device, listener) {
    this.#stopping = false;
    for (const mapping of this.record.mappings) {
      for (let t = 0; t < this.suite.tests.length && !this.#stopping; ++t) {
        if (this.result(mapping, t)) continue;
        if (!await this.#ready(device, listener)) return;
        const runs = await this.#runTest(device, mapping, t, listener);
        if (runs.length === 0) {
          --t;  // the device went away before the test began
          continue;
        }
        const result = {suite: this.suite.key, mapping, test: this.suite.tests[t].name, runs};
        await this.store.add(result);
        this.#put(result, t);
        listener({type: "result", mapping, t});
      }
    }
  }

  // Has the device open and its speed known, however long that takes; false when stopped. After a
  // hang that only the driver or the browser can end it may take them a while.
  async #ready(device, listener) {
    while (!this.#stopping) {
      const answer = device.isOpen ? null : await device.open(kOpenPatience);
      if (answer === null || answer.type === "open") {
        if (answer && nameOf(answer.info) !== this.record.device.name) {
          throw new Error(`this is ${nameOf(answer.info)}, and the campaign is about ` +
                          `${this.record.device.name}; start anew`);
        }
        if (this.#stepsPerMillisecond > 0) return true;
        const message = {type: "calibrate", code: this.suite.text(this.suite.spin)};
        const speed = await device.ask(message, kOpenPatience);
        if (speed.type === "calibrated") {
          this.#stepsPerMillisecond = speed.stepsPerMillisecond;
          return true;
        }
        device.close();
      }
      listener({type: "waiting"});
      await pause(kReopenPause);
    }
    return false;
  }

  get #stepLimit() {
    const steps = this.#stepsPerMillisecond * this.record.timeout;
    return Math.min(Math.max(Math.round(steps), 4096), kMostSteps);
  }

  // Threads give up by themselves at about the time limit, later where they are in each other's way.
  // A device that stays silent for much longer hangs, and the browser or the driver has to end it.
  get #patience() {
    return 10 * this.record.timeout + 10_000;
  }

  async #runTest(device, mapping, t, listener) {
    const {iterations, instances} = this.record;
    const job = this.suite.job(t, mapping, instances);
    const stepLimit = this.#stepLimit;
    const runs = [];
    listener({type: "test", mapping, t, runs});
    let begin = performance.now();
    const onRun = ({ms, finished, gaveUp}) => {
      const others = `${job.threads - finished} of ${job.threads} threads`;
      if (finished === job.threads) {
        runs.push({outcome: "terminated", ms});
      } else if (job.subgroups && finished >= kMisplaced) {
        const message = "the subgroups of the device are not those of the test, or not all threads " +
          "of one took part in an operation";
        runs.push({outcome: "error", ms, message});
      } else if (finished > job.threads) {
        runs.push({outcome: "error", ms, message: "an assertion of the test does not hold"});
      } else if (gaveUp) {
        const message = `${others} gave up; one had made ${stepLimit} steps`;
        runs.push({outcome: "timed out", ms, message});
      } else {
        // Some drivers leave loops that go on for long: that says nothing about the device.
        runs.push({outcome: "error", ms, message: `${others} were ended early`});
      }
      begin = performance.now();
      listener({type: "test", mapping, t, runs});
    };
    const answer =
      await device.ask({type: "run", ...job, stepLimit, iterations}, this.#patience, onRun);
    const ended = (outcome, message) => runs.push({outcome, ms: performance.now() - begin, message});
    if (answer.type === "lost") ended("device lost", answer.message);
    if (answer.type === "silent") ended("timed out", "no answer from the device");
    if (answer.type === "failed") ended("error", answer.message);
    return runs;
  }
}
