// Broken: nobody releases the lock, and the second workgroup waits for ever.
// headway: groups 2 buffer lock=1:zero, counter=1:zero
// headway: expect fail fair
@group(0) @binding(0) var<storage, read_write> lock: atomic<u32>;
@group(0) @binding(1) var<storage, read_write> counter: atomic<i32>;

@compute @workgroup_size(1)
fn main() {
  while (!atomicCompareExchangeWeak(&lock, 0, 1).exchanged) {}
  atomicStore(&counter, atomicLoad(&counter) + 1);
}
