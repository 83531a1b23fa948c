"use strict";

/* Fits to data: data beside the model, residuals, estimates with their intervals and correlations, profiles. */
(() => {
  const { element, list, text, object, number, labelled, section, gridOf, plainTable, fade, theme, Plot } = gradyn;
  const finite = (value) => typeof value === "number" && Number.isFinite(value);
  const mostFits = 12, mostNames = 24;

  const estimatesOf = (result) => list(object(result.fit).parameters).map(object);

  /* Fits of parameters to their priors stand with the estimates. */
  const isPrior = (fit) => text(fit.name).startsWith("prior.");

  /* How the estimate of a parameter is limited; "": it is determined, or there is no inference. */
  gradyn.estimateKind = (result, name) => {
    const kind = text(object(estimatesOf(result).find((p) => p.name === name)).kind);
    return kind === "determined" ? "" : kind;
  };

  /* Parameters of a fit that are at bounds or not determined, for the verdict; "": none, or no fit. */
  gradyn.fitDoubts = (result) => {
    const idle = list(object(result.fit).undetermined).flatMap((d) => Object.keys(object(object(d).change)));
    const fitted = list(result.functionals).some((f) => object(f).use === "residual");
    const atBound = (p) => p.scale > 0 && (gradyn.onBound(p) || /bound$/.test(gradyn.estimateKind(result, p.name)));
    const bound = fitted ? list(result.parameters).map(object).filter(atBound).map((p) => text(p.name)) : [];
    const said = (words, names) => (names.length ? [`${words}: ${names.slice(0, 6).join(", ")}${names.length > 6 ? " …" : ""}`] : []);
    return [...said("at a bound", bound), ...said("not determined by the data", [...new Set(idle)])].join("; ");
  };

  /* --- data and residuals */

  /* Data of a fit with the values of the model: datum + deviation times residual. A sensor with a scale, an offset
     and a delay is taken back, so that the data stand beside the measure. */
  const dataOf = (fit) => {
    const { t, u, value, deviation } = object(fit.residuals), scale = finite(fit.scale) ? fit.scale : 1;
    const offset = fit.offset || 0, delay = fit.delay || 0;
    const rows = list(t).map((at, k) => ({ t: at - delay, u: list(u)[k], d: (list(value)[k] - offset) / scale, s: list(deviation)[k] / scale }));
    return rows.filter((row) => [row.t, row.u, row.d, row.s].every(finite)).map((row) => ({ ...row, m: row.d + row.s * row.u }));
  };

  /* The column of the last run that is the measure of a fit. With load cases it is that of the first case: it must
     pass the values of the model, except for errors of interpolation. */
  const columnOf = (fit, rows, runs) => {
    const run = runs[runs.length - 1], at = run ? run.table.names.indexOf(text(fit.measure)) : -1;
    const size = Math.max(...rows.map((row) => Math.abs(row.m)), 1e-300);
    return at > 0 && rows.every((row) => Math.abs(run.state(at - 1, run.locate(row.t)) - row.m) <= 0.02 * size)
      ? { x: run.time, y: run.table.columns[at] } : null;
  };

  const along = (fit, rows, runs, clock) => {
    const column = columnOf(fit, rows, runs), model = column || { x: rows.map((row) => row.t), y: rows.map((row) => row.m) };
    const bars = rows.flatMap((row) => [[row.t, row.d], [row.t, row.m], [NaN, NaN]]);
    return new Plot({ title: labelled(text(fit.name), fit.unit), x: { label: "t [s]", within: [0, clock.end] }, y: {}, time: true,
      series: [{ name: column ? "model" : "model at the data", style: "line", colour: "after", ...model },
        { name: "residuals", style: "line", colour: "bad", silent: true, x: bars.map((p) => p[0]), y: bars.map((p) => p[1]) },
        { name: "data", style: "points", colour: "active", x: rows.map((row) => row.t), y: rows.map((row) => row.d) }] }, clock);
  };

  const residuals = (fit, rows, clock) => new Plot({ title: `${text(fit.name)}: residuals [standard deviations]`,
    x: { label: "t [s]", within: [0, clock.end] }, y: { within: [-2, 2] }, time: true, level: [{ value: -1.96 }, { value: 0 }, { value: 1.96 }],
    series: [{ name: "residuals", style: "points", colour: "after", silent: true, x: rows.map((row) => row.t), y: rows.map((row) => row.u) }] }, clock);

  /* --- estimates */

  /* The prior of a parameter, of which `known` are those of the result. */
  const priorOf = (p, known) => {
    const { prior, prior_deviation, logarithmic } = object(known.find((other) => other.name === p.name));
    return finite(prior_deviation) ? `${logarithmic ? "ln: " : ""}${number(prior, 4)} ± ${number(prior_deviation, 3)}` : "";
  };

  const estimates = (all, known) => {
    const priors = all.map((p) => priorOf(p, known)), any = priors.some((said) => said);
    return plainTable(["parameter", ">value", ">deviation", ">95 % from", ">to", "unit", ...(any ? ["prior"] : []), ""],
      all.map((p, i) => [text(p.name), p.value, p.deviation, p.lower, p.upper, gradyn.unit(p.unit), ...(any ? [priors[i]] : []),
        p.kind === "determined" ? "" : text(p.kind)]));
  };

  /* The matrix as a table; the ground of a cell shows the size of its number. */
  const correlations = (fit, all) => {
    const rows = list(fit.correlation).map(list), names = all.map((p) => text(p.name));
    const cell = (c, i, k) => element("td", { class: "number", style: finite(c) && i !== k
      ? `background: ${fade(c > 0 ? theme().after : theme().active, 0.55 * Math.abs(c))}` : null }, finite(c) ? (Math.round(100 * c) / 100 + 0).toFixed(2).replace("-", "−") : "–");
    return element("details", { open: names.length <= 10 }, element("summary", {}, "Correlations"),
      element("div", { class: "scroll" }, element("table", { class: "matrix" },
        element("thead", {}, element("tr", {}, element("th", {}), ...names.map((name) => element("th", { class: "number" }, name)))),
        element("tbody", {}, ...names.map((name, i) => element("tr", {}, element("td", { class: "name" }, ...gradyn.breakable(name)), ...names.map((_, k) => cell(list(rows[i])[k], i, k))))))));
  };

  const tests = (fits) => plainTable(["fit", ">data", ">sum of squares", ">correlation", ">P(runs)", ">P(normal)", "largest"],
    fits.map((f) => [text(f.name), f.data, f.square_sum, f.correlation, f.runs_probability, f.normal_probability, text(f.largest)]));

  /* Directions that data do not determine: the parameters with their proportions. */
  const directions = (fit) => list(fit.undetermined).map((d) => Object.entries(object(object(d).change))).map((parts) => {
    const most = Math.max(...parts.map(([, change]) => Math.abs(change)));
    return element("p", { class: "active" }, "Not determined by the data: " +
      (parts.length === 1 ? parts[0][0] : parts.map(([name, change]) => `${name} by ${number(change / most, 3)}`).join(", ")) + ".");
  });

  gradyn.fit = (study, runs, clock) => {
    const fit = object(object(study.result).fit), fits = list(fit.fits).map(object), all = estimatesOf(object(study.result));
    if (!fits.length) return null;
    const drawn = fits.filter((f) => !isPrior(f));
    const plots = drawn.slice(0, mostFits).flatMap((f) => {
      const rows = dataOf(f);
      return rows.length ? [along(f, rows, runs, clock), residuals(f, rows, clock)] : [];
    });
    const more = drawn.length - mostFits, crowded = all.length > mostNames;
    return section("fit", "Fit to data", ...directions(fit), gridOf(plots),
      more > 0 ? element("p", { class: "note" }, `Data of ${more} more fits stand in result.json.`) : null,
      estimates(all, list(object(study.result).parameters).map(object)),
      all.length > 1 && !crowded ? correlations(fit, all) : null, tests(fits), element("p", { class: "note" },
        `${number(fit.data)} data, ${number(fit.estimated)} directions of parameters estimated. Dotted: zero, and 95 % of normal residuals. ` +
        "P: probability of such a number of runs of equal sign, and of such skewness and kurtosis, by chance."));
  };

  /* --- profiles */

  const isOpen = (side) => object(side).end !== "closed";

  gradyn.profileSentence = (result) => {
    const all = list(result.profiles).map(object), open = all.filter((p) => isOpen(p.below) || isOpen(p.above)).map((p) => text(p.parameter));
    if (result.objective - result.least > 1e-6 * Math.abs(result.objective)) return ["bad", "A point of a profile is better than the fit: it is no minimum."];
    return open.length ? ["busy", `${all.length} profiles; intervals without an end: ${open.join(", ")}.`] : ["good", `${all.length} profiles, with intervals of finite length.`];
  };

  const profilePlot = (profile, about, zEnd) => {
    const at = (side, sign) => list(object(side).points).map(object).filter((p) => finite(p.z) && finite(p.value)).map((p) => [p.value, sign * p.z]);
    const rows = [...at(profile.below, -1), ...(finite(about.value) ? [[about.value, 0]] : []), ...at(profile.above, 1)].sort((a, b) => a[0] - b[0]);
    const series = (style, more) => ({ style, x: rows.map((p) => p[0]), y: rows.map((p) => p[1]), silent: true, ...more });
    return new Plot({ title: labelled(text(profile.parameter), about.unit), x: {}, y: { label: "z" }, level: [{ value: -zEnd }, { value: 0 }, { value: zEnd }],
      series: [series("line", { name: "profile", colour: "after" }), series("points", { name: "searches", colour: "after" })] });
  };

  gradyn.profiles = (study) => {
    const result = object(study.result), all = list(result.profiles).map(object);
    const about = (p) => object(list(result.parameters).map(object).find((known) => known.name === p.parameter));
    const limit = (side) => (isOpen(side) ? text(object(side).end) : number(side.limit));
    if (!all.length) return null;
    return section("profiles", "Profiles", gridOf(all.slice(0, mostNames).map((p) => profilePlot(p, about(p), result.z_end))),
      plainTable(["parameter", ">estimate", ">95 % from", ">to", "unit"], all.map((p) => [text(p.parameter), about(p).value, limit(p.below), limit(p.above), gradyn.unit(about(p).unit)])),
      element("p", { class: "note" }, "z: signed root of twice the rise of the objective over the variance, with the other parameters fitted again. Of a linear model it is a straight line. Dotted: the ends of 95 % intervals."));
  };
})();
