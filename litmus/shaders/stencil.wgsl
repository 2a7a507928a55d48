// The sum of three neighbours, from one array into another.
// headway: groups 2 buffer input_=10, output_=8
// headway: expect safe, verified, pass unfair
@group(0) @binding(0) var<storage, read_write> input_: array<i32>;
@group(0) @binding(1) var<storage, read_write> output_: array<i32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  output_[i] = input_[i] + input_[i + 1] + input_[i + 2];
}
