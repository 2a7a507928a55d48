// Counts in workgroup memory, which is zero at first, then in a buffer.
// headway: groups 2 buffer input_={0,1,1,1}, bins=2:zero
// headway: expect safe, pass unfair
@group(0) @binding(0) var<storage, read> input_: array<u32>;
@group(0) @binding(1) var<storage, read_write> bins: array<atomic<u32>>;
var<workgroup> own: array<atomic<u32>, 2>;

@compute @workgroup_size(2)
fn main(@builtin(local_invocation_index) t: u32, @builtin(global_invocation_id) id: vec3u) {
  atomicAdd(&own[input_[id.x] & 1], 1);
  workgroupBarrier();
  atomicAdd(&bins[t], atomicLoad(&own[t]));
}
