// Each workgroup waits for the sum of the one before it. Nothing of WGSL orders what workgroups do,
// so that a sum and whether it is there are one word.
// headway: groups 3 buffer input_=6:unknown(0..3), output_=6, state=3:zero
// headway: expect safe, pass HSA, fail OBE, pass fair, fail WebGPU
@group(0) @binding(0) var<storage, read> input_: array<u32>;
@group(0) @binding(1) var<storage, read_write> output_: array<u32>;
@group(0) @binding(2) var<storage, read_write> state: array<atomic<u32>>;
const ready = 1u << 31;
var<workgroup> before: u32;

@compute @workgroup_size(2)
fn main(@builtin(local_invocation_index) t: u32, @builtin(workgroup_id) group: vec3u) {
  let place = group.x;
  if (t == 0) {
    var found = ready;
    if (place > 0) {
      found = 0;
      while (found == 0) { found = atomicLoad(&state[place - 1]); }
    }
    before = found - ready;
    atomicStore(&state[place], found + input_[2 * place] + input_[2 * place + 1]);
  }
  workgroupBarrier();
  var own = input_[2 * place];
  if (t != 0) { own += input_[2 * place + 1]; }
  output_[2 * place + t] = before + own;
}
