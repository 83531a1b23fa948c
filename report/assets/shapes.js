"use strict";

/* The drawing of a run at a position of its trajectory: lines and marks in space, for the plane and for
   three.js. */
(() => {
  const { list, text } = gradyn;

  const add = (a, b, s = 1) => a.map((v, k) => v + s * b[k]);
  const minus = (a, b) => a.map((v, k) => v - b[k]);
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const length = (a) => Math.sqrt(dot(a, a));
  const unit = (a) => (length(a) > 0 ? a.map((v) => v / length(a)) : [1, 0, 0]);
  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const across = (u, axes) => unit(axes === 2 ? [-u[1], u[0], 0] : cross(u, Math.abs(u[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0]));

  /* A spring between two points: a zigzag in the plane, a helix in space. */
  const spring = (a, b, radius, axes) => {
    const u = unit(minus(b, a)), n = across(u, axes), w = cross(u, n), coils = 7, span = length(minus(b, a));
    const at = (share, x, y) => add(add(add(a, u, share * span), n, x), w, y);
    const out = [a, at(0.12, 0, 0)], steps = axes === 2 ? 2 * coils : 14 * coils;
    for (let k = 0; k <= steps; k++) {
      const share = 0.12 + (0.76 * k) / steps, angle = (2 * Math.PI * coils * k) / steps;
      if (axes === 3) out.push(at(share, radius * Math.cos(angle), radius * Math.sin(angle)));
      else if (k > 0) out.push(at(share - 0.38 / steps, k % 2 ? radius : -radius, 0));
    }
    return [...out, at(0.88, 0, 0), b];
  };

  /* A damper: cylinder and piston, as lines. */
  const damper = (a, b, radius, axes) => {
    const u = unit(minus(b, a)), n = across(u, axes), span = length(minus(b, a));
    const at = (share, x) => add(add(a, u, share * span), n, x);
    return [[a, at(0.35, 0)], [at(0.65, radius), at(0.35, radius), at(0.35, -radius), at(0.65, -radius)],
      [at(0.5, 0.8 * radius), at(0.5, -0.8 * radius)], [at(0.5, 0), b]];
  };

  /* A beam through its nodes with their slopes dr/ds, elements of the same length. */
  const beam = (nodes, slopes, size) => {
    const out = [nodes[0]], parts = 8;
    for (let e = 0; e + 1 < nodes.length; e++)
      for (let k = 1; k <= parts; k++)
        out.push([0, 1, 2].map((c) =>
          gradyn.hermite(nodes[e][c], nodes[e + 1][c], slopes[e][c], slopes[e + 1][c], k / parts, size)));
    return out;
  };

  /* Positions of the points of a body without a described shape, in its own axes; the first point is the
     centre. */
  const locals = (run, drawable) => {
    const first = list(run.points[drawable.points[0]].carriers)[0], out = [[0, 0, 0]];
    for (const p of run.points) {
      const carriers = list(p.carriers);
      if (carriers.length !== run.axes + 1 || !first || carriers[0][0] !== first[0] || p.direction) continue;
      out.push([0, 1, 2].map((k) => (k < run.axes ? carriers[k + 1][1] : 0)));
    }
    return out;
  };

  /* The ends of such a body if its points are nearly on a line: it is drawn as a rod. */
  const ends = (run, drawable) => {
    const points = locals(run, drawable);
    const farthest = (from) => points.reduce((best, p) => (length(minus(p, from)) > length(minus(best, from)) ? p : best), from);
    const one = farthest(points[0]), other = farthest(one), span = length(minus(other, one)), u = unit(minus(other, one));
    const off = (p) => length(cross(minus(p, one), u));
    return span > 0 && points.every((p) => off(p) < 0.03 * span) ? [one, other] : null;
  };

  /* Corners of such a body: the box around its points. */
  const extent = (run, drawable) => {
    const points = locals(run, drawable), by = (pick) => [0, 1, 2].map((k) => pick(...points.map((p) => p[k])));
    return { low: by(Math.min), high: by(Math.max) };
  };

  /* The box of a body in its own axes; `air`: half thickness where it has none. */
  const box = (run, drawable, air) => {
    const size = list(drawable.size);
    if (drawable.shape === "box") return { low: size.map((s) => -s / 2), high: size.map((s) => s / 2) };
    const { low, high } = extent(run, drawable);
    for (let k = 0; k < 3; k++)
      if (high[k] - low[k] < 2 * air) {
        low[k] -= air;
        high[k] += air;
      }
    return { low, high };
  };

  /* All objects of a run at t: {lines: [{of, at, kind}], solids, marks}; unit: a size relative to the drawing. */
  const shapesAt = (run, t, size) => {
    const at = run.locate(t), cache = new Map();
    const point = (i) => {
      if (!cache.has(i)) cache.set(i, run.point(i, at));
      return cache.get(i);
    };
    const out = { lines: [], solids: [], arrows: [], guides: [], point };
    const line = (d, kind, path) => out.lines.push({ kind, path, colour: text(d.colour), name: text(d.name) });
    for (const d of run.drawables.filter((one) => run.shown(one, t))) {
      const p = list(d.points);
      if (d.shape === "rod") line(d, "rod", p.map(point));
      else if (d.shape === "distance") line(d, "thin", p.map(point));
      else if (d.shape === "spring") line(d, "spring", spring(point(p[0]), point(p[1]), 0.5 * size, run.axes));
      else if (d.shape === "damper" || d.shape === "actuator")
        for (const part of damper(point(p[0]), point(p[1]), 0.4 * size, run.axes)) line(d, "spring", part);
      else if (d.shape === "beam") {
        const half = p.length / 2, all = p.map(point);
        line(d, "beam", beam(all.slice(0, half), all.slice(half), list(d.size)[0]));
      } else if (d.shape === "body" && ends(run, d)) {
        const centre = point(p[0]), base = p.slice(1).map(point);
        line(d, "rod", ends(run, d).map((r) => base.reduce((sum, axis, k) => add(sum, axis, r[k]), centre)));
      } else if (["body", "box", "cylinder"].includes(d.shape))
        out.solids.push({ shape: d.shape, name: text(d.name), colour: text(d.colour), centre: point(p[0]), axis: d.axis,
          base: p.slice(1).map(point), size: list(d.size), box: box(run, d, 0.3 * size) });
      else if (d.shape === "guide") out.guides.push({ at: point(p[0]), axis: d.axis });
      else if (d.shape === "force") {
        const factor = d.signal >= 0 ? run.signal(d.signal, t) : 1;
        out.arrows.push({ at: point(p[0]), force: list(d.size).map((f) => f * factor), name: text(d.name) });
      }
    }
    return out;
  };

  /* Points whose paths are shown: requested ones, otherwise all moving points if they are few, otherwise the
     last one. */
  const traced = (run) => {
    const asked = run.drawables.filter((d) => d.shape === "trace").map((d) => d.points[0]);
    if (asked.length) return asked;
    const used = new Set(run.drawables.filter((d) => d.shape !== "body").flatMap((d) =>
      d.shape === "beam" ? [d.points[0], d.points[d.points.length / 2 - 1]] : d.points));
    const moving = [...used].filter((i) => list(run.points[i].carriers).length > 0 && !run.points[i].direction);
    return moving.length <= 4 ? moving : moving.slice(-1);
  };

  /* Points with a mark: ground points, and joints of drawn objects. */
  const marked = (run) => {
    const joints = new Set(), nodes = new Set();
    for (const d of run.drawables) {
      if (d.shape === "beam") {
        const half = d.points.length / 2;
        d.points.slice(1, half - 1).forEach((i) => nodes.add(i));
        [d.points[0], d.points[half - 1]].forEach((i) => joints.add(i));
      } else if (!["body", "box", "cylinder", "trace"].includes(d.shape)) d.points.forEach((i) => joints.add(i));
    }
    run.points.forEach((p, i) => {
      if (!p.direction && !nodes.has(i) && (run.points.length < 60 || list(p.carriers).length === 0)) joints.add(i);
    });
    return [...joints].filter((i) => !run.points[i].direction).map((i) => ({
      i, ground: list(run.points[i].carriers).length === 0, name: text(run.points[i].name) }));
  };

  /* Half of the sides of a described body in its own axes. */
  const halves = (d) => {
    const size = list(d.size).map(Number);
    return d.shape === "box" ? size.map((s) => s / 2) : [0, 1, 2].map((k) => (k === d.axis ? size[1] / 2 : size[0]));
  };

  /* The box around all points and described bodies of runs at all times. */
  const bounds = (runs) => {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    const take = (v, c, half) => {
      low[c] = Math.min(low[c], v - half);
      high[c] = Math.max(high[c], v + half);
    };
    const always = (act) => runs.forEach((run) => {
      for (let k = 0; k <= 40; k++) act(run, run.locate((run.end * k) / 40));
    });
    const span = () => Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]) || 1;
    always((run, at) => run.points.forEach((p, i) => {
      if (!p.direction) run.point(i, at).forEach((v, c) => take(v, c, 0));
    }));
    for (let c = 0; c < 3; c++)
      if (!(low[c] <= high[c])) low[c] = high[c] = 0;
    const unit = span() / 16;
    always((run, at) => run.drawables.filter((d) => d.shape === "box" || d.shape === "cylinder").forEach((d) => {
      const base = d.points.slice(1).map((i) => run.point(i, at)), half = halves(d);
      run.point(d.points[0], at).forEach((v, c) =>
        take(v, c, base.reduce((sum, axis, k) => sum + Math.abs(axis[c]) * (half[k] || 0), 0)));
    }));
    return { low, high, span: span(), unit };
  };

  Object.assign(gradyn, { shapesAt, traced, marked, bounds, vectors: { add, minus, dot, cross, unit, length } });
})();
