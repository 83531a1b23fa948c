"use strict";

/* A function of two numbers as filled contours: the background of a plot, see curves.js.

   A field is {x, y, value}: value[i][k] at x[i], y[k], both ascending. Where a corner of a cell is not
   finite, the cell stays blank. */
(() => {
  const { svg, number } = gradyn;

  /* From dark to light, with uniform lightness, so that colour vision is not needed: points of "viridis" by
     Smith & van der Walt, in the public domain. */
  const ramp = [[68, 1, 84], [72, 40, 120], [62, 74, 137], [49, 104, 142], [38, 130, 142], [31, 158, 137],
    [53, 183, 121], [109, 205, 89], [180, 222, 44], [253, 231, 37]];
  const colour = (share) => {
    const at = Math.max(0, Math.min(share, 1)) * (ramp.length - 1), k = Math.min(Math.floor(at), ramp.length - 2);
    return ramp[k].map((c, j) => Math.round(c + (at - k) * (ramp[k + 1][j] - c)));
  };

  /* Levels of the contours, which are round numbers, and whether the scale is logarithmic. */
  const levelsOf = (field) => (field.scale = field.scale || scaleOf(field));
  const scaleOf = (field) => {
    const all = field.value.flatMap((row) => Array.from(row)).filter(Number.isFinite);
    let low = Infinity, high = -Infinity;
    for (const v of all) {
      low = Math.min(low, v);
      high = Math.max(high, v);
    }
    const log = low > 0 && high > 100 * low;
    if (!(high > low)) return { log: false, level: [] };
    if (!log) return { log, level: gradyn.ticks(low, high, 12, false).filter((v) => v > low && v < high) };
    const level = [], digits = high < 1e5 * low ? [1, 2, 5] : [1];
    for (let k = Math.floor(Math.log10(low)); k <= Math.log10(high); k++)
      for (const d of digits) level.push(Number(`${d}e${k}`));
    return { log, level: level.filter((v) => v > low && v < high) };
  };

  /* The cell that contains a number: its index, and the position in it, from 0 to 1. */
  const locate = (grid, v) => {
    let k = 0;
    while (k < grid.length - 2 && grid[k + 1] <= v) k++;
    return { k, s: Math.max(0, Math.min((v - grid[k]) / (grid[k + 1] - grid[k]), 1)) };
  };

  /* Interpolates the values at the corners of a cell, or their logarithms. */
  const between = (value, at, to, log) => {
    const f = log ? Math.log : (v) => v, a = value[at.k], b = value[at.k + 1];
    const mixed = (1 - to.s) * ((1 - at.s) * f(a[to.k]) + at.s * f(b[to.k])) +
      to.s * ((1 - at.s) * f(a[to.k + 1]) + at.s * f(b[to.k + 1]));
    return log ? Math.exp(mixed) : mixed;
  };

  /* The bands between levels as an image of this number of pixels. */
  const picture = (field, { log, level }, width, height) => {
    const canvas = document.createElement("canvas"), pen = canvas.getContext("2d");
    canvas.width = width;
    canvas.height = height;
    const image = pen.createImageData(width, height), inks = Array.from({ length: level.length + 1 }, (_, k) => colour(k / level.length || 0));
    const places = (grid, count) => Array.from({ length: count }, (_, i) =>
      locate(grid, grid[0] + ((i + 0.5) / count) * (grid[grid.length - 1] - grid[0])));
    const across = places(field.x, width), up = places(field.y, height);
    for (let j = 0; j < height; j++)
      for (let i = 0; i < width; i++) {
        const v = between(field.value, across[i], up[height - 1 - j], log);
        if (!Number.isFinite(v)) continue;
        let band = 0;
        while (band < level.length && level[band] <= v) band++;
        image.data.set([...inks[band], 255], 4 * (j * width + i));
      }
    pen.putImageData(image, 0, 0);
    return canvas.toDataURL("image/png");
  };

  /* Corners of a cell counter-clockwise, and the edges between them. */
  const corner = [[0, 0], [1, 0], [1, 1], [0, 1]];

  /* Lines on which the field has a value, as a path with straight segments in each cell. */
  const isoline = (field, value, log, sx, sy) => {
    const f = log ? Math.log : (v) => v, level = f(value);
    let out = "";
    for (let i = 0; i + 1 < field.x.length; i++)
      for (let k = 0; k + 1 < field.y.length; k++) {
        const v = corner.map(([a, b]) => f(field.value[i + a][k + b]) - level);
        if (!v.every(Number.isFinite)) continue;
        const cut = [];
        for (let e = 0; e < 4; e++) {
          const [a, b] = [corner[e], corner[(e + 1) % 4]], va = v[e], vb = v[(e + 1) % 4];
          if (va < 0 === vb < 0) continue;
          const s = va / (va - vb), at = (grid, n, p, q) => grid[n + p] + s * (grid[n + q] - grid[n + p]);
          cut.push([sx(at(field.x, i, a[0], b[0])).toFixed(1), sy(at(field.y, k, a[1], b[1])).toFixed(1)]);
        }
        /* two lines in a cell with a saddle: the value at its centre decides which corners they separate */
        if (cut.length === 4 && v[0] < 0 !== v[0] + v[1] + v[2] + v[3] < 0) cut.push(cut.shift());
        for (let e = 0; e + 1 < cut.length; e += 2) out += `M${cut[e].join(" ")}L${cut[e + 1].join(" ")}`;
      }
    return out;
  };

  const bar = ({ level }, box) => {
    const group = svg("g", { class: "scale" }), bands = level.length + 1, step = (box.bottom - box.top) / bands;
    for (let k = 0; k < bands; k++)
      group.append(svg("rect", { x: box.right + 12, y: box.bottom - (k + 1) * step, width: 12, height: step + 0.3,
        fill: `rgb(${colour(k / level.length || 0).join(" ")})` }));
    const every = Math.ceil(12 / step);
    level.forEach((v, k) => {
      if (k % every === 0)
        group.append(svg("text", { x: box.right + 28, y: box.bottom - (k + 1) * step + 4 }, number(v, 3)));
    });
    return group;
  };

  /* The contours within a box, with the scale of colours beside it. */
  gradyn.drawField = (field, sx, sy, box) => {
    const scale = levelsOf(field), group = svg("g", { class: "field" });
    group.append(svg("image", { x: box.left, y: box.top, width: box.right - box.left, height: box.bottom - box.top,
      preserveAspectRatio: "none", href: picture(field, scale, 480, 360) }));
    for (const value of scale.level)
      group.append(svg("path", { class: "isoline", d: isoline(field, value, scale.log, sx, sy), fill: "none",
        stroke: "#ffffff", "stroke-opacity": 0.45, "stroke-width": 0.7 }));
    group.append(bar(scale, box));
    return group;
  };

  /* The drawn value at a point. */
  gradyn.fieldAt = (field, x, y) => between(field.value, locate(field.x, x), locate(field.y, y), levelsOf(field).log);
})();
