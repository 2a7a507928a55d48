// Broken: the barriers are about buffers alone, which orders nothing in workgroup memory.
// headway: groups 1 buffer input_=4, output_=4
// headway: expect error race, violated race
@group(0) @binding(0) var<storage, read> input_: array<i32>;
@group(0) @binding(1) var<storage, read_write> output_: array<i32>;
var<workgroup> sums: array<i32, 8>;

@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) t: u32) {
  var first = 0u;
  sums[t] = input_[t];
  storageBarrier();
  for (var distance = 1u; distance < 4; distance *= 2) {
    let to = 4 - first;
    var sum = sums[first + t];
    if (t >= distance) { sum += sums[first + t - distance]; }
    sums[to + t] = sum;
    storageBarrier();
    first = to;
  }
  output_[t] = sums[first + t];
}
