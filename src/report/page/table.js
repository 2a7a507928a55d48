// The table of tests by models. Only the rows in sight exist; they are reused while it scrolls.

const kRow = 28;    // pixels, as in page.css
const kMargin = 4;  // rows kept ready above and below

class Table {
  // `choose(test, reading)` is called for a test that is chosen, with the reading of its column or
  // null; `filters` gets what the heads of the columns say; `open(test)` for Enter.
  constructor(container, filters, {choose, open}) {
    this.filters = filters;
    this.choose = choose;
    this.open = open;
    this.rows = [];
    this.sort = {by: "order", down: false};
    this.active = {row: 0, column: 0};  // what the keyboard is at
    this.selected = null;               // test
    this.reading = null;
    this.devices = report.devices.map((device) => device.name);
    this.columns = 3 + readings.length + this.devices.length;
    this.pool = [];
    this.body = element("div", {class: "rows", role: "rowgroup"});
    this.grid = element(
      "div", {
        class: "grid",
        role: "grid",
        tabindex: 0,
        id: "grid",
        "aria-label": "Verdicts: tests by models",
        "aria-colcount": this.columns,
        "aria-describedby": "grid-help"
      },
      this.head(), this.body);
    const columns = this.template();
    this.grid.style.setProperty("--columns", `minmax(var(--name), 1fr) ${columns.join(" ")}`);
    this.grid.style.setProperty("--least", `calc(var(--name) + ${columns.join(" + ")} + 0.5rem)`);
    this.empty = element("p", {class: "notice", hidden: true});
    container.append(
      this.grid, this.empty,
      element(
        "p", {id: "grid-help", class: "hidden"},
        "Arrow keys move, Enter opens the details of a test."));
    this.grid.addEventListener("scroll", () => this.draw(), {passive: true});
    this.grid.addEventListener("keydown", (event) => this.key(event));
    this.grid.addEventListener("focus", () => this.draw());
    this.grid.addEventListener("blur", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(this.grid);
  }

  template() {
    const width = (reading) =>
      (report.models[reading.model].silent ? "var(--single)" : "var(--cell)");
    const devices =
      this.devices.length === 0 ? [] : ["var(--gap)", ...this.devices.map(() => "var(--device)")];
    return ["var(--number)", "var(--number)", ...readings.map(width), ...devices];
  }

  // Heads: names of models, then fairness with the filter of each column.
  head() {
    const sorter = (by, text, title) => {
      const control = button(text, {class: "sort", title}, () => this.sortBy(by));
      return element("div", {role: "columnheader", class: `h-${by}`, "data-sort": by}, control);
    };
    const groups = report.models.map((model, m) => {
      const own = readings.filter((reading) => reading.model === m).length;
      return element(
        "div", {
          role: "columnheader",
          class: "model",
          title: `${model.name}: ${model.summary}`,
          "aria-colspan": own,
          style: `grid-column: span ${own}`
        },
        element("span", {}, model.name));
    });
    this.updates = [];
    const toggles = readings.map(
      (reading, r) => this.toggle(
        "wanted", r, reading.name,
        report.models[reading.model].silent ? "\u00b7" : reading.fairness[0]));
    const devices = this.devices.map(
      (name, d) => element(
        "div", {role: "columnheader", class: "device-name", title: name},
        element("span", {}, name)));
    const deviceToggles =
      this.devices.map((name, d) => this.toggle("devices", d, `device ${name}`, "\u00b7"));
    const gap = () => (this.devices.length === 0 ? null : element("div", {class: "gap"}));
    const blank = () => element("div");
    return element(
      "div", {class: "head", role: "rowgroup"},
      element(
        "div", {class: "row", role: "row"}, sorter("name", "Test", "Sort by name"),
        sorter("threads", "T", "Sort by threads"),
        sorter("instructions", "I", "Sort by instructions"), groups, gap(), devices),
      element(
        "div", {class: "row fairness", role: "row"}, blank(), blank(), blank(), toggles, gap(),
        deviceToggles));
  }

  // A button that goes from "any" over "pass" to "fail" and back; `set` names a map of the filters.
  toggle(set, key, name, text) {
    const control = button("", {class: "want"}, () => {
      const wanted = this.filters[set];
      const next = {undefined: "pass", pass: "fail", fail: undefined}[wanted.get(key)];
      if (next === undefined)
        wanted.delete(key);
      else
        wanted.set(key, next);
      this.filters.changed();
    });
    this.updates.push(() => {
      const now = this.filters[set].get(key) ?? "any";
      control.className = `want ${now}`;
      control.textContent = now === "any" ? text : kGlyphs[now];
      const label = `Show only tests by ${name}: ${now}`;
      control.setAttribute("aria-label", label);
      control.title =
        `${name}: ${now === "any" ? "pass or fail" : `only ${now}`}. Click to filter.`;
    });
    return element("div", {role: "columnheader"}, control);
  }

  sortBy(by) {
    if (this.sort.by !== by)
      this.sort = {by, down: false};
    else if (!this.sort.down)
      this.sort.down = true;
    else
      this.sort = {by: "order", down: false};
    this.show(this.unsorted);
  }

  // Shows `tests`, a list of numbers in increasing order.
  show(tests) {
    this.unsorted = tests;
    const key = {
      order: null,
      name: suite.name,
      threads: suite.threads,
      instructions: suite.instructions
    }[this.sort.by];
    this.rows = tests;
    if (key !== null) {
      const sign = this.sort.down ? -1 : 1;
      const compare = this.sort.by === "name" ? new Intl.Collator("en", {numeric: true}).compare :
                                                (x, y) => x - y;
      this.rows = [...tests].sort((a, b) => sign * compare(key(a), key(b)) || a - b);
    }
    for (const head of this.grid.querySelectorAll("[data-sort]")) {
      const own = head.dataset.sort === this.sort.by;
      head.setAttribute("aria-sort", own ? (this.sort.down ? "descending" : "ascending") : "none");
    }
    for (const update of this.updates) update();
    this.body.style.height = `${this.rows.length * kRow}px`;
    this.grid.setAttribute("aria-rowcount", this.rows.length + 2);
    this.empty.hidden = this.rows.length > 0;
    this.empty.textContent =
      suite.size === 0 ? "This suite has no tests." : "No test passes these filters.";
    const at = this.rows.indexOf(this.selected);
    this.active.row = Math.max(0, at);
    for (const row of this.pool) row.dataset.row = "";
    if (at < 0) this.grid.scrollTop = 0;
    this.draw();
  }

  select(test, reading) {
    this.selected = test;
    this.reading = reading;
    const at = test === null ? -1 : this.rows.indexOf(test);
    if (at >= 0) {
      this.active.row = at;
      if (this.active.column === 0 || this.active.column > readings.length)
        this.active.column = 0;
      else
        this.active.column = reading + 1;
      this.reveal(at);
    }
    for (const row of this.pool) row.dataset.row = "";
    this.draw();
  }

  get headHeight() {
    return this.grid.firstElementChild.offsetHeight;
  }
  get pageRows() {
    return Math.max(1, Math.floor((this.grid.clientHeight - this.headHeight) / kRow));
  }

  reveal(row) {
    const top = row * kRow;
    const room = this.grid.clientHeight - this.headHeight;
    if (top < this.grid.scrollTop)
      this.grid.scrollTop = top;
    else if (top + kRow > this.grid.scrollTop + room)
      this.grid.scrollTop = top + kRow - room;
  }

  draw() {
    const first = Math.max(0, Math.floor(this.grid.scrollTop / kRow) - kMargin);
    const wanted = Math.ceil(this.grid.clientHeight / kRow) + 2 * kMargin;
    while (this.pool.length < wanted) this.pool.push(this.makeRow());
    const focused = document.activeElement === this.grid;
    let activeId = null;
    for (let i = first; i < first + this.pool.length; ++i) {
      const row = this.pool[i % this.pool.length];
      const exists = i < this.rows.length;
      row.hidden = !exists;
      if (!exists) continue;
      if (row.dataset.row !== String(i)) this.fillRow(row, i);
      const isActive = focused && i === this.active.row;
      row.classList.toggle("active", isActive);
      [...row.cells].forEach((cell, c) => {
        const own = isActive && c === this.cellOfColumn();
        cell.classList.toggle("active", own);
        if (own) activeId = cell.id;
      });
    }
    if (activeId === null)
      this.grid.removeAttribute("aria-activedescendant");
    else
      this.grid.setAttribute("aria-activedescendant", activeId);
  }

  // Column 0 of the keyboard is the name of the test, column r + 1 reading r.
  cellOfColumn() {
    return this.active.column === 0 ? 0 : this.active.column + 2;
  }

  makeRow() {
    const number = this.pool.length;
    const cell = (c, name) => element("div", {
      role: "gridcell",
      class: name,
      id: `cell-${number}-${c}`,
      "aria-colindex": c + 1,
      "data-cell": c
    });
    const cells = [
      cell(0, "name"), cell(1, "number"), cell(2, "number"),
      ...readings.map((_, r) => cell(3 + r, "")),
      ...this.devices.map((_, d) => cell(3 + readings.length + d, ""))
    ];
    const gap = this.devices.length === 0 ? [] : [element("div", {class: "gap"})];
    const row = element(
      "div", {class: "row", role: "row"}, cells.slice(0, 3 + readings.length), gap,
      cells.slice(3 + readings.length));
    row.cells = cells;
    row.addEventListener("click", (event) => {
      const at = Number(row.dataset.row);
      const c = Number(event.target.closest("[data-cell]")?.dataset.cell ?? 0);
      const reading = c >= 3 && c < 3 + readings.length ? c - 3 : null;
      this.active = {row: at, column: reading === null ? 0 : reading + 1};
      this.choose(this.rows[at], reading);
      this.open(this.rows[at]);
    });
    this.body.append(row);
    return row;
  }

  fillRow(row, i) {
    const test = this.rows[i];
    const chosen = test === this.selected;
    row.dataset.row = i;
    row.style.transform = `translateY(${i * kRow}px)`;
    row.setAttribute("aria-rowindex", i + 3);
    row.setAttribute("aria-selected", chosen);
    row.classList.toggle("selected", chosen);
    const [name, threads, instructions, ...rest] = row.cells;
    name.textContent = suite.name(test);
    name.title = suite.name(test);
    threads.textContent = suite.threads(test);
    instructions.textContent = suite.instructions(test);
    const letters = report.signatures[suite.signature(test)];
    rest.forEach((cell, c) => {
      const ofModel = c < readings.length;
      const verdict = ofModel ? kVerdicts[letters[c]] : deviceVerdict(c - readings.length, test);
      const who = ofModel ? readings[c].name : this.devices[c - readings.length];
      cell.className = `cell ${verdict ?? "absent"}${ofModel ? "" : " of-device"}`;
      cell.classList.toggle("chosen", chosen && ofModel && c === this.reading);
      cell.textContent = verdict === null ? "" : kGlyphs[verdict];
      cell.setAttribute("aria-label", `${who}: ${verdict ?? "not run"}`);
    });
  }

  key(event) {
    if (event.target !== this.grid || event.altKey || event.ctrlKey || event.metaKey) return;
    const {row, column} = this.active;
    const to = (r, c = column) => ({
      row: Math.min(this.rows.length - 1, Math.max(0, r)),
      column: Math.min(readings.length, Math.max(0, c))
    });
    const moves = {
      ArrowDown: () => to(row + 1),
      ArrowUp: () => to(row - 1),
      ArrowRight: () => to(row, column + 1),
      ArrowLeft: () => to(row, column - 1),
      PageDown: () => to(row + this.pageRows),
      PageUp: () => to(row - this.pageRows),
      Home: () => to(0),
      End: () => to(this.rows.length - 1)
    };
    const move = moves[event.key];
    const opens = event.key === "Enter" || event.key === " ";
    if (this.rows.length === 0 || (move === undefined && !opens)) return;
    event.preventDefault();
    if (move !== undefined)
      this.active =
        this.selected === null && row === 0 && event.key === "ArrowDown" ? to(0) : move();
    this.reveal(this.active.row);
    this.choose(
      this.rows[this.active.row], this.active.column === 0 ? null : this.active.column - 1);
    if (opens) this.open(this.rows[this.active.row]);
  }
}
