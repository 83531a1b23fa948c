"use strict";

/* A plot on the page: by chart.js on the screen, as SVG in print and without that library. Plots over time show
   the time of the clock, and set it by pointing. See curves.js for the members of a plot. */
(() => {
  const { element, list, text, object, theme, colourOf, number } = gradyn;
  const chart = typeof Chart === "function" ? Chart : null;
  const plots = [];

  const points = (series, plot) => {
    const out = [];
    for (let i = 0; i < series.x.length; i++) {
      out.push({ x: gradyn.drawnAt(series, plot, "x", i), y: gradyn.drawnAt(series, plot, "y", i) });
    }
    return out;
  };

  const dataset = (series, plot) => {
    const colour = colourOf(series), marked = series.style === "points" || series.style === "crosses";
    return {
      label: series.name,
      data: points(series, plot),
      borderColor: colour,
      backgroundColor: colour,
      borderWidth: series.style === "points" ? 0 : 2,
      borderDash: series.dashed ? [6, 4] : [],
      showLine: !marked,
      stepped: series.style === "steps",
      pointStyle: series.style === "crosses" ? "crossRot" : marked || series.x.length === 1 ? "circle" : "line", /* also in the legend */
      pointRadius: marked ? (series.style === "crosses" ? 6 : 3.5) : series.x.length === 1 ? 3 : 0,
      pointHitRadius: 6,
    };
  };

  /* On a logarithmic axis over many decades chart.js omits labels irregularly. */
  const decades = (scale) => {
    if (!(scale.max > 30 * scale.min)) return;
    const found = gradyn.ticks(scale.min, scale.max, 7, true);
    scale.ticks = found.map((value) => ({ value, major: true }));
  };

  /* Round numbers, also on an axis that ends at its data. */
  const round = (whole) => (scale) => {
    if (!(scale.max > scale.min)) return;
    scale.ticks = gradyn.ticks(scale.min, scale.max, 8, false).filter((v) => !whole || Number.isInteger(v)).map((value) => ({ value }));
  };

  const axis = (about, grid) => ({
    type: about.log ? "logarithmic" : "linear",
    title: { display: Boolean(about.label), text: about.label || "", color: theme().soft },
    grid: { color: grid, borderColor: grid },
    ticks: {
      color: theme().soft,
      maxRotation: 0,
      autoSkipPadding: 14,
      precision: about.whole ? 0 : undefined,
      callback: (value) => number(value, 5),
    },
    afterBuildTicks: about.log ? decades : undefined,
  });

  const horizontal = (spec, grid) => {
    const out = axis(spec.x, grid), ends = !spec.x.log && (spec.time || spec.x.whole);
    const [suggestedMin, suggestedMax] = spec.x.within || [];
    return ends ? { ...out, suggestedMin, suggestedMax, bounds: "data", afterBuildTicks: round(spec.x.whole) } : out;
  };

  /* The legend shows points as points and dashed lines as dashed; silent series are omitted. */
  const legend = (spec) => ({ labels: {
    color: theme().ink, usePointStyle: true, boxWidth: 11, boxHeight: 7,
    generateLabels: (made) => chart.defaults.plugins.legend.labels.generateLabels(made)
      .filter((item) => !spec.series[item.datasetIndex].silent)
      .map((item) => ({ ...item, lineDash: spec.series[item.datasetIndex].dashed ? [4, 3] : [] })),
  } });

  /* Bounds, as dotted lines. */
  const levels = (spec) => ({
    id: "levels",
    afterDatasetsDraw(at) {
      const area = at.chartArea, pen = at.ctx;
      for (const level of spec.level || []) {
        const y = at.scales.y.getPixelForValue(level.value);
        if (!(y >= area.top && y <= area.bottom)) continue;
        pen.save();
        pen.strokeStyle = theme().active;
        pen.setLineDash([2, 4]);
        pen.beginPath();
        pen.moveTo(area.left, y);
        pen.lineTo(area.right, y);
        pen.stroke();
        pen.restore();
      }
    },
  });

  /* Below the curves: bands of modes and of deviations. Above them: events, as dashed lines. */
  const background = (spec) => ({
    id: "background",
    beforeDatasetsDraw(at) {
      const { left, right, top, bottom } = at.chartArea, { x, y } = at.scales, pen = at.ctx, { bands, events } = spec.timeline || { bands: [], events: [] };
      const within = (t) => Math.max(left, Math.min(right, t > 0 || !spec.x.log ? x.getPixelForValue(t) : left));
      pen.save();
      pen.beginPath();
      pen.rect(left, top, right - left, bottom - top);
      pen.clip();
      for (const band of bands) {
        pen.fillStyle = gradyn.bandColour(band.mode);
        pen.fillRect(within(band.from), top, within(band.to) - within(band.from), bottom - top);
      }
      for (const area of spec.areas || []) {
        pen.fillStyle = gradyn.fade(colourOf(area), 0.22);
        pen.beginPath();
        for (const [px, py] of gradyn.outline(area, spec)) pen.lineTo(x.getPixelForValue(px), y.getPixelForValue(py));
        pen.fill();
      }
      pen.strokeStyle = gradyn.fade(theme().ink, 0.5);
      pen.setLineDash([3, 3]);
      for (const { t } of events) {
        pen.beginPath();
        pen.moveTo(within(t), top);
        pen.lineTo(within(t), bottom);
        pen.stroke();
      }
      pen.restore();
    },
  });

  const crowded = 12; /* pixels: marks of events at smaller distances are merged */

  class Plot {
    constructor(spec, clock) {
      this.spec = spec;
      if (spec.time && clock) spec.timeline = gradyn.timeline;
      this.clock = clock;
      this.modes = element("div", {});
      this.t = NaN;
      this.area = element("div", { class: "area" });
      this.paper = element("div", { class: "paper" });
      this.reading = spec.field ? element("p", { class: "note screen" }, "Point at the plot to read it.") : null;
      this.figure = element("figure", { class: [spec.wide ? "wide" : "", spec.field || !chart ? "still" : ""].join(" ").trim() || null },
        element("h3", {}, spec.title || ""), this.modes, this.area, this.paper, this.reading || "",
        spec.note ? element("figcaption", { class: "note" }, spec.note) : null);
      if (spec.time && clock) this.follow(clock);
      plots.push(this);
    }

    /* Draws the plot; its figure must be in the page. */
    draw() {
      this.cursor = element("div", { class: "cursor", hidden: true });
      this.modes.replaceChildren(gradyn.bandLegend(this.spec.timeline) || "");
      if (this.chart) this.chart.destroy();
      if (chart && !this.spec.field) this.drawChart();
      else {
        this.still = gradyn.drawCurves(this.spec);
        this.area.replaceChildren(this.still.root, this.cursor);
        if (this.spec.field) this.still.root.addEventListener("pointermove", (event) => this.read(event));
      }
      this.mark();
      this.point();
    }

    /* Adds a mark above each event, which shows its name and time to pointers and keyboards. */
    mark() {
      for (const old of this.area.querySelectorAll(".event")) old.remove();
      const { events } = this.spec.timeline || { events: [] }, frame = events.length ? this.frame : null, groups = [];
      for (const event of events) {
        const x = event.t > 0 || !this.spec.x.log ? frame.at(event.t) : frame.left, last = groups[groups.length - 1];
        if (last && x - last.x < crowded) last.events.push(event);
        else if (x >= frame.left - 1 && x <= frame.right + 1) groups.push({ x, events: [event] });
      }
      for (const { x, events: [first, ...others] } of groups) {
        const label = others.length ? `${first.label}, and ${others.length} more until t = ${number(others[others.length - 1].t, 5)} s` : first.label;
        const mark = element("button", { type: "button", class: x > (frame.left + frame.right) / 2 ? "event before" : "event", "aria-label": label,
          style: `left:${x}px;top:${frame.top}px` }, element("span", { "aria-hidden": "true" }, label));
        mark.addEventListener("click", () => this.clock.show(first.t));
        this.area.append(mark);
      }
    }

    /* Replaces the curves. */
    renew(series) {
      this.spec.series = series;
      if (this.chart) {
        this.chart.data.datasets = series.map((one) => dataset(one, this.spec));
        this.chart.update("none");
      } else if (this.still) this.draw();
    }

    /* Shows the value of a field at the pointer. */
    read(event) {
      const { xs, ys, box, width, root } = this.still, place = root.getBoundingClientRect(), ratio = width / place.width;
      const sx = ((event.clientX - place.left) * ratio - box.left) / (box.right - box.left);
      const sy = (box.bottom - (event.clientY - place.top) * ratio) / (box.bottom - box.top);
      if (!(sx >= 0 && sx <= 1 && sy >= 0 && sy <= 1)) return;
      const x = xs[0] + sx * (xs[1] - xs[0]), y = ys[0] + sy * (ys[1] - ys[0]);
      this.reading.textContent = [[this.spec.x.label, x], [this.spec.y.label, y], [this.spec.title, gradyn.fieldAt(this.spec.field, x, y)]]
        .map(([name, value]) => `${name}: ${number(value, 4)}`).join(", ");
    }

    drawChart() {
      const canvas = element("canvas", { "aria-label": this.spec.title || "plot", role: "img" });
      this.area.replaceChildren(canvas, this.cursor);
      this.chart = new chart(canvas, {
        type: "line",
        data: { datasets: this.spec.series.map((series) => dataset(series, this.spec)) },
        options: {
          animation: false,
          parsing: false,
          normalized: true,
          maintainAspectRatio: false,
          interaction: { mode: "nearest", axis: "x", intersect: false },
          onResize: () => setTimeout(() => {
            if (!this.chart) return;
            this.mark();
            this.point();
          }),
          scales: { x: horizontal(this.spec, theme().line), y: this.vertical() },
          plugins: {
            legend: legend(this.spec),
            tooltip: { callbacks: {
              title: (items) => (items.length ? `${this.spec.x.label || "x"}: ${number(items[0].parsed.x)}` : ""),
              label: (item) => `${item.dataset.label}: ${number(item.parsed.y)}`,
            } },
          },
        },
        plugins: [background(this.spec), levels(this.spec)],
      });
    }

    vertical() {
      const { level: levels, y } = this.spec, out = axis(y, theme().line), level = [...(levels || []).map((l) => l.value), ...(y.within || [])];
      for (const area of this.spec.areas || []) level.push(Math.min(...area.low.filter(Number.isFinite)), Math.max(...area.high.filter(Number.isFinite)));
      if (level.length) Object.assign(out, { suggestedMin: Math.min(...level), suggestedMax: Math.max(...level) });
      return out;
    }

    /* From time to pixels of the area, and back: [left, top, right, bottom] and the scale. */
    get frame() {
      if (this.chart) {
        const area = this.chart.chartArea, x = this.chart.scales.x;
        return { left: area.left, right: area.right, top: area.top, bottom: area.bottom,
          at: (t) => x.getPixelForValue(t), time: (at) => x.getValueForPixel(at) };
      }
      const { box, sx, xs, width } = this.still, ratio = this.area.clientWidth / width;
      const left = box.left * ratio, right = box.right * ratio;
      return { left, right, top: box.top * ratio, bottom: box.bottom * ratio, at: (t) => sx(t) * ratio,
        time: (at) => xs[0] + ((at - left) / (right - left)) * (xs[1] - xs[0]) };
    }

    /* Moves the cursor to the time of the clock. It is an element over the plot, so the plot is not drawn
       again. */
    point() {
      if (!(this.t >= 0)) return;
      const frame = this.frame, x = frame.at(this.t);
      this.cursor.hidden = !(x >= frame.left - 1 && x <= frame.right + 1);
      this.cursor.style.cssText = `left:${x}px;top:${frame.top}px;height:${frame.bottom - frame.top}px`;
    }

    follow(clock) {
      const follow = (t) => {
        this.t = t;
        if (this.chart || this.still) this.point();
      };
      clock.onChange(follow);
      this.release = () => clock.forget(follow);
      const listen = (kind, always) => this.area.addEventListener(kind, (event) => {
        if (clock.playing && !(always || event.buttons > 0)) return;
        clock.show(this.frame.time(event.clientX - this.area.getBoundingClientRect().left));
      });
      listen("pointermove", false);
      listen("pointerdown", true);
    }

    remove() {
      if (this.release) this.release();
      if (this.chart) this.chart.destroy();
      this.chart = null;
      plots.splice(plots.indexOf(this), 1);
      this.figure.remove();
    }

    /* Number of drawn curves, which have at least one point. */
    get drawn() {
      if (!this.chart) return this.area.querySelectorAll("path.curve[d^=M], g.marks > circle, g.marks > path, g.field > image").length;
      return this.chart.data.datasets.filter((set, k) =>
        this.chart.getDatasetMeta(k).data.some((p) => Number.isFinite(p.x) && Number.isFinite(p.y))).length;
    }
  }

  /* In print: the same curves as SVG, in the colours of print. */
  const toPaper = () => {
    for (const plot of plots) plot.paper.replaceChildren(gradyn.drawCurves(plot.spec, 520, plot.spec.field ? 390 : 230, true).root);
  };
  addEventListener("beforeprint", toPaper);
  matchMedia("print").addEventListener("change", (event) => event.matches && toPaper());
  gradyn.onTheme(() => {
    for (const plot of plots) plot.draw();
  });

  /* A plot from a file plot_*.json of a study. */
  gradyn.plotFromFile = (json) => {
    const spec = object(json), side = (about) => ({ label: text(object(about).label), log: Boolean(object(about).log) });
    const numbers = (values) => list(values).map((v) => (typeof v === "number" ? v : NaN));
    const grid = { x: numbers(object(spec.field).x), y: numbers(object(spec.field).y), value: list(object(spec.field).value).map(numbers) };
    const rising = (v) => v.length > 1 && v.every((a, k) => k === 0 || a > v[k - 1]);
    const whole = rising(grid.x) && rising(grid.y) && grid.value.length === grid.x.length && grid.value.every((row) => row.length === grid.y.length);
    return {
      field: whole ? grid : undefined,
      title: text(spec.title), note: text(spec.note), x: side(spec.x), y: side(spec.y),
      level: list(spec.level).map(object).filter((l) => Number.isFinite(l.value)),
      series: list(spec.series).map(object).map((series, k) => ({
        name: text(series.name), x: numbers(series.x), y: numbers(series.y),
        style: text(series.style) || "line", colour: k, dashed: Boolean(series.dashed), labels: list(series.labels).map(String) })),
    };
  };

  Object.assign(gradyn, { Plot, plots });
})();
