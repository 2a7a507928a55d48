// Each thread adds one element, and leaves alone what is behind the end.
// headway: groups 2 arg params.n=7 buffer a=7, b=7, c=7
// headway: expect safe, verified, pass unfair
struct Params { n: u32 }
@group(0) @binding(0) var<storage, read> a: array<i32>;
@group(0) @binding(1) var<storage, read> b: array<i32>;
@group(0) @binding(2) var<storage, read_write> c: array<i32>;
@group(0) @binding(3) var<uniform> params: Params;

@compute @workgroup_size(4)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let i = id.x;
  if (i < params.n) { c[i] = a[i] + b[i]; }
}
