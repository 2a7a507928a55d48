// Results counted by reading. Which tests are conformance tests of one, and how readings are ordered, is
// in suite.json; what refutes is said in src/campaign/conformance.cpp.
import {isHang} from "./campaign.js";

// For each reading: how many of its tests ran, and which of them hung, under which mappings. A run that
// neither ended nor hung says nothing.
export function conformance(suite, campaign) {
  const mappings = campaign?.record.mappings ?? [];
  const runs = (mapping, t) => campaign.result(mapping, t)?.runs ?? [];
  const says = (run) => isHang(run) || run.outcome === "terminated";
  const hangs = (t) => mappings.filter((mapping) => runs(mapping, t).some(isHang));
  return suite.readings.map((reading) => {
    const ran = reading.tests.filter((t) => mappings.some((mapping) => runs(mapping, t).some(says)));
    const refuting = ran.filter((t) => hangs(t).length > 0);
    return {...reading, tests: ran.length, refuting, mappings: new Set(refuting.flatMap(hangs))};
  });
}

export const isRefuted = (reading) => reading.refuting.length > 0;

// The readings that are not refuted and have none above them that is not: groups of equal ones.
export function strongest(readings) {
  const open = (r) => !isRefuted(readings[r]);
  const groups = {};
  readings.forEach(({name, above, equal_to: first}, r) => {
    if (open(r) && !above.some(open)) (groups[first] ??= []).push(name);
  });
  return Object.values(groups);
}
