// Broken: both threads of a pair compare and swap, and undo what the other does.
// headway: groups 1 buffer values=4:unknown(0..3)
// headway: expect error race, violated race
@group(0) @binding(0) var<storage, read_write> values: array<i32>;
var<workgroup> keys: array<i32, 4>;

@compute @workgroup_size(4)
fn main(@builtin(local_invocation_index) t: u32) {
  keys[t] = values[t];
  workgroupBarrier();
  for (var size = 2u; size <= 4; size *= 2) {
    for (var distance = size / 2; distance > 0; distance /= 2) {
      let other = t ^ distance;
      if (other != t) {
        let low = keys[t];
        let high = keys[other];
        if ((low > high) == ((t & size) == 0)) {
          keys[t] = high;
          keys[other] = low;
        }
      }
      workgroupBarrier();
    }
  }
  values[t] = keys[t];
}
