// Broken: no barrier between the writes of the tile and its reads by other threads.
// headway: groups 2,2 buffer input_=16, output_=16
// headway: expect error race, violated race
@group(0) @binding(0) var<storage, read> input_: array<i32>;
@group(0) @binding(1) var<storage, read_write> output_: array<i32>;
var<workgroup> tile: array<array<i32, 3>, 2>;  // a column more, against conflicts of banks

@compute @workgroup_size(2, 2)
fn main(@builtin(local_invocation_id) local: vec3u, @builtin(workgroup_id) group: vec3u) {
  let t = local.xy;
  let at = group.xy * 2 + t;
  tile[t.y][t.x] = input_[at.y * 4 + at.x];
  let to = group.xy * 2 + t.yx;
  output_[to.x * 4 + to.y] = tile[t.x][t.y];
}
