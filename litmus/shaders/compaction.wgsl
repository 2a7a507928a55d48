// Elements that are not zero, in whatever order: each draws a place from a counter.
// headway: groups 2 buffer input_=4:unknown(0..1), output_=4, counter=1:zero
// headway: expect safe, pass unfair
@group(0) @binding(0) var<storage, read> input_: array<i32>;
@group(0) @binding(1) var<storage, read_write> output_: array<i32>;
@group(0) @binding(2) var<storage, read_write> counter: atomic<u32>;

@compute @workgroup_size(2)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (input_[i] != 0) {
    output_[atomicAdd(&counter, 1)] = input_[i];
  }
}
