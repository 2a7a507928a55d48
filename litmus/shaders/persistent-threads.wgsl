// As many workgroups as there is room for take items from a queue until there are none. Nobody
// waits for anyone else, so that no promise is needed. The uniform load lets all meet twice, so that
// the next item does not overwrite one that is still to be read.
// headway: groups 2 arg n=3 buffer input_=6, output_=6, next=1:zero
// headway: expect safe, pass unfair
@group(0) @binding(0) var<storage, read> input_: array<i32>;
@group(0) @binding(1) var<storage, read_write> output_: array<i32>;
@group(0) @binding(2) var<storage, read_write> next: atomic<u32>;
@group(0) @binding(3) var<uniform> n: u32;
var<workgroup> item: u32;

@compute @workgroup_size(2)
fn main(@builtin(local_invocation_index) t: u32) {
  loop {
    if (t == 0) { item = atomicAdd(&next, 1); }
    let own = workgroupUniformLoad(&item);
    if (own >= n) { break; }
    output_[2 * own + t] = 2 * input_[2 * own + t];
  }
}
