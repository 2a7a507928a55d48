// Builds the site: node site/build.mjs MODULE HEADWAY FOLDER
// MODULE is the engine (preset wasm), HEADWAY the program, which writes the pages of devices. Ends with
// status 1 where a link leads nowhere.
import {execFileSync} from "node:child_process";
import {createHash} from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import {fileURLToPath} from "node:url";
import zlib from "node:zlib";

import esbuild from "esbuild";
import {Marked} from "marked";

import {recordKernels} from "./kernels.mjs";

const [module, headway, out] = process.argv.slice(2);
const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.dirname(here);
const read = (...parts) => fs.readFileSync(path.join(root, ...parts), "utf8");
const version = /project\(headway VERSION ([\d.]+)/.exec(read("CMakeLists.txt"))[1];

function write(name, content) {
  const file = path.join(out, name);
  fs.mkdirSync(path.dirname(file), {recursive: true});
  fs.writeFileSync(file, content);
}

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

// Scripts ------------------------------------------------------------------------------------------

const kReportFiles = ["basics", "elements", "engine", "shown", "drawing", "explorer"];

// What the playground shares with the page of a report, whose files are scripts and no modules.
const reportPage = {
  name: "report_page",
  setup(build) {
    build.onResolve({filter: /report_page\.js$/}, () => ({path: "report_page", namespace: "report"}));
    build.onLoad({filter: /.*/, namespace: "report"}, () => ({
      contents: "let readings = [];\n" +
        "export function useReadings(newReadings) { readings = newReadings; }\n" +
        kReportFiles.map((name) => read("src/report/page", `${name}.js`)).join("\n") +
        "\nexport {button, byId, drawOrder, element, Engine, Explorer, loadEngine, plural,\n" +
        "        serveEngine, Shown, verdictMark};\n",
      loader: "js"
    }));
  }
};

async function bundle(source, target, format) {
  await esbuild.build({
    entryPoints: [path.join(here, "src", source)],
    outfile: path.join(out, target),
    bundle: true,
    minify: true,
    format,
    target: "es2022",
    legalComments: "none",
    logLevel: "warning",
    plugins: [reportPage]
  });
}

// Examples -----------------------------------------------------------------------------------------

async function buildExamples() {
  const listed = JSON.parse(read("site/examples.json"));
  const groups = listed.filter(({files}) => files)
                   .map(({group, files}) => ({group, pattern: new RegExp(files)}));
  const found = [];
  for (const folder of ["litmus", "litmus/idioms", "litmus/scoped"]) {
    for (const name of fs.readdirSync(path.join(root, folder)).sort()) {
      if (!name.endsWith(".litmus")) continue;
      const own = groups.find(({pattern}) => pattern.test(name));
      if (!own) throw new Error(`${folder}/${name} belongs to no group of site/examples.json`);
      const kind = {litmus: "", "litmus/idioms": ", any N", "litmus/scoped": ", workgroups"}[folder];
      found.push({
        file: `${folder}/${name}`,
        name: name.replace(/\.litmus$/, "") + kind,
        group: own.group,
        text: read(folder, name)
      });
    }
  }
  const order = (example) => groups.findIndex(({group}) => group === example.group);
  found.sort((a, b) => order(a) - order(b));
  found.push(...await buildKernels(listed.filter(({kernels}) => kernels)));
  write("playground/examples.json", JSON.stringify(found));
  return found;
}

// Those of the groups, each with the file that the playground asks for when it shows the kernel.
async function buildKernels(groups) {
  const names = ["litmus/kernels", "litmus/shaders"].flatMap(
    (folder) => fs.readdirSync(path.join(root, folder)).sort().map((name) => ({folder, name})));
  // A program that was built without naga reads no WGSL.
  const readsWgsl = fs.existsSync(path.join(root, "src/kernel/naga/node_modules/naga-wasm"));
  const isShown = (name, kernels) => new RegExp(kernels).test(name) && (readsWgsl || !name.endsWith(".wgsl"));
  const found = groups.flatMap(({group, kernels}) => names.filter(({name}) => isShown(name, kernels)).map(
    ({folder, name}) => ({file: `${folder}/${name}`, name, group, record: `kernels/${name}.json`})));
  const records = await recordKernels(headway, root, found.map(({file}) => file));
  for (const {file, record} of found) write(`playground/${record}`, JSON.stringify(records.get(file)));
  return found;
}

// Documentation ------------------------------------------------------------------------------------

// As GitHub names headings.
function slugger() {
  const used = new Map();
  return (text) => {
    const slug = text.toLowerCase().replace(/<[^>]*>|&\w+;/g, "").replace(/[^\p{L}\p{N}\s_-]/gu, "")
                   .trim().replace(/\s/g, "-");
    const before = used.get(slug) ?? 0;
    used.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${before}`;
  };
}

const kPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
  "base-uri 'none'; form-action 'none'";
// CodeMirror writes a style sheet into the page, which a nonce allows; it is not there to keep secrets.
const kNonce = createHash("sha256").update(version).digest("hex").slice(0, 16);
const kPlaygroundPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; " +
  `style-src 'self' 'nonce-${kNonce}'; ` +
  "img-src 'self' data:; connect-src 'self'; worker-src 'self'; " +
  "base-uri 'none'; form-action 'none'";

// `name` is where the page is, from the root of the site.
function page(name, title, body, {policy = kPolicy, scripts = ["assets/page.js"], kind = "text"} = {}) {
  const up = "../".repeat(name.split("/").length - 1);
  const link = (target, text) => {
    const is = target === name ? ' aria-current="page"' : "";
    return `<li><a href="${up}${target}"${is}>${text}</a></li>`;
  };
  return `<!doctype html>
<html lang="en" class="${kind}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="nonce" content="${kNonce}">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escaped(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${up}assets/site.css">
${scripts.map((script) => `<script type="module" src="${up}${script}"></script>`).join("\n")}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="site-top">
<a class="home" href="${up}index.html">headway</a>
<nav aria-label="Site"><ul>
${link("playground/index.html", "Playground")}
${link("docs/index.html", "Documentation")}
${link("docs/reference/idioms.html", "Idioms")}
${link("devices/index.html", "Devices")}
</ul></nav>
<button type="button" id="theme">Auto</button>
</header>
<main id="main" tabindex="-1">
${body}
</main>
</body>
</html>
`;
}

const pages = new Map();     // by source, "docs/reference/models.md": {target, title, anchors}
const wanted = [];           // links: {from, to, anchor}
const copied = new Set();    // files and folders that are linked
let examples = new Set();

const targetOf = (source) => (source === "README.md" ? "docs/index.html" :
  source.replace(/\.md$/, ".html"));
const relative = (from, to) => path.posix.relative(path.posix.dirname(from), to);

function resolveLink(source, href) {
  if (/^(https?:|mailto:)/.test(href)) return href;
  const [file, anchor] = href.split("#");
  const from = targetOf(source);
  const to = file === "" ? source : path.posix.normalize(path.posix.join(path.posix.dirname(source), file)).replace(/\/$/, "");
  const hash = anchor === undefined ? "" : `#${anchor}`;
  if (!fs.existsSync(path.join(root, to))) throw new Error(`${source}: there is no ${to}`);
  if (to.endsWith(".md")) {
    wanted.push({from: source, to, anchor});
    if (!pages.has(to)) renderPage(to);
    return relative(from, targetOf(to)) + hash;
  }
  if (examples.has(to)) return `${relative(from, "playground/index.html")}#example=${to}`;
  copied.add(to);
  const isFolder = fs.statSync(path.join(root, to)).isDirectory();
  return relative(from, isFolder ? `${to}/index.html` : servedAs(to));
}

// Texts are served as such, whatever they are.
const servedAs = (file) => (/\.(png|svg|html|pdf|txt|csv|json)$/.test(file) ? file : `${file}.txt`);

function renderPage(source) {
  const entry = {target: targetOf(source), anchors: new Set(), title: source};
  pages.set(source, entry);
  const slug = slugger();
  let tables = 0;
  const marked = new Marked({gfm: true});
  marked.use({
    renderer: {
      heading({tokens, depth}) {
        const text = this.parser.parseInline(tokens);
        const plain = tokens.map((token) => token.text ?? token.raw).join("");
        const id = slug(plain);
        entry.anchors.add(id);
        if (depth === 1) entry.title = plain;
        return `<h${depth} id="${id}">${text}</h${depth}>\n`;
      },
      link({href, tokens}) {
        return `<a href="${escaped(resolveLink(source, href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      image({href, text}) {
        return `<img src="${escaped(resolveLink(source, href))}" alt="${escaped(text)}">`;
      },
      code({text}) {
        return `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`;
      },
      table(token) {
        const cells = (row, tag) => row.map((cell) => {
          const named = tag === "th" && cell.tokens.length > 0;  // An empty corner is the header of nothing.
          return `${named ? '<th scope="col">' : "<td>"}${this.parser.parseInline(cell.tokens)}</${named ? "th" : "td"}>`;
        }).join("");
        return `<div class="wide" tabindex="0" role="region" aria-label="Table ${++tables}"><table><thead><tr>${cells(token.header, "th")}</tr></thead><tbody>${
          token.rows.map((row) => `<tr>${cells(row, "td")}</tr>`).join("")}</tbody></table></div>\n`;
      }
    }
  });
  const body = marked.parse(read(source));
  write(entry.target, page(entry.target, `${entry.title} · headway`, `<article>\n${body}</article>`));
}

function copyLinked() {
  for (const name of copied) {
    const from = path.join(root, name);
    if (!fs.statSync(from).isDirectory()) {
      write(servedAs(name), fs.readFileSync(from));
      continue;
    }
    const files = fs.readdirSync(from).sort().filter((file) => fs.statSync(path.join(from, file)).isFile());
    const items = files.map((file) => {
      const whole = `${name}/${file}`;
      if (examples.has(whole))
        return `<li><a href="${relative(`${name}/x`, "playground/index.html")}#example=${whole}">${escaped(file)}</a></li>`;
      if (file.endsWith(".md")) {
        if (!pages.has(whole)) renderPage(whole);
        return `<li><a href="${targetOf(file)}">${escaped(file)}</a></li>`;
      }
      write(servedAs(whole), fs.readFileSync(path.join(from, file)));
      return `<li><a href="${escaped(servedAs(file))}">${escaped(file)}</a></li>`;
    });
    write(`${name}/index.html`, page(`${name}/index.html`, `${name} · headway`,
                                     `<article><h1>${escaped(name)}</h1><ul>${items.join("")}</ul></article>`));
  }
}

function checkLinks() {
  const broken = [];
  for (const {from, to, anchor} of wanted) {
    if (anchor !== undefined && !pages.get(to).anchors.has(anchor)) broken.push(`${from}: there is no #${anchor} in ${to}`);
  }
  // And once more as a browser would follow them, in what was written.
  const walk = (folder) => fs.readdirSync(folder, {withFileTypes: true}).flatMap(
    (entry) => (entry.isDirectory() ? walk(path.join(folder, entry.name)) : [path.join(folder, entry.name)]));
  for (const file of walk(out).filter((name) => name.endsWith(".html") && !/devices\/published|fingerprint/.test(name))) {
    for (const [, href] of fs.readFileSync(file, "utf8").matchAll(/(?:href|src)="([^"]*)"/g)) {
      if (/^(https?:|mailto:|data:|#)/.test(href)) continue;
      const target = path.join(path.dirname(file), href.split("#")[0].replaceAll("&amp;", "&"));
      if (!fs.existsSync(target)) broken.push(`${path.relative(out, file)}: ${href} leads nowhere`);
    }
  }
  if (broken.length > 0) throw new Error(broken.join("\n"));
}

// All of it ----------------------------------------------------------------------------------------

fs.rmSync(out, {recursive: true, force: true});
fs.mkdirSync(out, {recursive: true});
await bundle("playground.js", "playground/playground.js", "esm");
await bundle("worker.js", "playground/worker.js", "iife");
await bundle("page.js", "assets/page.js", "esm");
const dagre = "/usr/share/nodejs/dagre/dist/dagre.min.js";
write("playground/dagre.js", fs.readFileSync(process.env.DAGRE_SCRIPT ?? dagre));
write("assets/site.css", ["page.css", "detail.css"].map((name) => read("src/report/page", name)).join("\n") +
                         read("site/src/site.css"));
write("playground/headway_engine.wasm", fs.readFileSync(module));
write("playground/notice.txt", read("src/report/page/notice.txt"));
const shownExamples = await buildExamples();
examples = new Set(shownExamples.map(({file}) => file));
write("playground/index.html",
      page("playground/index.html", "Playground · headway", read("site/src/playground.html"), {
        policy: kPlaygroundPolicy,
        kind: "playground",
        scripts: ["playground/dagre.js", "playground/playground.js"]
      }));

renderPage("README.md");
for (const name of fs.readdirSync(path.join(root, "docs"), {recursive: true}).sort())
  if (name.endsWith(".md") && !pages.has(`docs/${name}`)) renderPage(`docs/${name}`);
for (const name of ["CHANGELOG.md", "CONTRIBUTING.md"])
  if (!pages.has(name)) renderPage(name);
copyLinked();
write("assets/report.png", fs.readFileSync(path.join(root, "docs/reference/report.png")));

write("devices/index.html", page("devices/index.html", "Devices · headway", read("site/src/devices.html")));
const run = (...parts) => execFileSync(headway, parts, {cwd: root, stdio: ["ignore", "ignore", "inherit"]});
const tables = fs.globSync ? fs.globSync("tests/data/published/devices/*/*.csv", {cwd: root}) :
  fs.readdirSync(path.join(root, "tests/data/published/devices"), {recursive: true})
    .filter((name) => name.endsWith(".csv")).map((name) => `tests/data/published/devices/${name}`);
run("report", "tests/data/published/tests", "-o", path.resolve(out, "devices/published.html"),
    "--title", "Devices of Sorensen et al.", "--engine", `${module}.gz`, "--devices", ...tables.sort());
run("web", "litmus/suite/fingerprint", "-o", path.resolve(out, "fingerprint"));

const kernel = fs.readFileSync(module);
const size = (bytes) => `${(bytes.length / 1024).toFixed(0)} KB`;
write("index.html", page("index.html", "headway: forward progress on GPUs",
                         read("site/src/index.html").replaceAll("{{version}}", version)
                           .replace("{{size}}", size(zlib.gzipSync(kernel, {level: 9})))));

// What works without a network: the playground, once it has been opened.
const cached = ["index.html", "playground.js", "worker.js", "dagre.js", "examples.json",
                "headway_engine.wasm", ...shownExamples.flatMap(({record}) => record ?? [])]
                 .map((name) => `playground/${name}`);
const stamp = createHash("sha256");
for (const name of [...cached, "assets/site.css"]) stamp.update(fs.readFileSync(path.join(out, name)));
write("playground/offline.js",
      read("site/src/offline.js").replace("{{stamp}}", stamp.digest("hex").slice(0, 16))
        .replace('"{{files}}"', JSON.stringify([...cached.map((name) => name.replace("playground/", "")), "./", "../assets/site.css"])));
checkLinks();
console.log(`${pages.size} pages; engine ${size(kernel)}, ${size(zlib.gzipSync(kernel, {level: 9}))} as gzip, ${
  size(zlib.brotliCompressSync(kernel))} as brotli`);
