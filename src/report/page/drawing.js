// Graphs as SVG. Where nodes and edges go is dagre's decision; this file says how they look.

const kCharacter = 6.7;      // width of one in a label, at most
const kWideCharacter = 7.4;  // in the labels of the order, which are not monospaced
const kLine = 16;            // height of a line
const kMaxDrawn = 120;       // states; more are neither read nor laid out in a moment
const kFirstDrawn = 50;      // of those that are too many

// `nodes`: {lines}, each line a list of {text, class}; `edges`: {from, to, label}. Both get their
// places: nodes x, y, width and height, edges points and, when they have a label, x and y.
function layOut(nodes, edges, character, options) {
  const graph = new dagre.graphlib.Graph({multigraph: true});
  graph.setGraph({marginx: 12, marginy: 12, ...options});
  nodes.forEach((node, n) => {
    const longest =
      Math.max(...node.lines.map((line) => line.reduce((sum, part) => sum + part.text.length, 0)));
    graph.setNode(
      n, {width: Math.max(34, longest * character + 16), height: node.lines.length * kLine + 10});
  });
  edges.forEach((edge, e) => {
    const size = edge.label === undefined ? {} : {width: 12, height: 14, labelpos: "c"};
    graph.setEdge(String(edge.from), String(edge.to), size, String(e));
  });
  dagre.layout(graph);
  nodes.forEach((node, n) => Object.assign(node, graph.node(n)));
  edges.forEach(
    (edge, e) => Object.assign(edge, graph.edge(String(edge.from), String(edge.to), String(e))));
  return {width: Math.ceil(graph.graph().width), height: Math.ceil(graph.graph().height)};
}

// A smooth line through the middles between `points`.
function curve(points) {
  const at = ({x, y}) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const middle = (a, b) => ({x: (a.x + b.x) / 2, y: (a.y + b.y) / 2});
  let path = `M${at(points[0])}`;
  for (let i = 1; i + 1 < points.length; ++i) {
    const end = i + 2 === points.length ? points[i + 1] : middle(points[i], points[i + 1]);
    path += `Q${at(points[i])} ${at(end)}`;
  }
  return points.length === 2 ? `${path}L${at(points[1])}` : path;
}

// The edge as a straight line, where no other node is in its way; dagre's route otherwise.
function straightened({from, to, points}, nodes) {
  const a = {x: nodes[from].x, y: nodes[from].y - nodes[from].height / 2};
  const b = {x: nodes[to].x, y: nodes[to].y + nodes[to].height / 2};
  const isFree = nodes.every((node, n) => {
    if (n === from || n === to) return true;
    for (let i = 0; i <= 24; ++i) {
      const x = a.x + (b.x - a.x) * i / 24, y = a.y + (b.y - a.y) * i / 24;
      if (Math.abs(x - node.x) < node.width / 2 + 4 && Math.abs(y - node.y) < node.height / 2 + 4) {
        return false;
      }
    }
    return true;
  });
  return isFree ? [a, b] : points;
}

function arrowHead(id, kind) {
  return svg(
    "marker", {
      id,
      class: `head ${kind}`,
      viewBox: "0 0 8 8",
      refX: 7,
      refY: 4,
      markerWidth: 7,
      markerHeight: 7,
      markerUnits: "userSpaceOnUse",
      orient: "auto"
    },
    svg("path", {d: "M0 0.5L8 4L0 7.5z"}));
}

function nodeShape(node, properties) {
  const top = node.y - (node.lines.length - 1) * kLine / 2;
  return svg(
    "g", properties, svg("rect", {
      x: node.x - node.width / 2,
      y: node.y - node.height / 2,
      width: node.width,
      height: node.height,
      rx: 7
    }),
    node.lines.map(
      (line, l) => svg(
        "text", {x: node.x, y: top + l * kLine, dy: "0.35em"},
        line.map((part) => svg("tspan", {class: part.class ?? null}, part.text)))));
}

// The transition system -----------------------------------------------------------------------

// Which states to draw: all when they are few, else those of the witness, else the first.
function drawnStates({states, path}) {
  const all = states.map((_, state) => state);
  if (all.length <= kMaxDrawn) return all;
  const way = [...new Set(path ?? [])];
  if (way.length === 0 || way.length > kMaxDrawn) return all.slice(0, kFirstDrawn);
  return way.sort((a, b) => a - b);
}

