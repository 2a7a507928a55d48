enable subgroups;
// A subgroup adds its elements through registers, in which all of its threads take part.
// headway: groups 1 subgroup 4 buffer input_=4, output_=1
// headway: expect safe, pass unfair
@group(0) @binding(0) var<storage, read> input_: array<i32>;
@group(0) @binding(1) var<storage, read_write> output_: array<i32>;

@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) t: u32, @builtin(subgroup_invocation_id) lane: u32) {
  let value = subgroupAdd(input_[t]);
  if (lane == 0) { output_[0] = value; }
}
