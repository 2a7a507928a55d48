// What is shown of a test, to step through: an execution or the reasons for a pass, the threads to
// be scheduled by hand, and the transition system. It draws into three boxes, which stand where the
// page wants them: `run`, `state` and `system`.

// Scrolls `box`, and nothing else, so that `item` in it can be seen.
function scrollInto(box, item) {
  if (!box || !item) return;
  const margin = 40;
  const top = item.offsetTop - box.scrollTop;
  if (top < margin || top + item.offsetHeight > box.clientHeight - margin) {
    box.scrollTop = item.offsetTop - box.clientHeight / 2;
  }
}

class Explorer {
  // `mark(threads, line)` is called with where threads are in the source, {thread, line}, and the
  // line of the next step, 0 for none; `moved()` after each step.
  constructor({mark, moved}) {
    Object.assign(this, {mark, moved});
    this.run = element("div");
    this.state = element("div", {class: "state"});
    this.system = element("div");
    this.clear();
  }

  // Shows nothing but `notes`.
  clear(...notes) {
    this.shown = null;
    this.picture = null;
    this.position = null;  // in the execution: before its step of that number; null off it
    this.here = null;      // the state
    this.trace = [];       // of what was done by hand: {thread, here, position}
    this.rows = [];
    this.run.replaceChildren(...notes);
    this.state.replaceChildren();
    this.system.replaceChildren();
    this.mark([], 0);
  }

  show(shown, fairness, position = 0) {
    this.clear();
    this.shown = shown;
    if (shown.run !== null) this.run.replaceChildren(...this.execution(fairness));
    if (shown.reasons !== null) this.run.replaceChildren(...this.reasons());
    if (shown.states !== null) this.draw();
    this.fit();
    this.goTo(position);
  }

  // The execution -------------------------------------------------------------------------------

  execution(fairness) {
    const {run} = this.shown;
    return [
      element("p", {class: "moral"}, run.summary), this.controls(), this.table(),
      run.groups.length === 0 ?
        "" :
        element(
          "details", {class: "reasons"},
          element(
            "summary", {},
            this.shown.isStuck ? "Where everybody is" : `Why this is ${fairness}ly fair`),
          element(
            "ul", {},
            run.groups.map(
              ([name, text]) => element("li", {}, element("b", {}, name), ` ${text}`))))
    ];
  }

  reasons() {
    const {cycles, more} = this.shown.reasons;
    if (cycles.length === 0) {
      return [element(
        "p", {class: "moral"}, "There is no cycle: every execution terminates, fair or not.")];
    }
    const visit = (state) => button("Show the state", {class: "link"}, () => this.visit(state));
    return [
      element(
        "p", {class: "moral"}, "Every fair execution terminates. Why no cycle can go on for ever:"),
      element(
        "ol", {class: "broken"},
        cycles.map(
          ([text, state]) => element("li", {}, `${text} `, state === null ? null : visit(state)))),
      ...(more > 0 ? [element("p", {}, `And ${more} more.`)] : [])
    ];
  }

  controls() {
    const {steps, stem} = this.shown.run;
    this.slider = element(
      "input",
      {type: "range", min: 0, max: steps.length, value: 0, "aria-label": "Step of the witness"});
    this.slider.addEventListener("input", () => this.goTo(Number(this.slider.value)));
    this.where = element("span", {class: "where", "aria-live": "polite"});
    const control = (text, label, id, action) =>
      button(text, {"aria-label": label, title: label, id}, action);
    return element(
      "div", {class: "stepper", role: "group", "aria-label": "Witness"},
      control("\u21e4", "To the start", "step-first", () => this.goTo(0)),
      control("\u2190", "Step back", "step-back", () => this.stepBy(-1)),
      control("\u2192", "Step on", "step-on", () => this.stepBy(1)),
      stem === steps.length ?
        null :
        control("\u21bb", "To the cycle", "step-cycle", () => this.goTo(stem)),
      this.slider, this.where);
  }

