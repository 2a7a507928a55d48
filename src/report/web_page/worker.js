// Runs shaders on the GPU, for device.js: away from the page, which stays alive whatever the GPU
// does. Each message is answered by any number of {type: "run"} and then by something else.
"use strict";

let device = null;
let subgroupSizes = [];  // that threads may come to be in; none without the feature

async function open({subgroups}) {
  if (!navigator.gpu) throw new Error("this browser offers no WebGPU here");
  const adapter = await navigator.gpu.requestAdapter({powerPreference: "high-performance"});
  if (!adapter) throw new Error("the browser gives no access to a GPU");
  const hasSubgroups = subgroups && adapter.features.has("subgroups");
  device = await adapter.requestDevice({requiredFeatures: hasSubgroups ? ["subgroups"] : []});
  subgroupSizes = [];
  const {subgroupMinSize = 4, subgroupMaxSize = 128} = adapter.info;
  for (let size = subgroupMinSize; hasSubgroups && size <= subgroupMaxSize; size *= 2)
    subgroupSizes.push(size);
  device.lost.then(({reason, message}) => postMessage({type: "lost", message: message || reason}));
  const {vendor, architecture, device: model, description} = adapter.info;
  return {type: "open", info: {vendor, architecture, device: model, description}};
}

async function pipelineOf(code, constants) {
  const module = device.createShaderModule({code});
  const wrong = (await module.getCompilationInfo()).messages.find(({type}) => type === "error");
  if (wrong) throw new Error(`shader, line ${wrong.lineNum}: ${wrong.message}`);
  return device.createComputePipelineAsync({
    layout: "auto", compute: {module, entryPoint: "main", constants}});
}

// One launch: how long it took, how many threads finished, and whether a thread gave up.
async function launch(pipeline, workgroups, memory) {
  const usage = GPUBufferUsage;
  const words = Math.max(memory.length, 1);
  const buffers = [words, 1, 1].map((count) => device.createBuffer(
    {size: 4 * count, usage: usage.STORAGE | usage.COPY_SRC | usage.COPY_DST}));
  const answer = device.createBuffer({size: 8, usage: usage.MAP_READ | usage.COPY_DST});
  try {
    device.queue.writeBuffer(buffers[0], 0, memory);
    const group = device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: buffers.map((buffer, binding) => ({binding, resource: {buffer}}))});
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(workgroups);
    pass.end();
    encoder.copyBufferToBuffer(buffers[1], 0, answer, 0, 4);
    encoder.copyBufferToBuffer(buffers[2], 0, answer, 4, 4);
    const begin = performance.now();
    device.queue.submit([encoder.finish()]);
    await answer.mapAsync(GPUMapMode.READ);
    const ms = performance.now() - begin;
    const [finished, gaveUp] = new Uint32Array(answer.getMappedRange());
    return {ms, finished, gaveUp: gaveUp !== 0};
  } finally {
    for (const buffer of [...buffers, answer]) buffer.destroy();
  }
}

// How many steps a lone thread makes in a millisecond: from the fastest of some runs of a spin that
// never ends, each of them long enough to measure.
async function calibrate({code}) {
  let steps = 2 ** 12, fastest = 0;
  for (let long = 0; long < 3;) {
    const pipeline = await pipelineOf(code, {INSTANCES: 1, STEP_LIMIT: steps});
    const {ms} = await launch(pipeline, 1, new Uint32Array(1));
    if (ms >= 50) ++long;
    if (ms >= 50 || steps >= 2 ** 30) fastest = Math.max(fastest, steps / Math.max(ms, 1));
    if (steps >= 2 ** 30) break;
    if (ms < 50) steps *= 4;
  }
  return {type: "calibrated", stepsPerMillisecond: fastest};
}

// The pipeline of a kernel whose subgroups are to be those of the device. How large these become is up
// to the device: each size is asked for by a launch that runs nothing.
async function pipelineInSubgroups({code, workgroups, subgroups}, constants) {
  if (subgroupSizes.length === 0) throw new Error("the browser offers no subgroups here");
  const {size, count, fill} = subgroups;
  const sizes = subgroupSizes.filter((each) => (fill ? each === size : each >= size) &&
    each * count <= device.limits.maxComputeInvocationsPerWorkgroup);
  for (const each of sizes) {
    const local = {...constants, LOCAL_SIZE: each * count};
    const probe = await pipelineOf(code, {...local, PROBE: 1});
    const {finished} = await launch(probe, workgroups, new Uint32Array(1));
    if (finished === 0) return pipelineOf(code, local);
  }
  throw new Error(`the device puts no ${size} threads into a subgroup; it has subgroups of ` +
                  `${subgroupSizes.join(", ")}`);
}

async function run(job) {
  const {code, instances, workgroups, memory, stepLimit, iterations} = job;
  const constants = {INSTANCES: instances, STEP_LIMIT: stepLimit};
  const pipeline = await (job.subgroups ? pipelineInSubgroups(job, constants) :
                                          pipelineOf(code, constants));
  for (let i = 0; i < iterations; ++i) {
    postMessage({type: "run", ...await launch(pipeline, workgroups, memory)});
  }
  return {type: "done"};
}

const tasks = {open, calibrate, run};

onmessage = async ({data}) => {
  try {
    device?.pushErrorScope("validation");
    device?.pushErrorScope("out-of-memory");
    const before = device;
    const answer = await tasks[data.type](data);
    const errors = before === null ? [] : [await before.popErrorScope(), await before.popErrorScope()];
    const error = errors.find((found) => found !== null);
    if (error) throw new Error(error.message);
    postMessage(answer);
  } catch (error) {
    // The loss of the device ends whatever was under way with an error of its own, and says so too.
    const lost = device && await Promise.race([device.lost, new Promise((r) => setTimeout(r, 200))]);
    if (!lost) postMessage({type: "failed", message: String(error.message ?? error)});
  }
};
