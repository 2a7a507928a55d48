// Broken: whether a node is new is read, and then written. Two threads may both find it new, and
// queue it twice.
// A line of four nodes: the neighbours of node n are n - 1 and n + 1.
// headway: groups 2 buffer levels={0,-1,0,-1}, queue={0,2,0,0}, next=4:zero, tail=1:zero
// headway: arg params.size=2, params.depth=0 expect error race, violated race
struct Params { size: u32, depth: i32 }
@group(0) @binding(0) var<storage, read_write> levels: array<i32>;
@group(0) @binding(1) var<storage, read> queue: array<i32>;
@group(0) @binding(2) var<storage, read_write> next: array<i32>;
@group(0) @binding(3) var<storage, read_write> tail: atomic<u32>;
@group(0) @binding(4) var<uniform> params: Params;

@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= params.size) { return; }
  let node = queue[id.x];
  for (var side = -1; side <= 1; side += 2) {
    let other = node + side;
    if (other < 0 || other >= 4) { continue; }
    if (levels[other] == -1) {
      levels[other] = params.depth + 1;
      next[atomicAdd(&tail, 1)] = other;
    }
  }
}
