// First come, first served; what the lock guards is atomic, as no order goes with it.
// headway: groups 3 buffer next=1:zero, serving=1:zero, counter=1:zero
// headway: expect safe, pass OBE, fail HSA
@group(0) @binding(0) var<storage, read_write> next: atomic<u32>;
@group(0) @binding(1) var<storage, read_write> serving: atomic<u32>;
@group(0) @binding(2) var<storage, read_write> counter: atomic<i32>;

@compute @workgroup_size(1)
fn main() {
  let ticket = atomicAdd(&next, 1);
  while (atomicLoad(&serving) != ticket) {}
  atomicStore(&counter, atomicLoad(&counter) + 1);
  atomicAdd(&serving, 1);
}
