// What is known of one test: its verdicts, its source, and what the chosen reading makes of it.

class Detail {
  // `choose(reading)` is called when another reading is chosen, `moved()` after each step.
  constructor(test, {choose, moved}) {
    this.test = test;
    this.choose = choose;
    this.signature = suite.signature(test);
    this.radios = [];
    this.source = this.buildSource();
    this.explorer = new Explorer({mark: (threads, line) => this.markSource(threads, line), moved});
    this.title = element("h3");
    this.run = element(
      "section", {class: "card run", "aria-label": "Execution"}, this.title, this.explorer.run,
      this.explorer.state);
    this.system = element(
      "section", {class: "card system", "aria-label": "Transition system"}, this.explorer.system);
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
            "span", {class: "aside"}, `for ${suite.launch(test)}; what passes below passes above`)),
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

  // Marks in the source what each of `threads` does next, and the line of the next step.
  markSource(threads, current) {
    this.markers.forEach((marker) => marker.replaceChildren());
    for (const {thread, line} of threads) this.markers[line - 1]?.append(threadChip(thread));
    this.lineElements.forEach((line, l) => line.classList.toggle("current", l === current - 1));
    scrollInto(this.listing, this.lineElements[current - 1]);
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

  // Makes all of it about a reading, with the step of the execution at `position`.
  show(reading, position) {
    this.loading = false;
    this.reading = reading;
    this.wanted = position;
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
    const verdict = suite.verdict(this.test, reading);
    this.title.replaceChildren(
      verdictMark(verdict),
      ` ${capital(verdict)} under ${model.name}${
        model.silent ? "" : `, ${readings[reading].fairness}ly fair`}`);
    const recorded = suite.recorded(this.test, reading);
    if (recorded !== null)
      this.explore(recorded);
    else if (suite.canAsk(this.test))
      this.ask(reading);
    else
      this.refer("The file does not hold what is behind this verdict. On the command line:");
  }

  // Where the execution is, or will be when it is there.
  get position() {
    return this.loading ? this.wanted : this.explorer.position;
  }

  async ask(reading) {
    this.loading = true;
    const patience = setTimeout(() => {
      this.system.hidden = true;
      this.explorer.clear(element("p", {class: "aside"}, "Exploring\u2026"));
    }, 200);
    const answer = await suite.ask(this.test, reading);
    clearTimeout(patience);
    if (answer === null || this.reading !== reading) return;
    this.loading = false;
    if (answer.shown === null)
      this.refer(`The page could not explore this test: ${answer.why}. On the command line:`);
    else
      this.explore(answer.shown);
  }

  explore(shown) {
    const verdict = suite.verdict(this.test, this.reading);
    const {name, fairness} = readings[this.reading];
    if (shown.verdict === "unknown") {
      this.refer("A limit was reached here. On the command line:");
    } else if (shown.verdict !== verdict && verdict !== "unknown") {
      this.system.hidden = true;
      this.explorer.clear(element(
        "p", {class: "trouble", role: "alert"},
        `This page decides "${shown.verdict}" for ${
          name}. That contradicts the verdict above; please report it.`));
    } else {
      this.system.hidden = shown.states === null;
      this.explorer.show(shown, fairness, this.wanted);
      if (shown.run === null && shown.reasons === null) this.explorer.run.append(this.command());
    }
  }

  // Says which command shows what the page does not.
  refer(text) {
    const limited = suite.verdict(this.test, this.reading) === "unknown";
    this.system.hidden = true;
    this.explorer.clear(
      element("p", {}, limited ? "A limit was reached before the verdict was certain." : text),
      this.command());
  }

  command() {
    const file = suite.file(this.test);
    const {model, fairness} = readings[this.reading];
    const n = suite.familySize(this.test);
    if (/^<|\.(jsonl|ya?ml)$/.test(file)) return element("span");
    return element(
      "pre", {},
      `headway explain "${file}"${n > 0 ? ` --threads ${n}` : ""} --model "${
        report.models[model].name}" --fairness ${fairness}`);
  }
}
