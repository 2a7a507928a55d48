// Broken: the sum is no atomic, and no barrier reaches another workgroup.
// headway: groups 3 buffer input_=6:unknown(0..3), output_=6, sums=3, state=3:zero
// headway: expect error race
@group(0) @binding(0) var<storage, read> input_: array<u32>;
@group(0) @binding(1) var<storage, read_write> output_: array<u32>;
@group(0) @binding(2) var<storage, read_write> state: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> sums: array<u32>;
var<workgroup> before: u32;

@compute @workgroup_size(2)
fn main(@builtin(local_invocation_index) t: u32, @builtin(workgroup_id) group: vec3u) {
  let place = group.x;
  if (t == 0 && place > 0) {
    while (atomicLoad(&state[place - 1]) == 0) {}
    before = sums[place - 1];
  }
  storageBarrier();
  if (t == 0) {
    sums[place] = before + input_[2 * place] + input_[2 * place + 1];
  }
  storageBarrier();
  if (t == 0) { atomicStore(&state[place], 1); }
  workgroupBarrier();
  var own = input_[2 * place];
  if (t != 0) { own += input_[2 * place + 1]; }
  output_[2 * place + t] = before + own;
}
