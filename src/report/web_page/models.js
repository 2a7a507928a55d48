// What results say of models: src/campaign/conformance.cpp for the page.
import {isHang} from "./campaign.js";

// For each reading: how many conformance tests of it ran, and which of them hung, under which
// mappings. A run that neither ended nor hung says nothing.
export function conformance(suite, campaign) {
  const readings = suite.readings.map(
    (reading) => ({...reading, tests: 0, refuting: [], mappings: new Set()}));
  suite.tests.forEach((test, t) => {
    let seen = false;
    const hung = [];
    for (const mapping of campaign?.record.mappings ?? []) {
      const runs = campaign.result(mapping, t)?.runs ?? [];
      if (runs.some((run) => isHang(run) || run.outcome === "terminated")) seen = true;
      if (runs.some(isHang)) hung.push(mapping);
    }
    if (!seen) return;
    readings.forEach((reading, r) => {
      if (test.verdicts[r] !== "p") return;
      ++reading.tests;
      if (hung.length > 0) reading.refuting.push(t);
      for (const mapping of hung) reading.mappings.add(mapping);
    });
  });
  return readings;
}

export const isRefuted = (reading) => reading.refuting.length > 0;

// The readings that are not refuted and have none above them that is not: groups of equal ones.
export function strongest(readings) {
  const open = (r) => !isRefuted(readings[r]);
  const top = readings.map((_, r) => r).filter((r) => open(r) && !readings[r].above.some(open));
  const groups = new Map();
  for (const r of top) {
    const first = readings[r].equal[0];
    groups.set(first, [...(groups.get(first) ?? []), readings[r].name]);
  }
  return [...groups.values()];
}
