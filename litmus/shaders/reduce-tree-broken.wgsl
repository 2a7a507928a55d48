// Broken: the barrier of the loop stands in the branch, where not all threads come by.
// headway: groups 2 spec size=4 buffer input_=8, output_=2
// headway: expect error divergence, violated divergence
override size: u32;
@group(0) @binding(0) var<storage, read> input_: array<i32>;
@group(0) @binding(1) var<storage, read_write> output_: array<i32>;
var<workgroup> part: array<i32, size>;

@compute @workgroup_size(size)
fn main(@builtin(local_invocation_index) t: u32, @builtin(global_invocation_id) id: vec3u,
        @builtin(workgroup_id) group: vec3u) {
  part[t] = input_[id.x];
  workgroupBarrier();
  for (var half = size / 2; half > 0; half /= 2) {
    if (t < half) {
      part[t] += part[t + half];
      workgroupBarrier();
    }
  }
  if (t == 0) { output_[group.x] = part[0]; }
}
