// Sets of threads, which are bit masks, words, and graphs: what every other file of the page uses, and
// the playground too.

const bit = (thread) => 1 << thread;
const has = (set, thread) => (set >> thread & 1) !== 0;
const members = (set) => {
  const list = [];
  for (let thread = 0; set >> thread !== 0; ++thread)
    if (has(set, thread)) list.push(thread);
  return list;
};
const setText = (set) => `{${members(set).join(", ")}}`;

const plural = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

// "thread 1", "threads 0 and 2"
function threadNames(set) {
  const list = members(set);
  if (list.length === 1) return `thread ${list[0]}`;
  return `threads ${list.slice(0, -1).join(", ")} and ${list[list.length - 1]}`;
}

const capital = (text) => text[0].toUpperCase() + text.slice(1);

// The steps that can be taken in a state, {thread, target, effect}: one a thread that has not
// terminated, or those that came with the page.
const waysOn = (lts, state) => lts.ways?.[state] ??
  members(lts.alive[state]).map((thread) => ({
    thread,
    target: successor(lts, state, thread),
    effect: lts.program.describeEffect(lts.states[state], thread)
  }));
const fairText = (lts, state) => lts.fairTexts?.[state] ?? setText(lts.fair[state]);
const everyState = (lts) => lts.states.map((_, state) => state);

// Tarjan's algorithm without recursion. `targets(state)` lists where the edges of a state lead.
// Components are numbered in the order in which they are completed.
function strongComponents(size, states, targets) {
  const component = new Int32Array(size).fill(-1);
  const found = new Int32Array(size);
  const low = new Int32Array(size);
  const open = [];
  const path = [];
  let time = 0;
  let count = 0;
  const enter = (state) => {
    found[state] = low[state] = ++time;
    open.push(state);
    path.push({state, targets: targets(state), next: 0});
  };
  const leave = () => {
    const {state} = path.pop();
    if (path.length > 0) {
      const parent = path[path.length - 1].state;
      low[parent] = Math.min(low[parent], low[state]);
    }
    if (low[state] !== found[state]) return;
    let member;
    do {
      member = open.pop();
      component[member] = count;
    } while (member !== state);
    ++count;
  };
  for (const root of states) {
    if (found[root] !== 0) continue;
    enter(root);
    while (path.length > 0) {
      const top = path[path.length - 1];
      if (top.next === top.targets.length) {
        leave();
        continue;
      }
      const target = top.targets[top.next++];
      if (found[target] === 0) {
        enter(target);
      } else if (component[target] < 0) {
        low[top.state] = Math.min(low[top.state], found[target]);
      }
    }
  }
  return {component, count};
}
