// What is known of one test: its verdicts, its source, and what the chosen reading makes of it.

// Scrolls `box`, and nothing else, so that `item` in it can be seen.
function scrollInto(box, item) {
  if (!box || !item) return;
  const margin = 40;
  const top = item.offsetTop - box.scrollTop;
  if (top < margin || top + item.offsetHeight > box.clientHeight - margin) {
    box.scrollTop = item.offsetTop - box.clientHeight / 2;
  }
}

class Detail {
  // `choose(reading)` is called when another reading is chosen, `moved()` after each step.
  constructor(test, {choose, moved}) {
    this.test = test;
    this.choose = choose;
    this.moved = moved;
    this.threads = suite.threads(test);
    this.signature = suite.signature(test);
    this.radios = [];
    this.run = element("section", {class: "card run", "aria-label": "Execution"});
    this.system = element("section", {class: "card system", "aria-label": "Transition system"});
    this.source = this.buildSource();
    this.verdicts = this.buildVerdicts();
    const devices = this.buildDevices();
    this.order = element("div", {class: "order-box"});
    const order = suite.order(test) === undefined ?
      null :
      element(
        "section", {class: "card more", "aria-label": "Order of the models"},
        element(
          "h3", {}, "Order of the models ",
          element(
            "span", {class: "aside"},
            `for ${suite.launch(test)}; what passes below passes above`)),
        this.order);
    this.columns = element(
      "div", {class: "columns"}, element("div", {}, this.verdicts, this.run, order, devices),
      element("div", {}, this.source, this.system));
  }

  // Verdicts ----------------------------------------------------------------------------------

  buildVerdicts() {
    const cell = (r, span) => {
      const verdict = suite.verdict(this.test, r);
      const radio = element("input", {
        type: "radio",
        name: "reading",
        value: r,
        "aria-label": `${readings[r].name}: ${verdict}`
      });
      radio.addEventListener("change", () => this.choose(r));
      this.radios[r] = radio;
      return element(
        "td", {rowspan: span},
        element(
          "label", {class: `choice ${verdict}`, title: `${readings[r].name}: ${verdict}`}, radio,
          verdictMark(verdict)));
    };
    const row = (fairness) => element(
      "tr", {}, element("th", {scope: "row"}, fairness),
      readings.flatMap((reading, r) => (reading.fairness !== fairness ? [] : [
                         cell(r, report.models[reading.model].silent ? 2 : 1)
                       ])));
    const table = element(
      "table", {class: "verdicts"},
      element("caption", {class: "hidden"}, "Choose a model and a fairness"),
      element(
        "thead", {},
        element(
          "tr", {}, element("td"),
          report.models.map(
            (model) => element("th", {scope: "col", title: model.summary}, model.name)))),
      element("tbody", {}, row("weak"), row("strong")));
    this.definition = element("p", {class: "definition"});
    return element(
      "section", {class: "card", "aria-label": "Verdicts"},
      element(
        "h3", {}, "Verdicts ",
        element("span", {class: "aside"}, passesFrom(this.signature, suite.order(this.test)))),
      element("div", {class: "wide"}, table), this.definition);
  }

  // Source ------------------------------------------------------------------------------------

  buildSource() {
    this.lineElements = [];
    this.markers = [];
    const lines = suite.lines(this.test).map((text) => {
      const marker = element("span", {class: "at"});
      const comment = text.trimStart().startsWith("//");
      const line = element(
        "li", {class: comment ? "comment" : null}, marker,
        element("code", {}, text === "" ? " " : text));
      this.lineElements.push(line);
      this.markers.push(marker);
      return line;
    });
    this.listing =
      element("ol", {class: "listing", tabindex: 0, "aria-label": "Source text"}, lines);
    return element(
      "section", {class: "card source", "aria-label": "Source"}, element("h3", {}, "Source"),
      this.listing);
  }

  clearMarks() {
    this.markers.forEach((marker) => marker.replaceChildren());
    this.lineElements.forEach((line) => line.classList.remove("current"));
  }

  // Marks in the source what each thread does next in `state`; `next` is the thread that steps.
  markSource(state, next) {
    this.clearMarks();
    if (this.analysis === null) return;
    const {lts, program} = this.analysis;
    for (const t of members(lts.alive[state])) {
      const {line} = program.instruction(lts.states[state], t);
      this.markers[line - 1]?.append(threadChip(t));
      if (t === next) this.lineElements[line - 1]?.classList.add("current");
    }
    scrollInto(this.listing, this.listing.querySelector(".current"));
  }

