"use strict";

/* The defects between segments over the iterations of a search, as an animation, and the unknowns on which the
   constraints depend. */
(() => {
  const { list, text, object, element, svg, number, labelled, section, gridOf, Plot, Clock } = gradyn;
  const numbers = (values) => list(values).map((v) => (typeof v === "number" ? v : NaN));

  /* --- defects */

  /* The iterates of segments.json, if the file is complete. */
  const courseOf = (about) => {
    const iterations = numbers(about.iterations), shares = numbers(about.shares), samples = Number(about.samples), count = shares.length - 1;
    const each = count * samples, whole = iterations.length > 0 && count > 1 && samples > 1;
    const states = list(about.states).map(object).map((s) => ({ label: labelled(text(s.name), s.unit), values: numbers(s.values) }))
      .filter((s) => whole && s.values.length === each * iterations.length);
    return states.length ? { iterations, shares, samples, count, each, states, gaps: numbers(about.defects), ends: numbers(about.t_end) } : null;
  };

  /* Times and values of a state at an iterate, with NaN between segments. */
  const motion = (course, state, point) => {
    const x = [], y = [], starts = { x: [], y: [] };
    for (let k = 0; k < course.count; k++) {
      const from = course.shares[k], length = course.shares[k + 1] - from;
      for (let i = 0; i < course.samples; i++) {
        x.push(course.ends[point] * (from + (length * i) / (course.samples - 1)));
        y.push(state.values[point * course.each + k * course.samples + i]);
      }
      starts.x.push(x[x.length - course.samples]);
      starts.y.push(y[y.length - course.samples]);
      x.push(x[x.length - 1]);
      y.push(NaN);
    }
    return { x, y, starts };
  };

  const curves = (course, state, point) => {
    const now = motion(course, state, point), last = motion(course, state, course.iterations.length - 1);
    return [{ name: "result", x: last.x, y: last.y, style: "line", dashed: true, colour: "before" },
      { name: "in segments", x: now.x, y: now.y, style: "line", colour: "after" },
      { name: "starts of segments", x: now.starts.x, y: now.starts.y, style: "points", colour: "after" }];
  };

  const gaps = (course, point) => [
    { name: "largest defect", x: course.iterations, y: course.gaps, style: "line", colour: "before" },
    { name: "shown", x: [course.iterations[point]], y: [course.gaps[point]], style: "points", colour: "after" }];

  const extent = (values) => values.reduce(([low, high], v) => (Number.isFinite(v) ? [Math.min(low, v), Math.max(high, v)] : [low, high]), [Infinity, -Infinity]);

  /* Plots that show one iterate, and the controls that select it. */
  const animation = (course) => {
    const last = course.iterations.length - 1, clock = new Clock(last);
    let shown = last;
    const plots = course.states.map((state) => new Plot({ title: state.label, time: true, x: { label: "t [s]" },
      y: { within: extent(state.values) }, series: curves(course, state, shown) }));
    const size = new Plot({ title: "Largest defect", x: { label: "iteration", whole: true }, y: { log: true, least: 1e-3, label: "tolerances" },
      series: gaps(course, shown), level: [{ value: 1, label: "tolerance" }] });
    const slider = element("input", { type: "range", id: "iteration", min: 0, max: last, step: 1, value: last, "aria-label": "iteration" });
    const readout = element("output", { for: "iteration" }), button = element("button", { type: "button" });
    const tell = () => {
      readout.textContent = `iteration ${course.iterations[shown]}, defect ${number(course.gaps[shown], 3)} tolerances`;
      slider.value = String(shown);
      button.textContent = clock.playing ? "❚❚" : "►";
      button.setAttribute("aria-label", clock.playing ? "pause the iterations" : "play the iterations");
    };
    clock.onChange((t) => {
      const point = Math.round(t);
      if (point !== shown) {
        shown = point;
        plots.forEach((plot, k) => plot.renew(curves(course, course.states[k], shown)));
        size.renew(gaps(course, shown));
      }
      tell();
    });
    slider.addEventListener("input", () => clock.show(Number(slider.value)));
    button.addEventListener("click", () => (clock.playing ? clock.pause() : clock.play()));
    clock.t = last;
    tell();
    return [element("div", { class: "controls" }, button, slider, readout), gridOf([...plots, size])];
  };

  /* --- patterns */

  const WIDTH = 440, LEFT = 20, TOP = 18;

  /* An image of a matrix: squares at its entries, lines between groups of rows and columns. */
  const picture = (pattern, title, split) => {
    const rows = list(pattern.stretches).map(numbers), square = Number(pattern.square) || 1;
    const columns = Math.ceil(Number(pattern.columns) / square), cell = (WIDTH - LEFT) / Math.max(columns, rows.length);
    const height = TOP + rows.length * cell, right = LEFT + columns * cell;
    if (!(columns > 0) || !rows.length) return null;
    const marks = rows.flatMap((row, i) => {
      const out = [];
      for (let k = 0; k + 1 < row.length; k += 2)
        out.push(`M${(LEFT + row[k] * cell).toFixed(2)} ${(TOP + i * cell).toFixed(2)}h${((row[k + 1] - row[k] + 1) * cell).toFixed(2)}v${cell.toFixed(2)}` +
          `h${(-(row[k + 1] - row[k] + 1) * cell).toFixed(2)}z`);
      return out;
    });
    const x = LEFT + (split.column / square) * cell, y = TOP + (split.row / square) * cell, group = [];
    if (x > LEFT && x < right) group.push(`M${x} ${TOP}V${height}`);
    if (y > TOP && y < height) group.push(`M${LEFT} ${y}H${right}`);
    const say = (words, at, down) => {
      const turned = down ? { transform: `rotate(-90 ${LEFT - 6} ${at})`, x: LEFT - 6, y: at } : { x: at, y: TOP - 6 };
      return svg("text", { ...turned, "text-anchor": "middle" }, words);
    };
    /* groups that are too narrow have no name */
    const names = [[split.columns, LEFT, x, right, false], [split.rows, TOP, y, height, true]].flatMap(([words, from, middle, to, down]) =>
      [[words[0], from, middle], [words[1], middle, to]].filter(([word, a, b]) => b - a > 6.5 * word.length).map(([word, a, b]) => say(word, (a + b) / 2, down)));
    const root = svg("svg", { viewBox: `0 0 ${WIDTH} ${height + 1}`, class: "pattern", role: "img", "aria-label": title },
      svg("rect", { x: LEFT, y: TOP, width: columns * cell, height: rows.length * cell, class: "frame" }),
      svg("path", { d: marks.join(""), class: "entries" }), svg("path", { d: group.join(""), class: "groups" }), ...names);
    const share = (100 * pattern.entries) / (pattern.rows * pattern.columns);
    return element("figure", {}, element("h3", {}, title), root, element("figcaption", { class: "note" },
      `${number(pattern.rows)} rows, ${number(pattern.columns)} columns, ${number(pattern.entries)} entries: ${number(share, 2)} %.` +
      (square > 1 ? ` A square stands for ${square} rows and columns.` : "")));
  };

  const patterns = (about) => {
    const unknowns = ["parameters", "states at boundaries"], column = Number(about.parameters) || 0;
    return [about.jacobian && picture(object(about.jacobian), "Constraints by unknowns",
      { column, row: Number(about.constraints) || 0, columns: unknowns, rows: ["constraints", "defects"] }),
    about.curvature && picture(object(about.curvature), "Second derivatives of the Lagrangian",
      { column, row: column, columns: unknowns, rows: unknowns })].filter(Boolean);
  };

  gradyn.segments = (study) => {
    const about = object(study.segments), course = courseOf(about), pictures = patterns(about);
    if (!course && !pictures.length) return null;
    return section("segments", "Segments", ...(course ? animation(course) : []), element("div", { class: "plots" }, ...pictures));
  };
})();
