// Broken: the counter is read, and counted on separately. Two threads may read the same place.
// headway: groups 2 buffer input_=4:unknown(0..1), output_=4, counter=1:zero
// headway: expect error race, violated race
@group(0) @binding(0) var<storage, read> input_: array<i32>;
@group(0) @binding(1) var<storage, read_write> output_: array<i32>;
@group(0) @binding(2) var<storage, read_write> counter: u32;

@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (input_[i] != 0) {
    output_[counter] = input_[i];
    counter += 1;
  }
}
