// What is said of a family as a whole: how many of its threads must be resident, and what holds for every
// number of them.
import {element} from "./report_page.js";

const kFairnesses = ["weak", "strong"];

// What to show for the engine's answer to a request; `table` makes it of the output.
const shownOf = ({messages, output}, table) => [
  ...messages.map(({text}) => element("p", {}, text)), output === "" ? "" : table(JSON.parse(output))
];

export const residencyOf = (answer) => shownOf(answer, ({sizes}) => familyTable(
  "threads", sizes.map(({threads, weak, strong}) => [threads, weak, strong])));

export const everyNumberOf = (answer) => shownOf(answer, ([family]) => {
  if (family === undefined) return "";
  const models = [...new Set(family.answers.map(({model}) => model))];
  const cell = (model, fairness) => wordOf(
    family.answers.find((each) => each.model === model && each.fairness === fairness));
  return familyTable(
    "model", models.map((model) => [model, ...kFairnesses.map((each) => cell(model, each))]));
});

function wordOf({answer, n}) {
  if (answer === "pass") return answer;
  if (answer !== "unknown") return `${answer} ${n}`;
  return n > 0 ? `unknown, pass to ${n}` : answer;
}

function familyTable(heading, rows) {
  return element(
    "table", {class: "verdicts"},
    element(
      "thead", {},
      element(
        "tr", {}, [heading, ...kFairnesses].map((name) => element("th", {scope: "col"}, name)))),
    element(
      "tbody", {},
      rows.map(([name, ...cells]) => element(
                 "tr", {}, element("th", {scope: "row"}, String(name)),
                 cells.map((text) => element("td", {}, String(text)))))));
}