// An SVG of the transition system of what is shown; `choose(state)` is called for a state that is
// clicked. The result's `show(state, thread, target)` marks the state the reader is at and the step
// of the witness that comes next, null for none.
function drawLts(shown, choose) {
  const {states, path} = shown;
  const drawn = drawnStates(shown);
  const number = new Map(drawn.map((state, n) => [state, n]));
  const nodes = drawn.map((state) => {
    const {memory, threads} = states[state];
    const places = threads.map(
      ({place}, t) => ({text: `${t > 0 ? "  " : ""}${t}:${place}`, class: `t${t % 6}`}));
    return {state, lines: [[{text: memory}], places]};
  });
  const edges = [];
  for (const source of drawn) {
    for (const {thread, target} of states[source].ways) {
      if (edges.some((e) => e.source === source && e.thread === thread && e.target === target))
        continue;
      if (!number.has(target)) continue;
      const [from, to] = [number.get(source), number.get(target)];
      edges.push({source, target, thread, from, to, label: String(thread)});
    }
  }
  const size = layOut(nodes, edges, kCharacter, {nodesep: 26, ranksep: 34, edgesep: 14});

  const onWitness = new Set(
    path === null ? [] :
                    shown.run.steps.map(({thread}, i) => `${path[i]} ${thread} ${path[i + 1]}`));
  const edgeShapes = edges.map((edge) => {
    const {source, target, thread} = edge;
    const isFair = states[source].set >= 0 && states[source].set === states[target].set;
    const kinds = ["edge", states[source].threads[thread].isOwed ? "guaranteed" : "free"];
    if (isFair) kinds.push("fair");
    if (onWitness.has(`${source} ${thread} ${target}`)) kinds.push("witness");
    const head = `url(#head-${isFair ? "fair" : "plain"})`;
    return svg(
      "g", {class: kinds.join(" ")}, svg("path", {d: curve(edge.points), "marker-end": head}),
      svg("text", {x: edge.x, y: edge.y, dy: "0.35em", class: `t${thread % 6}`}, edge.label));
  });
  const nodeShapes = nodes.map((node) => {
    const kinds = ["node"];
    if (states[node.state].set >= 0) kinds.push("fair");
    if (states[node.state].ways.length === 0) kinds.push("final");
    if (node.state === 0) kinds.push("initial");
    const on = {click: () => choose(node.state)};
    return nodeShape(node, {class: kinds.join(" "), "data-state": node.state, on});
  });
  const picture = svg(
    "svg", {
      class: "graph",
      viewBox: `0 0 ${size.width} ${size.height}`,
      role: "img",
      "aria-label": describeLts(shown, drawn.length)
    },
    svg("defs", {}, arrowHead("head-plain", "plain"), arrowHead("head-fair", "fair")), edgeShapes,
    nodeShapes);

  return {
    picture,
    size,
    complete: drawn.length === states.length,
    show(state, thread, target) {
      nodeShapes.forEach((shape, n) => shape.classList.toggle("here", drawn[n] === state));
      edgeShapes.forEach(
        (shape, e) => shape.classList.toggle(
          "next",
          edges[e].source === state && edges[e].thread === thread && edges[e].target === target));
      return nodes[number.get(state)] ?? null;
    },
  };
}

function describeLts({states, onCycles}, drawn) {
  const all = states.length;
  return `Transition system of ${plural(all, "state")}${drawn < all ? `, ${drawn} drawn` : ""}; ` +
    (onCycles === 0 ? "no fair cycle." : `${plural(onCycles, "state")} on fair cycles.`);
}

// The order of the models ---------------------------------------------------------------------

// The order of the readings for a launch, weakest at the bottom. `classOf(node)` and `lineOf(node)`
// say how a node, a list of readings, looks and what stands under their names; `choose(reading)` is
// called for one that is chosen. null when there is no order.
function drawOrder(order, launch, {classOf, lineOf = () => null, choose}) {
  if (order === undefined) return null;
  const nodes = order.nodes.map((node) => {
    const extra = lineOf(node);
    return {
      readings: node,
      lines: [
        ...node.map((r) => [{text: readings[r].name}]),
        ...(extra === null ? [] : [[{text: extra, class: "extra"}]])
      ]
    };
  });
  const edges = order.edges.map(([from, to]) => ({from, to}));
  const size = layOut(nodes, edges, kWideCharacter, {rankdir: "BT", nodesep: 16, ranksep: 22});
  const act = (node) => ({
    click: () => choose(node.readings[0]),
    keydown: (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      choose(node.readings[0]);
    },
  });
  return svg(
    "svg", {
      class: "graph order",
      viewBox: `0 0 ${size.width} ${size.height}`,
      width: size.width,
      height: size.height,
      role: "group",
      "aria-label": `Order of the models for ${launch}`
    },
    edges.map(
      (edge) =>
        svg("g", {class: "edge guaranteed"}, svg("path", {d: curve(straightened(edge, nodes))}))),
    nodes.map((node) => {
      const label = node.lines.map((line) => line[0].text).join(", ");
      const properties = {tabindex: 0, role: "button", "aria-label": label, on: act(node)};
      return nodeShape(node, {class: `node ${classOf(node.readings)}`, ...properties});
    }));
}

// The weakest readings under which a signature passes, as a few words. An order that is not the one
// of its tests may hold readings for equal that differ.
function passesFrom(signature, order) {
  const letters = report.signatures[signature];
  const passes = (node) => letters[node[0]] === "p";
  if (letters.includes("?")) return "not decided";
  if (letters.includes("e")) return "goes wrong";
  if (!letters.includes("p")) return "passes under no model";
  if (!letters.includes("f")) return "passes under every model";
  const agrees = (node) => node.every((r) => letters[r] === letters[node[0]]);
  if (!order?.nodes.every(agrees)) return "passes under some models";
  const weakest = order.nodes.filter(
    (node, n) =>
      passes(node) && !order.edges.some(([from, to]) => to === n && passes(order.nodes[from])));
  return `passes from ${weakest.map((node) => readings[node[0]].name).join(" or ")}`;
}