  // Devices -----------------------------------------------------------------------------------

  buildDevices() {
    const rows = report.devices.flatMap((device, d) => {
      const result = device.results[this.test];
      if (result === undefined) return [];
      const outcomes = result.slice(1).map((outcome) => report.outcomes[outcome]);
      const placements = device.placements[result[0]];
      const hung = deviceVerdict(d, this.test) === "fail";
      const note = element("td", {class: "note", "data-hung": hung});
      return [element(
        "tr", {}, element("th", {scope: "row"}, device.name),
        element(
          "td", {},
          outcomes.map(
            (outcome, o) => element(
              "span", {class: `outcome ${outcome === "P" ? "pass" : "fail"}`, title: placements[o]},
              outcome === "P" ? kGlyphs.pass : `${kGlyphs.fail} ${outcome.replace(/^F\s*/, "")}`))),
        note)];
    });
    if (rows.length === 0) return null;
    this.deviceRows = rows;
    return element(
      "section", {class: "card devices more", "aria-label": "Devices"},
      element(
        "h3", {}, "Devices ",
        element(
          "span", {class: "aside"},
          "runs that did not end, of all runs, for each placement of the threads")),
      element("table", {}, element("tbody", {}, rows)));
  }

  // What a device did says more beside the verdict of a reading.
  noteDevices(reading) {
    const passes = suite.verdict(this.test, reading) === "pass";
    for (const row of this.deviceRows ?? []) {
      const note = row.querySelector(".note");
      note.textContent = note.dataset.hung !== undefined && passes ?
        `not as ${readings[reading].name} promises` :
        "";
    }
  }

  // The chosen reading ------------------------------------------------------------------------

  // Makes all of it about a reading; goTo() has to follow, when it is in the page.
  show(reading) {
    this.reading = reading;
    this.radios[reading].checked = true;
    const model = report.models[readings[reading].model];
    this.definition.replaceChildren(
      element("b", {}, model.name), ", F = ", element("code", {}, model.definition),
      `: ${model.summary}`);
    const chart = drawOrder(suite.order(this.test), suite.launch(this.test), {
      classOf: (node) =>
        `${suite.verdict(this.test, node[0])}${node.includes(reading) ? " here" : ""}`,
      choose: (r) => this.choose(r),
    });
    const focused = this.order.contains(document.activeElement);
    this.order.replaceChildren(...(chart === null ? [] : [chart]));
    if (focused) this.order.querySelector(".here")?.focus();
    this.noteDevices(reading);
    this.analysis = suite.analysis(this.test, reading);
    this.recorded = this.analysis === null ? suite.run(this.test, reading) : null;
    this.analysis ??= suite.recordedAnalysis(this.test, reading);
    this.buildRun();
    this.buildSystem();
  }

  buildRun() {
    const {name, fairness} = readings[this.reading];
    const verdict = suite.verdict(this.test, this.reading);
    const model = report.models[readings[this.reading].model];
    const title = element(
      "h3", {}, verdictMark(verdict),
      ` ${capital(verdict)} under ${model.name}${model.silent ? "" : `, ${fairness}ly fair`}`);
    this.rows = [];
    this.state = element("div", {class: "state"});
    if (this.recorded !== null) {
      this.run.replaceChildren(title, ...this.recordedFailure(), this.state);
      return;
    }
    if (this.analysis === null) {
      const file = suite.file(this.test);
      const n = suite.familySize(this.test);
      const size = n > 0 ? ` --threads ${n}` : "";
      const command =
        `headway explain "${file}"${size} --model "${model.name}" --fairness ${fairness}`;
      this.run.replaceChildren(
        title,
        element(
          "p", {},
          verdict === "unknown" ?
            "A limit was reached before the verdict was certain." :
            verdict === "error" ?
            "The program can go wrong, under this model as under any. On the command line:" :
            suite.isRecorded(this.test) ?
            "The page does not explore a test like this one. On the command line:" :
            "The page does not explore this test under this model. On the command line:"),
        ...(/\.(litmus|txt)$/.test(file) ? [element("pre", {}, command)] : []));
      return;
    }
    if (this.analysis instanceof RecordedAnalysis) {
      this.run.replaceChildren(
        title, element("p", {class: "moral"}, "Every fair execution terminates."), this.state);
      return;
    }
    const own = this.analysis.passes ? "pass" : "fail";
    const trouble = own !== verdict && verdict !== "unknown" ?
      `This page decides "${own}" for ${
        name}. That contradicts the verdict above; please report it.` :
      this.analysis.objection ?? null;
    if (trouble !== null) {
      this.run.replaceChildren(title, element("p", {class: "trouble", role: "alert"}, trouble));
      this.analysis = null;
      return;
    }
    this.run.replaceChildren(
      title, ...(this.analysis.passes ? this.whyItPasses() : this.whyItFails()), this.state);
  }

