// CodeMirror 6, as an editor of tests and of models: colours, errors in their places, and the line
// that a witness is at.
import {defaultKeymap, history, historyKeymap} from "@codemirror/commands";
import {bracketMatching, HighlightStyle, StreamLanguage, syntaxHighlighting} from "@codemirror/language";
import {lintGutter, setDiagnostics} from "@codemirror/lint";
import {Compartment, EditorState, StateEffect, StateField} from "@codemirror/state";
import {
  Decoration, drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers, WidgetType
} from "@codemirror/view";
import {tags} from "@lezer/highlight";

const words = (text) => new Set(text.split(" "));
const kKeywords = words(
  "litmus idiom test locations values thread workgroup subgroup expect pass fail error if else " +
  "while do for goto break continue return shared local const bool int wait barrier weak strong " +
  "assert assume function void inout in out choose launch execution lockstep independent N tid " +
  "switch case default true false until repeat uniform fair progress threads");
const kCalls = /^(Exch|Load|Store|AXB|load|store|exchange|cas|add|sub|min|max|and|or|xor|fetch_\w+|atomic_\w+)\b/;

// Colours only: what a text means is the engine's business.
const testLanguage = StreamLanguage.define({
  startState: () => ({comment: false}),
  token(stream, state) {
    if (state.comment) {
      state.comment = !stream.skipTo("*/");
      if (state.comment) stream.skipToEnd();
      else stream.match("*/");
      return "comment";
    }
    if (stream.eatSpace()) return null;
    if (stream.match("//")) return stream.skipToEnd(), "comment";
    if (stream.match("/*")) return state.comment = true, "comment";
    if (stream.match(/^"[^"]*"/)) return "string";
    if (stream.match(/^\d\w*/)) return "number";
    if (stream.match(kCalls)) return "function";
    const word = stream.match(/^[A-Za-z_]\w*/);
    if (word) return kKeywords.has(word[0]) ? "keyword" : "variableName";
    stream.next();
    return null;
  },
  tokenTable: {function: tags.function(tags.variableName)},
  languageData: {commentTokens: {line: "//"}}
});

const modelLanguage = StreamLanguage.define({
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match("#")) return stream.skipToEnd(), "comment";
    if (stream.sol() && stream.match(/^\w+(?=:)/)) return "keyword";
    if (stream.match(/^"[^"]*"|^'[^']*'/)) return "string";
    if (stream.match(/^-?\d+\b/)) return "number";
    if (stream.match(/^(alive|started|terminated|ready|blocked|all|lowest|highest|first|from|upto|count|F|tid)\b/))
      return "atom";
    stream.match(/^[\w-]+/) || stream.next();
    return null;
  },
  languageData: {commentTokens: {line: "#"}}
});

const colours = HighlightStyle.define([
  {tag: tags.keyword, class: "tok-keyword"}, {tag: tags.comment, class: "tok-comment"},
  {tag: tags.number, class: "tok-number"}, {tag: tags.string, class: "tok-string"},
  {tag: tags.function(tags.variableName), class: "tok-call"}, {tag: tags.atom, class: "tok-call"}
]);

// Which threads stand at which line: [{line, thread}], and the line that the next step is on.
const setPlaces = StateEffect.define();

class ThreadsWidget extends WidgetType {
  constructor(threads) {
    super();
    this.threads = threads;
  }
  eq(other) {
    return other.threads.join() === this.threads.join();
  }
  toDOM() {
    const span = document.createElement("span");
    span.className = "at";
    for (const thread of this.threads) {
      const chip = document.createElement("span");
      chip.className = `thread t${thread % 6}`;
      chip.textContent = thread;
      span.append(chip);
    }
    return span;
  }
}

const places = StateField.define({
  create: () => Decoration.none,
  update(marks, transaction) {
    if (transaction.docChanged) return Decoration.none;
    for (const effect of transaction.effects) {
      if (effect.is(setPlaces)) return placesOf(transaction.state.doc, effect.value);
    }
    return marks;
  },
  provide: (field) => EditorView.decorations.from(field)
});

function placesOf(doc, {threads, current}) {
  const marks = [];
  const byLine = new Map();
  for (const {line, thread} of threads) {
    if (line < 1 || line > doc.lines) continue;
    byLine.set(line, [...(byLine.get(line) ?? []), thread]);
  }
  if (current >= 1 && current <= doc.lines)
    marks.push(Decoration.line({class: "current"}).range(doc.line(current).from));
  for (const [line, list] of byLine) {
    marks.push(Decoration.widget({widget: new ThreadsWidget(list), side: 1})
                 .range(doc.line(line).to));
  }
  return Decoration.set(marks, true);
}

const kReadOnly = [
  EditorState.readOnly.of(true), EditorView.contentAttributes.of({"aria-readonly": "true"})
];

export function createEditor(parent, {label, language, changed}) {
  const locked = new Compartment();
  const view = new EditorView({
    parent,
    state: EditorState.create({
      extensions: [
        EditorView.cspNonce.of(document.querySelector("meta[name=nonce]").content), lineNumbers(),
        history(), EditorView.lineWrapping, drawSelection(), highlightActiveLine(), bracketMatching(),
        lintGutter(), places, syntaxHighlighting(colours),
        language === "model" ? modelLanguage : testLanguage,
        EditorView.contentAttributes.of({"aria-label": label}), locked.of([]),
        keymap.of([...defaultKeymap, ...historyKeymap]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) changed();
        })
      ]
    })
  });
  return {
    view,
    get text() {
      return view.state.doc.toString();
    },
    set text(text) {
      view.dispatch({changes: {from: 0, to: view.state.doc.length, insert: text}});
    },
    set readOnly(is) {
      view.dispatch({effects: locked.reconfigure(is ? kReadOnly : [])});
    },
    focus: () => view.focus(),
    // `problems`: {line, column, text, kind}; columns count bytes.
    complain(problems) {
      const {doc} = view.state;
      const diagnostics = problems.map(({line, column, text, kind}) => {
        const at = doc.line(Math.min(Math.max(line ?? 1, 1), doc.lines));
        const from = Math.min(at.from + charactersOf(at.text, (column ?? 1) - 1), at.to);
        const word = /^\w+/.exec(doc.sliceString(from, at.to));
        return {
          from,
          to: Math.min(from + (word ? word[0].length : 1), doc.length),
          severity: kind === "error" || kind === "unmet" ? "error" : "warning",
          message: text
        };
      });
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
    show(value) {
      view.dispatch({effects: setPlaces.of(value)});
      if (value.current >= 1 && value.current <= view.state.doc.lines) {
        view.dispatch({
          effects: EditorView.scrollIntoView(view.state.doc.line(value.current).from, {y: "nearest"})
        });
      }
    }
  };
}

// How many characters of a line its first bytes are.
function charactersOf(text, bytes) {
  if (bytes <= 0) return 0;
  return new TextDecoder().decode(new TextEncoder().encode(text).slice(0, bytes)).length;
}
