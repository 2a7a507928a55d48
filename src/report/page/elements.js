// Elements of the page. Texts only ever become text nodes or attributes, never markup.

const kSvg = "http://www.w3.org/2000/svg";

// `properties` are attributes, except `on`, the listeners by event. Absent ones, null and false,
// are left out. Children are elements or texts; null is none.
function element(tag, properties = {}, ...children) {
  return fillElement(document.createElement(tag), properties, children);
}

function svg(tag, properties = {}, ...children) {
  return fillElement(document.createElementNS(kSvg, tag), properties, children);
}

function fillElement(target, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (name === "on") {
      for (const [event, listener] of Object.entries(value))
        target.addEventListener(event, listener);
    } else if (value !== null && value !== undefined && value !== false) {
      target.setAttribute(name, value === true ? "" : value);
    }
  }
  target.append(...children.flat().filter((child) => child !== null));
  return target;
}

const byId = (id) => document.getElementById(id);

const kGlyphs = {
  pass: "\u2713",
  fail: "\u00d7",
  error: "!",
  unknown: "?"
};

// A verdict as a small mark that does not rest on colour alone.
const verdictMark = (verdict) =>
  element("span", {class: `mark ${verdict}`, "aria-hidden": "true"}, kGlyphs[verdict]);

// The verdicts of a signature as a strip of marks, in the order of the table.
function signatureStrip(signature) {
  const verdicts = [...report.signatures[signature]].map((letter) => kVerdicts[letter]);
  const passing = readings.filter((_, r) => verdicts[r] === "pass").map((r) => r.name);
  const label = passing.length === 0 ? "passes under none" : `passes under ${passing.join(", ")}`;
  return element(
    "span", {class: "strip", role: "img", "aria-label": label, title: label},
    verdicts.map(verdictMark));
}

// A thread's number in its colour.
const threadChip = (thread) => element("span", {class: `thread t${thread % 6}`}, String(thread));

const button = (text, properties, action) =>
  element("button", {type: "button", ...properties, on: {click: action}}, text);
