// The suite of this page: what headway wrote to suite.json.
import {checksum} from "./results.js";

export class Suite {
  constructor(document) {
    Object.assign(this, document);
    this.identities = this.tests.map(({name, program}) => ({name, program}));
    // Equal for suites of the same programs under the same names, as the same headway writes them.
    this.key = checksum(JSON.stringify([this.version, this.identities]));
    this.mostGroups = Math.max(...this.tests.map((test) => test.groups));
    // The hybrid mapping is the chunked one where no test has three workgroups.
    this.mappings = this.mappings.filter((mapping) => mapping !== "hybrid" || this.mostGroups > 2);
  }

  text(lines) {
    return lines.map((line) => this.lines[line]).join("\n") + "\n";
  }

  // What the device is to run for a test: so many instances, but one under the plain mapping.
  job(t, mapping, instances) {
    const test = this.tests[t];
    const count = mapping === "plain" ? 1 : instances;
    return {
      code: this.text(test.shaders[this.mappings.indexOf(mapping)]),
      instances: count,
      workgroups: count * test.groups,
      threads: count * test.threads,
      memory: new Uint32Array(Array(count).fill(test.initial).flat()),
      subgroups: test.subgroups,
    };
  }

  // Whether the threads of a test have to be in subgroups of the device.
  get needsSubgroups() {
    return this.tests.some((test) => test.subgroups);
  }

  // The most instances that fit into a launch, whichever test it is.
  get mostInstances() {
    return Math.floor(this.most_workgroups / this.mostGroups);
  }
}

export async function loadSuite() {
  const response = await fetch("suite.json");
  if (!response.ok) throw new Error(`suite.json: ${response.status} ${response.statusText}`);
  return new Suite(await response.json());
}
