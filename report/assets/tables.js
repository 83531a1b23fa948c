"use strict";

/* Tables with bars: parameters within their bounds, functionals, sensitivities, and values of several studies
   side by side. */
(() => {
  const { element, svg, list, text, object, number, quantity, unit } = gradyn;

  const table = (heads, rows) =>
    element("div", { class: "scroll" }, element("table", {},
      element("thead", {}, element("tr", {}, ...heads.map((head) =>
        element("th", { class: head.startsWith(">") ? "number" : null }, head.replace(/^>/, ""))))),
      element("tbody", {}, ...rows)));
  const cell = (content, kind) =>
    element("td", { class: kind }, ...(kind === "name" && typeof content === "string" ? gradyn.breakable(content) : [content]));
  const finite = (value) => typeof value === "number" && Number.isFinite(value);

  /* A line from 0 to 100 with marks; marks: [{at, kind}]. Logarithmic if it spans decades. */
  const bar = (low, high, marks, label) => {
    const map = low > 0 && high >= 50 * low ? Math.log : (v) => v;
    const place = (v) => Math.max(0, Math.min(100, (100 * (map(v) - map(low))) / (map(high) - map(low) || 1)));
    const root = svg("svg", { class: "bar", viewBox: "0 0 100 18", preserveAspectRatio: "none", role: "img", "aria-label": label },
      svg("rect", { x: 0, y: 7, width: 100, height: 4, rx: 0, fill: "var(--line)" }));
    const [from, to] = marks.map((mark) => place(mark.at));
    if (marks.length === 2)
      root.append(svg("rect", { x: Math.min(from, to), y: 7, width: Math.abs(to - from), height: 4, fill: "var(--after)", "fill-opacity": 0.35 }));
    for (const mark of marks)
      root.append(svg("rect", { class: mark.kind, x: place(mark.at) - 0.6, y: mark.kind === "initial" ? 4 : 1, width: 1.2,
        height: mark.kind === "initial" ? 10 : 16, fill: mark.colour || (mark.kind === "initial" ? "var(--before)" : "var(--after)") }));
    return root;
  };

  /* --- parameters */

  const onBound = gradyn.onBound = (p) => {
    const width = p.upper - p.lower, close = 1e-9 * (finite(width) ? width : Math.max(1, Math.abs(p.value)));
    if (!finite(p.value)) return "";
    if (finite(p.lower) && p.value - p.lower <= close) return "at lower bound";
    return finite(p.upper) && p.upper - p.value <= close ? "at upper bound" : "";
  };

  const isVaried = (p) => (finite(p.scale) ? p.scale > 0 : !p.fixed);

  const isBounded = (p) => finite(p.lower) && finite(p.upper);
  const boundsOf = (p) => (isBounded(p) ? `${number(p.lower, 4)} … ${number(p.upper, 4)}`
    : finite(p.lower) ? `≥ ${number(p.lower, 4)}` : finite(p.upper) ? `≤ ${number(p.upper, 4)}` : "no bounds");

  /* Ends of the line for a parameter: its bounds, or a common range of all parameters of its unit without
     bounds. */
  const lineOf = (p, all) => {
    if (isBounded(p)) return [p.lower, p.upper];
    const values = all.filter((other) => !isBounded(other) && other.unit === p.unit)
      .flatMap((other) => [other.initial, other.value, other.lower, other.upper]).filter(finite);
    const low = Math.min(...values), high = Math.max(...values), air = 0.1 * (high - low) || 0.2 * Math.abs(high) || 1;
    return [low - air, high + air];
  };

  const parameterRow = (p, all, searched, kind) => {
    const [low, high] = lineOf(p, all), marks = [];
    if (finite(p.initial)) marks.push({ at: p.initial, kind: "initial" });
    const state = onBound(p) || kind(p);
    if (finite(p.value)) marks.push({ at: p.value, kind: "final", colour: state ? "var(--active)" : null });
    return element("tr", { class: state ? "active" : null }, cell(text(p.name), "name"),
      ...(searched ? [cell(finite(p.initial) ? number(p.initial) : "", "number")] : []), cell(number(p.value), "number"), cell(unit(p.unit)),
      cell(bar(low, high, marks, text(p.name)), "bar"), cell(boundsOf(p), "soft"), cell(state));
  };

  /* Parameter arrays with at least this number of optimised entries have a plot; their rows are folded. */
  const longArray = 8;

  gradyn.parameterArrays = (study) => {
    const arrays = new Map();
    for (const p of list(object(study.result).parameters || object(study.settings).parameters).map(object)) {
      const [, base, index] = /^(.*)\[(\d+)\]$/.exec(text(p.name)) || [];
      if (base === undefined || !isVaried(p)) continue;
      if (!arrays.has(base)) arrays.set(base, []);
      arrays.get(base).push({ ...p, index: Number(index) });
    }
    return [...arrays].filter(([, entries]) => entries.length >= longArray);
  };

  const arrayPlot = ([base, entries]) => {
    const x = entries.map((p) => p.index), curve = (name, key, colour, more) => ({ name, x, y: entries.map((p) => p[key]), style: "line", colour, ...more });
    const known = (key) => entries.some((p) => finite(p[key]));
    return new gradyn.Plot({ title: base, x: { label: "index", whole: true }, y: { label: gradyn.unit(entries[0].unit) },
      series: [known("initial") && curve("initial", "initial", "before", { dashed: true }), curve("final", "value", "after"),
        known("lower") && curve("lower bound", "lower", "active", { dashed: true }),
        known("upper") && curve("upper bound", "upper", "active", { dashed: true })].filter(Boolean) });
  };

  gradyn.parameterTable = (study) => {
    const all = list(object(study.result).parameters || object(study.settings).parameters).map(object);
    const kind = (p) => gradyn.estimateKind(object(study.result), text(p.name));
    const arrays = gradyn.parameterArrays(study), folded = new Set(arrays.map(([base]) => base));
    const inArray = (p) => folded.has(text(p.name).replace(/\[\d+\]$/, "")) && /\]$/.test(text(p.name));
    const searchedAll = all.filter(isVaried), varied = searchedAll.filter((p) => !inArray(p)), fixed = all.filter((p) => !isVaried(p));
    const searched = all.some((p) => finite(p.initial)), out = [];
    const heads = ["parameter", ...(searched ? [">initial", ">final"] : [">value"]), "unit", "", "bounds", ""];
    if (varied.length) out.push(table(heads, varied.slice(0, 400).map((p) => parameterRow(p, varied, searched, kind))));
    if (arrays.length) out.push(element("div", { class: "plots" }, ...arrays.map((array) => arrayPlot(array).figure)));
    for (const [base, entries] of arrays)
      out.push(element("details", {}, element("summary", {}, `${entries.length} values of ${base}`),
        table(heads, entries.slice(0, 400).map((p) => parameterRow(p, searchedAll, searched, kind)))));
    if (varied.length > 400) out.push(element("p", { class: "note" }, `${varied.length - 400} more stand in result.json.`));
    if (fixed.length)
      out.push(element("details", {}, element("summary", {}, `${fixed.length} fixed`),
        table(["parameter", ">value", "unit"], fixed.map((p) =>
          element("tr", {}, cell(text(p.name), "name"), cell(number(p.value), "number"), cell(unit(p.unit)))))));
    return out;
  };

  /* --- functionals */

  const demand = (f) => {
    const bound = quantity(f.bound, f.unit);
    if (f.use === "objective") return finite(f.weight) && f.weight !== 1 ? `objective, weight ${number(f.weight)}` : "objective";
    if (f.use === "largest") return "objective: the largest";
    if (f.use === "equal") return `= ${bound} ± ${number(f.tolerance, 3)}`;
    if (f.use === "at-most") return `≤ ${bound}`;
    if (f.use === "at-least") return `≥ ${bound}`;
    if (f.use === "path-constraint") return "≤ 0 at all times";
    if (f.use === "log-sigma") return "ln sigma of a fit";
    return "monitored";
  };

  const activity = (f) => {
    const excess = { equal: Math.abs(f.value - f.bound), "at-most": f.value - f.bound, "at-least": f.bound - f.value, "path-constraint": f.value }[f.use];
    if (excess === undefined) return "";
    if (!(excess <= f.tolerance)) return "violated";
    /* the smooth maximum is within its bound, the exact one is not */
    if (f.use === "at-most" && finite(f.largest) && !(f.largest - f.bound <= f.tolerance))
      return `reaches ${number(f.largest, 4)} at ${number(f.t_largest, 4)} s`;
    return f.use === "equal" ? "met" : excess >= -f.tolerance ? "active" : "met";
  };

  gradyn.functionalTable = (study) => {
    /* residuals of fits are in result.json */
    const all = list(object(study.result).functionals).map(object).filter((f) => f.use !== "residual");
    const colour = { violated: "bad", active: "active", met: "good" };
    const searched = all.some((f) => finite(f.initial));
    const deviations = object(object(object(study.result).covariance).functional_deviations), scattered = Object.keys(deviations).length > 0;
    return table(["functional", ...(searched ? [">initial", ">final"] : [">value"]), ...(scattered ? [">standard deviation"] : []), "unit", "use", ""], all.map((f) => {
      const state = activity(f);
      return element("tr", {}, cell(text(f.name), "name"), ...(searched ? [cell(finite(f.initial) ? number(f.initial, 7) : "", "number")] : []),
        cell(number(f.value, 7), "number"),
        ...(scattered ? [cell(number(deviations[text(f.name)], 5), "number")] : []), cell(unit(f.unit)), cell(demand(f)), cell(state, colour[state] || (state && "bad")));
    }));
  };

  /* Time points at which path constraints were enforced, and those that are active. */
  gradyn.limitTable = (study) => {
    const limits = object(object(study.result).path_constraints), rows = list(limits.points).map(object);
    const active = rows.filter((row) => row.multiplier > 0).sort((a, b) => a.t - b.t);
    if (!rows.length) return null;
    return element("div", {},
      element("p", { class: "note" }, `Path constraints were enforced at ${rows.length} time points, in ${number(limits.rounds)} ${limits.rounds === 1 ? "round" : "rounds"}; ${active.length} ${active.length === 1 ? "is" : "are"} active.`),
      active.length ? gradyn.plainTable(["active", ">t [s]", ">excess", ">multiplier", ">round"],
        active.map((row) => [text(row.functional), row.t, row.value, row.multiplier, row.round])) : null);
  };

  /* --- sensitivities */

  const perSmall = (datum, of) => {
    if (text(datum.unit) === "m") return `${number(datum.gradient / 1000, 3)} ${of} per mm`;
    if (datum.value === 0) return `${number(datum.gradient, 3)} ${of} per ${unit(datum.unit) || "1"}`; /* no percent of nothing */
    return `${number((datum.gradient * datum.value) / 100, 3)} ${of} per 1 %`;
  };

  gradyn.effectTable = (effects) => {
    const data = list(effects.data).map(object), of = unit(effects.unit);
    const most = Math.max(effects.most || 0, ...data.map((d) => Math.abs(d.scaled)), 1e-300);
    return table(["datum", ">value", "unit", "", ">scaled gradient", ""], data.map((d) => {
      const half = (50 * Math.abs(d.scaled)) / most, up = d.scaled > 0;
      const line = svg("svg", { class: "bar", viewBox: "0 0 100 18", preserveAspectRatio: "none" },
        svg("rect", { x: 49.8, y: 0, width: 0.4, height: 18, fill: "var(--line)" }),
        svg("rect", { x: up ? 50 : 50 - half, y: 4, width: half, height: 10, fill: up ? "var(--active)" : "var(--after)" }));
      return element("tr", {}, cell(text(d.name), "name"), cell(number(d.value), "number"), cell(unit(d.unit)),
        cell(line, "bar"), cell(number(d.scaled, 3), "number"), cell(perSmall(d, of), "soft"));
    }));
  };

  /* --- several studies side by side */

  const union = (studies, of) => [...new Set(studies.flatMap((study) => of(study).map((item) => text(item.name))))];

  gradyn.compareTable = (studies, kind, value) => {
    const of = (study) => list(object(object(study.result))[kind]).map(object);
    const heads = [kind.replace(/s$/, ""), "unit", ...studies.map((study) => ">" + text(study.folder))];
    return table(heads, union(studies, of).map((name) => {
      const items = studies.map((study) => of(study).find((item) => item.name === name));
      const shown = items.map((item) => (item ? number(item[value], 8) : "–"));
      const differ = new Set(shown).size > 1;
      return element("tr", { class: differ ? "active" : null }, cell(name, "name"), cell(unit(object(items.find(Boolean)).unit)),
        ...shown.map((value) => cell(value, "number")));
    }));
  };

  gradyn.pairs = (entries) =>
    table(["", ""], entries.filter(([, value]) => value !== undefined && value !== null && value !== "").map(([name, value]) =>
      element("tr", {}, cell(name, "name"), cell(typeof value === "number" ? number(value) : String(value), "name"))));
  gradyn.plainTable = (heads, rows) =>
    table(heads, rows.map((row) => element("tr", {}, ...row.map((value, k) =>
      cell(typeof value === "number" ? number(value, 8) : String(value ?? "–"), heads[k].startsWith(">") ? "number" : "name")))));
})();
