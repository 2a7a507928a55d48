// A lock for workgroups of one thread. Nothing of WGSL lets the next holder see what was plainly
// written, so that what it guards is atomic, too.
// headway: groups 2 buffer lock=1:zero, counter=1:zero
// headway: expect safe, pass OBE, fail HSA, fail unfair, fail WebGPU
@group(0) @binding(0) var<storage, read_write> lock: atomic<u32>;
@group(0) @binding(1) var<storage, read_write> counter: atomic<i32>;

@compute @workgroup_size(1)
fn main() {
  while (!atomicCompareExchangeWeak(&lock, 0, 1).exchanged) {}
  atomicStore(&counter, atomicLoad(&counter) + 1);
  atomicStore(&lock, 0);
}
