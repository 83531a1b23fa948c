"use strict";

/* Optimal times of measurements: their weights, and the standard deviations to expect. */
(() => {
  const { list, text, object, number, labelled, section, gridOf, plainTable, element, Plot } = gradyn;
  const finite = (value) => typeof value === "number" && Number.isFinite(value);
  const mostFits = 12;

  /* Weights of a fit as stems, with numbers of measurements. */
  const stems = (name, supports, most, clock) => {
    const lines = supports.flatMap((s) => [[s.t, 0], [s.t, s.weight], [NaN, NaN]]);
    return new Plot({ title: `${name}: weights`, x: { label: "t [s]", within: [0, clock.end] }, y: { within: [0, most] }, time: true,
      series: [{ name: "weight", style: "line", colour: "after", silent: true, x: lines.map((p) => p[0]), y: lines.map((p) => p[1]) },
        { name: "weight", style: "points", colour: "after", silent: true, x: supports.map((s) => s.t), y: supports.map((s) => s.weight),
          labels: supports.map((s) => String(s.measurements)) }] }, clock);
  };

  const undetermined = (result) => list(result.undetermined).map((change) => Object.keys(object(change)).join(", ")).filter((names) => names);

  gradyn.experimentSentence = (result) => {
    const lacks = undetermined(result), n = list(result.supports).length;
    if (lacks.length) return ["busy", `No candidate determines ${lacks.join("; ")}.`];
    return [result.gap < 1e-6 ? "good" : "busy", `${text(result.optimal)}-optimal: ${n} times and sensors of ${number(result.candidates)} candidates.`];
  };

  gradyn.experiment = (study, clock) => {
    const result = object(study.result), all = list(result.supports).map(object).filter((s) => finite(s.t) && finite(s.weight));
    if (result.command !== "doe" || !all.length) return null;
    const names = [...new Set(all.map((s) => text(s.fit)))], most = Math.max(...all.map((s) => s.weight)), deviations = list(result.deviations).map(object);
    const present = finite(result.data_efficiency), more = names.length - mostFits;
    return section("experiment", "Optimal measurements",
      gridOf(names.slice(0, mostFits).map((name) => stems(name, all.filter((s) => s.fit === name), most, clock))),
      more > 0 ? element("p", { class: "note" }, `Weights of ${more} more fits stand in experiment.csv.`) : null,
      plainTable(["fit", ">t [s]", ">weight", ">measurements"], all.map((s) => [text(s.fit), s.t, s.weight, s.measurements])),
      plainTable(["parameter", ">deviation", ...(present ? [">from the data"] : []), "unit"],
        deviations.map((d) => [text(d.name), d.deviation, ...(present ? [d.data_deviation] : []), gradyn.unit(d.unit)])),
      element("p", { class: "note" }, `${text(result.optimal)}-optimal for ${number(result.measurements)} measurements at ${number(result.candidates)} candidates; ` +
        `gap of the equivalence theorem ${number(result.gap, 2)}. Efficiency of the whole numbers: ${number(result.rounded_efficiency, 4)}` +
        `${present ? `, of the ${number(result.data)} data: ${number(result.data_efficiency, 4)}` : ""}.` +
        `${result.weighted ? "" : " Deviations are those of data with the standard deviation 1."}`));
  };
})();
