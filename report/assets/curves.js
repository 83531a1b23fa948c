"use strict";

/* Curves as SVG: for print, and for the screen without the library for curves.

   A plot is {title, note, x: {label, log, whole}, y: {label, log, least, within}, series, level: [{value,
   label}], time, field}. A series is {name, x, y, style, colour, dashed, labels, silent}; style: "line",
   "points", "crosses", "steps"; labels: texts at its points; silent: not in the legend. whole: the axis has
   integers only. least: smaller numbers, also zero, are drawn at this number. within: two numbers that the axis
   includes. field: contours below the series, see field.js. */
(() => {
  const { svg, number, theme } = gradyn;

  /* Round numbers between two, about `count` of them; powers of ten on a logarithmic axis. */
  const ticks = (low, high, count, log) => {
    const out = [];
    if (log) {
      const first = Math.ceil(Math.log10(low) - 1e-9), last = Math.floor(Math.log10(high) + 1e-9);
      const step = Math.max(1, Math.ceil((last - first) / count));
      for (let k = first; k <= last; k += step) out.push(Math.pow(10, k));
      if (out.length >= 2) return out;
      out.length = 0;
    }
    const rough = (high - low) / count, power = Math.pow(10, Math.floor(Math.log10(rough)));
    const step = [1, 2, 5, 10].map((k) => k * power).find((k) => k >= rough * 0.999);
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) out.push(k * step);
    return out;
  };

  const usable = (value, log) => Number.isFinite(value) && (!log || value > 0);
  gradyn.usable = usable;
  gradyn.ticks = ticks;

  /* Value i of a series as drawn on an axis; NaN: not drawn. */
  gradyn.drawnAt = (series, plot, axis, i) => {
    const about = plot[axis], value = series[axis][i];
    const raised = about.least > value ? about.least : value;
    return usable(raised, about.log) ? raised : NaN;
  };

  /* Least and largest number of an axis over all series, with a margin. */
  const range = (plot, axis) => {
    let low = Infinity, high = -Infinity;
    const log = plot[axis].log, other = axis === "x" ? "y" : "x";
    if (plot.field) return [plot.field[axis][0], plot.field[axis][plot.field[axis].length - 1]];
    const take = (value) => {
      if (!usable(value, log)) return;
      low = Math.min(low, value);
      high = Math.max(high, value);
    };
    for (const series of plot.series)
      for (let i = 0; i < series[axis].length; i++)
        if (!Number.isNaN(gradyn.drawnAt(series, plot, other, i))) take(gradyn.drawnAt(series, plot, axis, i));
    for (const value of plot[axis].within || []) take(value);
    if (axis === "y") for (const value of [...(plot.level || []).map((l) => l.value), ...(plot.areas || []).flatMap((a) => [...a.low, ...a.high])]) take(value);
    if (low > high) return log ? [0.1, 1] : [0, 1];
    if (log) return low === high ? [low / 3, high * 3] : [low, high];
    const air = high > low ? (axis === "y" ? 0.05 * (high - low) : 0) : Math.abs(high) * 0.1 || 1;
    return [low - air, high + air];
  };

  const scale = ([low, high], from, to, log) => {
    const map = log ? Math.log10 : (v) => v, a = map(low), b = map(high);
    return (value) => from + ((map(value) - a) / (b - a || 1)) * (to - from);
  };

  const path = (series, plot, sx, sy) => {
    let out = "", pen = false, last = 0;
    for (let i = 0; i < series.x.length; i++) {
      const vx = gradyn.drawnAt(series, plot, "x", i), vy = gradyn.drawnAt(series, plot, "y", i);
      if (Number.isNaN(vx + vy)) {
        pen = false;
        continue;
      }
      const x = sx(vx).toFixed(1), y = sy(vy).toFixed(1);
      if (pen && series.style === "steps") out += `L${x} ${last}`;
      out += `${pen ? "L" : "M"}${x} ${y}`;
      pen = true;
      last = y;
    }
    return out;
  };

  const marks = (series, plot, sx, sy, colour) => {
    const group = svg("g", { class: "marks", stroke: colour, fill: series.style === "crosses" ? "none" : colour }), words = [];
    for (let i = 0; i < series.x.length; i++) {
      const vx = gradyn.drawnAt(series, plot, "x", i), vy = gradyn.drawnAt(series, plot, "y", i);
      if (Number.isNaN(vx + vy)) continue;
      const x = sx(vx), y = sy(vy), cross = { d: `M${x - 4} ${y - 4}l8 8m0-8l-8 8` };
      /* marks on contours have a border, visible on any colour */
      if (series.style === "crosses" && plot.field) group.append(svg("path", { ...cross, stroke: "#000000", "stroke-width": 4.5 }));
      group.append(
        series.style === "crosses"
          ? svg("path", { ...cross, "stroke-width": 2 })
          : svg("circle", { cx: x, cy: y, r: 2.5, stroke: plot.field ? "#000000" : "none", "stroke-width": 0.8 }));
      if (series.labels && series.labels[i])
        words.push(svg("text", { class: plot.field ? "mark over" : "mark", x: x + 6, y: y - 5 }, series.labels[i]));
    }
    group.append(...words);
    return group;
  };

  const frame = (plot, sx, sy, xs, ys, box) => {
    const group = svg("g", {});
    const rule = (x1, y1, x2, y2) => svg("line", { x1, y1, x2, y2, stroke: theme().line });
    const label = (text, x, y, anchor) => svg("text", { x, y, "text-anchor": anchor }, text);
    for (const v of ticks(...xs, 6, plot.x.log))
      group.append(rule(sx(v), box.top, sx(v), box.bottom), label(number(v, 4), sx(v), box.bottom + 15, "middle"));
    for (const v of ticks(...ys, 5, plot.y.log))
      group.append(rule(box.left, sy(v), box.right, sy(v)), label(number(v, 4), box.left - 5, sy(v) + 4, "end"));
    group.append(label(plot.x.label || "", box.right, box.bottom + 30, "end"),
      svg("text", { transform: `translate(12 ${(box.top + box.bottom) / 2}) rotate(-90)`, "text-anchor": "middle" }, plot.y.label || ""));
    return group;
  };

  const legend = (plot, colours, box) => {
    const group = svg("g", {});
    let x = box.left, y = 12;
    plot.series.forEach((series, k) => {
      if (series.silent) return;
      const width = 30 + 6.5 * series.name.length;
      if (x > box.left && x + width > box.right) {
        x = box.left;
        y += 15;
      }
      const stroke = { stroke: colours[k], "stroke-width": 2.5 };
      group.append(
        series.style === "points" ? svg("circle", { cx: x + 10, cy: y - 4, r: 3, fill: colours[k] })
          : series.style === "crosses" ? svg("path", { d: `M${x + 6} ${y - 8}l8 8m0-8l-8 8`, ...stroke })
            : svg("line", { x1: x, y1: y - 4, x2: x + 16, y2: y - 4, ...stroke, "stroke-dasharray": series.dashed ? "5 3" : "none" }),
        svg("text", { x: x + 20, y }, series.name));
      x += width;
    });
    return { group, height: y + 6 };
  };

  /* Lines that are not series: bounds. */
  const levels = (plot, sy, box) => {
    const group = svg("g", {});
    for (const level of plot.level || [])
      if (usable(level.value, plot.y.log))
        group.append(
          svg("line", { x1: box.left, x2: box.right, y1: sy(level.value), y2: sy(level.value),
            stroke: theme().active, "stroke-dasharray": "2 4" }),
          svg("text", { x: box.right, y: sy(level.value) - 3, "text-anchor": "end" }, level.label || ""));
    return group;
  };

  /* The corners of a band of deviations: along the upper, then back along the lower side. */
  gradyn.outline = (area, plot) => {
    const good = [...area.x.keys()].filter((i) => usable(area.x[i], plot.x.log) && usable(area.low[i], plot.y.log) && usable(area.high[i], plot.y.log));
    return [...good.map((i) => [area.x[i], area.high[i]]), ...good.reverse().map((i) => [area.x[i], area.low[i]])];
  };

  /* Below the curves: bands of modes and of deviations, and events, in print with their names. */
  const background = (plot, sx, sy, box, named) => {
    const group = svg("g", {}), { bands, events } = plot.timeline || { bands: [], events: [] };
    const within = (t) => Math.max(box.left, Math.min(box.right, t > 0 || !plot.x.log ? sx(t) : box.left));
    for (const band of bands)
      group.append(svg("rect", { class: "band", x: within(band.from), y: box.top, width: Math.max(0, within(band.to) - within(band.from)),
        height: box.bottom - box.top, fill: gradyn.bandColour(band.mode) }));
    for (const area of plot.areas || [])
      group.append(svg("path", { class: "deviation", fill: gradyn.fade(gradyn.colourOf(area), 0.22),
        d: `M${gradyn.outline(area, plot).map(([x, y]) => `${sx(x).toFixed(1)} ${sy(y).toFixed(1)}`).join("L")}z` }));
    let last = -Infinity;
    for (const { t, name } of events) {
      const x = within(t);
      group.append(svg("line", { class: "event", x1: x, x2: x, y1: box.top, y2: box.bottom, stroke: theme().ink, "stroke-opacity": 0.5, "stroke-dasharray": "3 3" }));
      if (!named || x - last < 11) continue; /* would cover the text of the previous line */
      group.append(svg("text", { class: "event", transform: `translate(${x - 3} ${box.top + 3}) rotate(-90)`, "text-anchor": "end" }, name));
      last = x;
    }
    return group;
  };

  gradyn.colourOf = (series) => {
    const palette = theme().series;
    if (typeof series.colour === "string") return theme()[series.colour] || theme().ink;
    return palette[(series.colour || 0) % palette.length];
  };

  gradyn.drawCurves = (plot, width = 560, height = plot.field ? 420 : 260, named = false) => {
    const colours = plot.series.map(gradyn.colourOf);
    const box = { left: 70, right: width - (plot.field ? 76 : 12), bottom: height - 36 };
    const names = legend(plot, colours, box);
    box.top = names.height + 6;
    const xs = range(plot, "x"), ys = range(plot, "y");
    const sx = scale(xs, box.left, box.right, plot.x.log), sy = scale(ys, box.bottom, box.top, plot.y.log);
    const root = svg("svg", { class: "curves", viewBox: `0 0 ${width} ${height}`, role: "img" },
      svg("title", {}, plot.title || ""), frame(plot, sx, sy, xs, ys, box), names.group);
    root.append(background(plot, sx, sy, box, named), levels(plot, sy, box));
    if (plot.field) root.append(gradyn.drawField(plot.field, sx, sy, box));
    plot.series.forEach((series, k) => {
      if (series.style === "points" || series.style === "crosses")
        root.append(marks(series, plot, sx, sy, colours[k]));
      else
        root.append(svg("path", { class: "curve", d: path(series, plot, sx, sy), fill: "none", stroke: colours[k],
          "stroke-width": 1.8, "stroke-linejoin": "round", "stroke-dasharray": series.dashed ? "5 3" : "none" }));
    });
    return { root, sx, xs, ys, box, width };
  };
})();
