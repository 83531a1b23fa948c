"use strict";

/* The sections of the report, from top to bottom. Each function returns an element of the page, or null if the
   study has no data for it. Plots are drawn when they are in the page. */
(() => {
  const { element, list, text, object, number, quantity, labelled, Table, Plot } = gradyn;
  const finite = (value) => typeof value === "number" && Number.isFinite(value);

  const section = (id, title, ...content) => element("section", { id }, element("h2", {}, title), ...content);
  const gridOf = (plots) => element("div", { class: "plots" }, ...plots.map((plot) => plot.figure));

  /* --- 1: the verdict */

  const objectiveUnit = (result) => {
    const parts = list(result.functionals).map(object).filter((f) => f.use === "objective" || f.use === "largest");
    return parts.length === 1 ? gradyn.unit(parts[0].unit) : "";
  };

  /* Green only without warnings. */
  const sound = (result) => (list(result.warnings).length ? "busy" : "good");

  const sentence = (study) => {
    const result = object(study.result), running = gradyn.data.running;
    if (running) return ["busy", `${capital(running)}; this page updates itself.`];
    if (!study.result) return ["busy", "No result: the run ended before it had one."];
    const doubts = gradyn.fitDoubts(result) && `; ${gradyn.fitDoubts(result)}`;
    if (text(result.reason)) return [result.status !== "ok" ? "bad" : doubts ? "busy" : sound(result), capital(text(object(list(result.findings)[0]).text) || result.reason) + `${doubts}.`];
    if (result.command === "profile" && list(result.profiles).length) return gradyn.profileSentence(result);
    if (result.command === "uncertainty" && result.status === "ok") return gradyn.uncertaintySentence(result);
    if (result.command === "filter" && result.status === "ok") return gradyn.filterSentence(result);
    if (result.command === "doe" && result.status === "ok") return gradyn.experimentSentence(result);
    if (result.command === "sweep" && result.status === "ok") return gradyn.sweepSentence(result);
    if (result.command === "pareto" && (result.status === "ok" || result.unfinished > 0)) return gradyn.frontSentence(result);
    if (result.status !== "ok") return ["bad", `${capital(text(result.status))}: ${text(result.message)}`];
    return [sound(result), { simulate: "Simulated.", gradient: "Simulated and differentiated.",
      steps: "Simulated with three steps." }[result.command] || "Done."];
  };
  const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

  const figure = (label, value) => (value ? element("div", {}, element("span", { class: "soft" }, label), element("b", {}, value)) : null);

  const history = (study) => new Table(study.history);

  const figures = (study) => {
    const result = object(study.result), unit = objectiveUnit(object(study.result || study.settings));
    const table = history(study), best = table.column("objective") ? bestSoFar(table) : [];
    const before = finite(result.initial_objective) ? result.initial_objective : best[0];
    const after = finite(result.objective) ? result.objective : best[best.length - 1];
    const shares = [[Number(result.probes) || 0, "probe the end"], [Number(result.rejected) || 0, "rejected"]]
      .filter(([n]) => n > 0).map(([n, what]) => `, ${n} ${what}`).join("");
    const evaluations = finite(result.evaluations) ? result.evaluations : table.rowsInFile;
    return element("div", { class: "figures" },
      figure("objective before", finite(before) && quantity(before, unit)),
      figure("objective after", finite(after) && quantity(after, unit)),
      figure("searches", object(result.starts).searches),
      figure("evaluations of all", object(result.starts).evaluations),
      figure(result.starts ? "of the best" : "evaluations", evaluations ? `${evaluations}${shares}` : ""),
      figure("time", finite(result.seconds) && `${number(result.seconds, 3)} s`),
      figure("largest violation", finite(result.violation) && result.violation > 0 && `${number(result.violation, 2)} tolerances`),
      figure("projected gradient", finite(result.projected_gradient) && number(result.projected_gradient, 2)));
  };

  const settings = (study) => {
    const from = { ...object(study.result), ...object(study.settings) };
    const line = list(from.command_line).map(text).join(" ");
    const skip = new Set(["parameters", "functionals", "command_line", "statistics", "time", "settings", "gradyn", "format", "study",
      "steps", "reason", "message", "folder"]);
    const entries = Object.entries(from).filter(([name, value]) => !skip.has(name) && typeof value !== "object")
      .map(([name, value]) => [name.replace(/_/g, " "), value]);
    for (const [name, value] of Object.entries(object(from.settings))) entries.push([name, value]);
    return [line ? element("p", {}, element("code", {}, line)) : null,
      element("details", {}, element("summary", {}, "Settings"), gradyn.pairs(entries))];
  };

  gradyn.verdict = (study) => {
    const [kind, words] = sentence(study), notes = list(study.notes).map(text);
    const more = list(object(study.result).findings).slice(1).map(object).map((f) => [text(f.subject), text(f.text)]);
    return element("section", { id: "verdict" }, element("p", { class: `verdict ${kind}` }, words),
      more.length ? gradyn.pairs(more) : null, figures(study),
      ...settings(study), ...notes.map((note) => element("p", { class: "note bad" }, note)));
  };

  /* --- warnings. Studies of earlier versions have warnings as texts. */

  gradyn.warnings = (study) => {
    const warnings = list(object(study.result).warnings);
    if (!warnings.length) return null;
    const rows = warnings.map((w) => {
      if (typeof w === "string") return ["", "", "", "", "", w];
      const { code, name, subject, t, value, limit, unit, text: words } = object(w);
      const measured = (x) => (finite(x) ? quantity(x, unit) : "–");
      return [`${text(code)} ${text(name)}`, text(subject), finite(t) ? t : "–", measured(value), measured(limit), text(words)];
    });
    return section("warnings", "Warnings", gradyn.plainTable(
      ["warning", "subject", ">time [s]", ">value", ">limit", "meaning, and what to do"], rows));
  };

  gradyn.verdicts = (studies) => section("verdict", "Studies", gradyn.plainTable(
    ["study", "verdict", ">objective before", ">objective after", ">evaluations", ">seconds"],
    studies.map((study) => {
      const result = object(study.result);
      return [text(study.folder), sentence(study)[1], result.initial_objective, result.objective, result.evaluations, result.seconds];
    })));

  /* --- 3: convergence */

  const bestSoFar = (table) => {
    const objective = table.column("objective"), best = table.column("best") || [];
    let last = NaN;
    return Array.from(objective || [], (value, k) => (best[k] === 1 ? (last = value) : last));
  };

  const rejectedAt = (table) => {
    const at = table.names.indexOf("status"), out = [];
    if (at < 0) return out;
    for (let k = 0; k < table.rows; k++) if (table.words[at][k] !== "ok") out.push(k);
    return out;
  };

  /* Positive numbers have a logarithmic axis if they span more than a decade, or more than a given number of
     decades. */
  const wantsLog = (values, span = 10) => {
    const good = values.filter(Number.isFinite);
    return good.length > 0 && Math.min(...good) > 0 && Math.max(...good) > span * Math.min(...good);
  };

  const objectivePlot = (study, table, x) => {
    const objective = Array.from(table.column("objective")), best = bestSoFar(table), rejected = rejectedAt(table);
    const level = (k) => {
      for (let i = k; i >= 0; i--) if (Number.isFinite(objective[i])) return objective[i];
      return best.find(Number.isFinite);
    };
    const series = [{ name: "objective", x, y: objective, style: "points", colour: "before" },
      { name: "best so far", x, y: best, style: "steps", colour: "after" }];
    if (rejected.length)
      series.push({ name: "rejected", x: rejected.map((k) => x[k]), y: rejected.map(level), style: "crosses", colour: "bad" });
    return new Plot({ title: "Objective", x: { label: "evaluation", whole: true },
      y: { label: objectiveUnit(object(study.result || study.settings)), log: wantsLog(objective) }, series });
  };

  const gradientPlot = (table, x) => {
    const series = [], absent = [];
    for (const [name, column, colour] of [["projected gradient", "projected_gradient", 0], ["violation", "violation", 1]]) {
      const y = Array.from(table.column(column) || []);
      if (y.some((v) => v > 0)) series.push({ name, x, y, style: "line", colour });
      else absent.push(name);
    }
    const rejected = rejectedAt(table), floor = Math.min(...series.flatMap((s) => s.y.filter((v) => v > 0)), 1);
    if (rejected.length)
      series.push({ name: "rejected", x: rejected.map((k) => x[k]), y: rejected.map(() => floor), style: "crosses", colour: "bad" });
    return new Plot({ title: "Optimality and feasibility", x: { label: "evaluation", whole: true }, y: { log: true }, series,
      note: absent.length ? `Not drawn, because never above zero: ${absent.join(", ")}.` : "" });
  };

  gradyn.convergence = (studies) => {
    if (studies.length === 1) {
      const table = history(studies[0]);
      if (!table.column("objective") || table.rows === 0) return null;
      const x = Array.from(table.column("evaluation")), thinned = table.thinned();
      return section("convergence", "Convergence", gridOf([objectivePlot(studies[0], table, x), gradientPlot(table, x)]),
        thinned ? element("p", { class: "note" }, `Shown: ${thinned} of history.csv.`) : null);
    }
    const all = studies.map((study) => ({ study, table: history(study) })).filter(({ table }) => table.rows > 0 && table.column("objective"));
    if (!all.length) return null;
    const best = all.map(({ table }) => bestSoFar(table));
    const plot = (title, of, log, label) => new Plot({ title, x: { label: "evaluation", whole: true }, y: { log, label },
      series: all.map(({ study, table }, k) => ({ name: text(study.folder), x: Array.from(table.column("evaluation")),
        y: of(table, k), style: "steps", colour: k })) });
    return section("convergence", "Convergence", gridOf([
      plot("Best objective", (table, k) => best[k], wantsLog(best.flat()), objectiveUnit(object(all[0].study.result))),
      plot("Projected gradient", (table) => Array.from(table.column("projected_gradient") || []), true)]));
  };

  /* --- 4, 5: parameters, functionals, data */

  gradyn.parameters = (studies) => {
    if (studies.length > 1) {
      const points = studies.filter((study) => list(object(study.result).parameters).length);
      return points.length && section("parameters", "Parameters and functionals", gradyn.compareTable(points, "parameters", "value"),
        gradyn.compareTable(points, "functionals", "value"), element("p", { class: "note" }, "Marked: what differs."));
    }
    const rows = gradyn.parameterTable(studies[0]);
    return rows.length ? section("parameters", "Parameters", ...rows) : null;
  };

  gradyn.functionals = (study) =>
    object(study.result).command !== "sweep" && list(object(study.result).functionals).length ? section("functionals", "Functionals", gradyn.functionalTable(study), gradyn.limitTable(study)) : null;

  gradyn.stepStudy = (study) => {
    const rows = list(object(study.result).study).map(object), steps = list(object(study.result).steps);
    if (!rows.length) return null;
    return section("steps", "Step size", gradyn.plainTable(
      ["quantity", ">step " + number(steps[0], 4) + " s", ">extrapolated", ">error", ">order"],
      rows.slice(0, 300).map((row) => [row.parameter ? `d ${text(row.functional)} / d ${text(row.parameter)}` : text(row.functional),
        list(row.values)[0], list(row.values)[0] - row.error, row.error, finite(row.order) ? Number(row.order.toFixed(2)) : "–"])));
  };

  gradyn.influence = (runs) => {
    const run = [...runs].reverse().find((r) => list(r.model.sensitivity).length || text(r.model.sensitivity_failed));
    if (!run) return null;
    const note = (words) => element("p", { class: "note" }, words);
    if (text(run.model.sensitivity_failed))
      return section("influence", "Sensitivities", note(`The gradient by all data failed: ${text(run.model.sensitivity_failed)}`));
    const all = list(run.model.sensitivity).map(object), place = element("div", {});
    const most = 10, part = (e, from, to) => ({ ...e, data: list(e.data).slice(from, to), most: Math.abs(object(list(e.data)[0]).scaled) });
    const show = (k) => place.replaceChildren(gradyn.effectTable(part(all[k], 0, most)),
      list(all[k].data).length > most ? element("details", {}, element("summary", {}, `${list(all[k].data).length - most} more`),
        gradyn.effectTable(part(all[k], most))) : "");
    const select = element("select", { "aria-label": "functional" }, ...all.map((e, k) => element("option", { value: k }, text(e.functional))));
    select.addEventListener("change", () => show(Number(select.value)));
    show(0);
    return section("influence", "Sensitivities",
      note(`Of ${number(run.model.data)} numbers of the model, those to which ${text(all[0].functional)} is most sensitive at the last `
        + "point. Scaled gradient: the derivative times the number itself, or times the median size of numbers of "
        + "its unit if that is larger. A bar to the right: more of it raises the functional."),
      element("div", { class: "controls" }, element("label", {}, "functional ", select)), place);
  };

  /* --- 6: signals and trajectories */

  const runColour = (runs, k) => (runs.length <= 2 ? (k === runs.length - 1 ? "after" : "before") : k);

  const signalPlot = (runs, name, clock) => {
    const series = [], level = [];
    let unit = "", note = "";
    runs.forEach((run, k) => {
      const signal = run.signals.find((s) => s.name === name);
      if (!signal) return;
      unit = text(signal.unit);
      const colour = runColour(runs, k), dashed = runs.length === 2 && k === 0;
      series.push({ name: run.label, x: list(signal.t), y: list(signal.value), style: "line", colour, dashed });
      const knots = list(signal.knots), constant = signal.kind === "piecewise constant", pieces = constant ? knots.length : knots.length - 1;
      const even = (i) => signal.t_start + (i * (signal.t_end - signal.t_start)) / pieces, times = list(signal.times);
      const begins = (i) => (i < times.length ? times[i] : i < pieces ? even(i) : signal.t_end);
      series.push({ name: "knots " + run.label, style: "points", colour, silent: true, y: knots,
        x: knots.map((_, i) => (constant ? (begins(i) + begins(i + 1)) / 2 : times.length ? times[i] : even(i))) });
      note = `${signal.kind} through ${knots.length} knots`;
      for (const side of ["lower", "upper"]) {
        const values = new Set(list(signal[side]).filter(finite));
        if (values.size === 1 && !level.some((l) => values.has(l.value))) level.push({ value: [...values][0], label: `${side} bound` });
      }
    });
    return new Plot({ title: labelled(name, unit), x: { label: "t [s]" }, y: {}, series, level, note, time: true }, clock);
  };

  gradyn.signals = (runs, clock) => {
    const names = [...new Set(runs.flatMap((run) => run.signals.map((s) => text(s.name))))];
    return names.length ? section("signals", "Signals", gridOf(names.slice(0, 24).map((name) => signalPlot(runs, name, clock)))) : null;
  };

  /* Columns that are shown at first: positions of traced points, or states of general equations. */
  const firstColumns = (run) => {
    const names = run.table.names.slice(1);
    if (!run.visible) return names.slice(0, 6);
    const points = gradyn.traced(run).slice(-2).map((i) => text(run.points[i].name));
    const wanted = names.filter((name) => points.some((point) => /^\.[xyz]$/.test(name.slice(point.length)) && name.startsWith(point)));
    return wanted.length ? wanted : names.slice(0, 3);
  };

  class Trajectories {
    constructor(runs, clock) {
      this.runs = runs;
      this.clock = clock;
      this.first = runs[runs.length - 1];
      this.chosen = new Set(firstColumns(this.first));
      const time = this.first.time;
      this.log = { x: time[time.length >> 1] < 1e-3 * this.first.end, y: false }; /* most happens early */
      this.place = element("div", { class: "plots" });
      this.plots = [];
      this.boxes = element("div", { class: "choices", role: "group", "aria-label": "columns" });
      this.search = element("input", { type: "search", placeholder: "find a column", "aria-label": "find a column" });
      this.search.addEventListener("input", () => this.fill());
      this.fill();
    }

    fill() {
      const wanted = this.search.value.toLowerCase(), most = 300, table = this.first.table;
      const found = table.names.map((name, k) => ({ name, heading: table.headings[k] })).slice(1)
        .filter(({ name }) => name.toLowerCase().includes(wanted));
      const boxes = found.slice(0, most).map(({ name, heading }) => {
        const box = element("input", { type: "checkbox", value: name, checked: this.chosen.has(name) });
        box.addEventListener("change", () => {
          if (box.checked) this.chosen.add(name);
          else this.chosen.delete(name);
          this.draw();
        });
        return element("label", {}, box, " " + gradyn.unit(heading));
      });
      this.boxes.replaceChildren(...boxes,
        found.length > most ? element("span", { class: "note" }, `${found.length - most} more: type a part of the name`) : "");
    }

    axisBox(axis) {
      const box = element("input", { type: "checkbox", checked: this.log[axis] });
      box.addEventListener("change", () => {
        this.log[axis] = box.checked;
        this.draw();
      });
      return element("label", {}, box, ` log ${axis}`);
    }

    series(unit) {
      const out = [], names = this.first.table.names.filter((name, k) => this.chosen.has(name) && this.first.table.units[k] === unit);
      names.forEach((name, colour) => this.runs.forEach((run, k) => {
        const column = run.table.column(name), last = k === this.runs.length - 1;
        if (!column) return;
        const single = names.length === 1 || this.runs.length > 2;
        out.push({ name: this.runs.length > 1 ? `${name} ${run.label}` : name, x: run.time, y: column, style: "line",
          colour: single && this.runs.length > 1 ? (names.length === 1 ? runColour(this.runs, k) : colour * this.runs.length + k) : colour,
          dashed: this.runs.length === 2 && !last });
      }));
      return out;
    }

    draw() {
      for (const plot of this.plots) plot.remove();
      const table = this.first.table, units = [...new Set(table.names.flatMap((name, k) => (this.chosen.has(name) ? [table.units[k]] : [])))];
      this.plots = units.map((unit) => {
        const areas = this.areas(unit);
        return new Plot({ title: unit ? `States in ${gradyn.unit(unit)}` : "States", x: { label: "t [s]", log: this.log.x },
          y: { label: gradyn.unit(unit), log: this.log.y }, series: this.series(unit), areas, time: true, wide: units.length === 1,
          note: areas.length ? "Bands around curves: two standard deviations to each side." : "" }, this.clock);
      });
      this.place.replaceChildren(...this.plots.map((plot) => plot.figure));
      for (const plot of this.plots) plot.draw();
      this.clock.set(this.clock.t);
    }

    /* With covariances: two standard deviations around the columns of the last run. */
    areas(unit) {
      const { table } = this.first, names = table.names.filter((name, k) => this.chosen.has(name) && table.units[k] === unit);
      return names.map((name, colour) => ({ name, colour, x: this.first.time, mean: table.column(name), deviation: table.column(`sd[${name}]`) }))
        .filter((area) => area.deviation).map((area) => ({ ...area, low: area.mean.map((v, i) => v - 2 * area.deviation[i]),
          high: area.mean.map((v, i) => v + 2 * area.deviation[i]) }));
    }

    section() {
      const thinned = this.runs.map((run) => run.table.thinned() && `${run.label}: ${run.table.thinned()} of ${run.file}`).filter(Boolean);
      return section("trajectories", "Trajectories", this.place,
        element("div", { class: "controls" }, this.search, this.axisBox("x"), this.axisBox("y")), this.boxes,
        thinned.length ? element("p", { class: "note" }, `Thinned for this page: ${thinned.join("; ")}.`) : null);
    }
  }

  gradyn.trajectories = (runs, clock) => {
    const shown = runs.filter((run) => run.table.rows > 0 && run.table.names.length > 1);
    return shown.length ? new Trajectories(shown, clock) : null;
  };

  /* Derivatives of the Lagrangian by the states during the run, and the Hamiltonian, which is constant for optimal
   * controls of a motion that does not depend on time. */
  gradyn.costates = (runs, clock) => {
    const known = runs.filter((run) => run.costates.rows > 0), many = 8;
    if (!known.length) return null;
    const plot = (title, names, run) => new Plot({ title: known.length > 1 ? `${title} ${run.label}` : title, x: { label: "t [s]" }, y: {}, time: true,
      series: names.map((name, c) => ({ name, x: run.costates.columns[0], y: run.costates.column(name) || [], style: "line", colour: c })) }, clock);
    const plots = known.flatMap((run) => {
      const names = run.costates.names.filter((name) => name.startsWith("lambda "));
      return [plot("Costates", names.slice(0, many), run), plot("Hamiltonian", ["H"], run)];
    });
    const H = known[known.length - 1].costates.column("H");
    const range = H.reduce(([least, most], v) => [Math.min(least, v), Math.max(most, v)], [Infinity, -Infinity]);
    return section("costates", "Costates", gridOf(plots), element("p", { class: "note" },
      `Costates: derivatives of the Lagrangian by the states during the run. The Hamiltonian goes from ${number(range[0], 5)} to ${number(range[1], 5)}; ` +
      "if nothing depends on time, it is constant for optimal controls."));
  };

  /* --- 7: how well it was computed */

  const roundOff = 1e-14; /* smaller drifts count as zero, m */

  gradyn.invariants = (runs, clock) => {
    const known = runs.filter((run) => run.invariants.rows > 0);
    if (!known.length) return null;
    const plot = (title, names, unit, log) => new Plot({ title, x: { label: "t [s]" }, y: { label: unit, log, least: log ? 1e-4 * roundOff : undefined }, time: true,
      series: names.flatMap((name, c) => known.map((run, k) => ({ name: known.length > 1 ? `${name} ${run.label}` : name,
        x: run.invariants.columns[0], y: run.invariants.column(name) || [], style: "line", colour: known.length > 2 ? c * known.length + k : c,
        dashed: known.length === 2 && k === 0 }))) }, clock);
    const drifts = ["position drift", "velocity drift"];
    const largest = Math.max(0, ...known.map((run) => Math.max(...drifts.map((name) =>
      (run.invariants.column(name) || []).reduce((most, v) => Math.max(most, v), 0)))));
    const plots = [plot("Energy", ["energy", "kinetic energy", "potential energy"], "J", false)];
    if (largest > roundOff) plots.push(plot("Constraint drift", drifts, "m, m/s", true));
    return section("invariants", "Energy and constraints", gridOf(plots),
      largest > roundOff ? null : element("p", { class: "note" }, largest > 0
        ? `The constraints are met to round-off: position and velocity drift by at most ${number(largest, 2)} m, m/s.`
        : "No constraint drifts."));
  };

  gradyn.statistics = (study) => {
    const result = object(study.result), all = { ...object(result.statistics), ...object(result.time) };
    const entries = Object.entries(all).map(([name, value]) => [name.replace(/_s$/, " [s]").replace(/_/g, " "), value]);
    /* an evaluation that was stopped has no cost */
    return entries.some(([, value]) => value > 0) ? section("statistics", "Last evaluation", gradyn.pairs(entries)) : null;
  };

  Object.assign(gradyn, { section, gridOf, wantsLog, objectiveUnit });

  gradyn.fromFiles = (study) => {
    const plots = list(study.plots).map((json) => new Plot(gradyn.plotFromFile(json)));
    return plots.length ? section("plots", "Further plots", gridOf(plots)) : null;
  };
})();