  whyItPasses() {
    const {broken} = this.analysis;
    if (broken.length === 0) {
      return [element(
        "p", {class: "moral"}, "There is no cycle: every execution terminates, fair or not.")];
    }
    const shown = broken.slice(0, 20);
    return [
      element(
        "p", {class: "moral"}, "Every fair execution terminates. Why no cycle can go on for ever:"),
      element(
        "ol", {class: "broken"},
        shown.map(
          (cycle) => element(
            "li", {}, cycle.round > 1 ? `Round ${cycle.round}: ` : "",
            `${this.analysis.whyBroken(cycle)} `,
            button("Show the state", {class: "link"}, () => this.visit(cycle.at))))),
      ...(
        broken.length > shown.length ?
          [element("p", {}, `And ${broken.length - shown.length} more.`)] :
          []),
    ];
  }

  whyItFails() {
    const {witness, steps} = this.analysis;
    return [
      element("p", {class: "moral"}, this.analysis.moral()),
      this.witnessControls(steps.length, witness.stem.length),
      this.witnessTable(
        steps.length, witness.stem.length, witness.smallest, (i) => this.stepCells(i)),
      this.reasons(
        `Why this is ${this.analysis.fairness}ly fair`,
        members(bit(this.threads) - 1).map((t) => [threadChip(t), this.analysis.whyFair(t)]))
    ];
  }

  // The same of a witness that came with the page.
  recordedFailure() {
    const {recorded} = this;
    const {fairness} = readings[this.reading];
    return [
      element("p", {class: "moral"}, recorded.summary),
      this.witnessControls(recorded.steps.length, recorded.stem),
      this.witnessTable(
        recorded.steps.length, recorded.stem, recorded.smallest,
        (i) => {
          const {thread, statement, effect, memory, fair} = recorded.steps[i];
          return this.cells(i, thread, statement, effect, memory, fair);
        }),
      recorded.wrong ? "" : this.reasons(
        recorded.isStuck ? "Where everybody is" : `Why this is ${fairness}ly fair`,
        recorded.groups.map(([name, text]) => [element("b", {}, name), text]))
    ];
  }

  witnessControls(length, stem) {
    this.slider = element(
      "input", {type: "range", min: 0, max: length, value: 0, "aria-label": "Step of the witness"});
    this.slider.addEventListener("input", () => this.goTo(Number(this.slider.value)));
    this.where = element("span", {class: "where", "aria-live": "polite"});
    const control = (text, label, id, action) =>
      button(text, {"aria-label": label, title: label, id}, action);
    return element(
      "div", {class: "stepper", role: "group", "aria-label": "Witness"},
      control("\u21e4", "To the start", "step-first", () => this.goTo(0)),
      control("\u2190", "Step back", "step-back", () => this.stepBy(-1)),
      control("\u2192", "Step on", "step-on", () => this.stepBy(1)),
      stem === length ? null :
                        control("\u21bb", "To the cycle", "step-cycle", () => this.goTo(stem)),
      this.slider, this.where);
  }

