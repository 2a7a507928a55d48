// Broken: the counts of the last round are read and counted on separately.
// headway: groups 2 buffer input_={0,1,1,1}, bins=2:zero
// headway: expect error race, violated race
@group(0) @binding(0) var<storage, read> input_: array<u32>;
@group(0) @binding(1) var<storage, read_write> bins: array<u32>;
var<workgroup> own: array<atomic<u32>, 2>;

@compute @workgroup_size(2)
fn main(@builtin(local_invocation_index) t: u32, @builtin(global_invocation_id) id: vec3u) {
  atomicAdd(&own[input_[id.x] & 1], 1);
  workgroupBarrier();
  bins[t] += atomicLoad(&own[t]);
}