  table() {
    const {steps, stem, smallest, wrong} = this.shown.run;
    const heading = ([text, title]) => element(
      "th", {scope: "col", title}, text === "" ? element("span", {class: "hidden"}, title) : text);
    const part = (text) =>
      element("tr", {class: "part"}, element("th", {colspan: 6, scope: "rowgroup"}, text));
    this.rows = steps.map(({thread, line, statement, effect, memory, fair}, i) => {
      const cells = [
        String(i + 1), threadChip(thread),
        element("code", {title: line > 0 ? `line ${line}` : null}, statement),
        element("span", {class: "effect"}, effect), element("code", {}, memory), fair
      ];
      const row = element("tr", {"data-step": i}, cells.map((cell) => element("td", {}, cell)));
      row.addEventListener("click", () => this.goTo(i));
      return row;
    });
    const start = wrong  ? "Steps, the last of which goes wrong" :
      this.shown.isStuck ? "Steps, and then nobody can take one" :
      stem === 0         ? "Stem: none, the cycle starts at once" :
                           "Stem, once";
    const table = element(
      "table", {class: "steps"},
      element(
        "thead", {},
        element(
          "tr", {},
          [
            ["", "Step"], ["", "Thread"], ["Statement"], ["Effect"],
            ["Memory", "Memory after the step"], ["F", "Threads guaranteed before the step"]
          ].map(heading))),
      element("tbody", {}, part(start), this.rows.slice(0, stem)),
      stem === steps.length ?
        null :
        element(
          "tbody", {class: "cycle"},
          part(smallest ? "Cycle, for ever" : "Cycle, for ever (there may be a smaller one)"),
          this.rows.slice(stem)));
    return element(
      "div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Steps of the witness"},
      table);
  }

  // Behind its last step the execution is back at the cycle's start.
  stepBy(difference) {
    const {run, states, path} = this.shown ?? {};
    if (!run || (states && !path)) return;
    const to = (this.position ?? 0) + difference;
    if (to <= run.steps.length)
      this.goTo(Math.max(0, to));
    else if (run.stem < run.steps.length)
      this.goTo(run.stem + 1);
  }

  goTo(position) {
    if (this.shown === null) return;
    const {run, states, path} = this.shown;
    const follows = run !== null && (states === null || path !== null);
    this.trace = [];
    this.position = follows ? Math.max(0, Math.min(Math.floor(position), run.steps.length)) : null;
    this.at(states === null ? null : follows ? path[this.position] : 0);
  }

  // Goes to a state, on the execution where it lies on it.
  visit(state) {
    const on = this.shown.path?.indexOf(state) ?? -1;
    if (on >= 0) {
      this.goTo(on);
      return;
    }
    this.trace = [];
    this.position = null;
    this.at(state);
  }

  // Which step of the execution comes next; null off it, and at its end.
  get nextStep() {
    if (this.position === null) return null;
    const {steps, stem} = this.shown.run;
    if (this.position < steps.length) return this.position;
    return stem < steps.length ? stem : null;
  }

  // Shows a state, or where there are none the place in the execution alone.
  at(state) {
    this.here = state;
    const {run, states, path} = this.shown;
    const next = this.nextStep;
    const step = next === null ? null : run.steps[next];
    this.markRow(next);
    if (run !== null) this.showPosition(run.steps.length);
    if (state === null) {
      this.mark(step === null ? [] : [step], step?.line ?? 0);
    } else {
      const alive = states[state]
                      .threads.map(({line, isAlive}, thread) => ({thread, line, isAlive}))
                      .filter(({isAlive}) => isAlive);
      this.mark(alive, step === null ? 0 : states[state].threads[step.thread].line);
      const target = next === null ? null : path[next + 1];
      const node = this.picture.show(state, step?.thread ?? null, target);
      if (node) this.scrollToNode(node);
      this.state.replaceChildren(...this.describe(states[state], step?.thread ?? null, target));
    }
    this.moved();
  }

  markRow(next) {
    this.rows.forEach((row, i) => {
      row.classList.toggle("current", i === next);
      if (i === next)
        row.setAttribute("aria-current", "step");
      else
        row.removeAttribute("aria-current");
    });
    scrollInto(this.rows[next]?.closest(".scroll"), this.rows[next]);
  }

  showPosition(length) {
    this.slider.value = this.position ?? 0;
    this.where.textContent = this.position === null ? "off the witness" :
      this.position < length ? `before step ${this.position + 1} of ${length}` :
      this.shown.run.wrong ? "wrong" :
      this.shown.isStuck   ? "stuck" :
                             "round again";
  }

  // By hand -------------------------------------------------------------------------------------

  // Memory, F and what every thread would do, each way as a button that takes it.
  describe({memory, fair, started, set, threads, ways}, thread, target) {
    const facts = [
      ["Memory", memory], ["F", fair],
      ...(started === undefined ? [] : [["Started", setText(started)]])
    ];
    const actions = (t, {isAlive}) => {
      const own = ways.filter((way) => way.thread === t);
      if (own.length === 0) {
        const [word, label] = isAlive ? ["Waits", "waits"] : ["Ended", "has ended"];
        return [button(word, {
          class: "take",
          disabled: true,
          "data-take": t,
          "aria-label": `${capital(this.shown.leaf)} ${t} ${label}`
        })];
      }
      return own.map(
        (way) => button(
          "Step", {
            class: t === thread && (own.length === 1 || way.target === target) ? "take next" :
                                                                                 "take",
            "data-take": t,
            "aria-label": `Let ${this.shown.leaf} ${t} step`,
            title: way.effect
          },
          () => this.take(way)));
    };
    const list = threads.map((entry, t) => {
      const effects = ways.filter((way) => way.thread === t).map(({effect}) => effect);
      return element(
        "li", {}, threadChip(t), element("code", {}, entry.does),
        element("span", {class: "effect"}, effects.join("; or ")),
        effects.length === 0 ? element("span") :
                               element(
                                 "span", {class: entry.isOwed ? "promise yes" : "promise"},
                                 entry.isOwed ? "guaranteed" : "not guaranteed"),
        element("span", {}, actions(t, entry)));
    });
    return [
      element(
        "dl", {},
        facts.map(
          ([name, value]) =>
            element("div", {}, element("dt", {}, name), element("dd", {}, value)))),
      set < 0 ? "" : element("p", {class: "on-cycle"}, "on a fair cycle"),
      element("ul", {class: "threads"}, list), ...this.byHand(ways, threads)
    ];
  }

  byHand(ways, threads) {
    const parts = [];
    if (ways.length === 0) {
      parts.push(element(
        "p", {},
        threads.some(({isAlive}) => isAlive) ? "Nobody can step." : "Everybody has ended."));
    }
    if (this.trace.length > 0) {
      parts.push(element(
        "p", {}, `By hand: ${this.trace.map(({thread}) => thread).join(" ")}. `,
        button("Undo", {id: "undo"}, () => this.undo()),
        button("To the start", {id: "restart"}, () => this.goTo(0))));
    }
    return parts;
  }

  take({thread, target}) {
    const next = this.nextStep;
    const {run, path} = this.shown;
    this.trace.push({thread, here: this.here, position: this.position});
    const follows = next !== null && run.steps[next].thread === thread && path[next + 1] === target;
    this.position = follows ? next + 1 : path?.includes(target) ? path.indexOf(target) : null;
    this.at(target);
    this.state.querySelector(`[data-take="${thread}"]:not(:disabled), .take:not(:disabled)`)
      ?.focus();
  }

  undo() {
    const {here, position} = this.trace.pop();
    this.position = position;
    this.at(here);
  }

  // The drawing ---------------------------------------------------------------------------------

  draw() {
    const {shown} = this;
    this.picture = drawLts(shown, (state) => this.visit(state));
    this.canvas = element(
      "div",
      {class: "canvas", tabindex: 0, role: "region", "aria-label": "Transition system, drawn"},
      this.picture.picture);
    const zoom = (factor) => () => this.zoom(this.scale * factor);
    const facts = `${plural(shown.states.length, "state")}, ` +
      (shown.onCycles === 0 ? "no fair cycle" : `${shown.onCycles} on fair cycles`);
    this.system.replaceChildren(
      element(
        "header", {},
        element("h3", {}, "Transition system ", element("span", {class: "aside"}, facts)),
        element(
          "div", {class: "zoom", role: "group", "aria-label": "Zoom"},
          button("\u2212", {"aria-label": "Smaller", title: "Smaller"}, zoom(1 / 1.25)),
          button("Fit", {title: "Fit into the frame"}, () => this.fit()),
          button("+", {"aria-label": "Larger", title: "Larger"}, zoom(1.25)))),
      ...(this.picture.complete ? [] : [element(
                                         "p", {class: "aside"},
                                         shown.path === null ?
                                           "Only the first states are drawn." :
                                           "Only the states of the witness are drawn.")]),
      this.canvas, this.legend());
    this.scale = 1;
  }

  // To be called when the drawing is in the page, and so has a width.
  fit() {
    if (this.picture === null) return;
    const {width, height} = this.picture.size;
    const room = this.canvas.clientWidth - 4;
    if (room <= 0) return;
    this.zoom(Math.min(1.15, Math.max(0.7, Math.min(room / width, 560 / height))));
  }

  zoom(scale) {
    const {picture, size} = this.picture;
    this.scale = Math.min(3, Math.max(0.2, scale));
    picture.setAttribute("width", size.width * this.scale);
    picture.setAttribute("height", size.height * this.scale);
  }

  scrollToNode(node) {
    const {canvas, scale} = this;
    const margin = 30;
    const x = node.x * scale, y = node.y * scale;
    if (x < canvas.scrollLeft + margin || x > canvas.scrollLeft + canvas.clientWidth - margin) {
      canvas.scrollLeft = x - canvas.clientWidth / 2;
    }
    if (y < canvas.scrollTop + margin || y > canvas.scrollTop + canvas.clientHeight - margin) {
      canvas.scrollTop = y - canvas.clientHeight / 2;
    }
  }

  legend() {
    const line = (kind) => svg(
      "svg", {class: "graph key", width: 30, height: 10, "aria-hidden": "true"},
      svg("g", {class: `edge ${kind}`}, svg("path", {d: "M1 5H29"})));
    const entry = (kind, text) => element("span", {}, line(kind), text);
    return element(
      "p", {class: "legend"}, entry("guaranteed", "guaranteed step"),
      entry("free", "not guaranteed"),
      this.shown.onCycles === 0 ? null : entry("guaranteed fair", "on a fair cycle"),
      this.shown.path === null ? null : entry("guaranteed witness", "in the witness"),
      element("span", {}, "in a state: memory, then thread:line"));
  }
}
