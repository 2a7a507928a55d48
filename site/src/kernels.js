// Kernels, which the engine does not read: what the native program said of them when the site was built.
import {button, element, Shown} from "./report_page.js";

// As site/kernels.mjs recorded it.
export async function loadKernel({file: name, record}) {
  const response = await fetch(record);
  if (!response.ok) throw new Error(`${record}: ${response.status}`);
  const {text, test, notes, slice, refusal, file} = await response.json();
  const numberOf = ({model, fairness}) => file.readings.findIndex(
    ([m, strong]) => file.models[m].name === model &&
      (file.models[m].silent || (strong === 1 ? "strong" : "weak") === fairness));
  return {
    name, text, test, slice, refusal,
    messages: notes.map((note) => ({kind: "note", text: note})),
    shown: (reading) => Shown.recorded(file, 0, numberOf(reading)),
    command: ({model, fairness}) => element(
      "pre", {}, `headway explain ${name} --model "${model}" --fairness ${fairness}`)
  };
}

let inBox = null;

// What is said of a kernel beside its verdicts; `edit()` is called to have its slice in the editor.
export function fillKernelBox(box, kernel, edit) {
  box.hidden = kernel === null;
  if (kernel === inBox) return;
  inBox = kernel;
  if (kernel === null) return;
  box.replaceChildren(
    kernel.test.answer === undefined ? "" : element("p", {}, kernel.test.answer),
    element(
      "p", {class: "aside"}, "All of this is what ", element("code", {}, `headway check ${kernel.name}`),
      " said when this page was built. A changed kernel takes the native program, as a compiler has to read it."),
    element(
      "details", {class: "help"}, element("summary", {}, "Slice: what decides whether it ends"),
      kernel.slice === null ? element("p", {}, kernel.refusal) : [
        element("pre", {tabindex: 0, "aria-label": "Slice"}, element("code", {}, kernel.slice)),
        button("Edit the slice", {id: "edit-slice"}, edit)
      ]));
}

const kMarks = [
  [/^\s*; SPIR-V|^\s*OpCapability\b/m, "SPIR-V", "spvasm"],
  [/\b__(global|device|shared|host)__\b/, "CUDA", "cu"],
  [/\b(__)?kernel\s+void\b/, "OpenCL C", "cl"],
  [/^\s*#version\s+\d/m, "GLSL", "comp"],
  [/\[numthreads\(/i, "HLSL", "hlsl"],
  [/@workgroup_size\b/, "WGSL", "wgsl"],
  [/^target (triple|datalayout)\b|^define .*@/m, "LLVM's language", "ll"]
];

// What to say of a text in a language that takes the native program: messages, none of others.
export function foreign(text) {
  const [, language, ending] = kMarks.find(([mark]) => mark.test(text)) ?? [];
  if (language === undefined) return [];
  return [{
    kind: "limit",
    text: `This looks like ${language}, which takes the native program: headway check FILE.${ending}. Here litmus ` +
      "tests and programs of the idiom language are decided; headway slice makes one of a kernel."
  }];
}
