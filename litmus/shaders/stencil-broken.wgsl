// Broken: in place. Neighbours are read while they are written.
// headway: groups 2 buffer input_=10
// headway: expect error race, violated race
@group(0) @binding(0) var<storage, read_write> input_: array<i32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  input_[i] = input_[i] + input_[i + 1] + input_[i + 2];
}