  // The steps of a witness, whose cells are `cellsOf(step)`; without a cycle it ends stuck.
  witnessTable(length, stem, smallest, cellsOf) {
    const heading = ([text, title]) =>
      element("th", {scope: "col", title, "aria-label": title}, text);
    const part = (text) =>
      element("tr", {class: "part"}, element("th", {colspan: 6, scope: "rowgroup"}, text));
    this.rows = Array.from({length}, (_, i) => {
      const entry =
        element("tr", {"data-step": i}, cellsOf(i).map((cell) => element("td", {}, cell)));
      entry.addEventListener("click", () => this.goTo(i));
      return entry;
    });
    const start = this.recorded?.wrong ? "Steps, the last of which goes wrong" :
      length === stem ? "Steps, and then nobody can take one" :
      stem === 0                  ? "Stem: none, the cycle starts at once" :
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
      length === stem ?
        null :
        element(
          "tbody", {class: "cycle"},
          part(smallest ? "Cycle, for ever" : "Cycle, for ever (there may be a smaller one)"),
          this.rows.slice(stem)));
    return element(
      "div", {class: "scroll", tabindex: 0, role: "region", "aria-label": "Steps of the witness"},
      table);
  }

  reasons(summary, entries) {
    return element(
      "details", {class: "reasons"}, element("summary", {}, summary),
      element("ul", {}, entries.map(([name, text]) => element("li", {}, name, ` ${text}`))));
  }

  cells(i, thread, statement, effect, memory, fair) {
    return [
      String(i + 1), threadChip(thread), element("code", {}, statement),
      element("span", {class: "effect"}, effect), element("code", {}, memory), fair
    ];
  }

  stepCells(i) {
    const {lts, program, path, steps} = this.analysis;
    const before = lts.states[path[i]];
    return this.cells(
      i, steps[i], program.describeThread(before, steps[i]),
      program.describeEffect(before, steps[i]), program.describeMemory(lts.states[path[i + 1]]),
      setText(lts.fair[path[i]]));
  }

  // Position p of a witness is before its step p; behind the last it is back at the cycle's start.
  stepBy(difference) {
    const {analysis} = this;
    const {steps, stem} =
      this.recorded ?? {steps: analysis?.steps, stem: analysis?.witness?.stem.length};
    if (steps === undefined || analysis?.passes) return;
    const to = (this.position ?? 0) + difference;
    if (to <= steps.length)
      this.goTo(Math.max(0, to));
    else if (stem < steps.length)
      this.goTo(stem + 1);
  }

  goTo(position) {
    if (this.recorded !== null && this.analysis === null) {
      this.goToRecorded(position);
      return;
    }
    if (this.analysis === null) {
      this.position = null;
      this.markSource(0, null);
      return;
    }
    const {path = [0], steps = []} = this.analysis;
    this.position = Math.max(0, Math.min(Math.floor(position), steps.length));
    this.at(path[this.position]);
  }

  // Where the transition system did not come with it there are no states: only the step that is next
  // is marked.
  goToRecorded(position) {
    const {steps, stem} = this.recorded;
    this.position = Math.max(0, Math.min(Math.floor(position), steps.length));
    const next = this.position < steps.length ? this.position : stem;
    this.markRow(next);
    this.clearMarks();
    if (next < steps.length) {
      const {thread, line} = steps[next];
      this.markers[line - 1]?.append(threadChip(thread));
      this.lineElements[line - 1]?.classList.add("current");
      scrollInto(this.listing, this.listing.querySelector(".current"));
    }
    this.showPosition(steps.length);
    if (next === steps.length) this.where.textContent = this.recorded.wrong ? "wrong" : "stuck";
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

  // Which step of the witness comes next; null off the witness, and where there is none.
  get nextStep() {
    if (this.position === null || this.analysis.passes) return null;
    const {steps, isStuck, stemLength, witness} = this.analysis;
    if (this.position < steps.length) return this.position;
    return isStuck ? null : stemLength ?? witness.stem.length;
  }

  // Goes to a state, on the witness where it lies on it.
  visit(state) {
    const on = (this.analysis.path ?? []).indexOf(state);
    if (on >= 0) {
      this.goTo(on);
      return;
    }
    this.position = null;
    this.at(state);
  }

  at(state) {
    const next = this.nextStep;
    const thread = next === null ? null : this.analysis.steps[next];
    this.markRow(next);
    if (!this.analysis.passes) this.showPosition(this.analysis.steps.length);
    this.markSource(state, thread);
    const target = next === null ? null : this.analysis.path[next + 1];
    const node = this.picture?.show(state, thread, target);
    if (node) this.scrollToNode(node);
    this.state.replaceChildren(this.describeState(state, thread, target));
    this.moved();
  }

  showPosition(length) {
    this.slider.value = this.position ?? 0;
    this.where.textContent = `before step ${this.position + 1} of ${length}`;
    if (this.position === length)
      this.where.textContent = this.analysis?.isStuck ? "stuck" : "round again";
    if (this.position === null) this.where.textContent = "off the witness";
  }

  // Memory, F and what every thread would do, each as a button that does it.
  describeState(state, thread, target) {
    const {lts, program, marked} = this.analysis;
    const at = lts.states[state];
    const started = lts.automaton.started?.[lts.nodes[state]];
    const facts = [
      ["Memory", program.describeMemory(at)], ["F", fairText(lts, state)],
      ...(started === undefined ? [] : [["Started", setText(started)]])
    ];
    return element(
      "div", {"data-state": state},
      element(
        "dl", {},
        facts.map(
          ([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))),
        marked.has(state) ? element("span", {class: "on-cycle"}, "on a fair cycle") : null),
      element("ul", {class: "threads"}, members(bit(lts.threads) - 1).map((t) => {
        const alive = has(lts.alive[state], t);
        const ways = waysOn(lts, state).filter((way) => way.thread === t);
        const guaranteed = has(lts.fair[state], t);
        const leaf = program.leaf ?? "thread";
        const actions = ways.map((way) => button(
          "Step", {
            class: t === thread && (ways.length === 1 || way.target === target) ? "take next" :
                                                                                  "take",
            "data-take": t,
            "aria-label": `Let ${leaf} ${t} step`,
            title: way.effect
          },
          () => this.take(state, way)));
        if (actions.length === 0) {
          const [word, label] = alive ? ["Waits", "waits"] : ["Ended", "has ended"];
          actions.push(button(word, {
            class: "take",
            disabled: true,
            "data-take": t,
            "aria-label": `${capital(leaf)} ${t} ${label}`
          }));
        }
        return element(
          "li", {}, threadChip(t), element("code", {}, program.describeThread(at, t)),
          element("span", {class: "effect"}, ways.map((way) => way.effect).join("; or ")),
          ways.length > 0 ? element(
                              "span", {class: guaranteed ? "promise yes" : "promise"},
                              guaranteed ? "guaranteed" : "not guaranteed") :
                            element("span"),
          element("span", {}, actions));
      })));
  }

  take(state, {thread, target}) {
    const next = this.nextStep;
    const {steps, path} = this.analysis;
    if (next !== null && steps[next] === thread && path[next + 1] === target)
      this.stepBy(1);
    else
      this.visit(target);
    this.state.querySelector(`[data-take="${thread}"]:not(:disabled), .take:not(:disabled)`)
      ?.focus();
  }

  // The drawing -------------------------------------------------------------------------------

  buildSystem() {
    this.picture = null;
    this.system.hidden = this.analysis === null;
    if (this.analysis === null) return;
    const {lts, marked} = this.analysis;
    this.picture = drawLts(this.analysis, (state) => this.visit(state));
    const {picture, size} = this.picture;
    this.canvas = element(
      "div",
      {class: "canvas", tabindex: 0, role: "region", "aria-label": "Transition system, drawn"},
      picture);
    const zoom = (factor) => () => this.zoom(this.scale * factor);
    const facts = `${plural(lts.states.length, "state")}, ` +
      (marked.size === 0 ? "no fair cycle" : `${marked.size} on fair cycles`);
    this.system.replaceChildren(
      element(
        "header", {},
        element("h3", {}, "Transition system ", element("span", {class: "aside"}, facts)),
        element(
          "div", {class: "zoom", role: "group", "aria-label": "Zoom"},
          button("\u2212", {"aria-label": "Smaller", title: "Smaller"}, zoom(1 / 1.25)),
          button("Fit", {title: "Fit into the frame"}, () => this.fit()),
          button("+", {"aria-label": "Larger", title: "Larger"}, zoom(1.25)))),
      this.canvas, this.legend());
    if (!this.picture.complete) {
      this.canvas.before(element(
        "p", {class: "aside"},
        this.analysis.passes ? "Only the first states are drawn." :
                               "Only the states of the witness are drawn."));
    }
    this.size = size;
    this.scale = 1;
  }

  // To be called when the drawing is in the page, and so has a width.
  fit() {
    if (this.picture === null) return;
    const {width, height} = this.size;
    const room = this.canvas.clientWidth - 4;
    if (room <= 0) return;
    this.zoom(Math.min(1.15, Math.max(0.7, Math.min(room / width, 560 / height))));
  }

  zoom(scale) {
    this.scale = Math.min(3, Math.max(0.2, scale));
    this.picture.picture.setAttribute("width", this.size.width * this.scale);
    this.picture.picture.setAttribute("height", this.size.height * this.scale);
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
    return element(
      "p", {class: "legend"}, element("span", {}, line("guaranteed"), "guaranteed step"),
      element("span", {}, line("free"), "not guaranteed"),
      ...(
        this.analysis.passes ? [] :
                               [
                                 element("span", {}, line("guaranteed fair"), "on a fair cycle"),
                                 element("span", {}, line("guaranteed witness"), "in the witness")
                               ]),
      element("span", {}, "in a state: memory, then thread:line"));
  }
}
