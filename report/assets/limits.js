"use strict";

/* Path constraints: their measures over time, with their bounds, and the time points at which they are active. */
(() => {
  const { list, text, object, element, labelled, section, gridOf, Plot } = gradyn;
  const finite = (value) => typeof value === "number" && Number.isFinite(value);

  /* Sides name.over and name.under of each limit, with their rows: value is sign (m - bound). */
  const limitsOf = (study) => {
    const about = object(object(study.result).path_constraints), named = new Map();
    for (const side of list(about.bounds).map(object)) {
      const [, name, end] = /^(.*)\.(over|under)$/.exec(text(side.functional)) || [];
      if (!name || !finite(side.bound)) continue;
      const limit = named.get(name) || { name, unit: text(side.unit), bounds: [], rows: [] }, sign = end === "over" ? 1 : -1;
      limit.bounds.push(side.bound);
      for (const row of list(about.points).map(object))
        if (text(row.functional) === text(side.functional) && finite(row.value))
          limit.rows.push({ t: row.t, m: side.bound + sign * row.value, multiplier: Number(row.multiplier) || 0, end });
      named.set(name, limit);
    }
    return [...named.values()].filter((limit) => limit.rows.length);
  };

  /* Column of a run that equals the measure at all rows, except for errors of interpolation between rows of the
     table, and at jumps of signals. */
  const columnOf = (run, limit) => {
    const values = limit.rows.map((row) => row.m), size = Math.max(...values.map(Math.abs), ...limit.bounds.map(Math.abs), 1e-300);
    for (let i = 0; i + 1 < run.table.columns.length; i++)
      if (limit.rows.every((row) => Math.abs(run.state(i, run.locate(row.t)) - row.m) <= 1e-3 * size)) return i + 1;
    return 0;
  };

  const along = (limit, runs, clock) => {
    const last = runs[runs.length - 1], found = last && limit.rows.length > 1 ? columnOf(last, limit) : 0, series = [];
    runs.forEach((run) => {
      const y = found ? run.table.column(last.table.names[found]) : null;
      if (y) series.push({ name: run.label, x: run.time, y, style: "line", dashed: run !== last, colour: run === last ? "after" : "before" });
    });
    const active = limit.rows.filter((row) => row.multiplier > 0), idle = limit.rows.filter((row) => !(row.multiplier > 0));
    const marks = (name, rows, style, colour) => rows.length &&
      series.push({ name, style, colour, x: rows.map((row) => row.t), y: rows.map((row) => row.m) });
    marks("enforced", idle, "points", "before");
    marks("active", active, "crosses", "bad");
    return new Plot({ title: labelled(limit.name, limit.unit), x: { label: "t [s]", within: [0, clock.end] }, y: {}, series, time: true,
      level: limit.bounds.map((value) => ({ value })),
      note: found ? "" : "No column of the trajectory is this measure: its values at the enforced time points." }, clock);
  };

  /* Multipliers, as needles from zero. */
  const multipliers = (limit, end, clock) => {
    const rows = limit.rows.filter((row) => row.multiplier > 0).sort((a, b) => a.t - b.t);
    if (!rows.length) return null;
    const x = [0, ...rows.flatMap((row) => [row.t, row.t, row.t]), end], y = [0, ...rows.flatMap((row) => [0, row.multiplier, 0]), 0];
    return new Plot({ title: `${limit.name}: multipliers`, x: { label: "t [s]" }, y: {}, time: true,
      series: [{ name: "multiplier", style: "line", colour: "bad", silent: true, x, y },
        { name: "of a row", style: "points", colour: "bad", silent: true, x: rows.map((row) => row.t), y: rows.map((row) => row.multiplier) }] }, clock);
  };

  gradyn.limits = (study, runs, clock) => {
    const all = limitsOf(study);
    if (!all.length) return null;
    const plots = all.flatMap((limit) => [along(limit, runs, clock), multipliers(limit, clock.end, clock)]).filter(Boolean);
    return section("limits", "Path constraints", gridOf(plots), element("p", { class: "note" },
      "At an active time point, the objective falls by the multiplier per unit by which the bound is relaxed there."));
  };
})();
