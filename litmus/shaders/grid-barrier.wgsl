// A barrier of all workgroups as a loop of their first threads; what is behind it is atomic, as it
// orders nothing between workgroups.
// headway: groups 2 buffer values=4, output_=4, arrived=1:zero
// headway: expect safe, fail OBE, fail HSA, pass fair
@group(0) @binding(0) var<storage, read_write> values: array<atomic<u32>>;
@group(0) @binding(1) var<storage, read_write> output_: array<u32>;
@group(0) @binding(2) var<storage, read_write> arrived: atomic<u32>;

@compute @workgroup_size(2)
fn main(@builtin(local_invocation_index) t: u32, @builtin(global_invocation_id) id: vec3u,
        @builtin(num_workgroups) groups: vec3u) {
  let i = id.x;
  atomicStore(&values[i], i);
  storageBarrier();
  if (t == 0) {
    atomicAdd(&arrived, 1);
    while (atomicLoad(&arrived) < groups.x) {}
  }
  storageBarrier();
  output_[i] = atomicLoad(&values[3 - i]);
}
