// Results files, as headway writes and reads them.

// FNV-1a, 64 bits, of the text in UTF-8, as 16 hexadecimal digits.
export function checksum(text) {
  let low = 0x84222325, high = 0xcbf29ce4;
  for (const byte of new TextEncoder().encode(text)) {
    low = (low ^ byte) >>> 0;
    // Times 2^40 + 435; the product of the lower half stays below 2^53.
    const product = low * 435;
    high = (Math.imul(high, 435) + (low << 8) + Math.floor(product / 2 ** 32)) >>> 0;
    low = product % 2 ** 32;
  }
  return [high, low].map((half) => half.toString(16).padStart(8, "0")).join("");
}

const list = (items) => `[${items.map((item) => "\n" + JSON.stringify(item)).join(",")}\n]`;
const toMicroseconds = (ms) => Math.round(ms * 1000) / 1000;

// `results` is a list of {test, mapping, runs}, by names.
export function printResults(suite, campaign, results) {
  const parts = {
    "headway results": "1",
    version: JSON.stringify(suite.version),
    started: JSON.stringify(campaign.started),
    device: JSON.stringify(campaign.device),
    suite: JSON.stringify({path: suite.path, programs: suite.programs}),
    mappings: JSON.stringify(campaign.mappings),
    instances: JSON.stringify(campaign.instances),
    iterations: JSON.stringify(campaign.iterations),
    timeout_ms: JSON.stringify(campaign.timeout),
    written: JSON.stringify("relaxed loads"),
    complete: JSON.stringify(results.length === suite.tests.length * campaign.mappings.length),
    tests: list(suite.identities),
    results: list(results.map(({test, mapping, runs}) => ({
      test, mapping, runs: runs.map((run) => ({...run, ms: toMicroseconds(run.ms)})),
    }))),
  };
  const text = "{\n" + Object.entries(parts).map(([key, value]) => `"${key}": ${value}`).join(",\n");
  return `${text},\n"checksum": "${checksum(text)}"\n}\n`;
}
