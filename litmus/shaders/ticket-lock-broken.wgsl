// Broken: what the lock guards is written plainly, and no atomic of WGSL publishes that.
// headway: groups 3 buffer next=1:zero, serving=1:zero, counter=1:zero
// headway: expect error race
@group(0) @binding(0) var<storage, read_write> next: atomic<u32>;
@group(0) @binding(1) var<storage, read_write> serving: atomic<u32>;
@group(0) @binding(2) var<storage, read_write> counter: i32;

@compute @workgroup_size(1)
fn main() {
  let ticket = atomicAdd(&next, 1);
  while (atomicLoad(&serving) != ticket) {}
  counter += 1;
  atomicAdd(&serving, 1);
}
