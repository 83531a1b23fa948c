"use strict";

/* Studies of many searches and many points: optima from many starts, sweeps as curves and contours, fronts. */
(() => {
  const { element, list, text, object, number, labelled, section, gridOf, wantsLog, Table, Plot } = gradyn;
  const finite = (value) => typeof value === "number" && Number.isFinite(value);
  const numbers = (values) => list(values).map((v) => (finite(v) ? v : NaN));

  /* Parameters of a study, from its result or its settings. */
  const parametersOf = (study) => list(object(study.result).parameters || object(study.settings).parameters).map(object);
  const problemOf = (study) => text(object(study.result || study.settings).problem);

  /* --- many starts */

  /* The optima of a study as points over two parameters, named. */
  const optimaAt = (study, names) => {
    const result = object(study.result), known = parametersOf(study).map((p) => text(p.name));
    const at = names.map((name) => known.indexOf(name));
    if (at.includes(-1)) return null;
    const many = list(result.optima || object(study.settings).optima).map((o) => numbers(object(o).parameters));
    const found = many.length ? many : result.command === "run" ? [parametersOf(study).map((p) => (finite(p.value) ? p.value : NaN))] : [];
    if (!found.length) return null;
    return { x: found.map((rho) => rho[at[0]]), y: found.map((rho) => rho[at[1]]),
      labels: many.length ? found.map((rho, k) => String(k + 1)) : undefined };
  };

  /* Initial points of searches over two parameters, coloured by the optimum that they reached. */
  const basins = (study, varied) => {
    const table = new Table(study.starts), column = (p) => table.column(`initial ${text(p.name)}`), shown = 7;
    if (varied.length !== 2 || !table.rows || !column(varied[0])) return null;
    const [x, y] = varied.map(column), reached = table.column("optimum") || [], series = [];
    const add = (name, colour, which) => {
      const rows = Array.from(x, (_, i) => i).filter((i) => which(reached[i]));
      if (rows.length) series.push({ name, style: "points", colour, x: rows.map((i) => x[i]), y: rows.map((i) => y[i]) });
    };
    for (let k = 0; k < shown; k++) add(`to ${k + 1}`, k, (o) => o === k);
    add("to others", "before", (o) => o >= shown);
    add("to none", "bad", (o) => !(o >= 0));
    const optima = optimaAt(study, varied.map((p) => text(p.name)));
    if (optima) series.push({ name: "optima", style: "crosses", colour: "ink", ...optima });
    return new Plot({ title: "Where searches began, and the optima", series,
      x: { label: labelled(text(varied[0].name), varied[0].unit) }, y: { label: labelled(text(varied[1].name), varied[1].unit) } });
  };

  /* Searches from many starts: the objective of each, best first, and the distinct optima. */
  gradyn.manyStarts = (study) => {
    const result = object(study.result), many = object(result.starts), values = numbers(many.objectives);
    const optima = list(result.optima).map(object);
    if (!values.length) return null;
    const waterfall = new Plot({ title: "Searches, best first", x: { label: "rank", whole: true },
      y: { label: gradyn.objectiveUnit(result), log: wantsLog(values) },
      series: [{ name: "objective reached", x: values.map((_, k) => k + 1), y: values, style: "points", colour: "after" }] });
    const parameters = parametersOf(study), varied = parameters.map((p, i) => i).filter((i) => parameters[i].scale > 0);
    const plots = [waterfall, basins(study, varied.map((i) => parameters[i]))].filter(Boolean), shown = varied.slice(0, 4);
    const table = gradyn.plainTable([">optimum", ">reached", ">objective", ...shown.map((i) => ">" + labelled(text(parameters[i].name), parameters[i].unit))],
      optima.slice(0, 50).map((o, k) => [k + 1, o.reached, o.objective, ...shown.map((i) => list(o.parameters)[i])]));
    return section("starts", "Many starts", gridOf(plots),
      element("p", {}, `${number(optima.length)} distinct optima from ${number(values.length)} searches`
        + (many.unfinished > 0 ? `, ${number(many.unfinished)} of which are not finished.` : ".")), table,
      optima.length > 50 ? element("p", { class: "note" }, `${optima.length - 50} more stand in result.json.`) : null);
  };

  /* --- fronts */

  gradyn.frontSentence = (result) => {
    const left = Number(result.unfinished) || 0;
    return [left ? "busy" : "good", `${number(Number(result.front) || 0)} points on the front`
      + (left ? `, ${number(left)} searches are not finished.` : ".")];
  };

  /* Short segments of the tangents: d first / d second = - trade-off. Values that are not finite separate them. */
  const tangents = (points) => {
    const seconds = points.map((p) => p.second).filter(finite), half = 0.02 * (Math.max(...seconds) - Math.min(...seconds)), x = [], y = [];
    for (const p of points.filter((p) => finite(p.second) && finite(p.first) && finite(p.trade_off))) {
      x.push(p.second - half, p.second + half, NaN);
      y.push(p.first + p.trade_off * half, p.first - p.trade_off * half, NaN);
    }
    return { x, y };
  };

  const at = (points, x, y) => ({ x: points.map(x), y: points.map(y) });
  const byX = (points) => [...points].sort((a, b) => a.second - b.second);

  const frontOf = (study) => byX(list(object(study.result).points).map(object).filter((p) => finite(p.first) && finite(p.second)));

  const frontPlot = (studies, labels) => {
    const series = [], name = (words, study) => (studies.length > 1 ? `${words} of ${text(study.folder)}` : words);
    studies.forEach((study, k) => {
      const points = frontOf(study), on = points.filter((p) => p.on_front === true), off = points.filter((p) => p.on_front !== true);
      series.push({ name: name("front", study), style: "points", colour: k, ...at(on, (p) => p.second, (p) => p.first) });
      if (studies.length === 1 && on.length > 1) series.push({ name: "slope, by the trade-off", style: "line", colour: k, ...tangents(on) });
      if (off.length) series.push({ name: name("not on the front", study), style: "crosses", colour: "bad", ...at(off, (p) => p.second, (p) => p.first) });
    });
    return new Plot({ title: "Front", x: { label: labels[1] }, y: { label: labels[0] }, series, wide: studies.length > 1 });
  };

  /* Optimised parameters along the front, in the order of their changes, largest first. */
  const alongFront = (study, label) => {
    const on = frontOf(study).filter((p) => p.on_front === true && list(p.parameters).length), most = 6;
    const rows = parametersOf(study).map((p, j) => {
      const values = on.map((point) => list(point.parameters)[j]);
      const size = Math.max(...values.map(Math.abs), finite(p.upper - p.lower) ? p.upper - p.lower : 0, 1e-300);
      return { p, values, change: values.every(finite) ? (Math.max(...values) - Math.min(...values)) / size : 0 };
    }).filter((row) => row.change > 1e-3).sort((a, b) => b.change - a.change);
    return rows.slice(0, most).map(({ p, values }) => new Plot({ title: labelled(text(p.name), p.unit), x: { label }, y: {},
      series: [{ name: text(p.name), style: "line", colour: "after", silent: true, x: on.map((point) => point.second), y: values }] }));
  };

  /* The front between two functionals; of several studies in one plot. */
  gradyn.front = (studies) => {
    const known = studies.filter((study) => object(study.result).command === "pareto" && frontOf(study).length);
    if (!known.length) return null;
    const names = list(object(known[0].result).objectives).map(text);
    const units = new Map(list(object(known[0].settings).functionals).map((f) => [text(object(f).name), object(f).unit]));
    const labels = names.map((name) => labelled(name, units.get(name)));
    const plots = [frontPlot(known, labels), ...(known.length === 1 ? alongFront(known[0], labels[1]) : [])];
    const rows = known.length === 1 ? frontOf(known[0]).map((p) => [p.second, p.first, p.trade_off, p.on_front === true ? "" : "not on the front", text(p.termination)]) : [];
    return section("front", "Front", gridOf(plots), rows.length
      ? gradyn.plainTable([">" + labels[1], ">" + labels[0], ">trade-off", "", "search"], rows) : null,
      element("p", { class: "note" }, `Trade-off: by how much ${names[0]} falls for one more unit of ${names[1]}; minus the slope of the front.`));
  };

  /* --- sweeps */

  gradyn.sweepSentence = (result) => {
    const parts = [["failed", result.failed], ["missing", result.missing]].filter(([, count]) => count > 0).map(([what, count]) => `${number(count)} ${what}`);
    return [parts.length ? "busy" : "good", `${number(result.points)} points evaluated${parts.length ? ", of them " + parts.join(" and ") : ""}.`];
  };

  /* The ranges of a sweep, and its table. */
  const sweepOf = (study) => {
    const settings = object(study.settings), result = object(study.result), table = new Table(study.sweep);
    const parameters = list(settings.parameters).map(object), first = 2 + parameters.length;
    if (!table.rows || !parameters.length) return null;
    const ranges = list(settings.over).map(object).map((range) => {
      const at = parameters.findIndex((p) => p.name === range.parameter), p = object(parameters[at]);
      return { name: text(p.name), count: range.count, base: p.value, label: labelled(text(p.name), p.unit), values: table.columns[2 + at] };
    }).filter((range) => range.values);
    const functionals = list(result.functionals).map((f, k) => ({ title: gradyn.unit(table.headings[first + k]), values: table.columns[first + k] }))
      .filter((f) => f.values);
    return { ranges, functionals, table, grid: !(settings.points > 0), whole: table.rows === table.rowsInFile };
  };

  /* A grid over two ranges as a field; null if the page lacks some of its points. */
  const fieldOf = (sweep, values) => {
    const [a, b] = sweep.ranges, rows = sweep.table.rows;
    if (sweep.ranges.length !== 2 || !sweep.grid || !sweep.whole || !(a.count > 1 && b.count > 1) || a.count * b.count !== rows) return null;
    const x = Array.from({ length: a.count }, (_, i) => a.values[i * b.count]), y = Array.from(b.values.slice(0, b.count));
    const value = x.map((_, i) => values.slice(i * b.count, (i + 1) * b.count));
    if (x[0] > x[a.count - 1]) {
      x.reverse();
      value.reverse();
    }
    if (y[0] > y[b.count - 1]) {
      y.reverse();
      for (const row of value) row.reverse();
    }
    return x[0] < x[a.count - 1] && y[0] < y[b.count - 1] ? { x, y, value } : null;
  };

  /* Failed points at the lower edge of a plot. */
  const failures = (x, values) => {
    const good = Array.from(values).filter(Number.isFinite), foot = good.length ? Math.min(...good) : 0;
    const rows = Array.from(x, (_, i) => i).filter((i) => !Number.isFinite(values[i]));
    return rows.length ? [{ name: "failed", style: "crosses", colour: "bad", x: rows.map((i) => x[i]), y: rows.map(() => foot) }] : [];
  };

  const curve = (sweep, f, range, style) => {
    const order = Array.from(range.values, (_, i) => i).sort((i, k) => range.values[i] - range.values[k]);
    const x = order.map((i) => range.values[i]), y = order.map((i) => f.values[i]);
    return new Plot({ title: f.title, x: { label: range.label }, y: { log: wantsLog(y, 100) },
      series: [{ name: f.title, x, y, style, colour: "after", silent: true }, ...failures(x, y)] });
  };

  const contours = (study, sweep, f, field, others) => {
    const [a, b] = sweep.ranges, series = [];
    for (const other of others) {
      const optima = optimaAt(other, [a.name, b.name]);
      if (optima) series.push({ name: other === study ? "optima" : `optima of ${text(other.folder)}`, style: "crosses", colour: "over", ...optima });
    }
    if (finite(a.base) && finite(b.base)) series.unshift({ name: "start", style: "points", colour: "over", x: [a.base], y: [b.base] });
    const holes = f.values.some((v) => !Number.isFinite(v));
    return new Plot({ title: f.title, x: { label: a.label }, y: { label: b.label }, field, series,
      note: holes ? "Blank: evaluations at the corners failed or are missing." : "" });
  };

  const plotsOf = (study, sweep, f, others) => {
    const field = fieldOf(sweep, f.values);
    if (field) return [contours(study, sweep, f, field, others)];
    const lines = sweep.ranges.filter((range) => !(sweep.grid && range.count === 1));
    return lines.map((range) => curve(sweep, f, range, lines.length === 1 ? "line" : "points"));
  };

  const extremes = (study, sweep) => {
    const at = (point) => sweep.ranges.map((range) => {
      const k = list(object(study.settings).parameters).findIndex((p) => object(p).name === range.name);
      return `${range.name} = ${number(numbers(object(point).parameters)[k])}`;
    }).join(", ");
    return gradyn.plainTable(["functional", ">least", "at", ">largest", "at"], list(object(study.result).functionals).map(object)
      .map((f) => [text(f.name), object(f.least).value, f.least ? at(f.least) : "", object(f.largest).value, f.largest ? at(f.largest) : ""]));
  };

  /* A sweep with the optima of other studies of its problem, and the study from which it began. */
  gradyn.sweep = (study, studies) => {
    const sweep = sweepOf(study), most = 24;
    if (!sweep || !sweep.ranges.length || !sweep.functionals.length) return null;
    const others = studies.filter((other) => problemOf(other) === problemOf(study));
    const plots = sweep.functionals.flatMap((f) => plotsOf(study, sweep, f, others));
    const title = studies.length > 1 ? `Sweep ${text(study.folder)}` : "Sweep";
    return section("sweep", title, gridOf(plots.slice(0, most)), extremes(study, sweep),
      plots.length > most ? element("p", { class: "note" }, `${plots.length - most} more plots can be drawn from sweep.csv.`) : null,
      sweep.whole ? null : element("p", { class: "note" }, `Shown: ${sweep.table.thinned()} of sweep.csv.`));
  };
})();
