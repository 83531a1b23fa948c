/* The test appends this to a report: it checks the page from inside and passes its findings to the
 * surrounding page, one line each, "ok ..." or "FAULT ...". early.js has collected errors. All of it happens
 * before the load event of the surrounding page, at which the browser writes these lines. */
addEventListener("load", () => {
  const lines = [];
  const check = (good, what) => lines.push(`${good ? "ok" : "FAULT"} ${what}`);
  const pixels = (canvas) => {
    const copy = document.createElement("canvas");
    copy.width = canvas.width;
    copy.height = canvas.height;
    const pen = copy.getContext("2d");
    pen.drawImage(canvas, 0, 0);
    return pen.getImageData(0, 0, copy.width, copy.height).data;
  };
  const inked = (data) => {
    let count = 0;
    for (let i = 3; i < data.length; i += 4) count += data[i] > 0;
    return count;
  };
  const { list, object } = gradyn;
  const different = (a, b) => {
    let count = 0;
    for (let i = 0; i < a.length; i += 4) count += a[i] !== b[i] || a[i + 3] !== b[i + 3];
    return count;
  };

  /* Contours: a picture with lines on which the function has the values of the levels, and its value where
     the plot is pointed at. */
  const contours = (plot) => {
    const { field } = plot.spec, { xs, ys, box, root, width } = plot.still, levels = field.scale.level;
    const lines = [...root.querySelectorAll("path.isoline")], f = field.scale.log ? Math.log : (v) => v;
    check(root.querySelector("g.field > image").getAttribute("href").length > 300, `contours of '${plot.spec.title}' painted`);
    check(lines.length === levels.length && lines.length > 3, `${lines.length} lines at ${levels.length} levels`);
    let worst = 0;
    lines.forEach((line, k) => {
      const place = (v, from, to, [low, high]) => low + ((v - from) / (to - from)) * (high - low);
      for (const [, x, y] of [...line.getAttribute("d").matchAll(/[ML]([\d.]+) ([\d.]+)/g)].slice(0, 60)) {
        const value = gradyn.fieldAt(field, place(x, box.left, box.right, xs), place(y, box.bottom, box.top, ys));
        worst = Math.max(worst, Math.abs(f(value) - f(levels[k])) / (f(levels[levels.length - 1]) - f(levels[0])));
      }
    });
    check(worst < 0.01, `lines are where the levels are, within ${worst.toExponential(1)} of their range`);
    const area = root.getBoundingClientRect(), ratio = area.width / width;
    root.dispatchEvent(new PointerEvent("pointermove", { clientX: area.left + ratio * (box.left + box.right) / 2,
      clientY: area.top + ratio * (box.top + box.bottom) / 2 }));
    const read = Number(plot.reading.textContent.split(": ").pop()), middle = gradyn.fieldAt(field, (xs[0] + xs[1]) / 2, (ys[0] + ys[1]) / 2);
    check(Math.abs(read - middle) < 0.05 * middle, `reads '${plot.reading.textContent}' for ${middle}`);
    check(plot.spec.series.some((s) => s.labels && s.labels.length > 1), "optima are marked");
  };

  try {
    const slider = document.getElementById("time"), stage = document.querySelector(".stage canvas");
    const moveTo = (share) => {
      slider.value = String(share * Number(slider.max));
      slider.dispatchEvent(new Event("input"));
      return pixels(document.querySelector(".stage canvas"));
    };
    check(!stage || location.hash || gradyn.clock.playing, "the motion begins by itself");
    if (stage) {
      const first = moveTo(0), second = moveTo(0.37);
      check(inked(first) > 500, `mechanism drawn, ${inked(first)} pixels`);
      check(different(first, second) > 50, `slider moves it, ${different(first, second)} pixels`);
      check(document.querySelector("output").textContent !== "t = 0 s", "time shown");
      const modes = document.querySelector("select[aria-label='which runs']");
      if (modes) {
        modes.value = "side by side";
        modes.dispatchEvent(new Event("change"));
        const both = [...document.querySelectorAll(".stage canvas")].map((c) => inked(pixels(c)));
        check(both.length === 2 && both.every((count) => count > 500), `side by side, ${both} pixels`);
      }
    } else check(gradyn.data.studies.every((s) => s.runs.every((r) => !r.model || r.model.axes === 0)), "no mechanism, none to show");

    /* forces, springs and bars that belong to some modes are seen in these alone */
    for (const run of gradyn.runsOf(gradyn.data.studies))
      for (const [since, mode] of [[0, 1], ...run.modes]) {
        const shapes = gradyn.shapesAt(run, since + 1e-9 * run.end, 1);
        const names = [...shapes.lines, ...shapes.arrows].map((d) => d.name);
        const wrong = run.drawables.filter((d) => d.modes && ["force", "spring", "damper", "rod"].includes(d.shape) &&
          d.modes.includes(mode) !== names.includes(d.name));
        check(wrong.length === 0, `in mode ${mode} what belongs to it is drawn${wrong.map((d) => ": " + d.name)}`);
      }
    const alone = document.querySelector("main[data-only='motion']");
    check(alone ? stage && gradyn.plots.length === 0 : gradyn.plots.length > 0 || document.querySelector("#uncertainty"), `${gradyn.plots.length} plots`);
    for (const plot of gradyn.plots) {
      const usable = plot.spec.series.filter((s) => Array.from(s.x).some((x, i) =>
        Number.isFinite(x) && Number.isFinite(s.y[i]) && (!plot.spec.x.log || x > 0) && (!plot.spec.y.log || s.y[i] > 0)));
      check(plot.drawn >= usable.length && (plot.spec.series.length > 0 || plot.spec.field),
        `plot '${plot.spec.title}' has ${plot.drawn} of ${usable.length} curves`);
      if (plot.spec.field) contours(plot);
    }
    /* names in tables are broken after separators, and inside of words only if a word is wider than its cell */
    const lines = (node) => {
      const range = document.createRange();
      range.selectNodeContents(node);
      return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size;
    };
    const wide = [...document.querySelectorAll("td.name")].filter((td) => td.querySelector("wbr") && td.offsetParent)
      .flatMap((td) => [...td.childNodes].filter((piece) => piece.nodeType === 3 && !piece.data.includes(" ") && piece.data.length < 14 && lines(piece) > 1));
    check(wide.length === 0, `names broken inside of words: ${wide.slice(0, 3).map((piece) => piece.data)}`);
    /* the problem in short */
    const [study] = gradyn.data.studies, alone1 = gradyn.data.studies.length === 1 && !alone;
    if (alone1 && study.result && study.result.probes > 0)
      check(document.getElementById("verdict").textContent.includes(`${study.result.evaluations}, ${study.result.probes} probe the end`),
        "evaluations that the optimiser did not request");
    const last = alone1 ? gradyn.runsOf(gradyn.data.studies).pop() : null;
    const shortly = document.getElementById("summary"), words = shortly ? shortly.textContent : "";
    if (alone1) check(shortly && shortly.querySelectorAll("dd").length >= 3, "the problem in short");
    if (last && last.model.sizes) {
      const sizes = last.model.sizes, wanted = [[sizes.coordinates, "coordinate"], [sizes.constraints, "constraint"],
        [sizes.degrees_of_freedom, "degree"], [sizes.states, "state"], [study.result.parameters.length, "parameter"]];
      const missing = wanted.filter(([n, what]) => Number.isFinite(n) && !words.includes(`${n} ${what}`)).map(([, what]) => what);
      check(missing.length === 0 && words.includes(last.model.summary), `sizes of the model ${missing}`);
      if (study.result.chosen) check(words.includes(study.result.chosen.method), "the method and its reason");
    }
    if (alone1 && study.result && ["run", "pareto"].includes(study.result.command)) {
      const [, demands] = /(?:subject to|without constraints)(.*)/.exec(shortly.querySelector("dd").textContent) || [0, "none"];
      const about = { ...study.settings, ...study.result }, bounded = about.functionals.filter((f) => !["monitored", "objective", "largest"].includes(f.use)).length;
      const stated = (demands.match(/\d+/g) || []).reduce((sum, n) => sum + Number(n), 0);
      check(stated === bounded, `${stated} of ${bounded} constraints in short`);
      const enforced = list(object(study.result.path_constraints).points).length;
      check(enforced === 0 || (document.getElementById("limits") && document.getElementById("functionals").textContent.includes(`${enforced} time points`)),
        `${enforced} time points of path constraints`);
    }
    /* fits: data and residuals of each; estimates at bounds and directions without data are in the verdict */
    const fit = alone1 ? object(object(study.result).fit) : {}, fits = list(fit.fits);
    if (fits.length) {
      const own = gradyn.plots.filter((plot) => document.getElementById("fit").contains(plot.figure)), curve = (plot, name) => plot.spec.series.find((s) => s.name.startsWith(name));
      check(own.length === 2 * fits.length, `${own.length} plots of ${fits.length} fits`);
      const sums = fits.map((f, k) => {
        const data = curve(own[2 * k], "data"), bars = curve(own[2 * k], "residuals").y;
        return data.y.reduce((sum, d, i) => sum + ((bars[3 * i + 1] - d) / f.residuals.deviation[i]) ** 2, 0) - f.square_sum;
      });
      check(sums.every((gap, k) => Math.abs(gap) < 1e-9 * fits[k].square_sum), "residuals are from the data to the model");
      const verdict = document.querySelector("#verdict .verdict"), unsure = [...fit.parameters.filter((p) => p.kind !== "determined").map((p) => p.name),
        ...fit.undetermined.flatMap((d) => Object.keys(d.change))];
      const marked = [...document.querySelectorAll("#parameters tr.active td.name")].map((td) => td.textContent);
      check(verdict.classList.contains(unsure.length ? "busy" : "good") && unsure.every((name) => verdict.textContent.includes(name) && marked.includes(name)),
        `doubts about ${unsure} in the verdict and the table`);
      check(document.querySelectorAll("table.matrix td").length === fit.parameters.length * (fit.parameters.length + 1), "correlations");
    }
    /* profiles rise through zero at the estimate */
    for (const profile of alone1 ? list(object(study.result).profiles) : []) {
      const [{ x, y }] = gradyn.plots.find((plot) => plot.spec.title.startsWith(profile.parameter)).spec.series, zero = y.indexOf(0);
      check(y.length === profile.below.points.length + profile.above.points.length + 1 && y.every((z, i) => i === 0 || (z > y[i - 1] && x[i] > x[i - 1])) &&
        x[zero] === study.result.parameters.find((p) => p.name === profile.parameter).value, `profile of ${profile.parameter}`);
    }
    /* uncertain numbers: bars have the shares of the result */
    const uncertain = alone1 ? list(object(study.result).uncertainty) : [];
    if (uncertain.length) {
      const drawn = uncertain.flatMap((f) => f.effects.map((e) => Math.max(0, Math.min(100, 100 * e.main.value)))),
        bars = [...document.querySelectorAll("#uncertainty svg.bar")].map((bar) => Number(bar.lastElementChild.getAttribute("width")));
      check(bars.length === drawn.length && bars.every((width, i) => Math.abs(width - drawn[i]) < 1e-9), "shares of uncertain numbers");
      check(document.querySelector("#summary").textContent.includes(`, ${uncertain.length} functionals`), "functionals with uncertainty in the summary");
    }
    /* estimates: all states with a band around them, all innovations, and the mean of their squares */
    const estimates = alone1 ? new gradyn.Table(study.estimates) : { rows: 0 };
    if (estimates.rows) {
      const states = gradyn.plots.filter((plot) => plot.figure.closest("#filter") && plot.spec.areas), n = states.length;
      check(n > 0 && estimates.names.length === 1 + 2 * n && states.every(({ spec: { areas: [{ low, high }], series: [line, { y }] } }, k) =>
        y.every((value, i) => value === estimates.columns[1 + k][i] && line.y[2 * i + 1] === value &&
          Math.abs(high[2 * i + 1] - low[2 * i + 1] - 3.92 * estimates.columns[1 + n + k][i]) <= 1e-9 * Math.abs(value))), `bands of ${n} states`);
      const squares = study.result.data.map((d) => d.normalised ** 2), mean = squares.reduce((sum, square) => sum + square, 0) / squares.length;
      check(gradyn.plots.find((plot) => plot.spec.title.includes("innovations")).spec.series[0].y.length === squares.length &&
        document.querySelector("#filter tbody td:nth-child(3)").textContent === gradyn.number(mean, 8), "innovations and their mean square");
    }
    /* stems have the weights of the result, which add up to 1 */
    const supports = alone1 ? list(object(study.result).supports) : [];
    if (supports.length) {
      const weights = gradyn.plots.filter((plot) => plot.figure.closest("#experiment")).flatMap((plot) => plot.spec.series[1].y);
      check(weights.length === supports.length && Math.abs(weights.reduce((sum, weight) => sum + weight, 0) - 1) < 1e-9, "weights of measurements");
    }
    /* events and modes: of all, in the table, in each plot over time, and on paper */
    const happened = last ? last.model.events || [] : [], over = gradyn.plots.filter((plot) => plot.spec.time && plot.clock === gradyn.clock);
    const rows = [...document.querySelectorAll("#events tbody tr")].map((row) => row.textContent);
    const impulses = [...document.querySelectorAll("#events tbody tr")].map((row) => row.cells[5].textContent);
    check(rows.length === happened.length && happened.every((e, k) => rows[k].includes(e.event) && impulses[k] === (e.impulse ? gradyn.number(e.impulse, 5) : "") &&
      rows[k].includes(gradyn.number(e.energy_lost, 5)) && (e.impulses || []).slice(0, 4).every((i) => rows[k].includes(i.constraint))),
    `${rows.length} of ${happened.length} events in the table`);
    const paper = (plot, what) => [...gradyn.drawCurves(plot.spec, 520, 230, true).root.querySelectorAll(what)];
    for (const plot of happened.length ? over : []) {
      const labels = [...plot.figure.querySelectorAll("button.event")].map((mark) => mark.getAttribute("aria-label"));
      const counted = labels.reduce((sum, label) => sum + 1 + Number((label.match(/, and (\d+) more/) || [0, 0])[1]), 0);
      const [{ event, occurrence, t }] = happened, name = `${event} ${occurrence}, t = ${gradyn.number(t, 5)} s`;
      check(counted === happened.length && labels[0].startsWith(name), `plot '${plot.spec.title}' marks ${counted} of ${happened.length} events`);
      check(paper(plot, "line.event").length === happened.length && paper(plot, "text.event")[0].textContent.startsWith(name), "events on paper");
    }
    const modes = last ? last.model.mode_names || [] : [], bands = modes.length ? last.modes.length + 1 : 0;
    for (const plot of bands ? over : []) {
      const shown = [...plot.figure.querySelectorAll(".modes > span")].map((one) => one.textContent), used = new Set([1, ...last.modes.map(([, mode]) => mode)]);
      check([...used].every((mode) => shown.includes(modes[mode - 1])) && shown.length === used.size, `plot '${plot.spec.title}' names modes ${shown}`);
      check(paper(plot, "rect.band").length === bands, `${bands} bands`);
    }
    if (happened.length) check(over.length > 0, `${over.length} plots over time`);
    /* bands of deviations around the columns that have one */
    const scattered = last ? last.table.names.filter((column) => column.startsWith("sd[")).map((column) => column.slice(3, -1)) : [];
    const drawn = gradyn.plots.filter((plot) => !plot.figure.closest("#filter")).flatMap((plot) => (plot.spec.areas || []).map((area) => ({ plot, area })));
    const chosen = [...document.querySelectorAll(".choices input:checked")].map((input) => input.value).filter((column) => scattered.includes(column));
    check(scattered.length === 0 || chosen.length > 0, `deviations of ${chosen}`);
    check(drawn.length === chosen.length && drawn.every(({ plot, area }) => {
      const mean = last.table.column(area.name), deviation = last.table.column(`sd[${area.name}]`);
      return paper(plot, "path.deviation").length > 0 && mean.every((v, i) => Math.abs(area.high[i] - v - 2 * deviation[i]) < 1e-9 &&
        Math.abs(v - area.low[i] - 2 * deviation[i]) < 1e-9);
    }), `${drawn.length} bands of deviations`);
    if (study.result && study.result.covariance && study.result.functionals) check(document.getElementById("functionals").textContent.includes("standard deviation"), "deviations of functionals");
    /* defects of a search in segments, and patterns with as many squares as entries */
    const iteration = document.getElementById("iteration"), pictures = document.querySelectorAll("svg.pattern");
    if (iteration) {
      const gap = gradyn.plots.find((plot) => plot.spec.title === "Largest defect"), [all, now] = [0, 1].map((k) => () => gap.spec.series[k]);
      const shown = () => JSON.stringify(gradyn.plots.map((plot) => plot.spec.series.map((s) => Array.from(s.y))));
      const moveBack = () => {
        const before = shown();
        iteration.value = "2";
        iteration.dispatchEvent(new Event("input"));
        return before !== shown();
      };
      check(now().y[0] <= 1 && moveBack() && now().y[0] === all().y[2] && now().y[0] > 1, `defects are large at iteration ${now().x[0]}`);
      check(document.querySelector("output[for=iteration]").textContent.includes(`iteration ${now().x[0]},`), "the iteration is told");
      check(pictures.length === 2, `${pictures.length} patterns`);
    }
    for (const picture of pictures) {
      const path = picture.querySelector(".entries").getAttribute("d"), cells = [...path.matchAll(/h([\d.]+)v([\d.]+)/g)];
      const [rows, columns, entries] = picture.parentElement.querySelector("figcaption").textContent.match(/\d+/g).map(Number);
      const squares = cells.reduce((sum, [, width, height]) => sum + Math.round(width / height), 0);
      check(squares === entries && entries < rows * columns, `${squares} squares for ${entries} entries`);
    }
    const box = document.querySelector(".choices input:not(:checked)");
    if (box) {
      const before = gradyn.plots.length + gradyn.plots.reduce((sum, p) => sum + p.spec.series.length, 0);
      box.click();
      const after = gradyn.plots.length + gradyn.plots.reduce((sum, p) => sum + p.spec.series.length, 0);
      check(after > before, "a column can be chosen");
    }
    /* texts and curves differ enough from what is behind them, in the scheme of the reader (WCAG: 4.5 and 3) */
    const light = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
      .reduce((sum, c, i) => sum + [0.2126, 0.7152, 0.0722][i] * (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4), 0);
    const contrast = (a, b) => [light(a), light(b)].sort((x, y) => y - x).map((v) => v + 0.05).reduce((x, y) => x / y);
    const theme = gradyn.theme(), dark = matchMedia("(prefers-color-scheme: dark)").matches;
    const colours = [...["ink", "soft", "after", "active", "bad"].map((name) => [theme[name], 4.5]), ...theme.series.map((c) => [c, 3])];
    const pale = colours.filter(([colour, least]) => contrast(colour, theme.card) < least).map(([colour]) => colour);
    check(pale.length === 0 && (light(theme.card) < 0.1) === dark, `readable in a ${dark ? "dark" : "light"} scheme ${pale}`);
    check(document.documentElement.scrollWidth <= innerWidth + 1,
      `width ${document.documentElement.scrollWidth} in ${innerWidth}`);
    const heightOf = (td) => {
      const range = document.createRange();
      range.selectNodeContents(td);
      return range.getBoundingClientRect().height;
    };
    const tall = [...document.querySelectorAll("td")].filter((td) => heightOf(td) > 100 && td.textContent.length < 50);
    check(tall.length === 0, `no narrow columns${tall.slice(0, 1).map((td) => ": " + td.textContent)}`);
    dispatchEvent(new Event("beforeprint"));
    check([...document.querySelectorAll(".paper svg")].length === gradyn.plots.length, "every plot is ready for paper");
    check(!document.querySelector("img, iframe, object, embed, link, b b"), "no foreign elements");
    check(typeof window.hostile === "undefined", "no foreign script");
    check(!/^A part of the report cannot/m.test(document.body.innerText), "all parts are shown");
  } catch (error) {
    check(false, `probe: ${error.stack}`);
  }
  check(window.faults.length === 0, `console: ${window.faults.join(" | ")}`);
  if (frameElement) parent.tell(frameElement.id, lines);
  else parent.postMessage(lines.map((line) => `${window.name} ${line}\n`).join(""), "*"); // out of a sandbox
});
