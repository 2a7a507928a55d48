enable subgroups;
// Broken: every thread stores what it holds, and only the last holds the sum.
// headway: groups 1 subgroup 4 buffer input_=4, output_=1
// headway: expect error race
@group(0) @binding(0) var<storage, read> input_: array<i32>;
@group(0) @binding(1) var<storage, read_write> output_: array<i32>;

@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) t: u32) {
  let value = subgroupInclusiveAdd(input_[t]);
  output_[0] = value;
}
