// Broken: the local id where the global one is meant, so that all workgroups write the same
// elements, each its own sums.
// headway: groups 2 buffer a=8, b=8, c=8
// headway: expect error race, violated race
@group(0) @binding(0) var<storage, read> a: array<i32>;
@group(0) @binding(1) var<storage, read> b: array<i32>;
@group(0) @binding(2) var<storage, read_write> c: array<i32>;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_id) local: vec3u) {
  let i = local.x;
  c[i] = a[id.x] + b[id.x];
}
