// Broken: no second barrier. Thread 0 may draw the next item before thread 1 has read this one.
// headway: groups 2 arg n=3 buffer input_=6, output_=6, next=1:zero
// headway: expect error race, violated race
@group(0) @binding(0) var<storage, read> input_: array<i32>;
@group(0) @binding(1) var<storage, read_write> output_: array<i32>;
@group(0) @binding(2) var<storage, read_write> next: atomic<u32>;
@group(0) @binding(3) var<uniform> n: u32;
var<workgroup> item: u32;

@compute @workgroup_size(2)
fn main(@builtin(local_invocation_index) t: u32) {
  loop {
    if (t == 0) { item = atomicAdd(&next, 1); }
    workgroupBarrier();
    let own = item;
    if (own >= n) { break; }
    output_[2 * own + t] = 2 * input_[2 * own + t];
  }
}
