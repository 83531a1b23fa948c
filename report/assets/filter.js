"use strict";

/* Estimates along a run: states with their bands, normalised innovations, and their test. */
(() => {
  const { list, text, object, number, labelled, section, gridOf, plainTable, element, Plot, Table } = gradyn;
  const finite = (value) => typeof value === "number" && Number.isFinite(value);
  const mostStates = 12, mostSensors = 12;

  /* The sensor of a datum: the name of its fit. */
  const sensorOf = (datum) => text(datum.name).replace(/\[\d+\]/, "");

  /* Ends of the interval that contains the mean of n squares of standard normal numbers in 95 % of all cases, by
     Wilson and Hilferty: the cube root of chi^2/n is nearly normal. */
  const bandOf = (n) => [-1.96, 1.96].map((z) => Math.max(0, 1 - 2 / (9 * n) + z * Math.sqrt(2 / (9 * n))) ** 3);

  const meanSquare = (data) => data.reduce((sum, d) => sum + d.normalised ** 2, 0) / data.length;

  const isPlausible = (data) => {
    const [low, high] = bandOf(data.length), mean = meanSquare(data);
    return mean >= low && mean <= high;
  };

  /* Data with innovations, by sensor. */
  const sensorsOf = (result) => {
    const all = new Map();
    for (const datum of list(result.data).map(object).filter((d) => finite(d.t) && finite(d.normalised)))
      all.set(sensorOf(datum), [...(all.get(sensorOf(datum)) || []), datum]);
    return [...all];
  };

  /* A state with 95 % bands: at each time before the data, then after them. */
  const state = (before, after, name, clock) => {
    const at = after.names.indexOf(name), parts = [before, after].map((table) => ({ t: table.columns[0], y: table.column(name), s: table.column(`sd[${name}]`) }));
    const rows = [...parts[1].t].flatMap((t, i) => parts.map(({ y, s }) => ({ t, y: y[i], s: 1.96 * s[i] })));
    const x = rows.map((row) => row.t);
    return new Plot({ title: labelled(name, after.units[at]), x: { label: "t [s]", within: [0, clock.end] }, y: {}, time: true,
      areas: [{ x, low: rows.map((row) => row.y - row.s), high: rows.map((row) => row.y + row.s), colour: "after" }],
      series: [{ name: "before and after the data", style: "line", colour: "after", x, y: rows.map((row) => row.y) },
        { name: "estimate", style: "points", colour: "after", x: [...parts[1].t], y: [...parts[1].y] }] }, clock);
  };

  const innovations = ([name, data], clock) => new Plot({ title: `${name}: innovations [standard deviations]`, x: { label: "t [s]", within: [0, clock.end] },
    y: { within: [-2, 2] }, time: true, level: [{ value: -1.96 }, { value: 0 }, { value: 1.96 }],
    series: [{ name: "innovations", style: "points", colour: "after", silent: true, x: data.map((d) => d.t), y: data.map((d) => d.normalised) }] }, clock);

  const test = (sensors) => {
    const rows = sensors.length > 1 ? [...sensors, ["all", sensors.flatMap(([, data]) => data)]] : sensors;
    return plainTable(["sensor", ">data", ">mean square", ">95 % from", ">to", ""], rows.map(([name, data]) =>
      [name, data.length, meanSquare(data), ...bandOf(data.length), isPlausible(data) ? "" : meanSquare(data) > 1 ? "larger than assumed" : "smaller than assumed"]));
  };

  gradyn.filterSentence = (result) => {
    const sensors = sensorsOf(result), all = sensors.flatMap(([, data]) => data);
    if (!all.length) return ["busy", "No datum has been used."];
    const words = `${all.length} data at ${new Set(all.map((d) => d.t)).size} times`;
    return isPlausible(all) ? ["good", `${words}; innovations are as large as the model expects.`]
      : ["busy", `${words}; innovations are ${meanSquare(all) > 1 ? "larger" : "smaller"} than the model expects.`];
  };

  gradyn.filter = (study, clock) => {
    const result = object(study.result), before = new Table(study.predicted), after = new Table(study.estimates);
    if (result.command !== "filter" || !after.rows || before.rows !== after.rows) return null;
    const names = after.names.slice(1).filter((name) => !name.startsWith("sd[") && before.column(name) && before.column(`sd[${name}]`) && after.column(`sd[${name}]`));
    const sensors = sensorsOf(result), drawn = names.slice(0, mostStates), thinned = after.thinned();
    return section("filter", "Estimates along the run",
      gridOf([...drawn.map((name) => state(before, after, name, clock)), ...sensors.slice(0, mostSensors).map((one) => innovations(one, clock))]),
      names.length > drawn.length || thinned ? element("p", { class: "note" }, `All states and times stand in estimates.csv${thinned ? `; the page has ${thinned}` : ""}.`) : null,
      sensors.length ? test(sensors) : null,
      element("p", { class: "note" }, `Bands: 95 % of the estimate. Dotted: zero, and 95 % of innovations if model and noise are right. Their mean square is then near 1. −ln L = ${number(result.minus_log_likelihood, 6)}.`));
  };
})();
