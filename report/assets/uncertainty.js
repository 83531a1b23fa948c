"use strict";

/* Uncertainty of functionals: mean and deviation by each way, and the shares of uncertain numbers. */
(() => {
  const { element, svg, list, text, object, number, unit, section, plainTable } = gradyn;
  const finite = (value) => typeof value === "number" && Number.isFinite(value);
  const most = 12;
  const ways = [["first", "first order"], ["second", "second order"], ["unscented", "unscented points"], ["sampled", "draws"]];

  const moments = (f) => {
    const rows = ways.filter(([member]) => f[member]).map(([member, name]) => {
      const m = object(f[member]), deviation = finite(m.variance) ? Math.sqrt(m.variance) : NaN, drawn = member === "sampled";
      return [name, m.mean, drawn ? number(m.mean_error, 2) : "", deviation, drawn ? number(m.variance_error / (2 * deviation), 2) : ""];
    });
    return plainTable(["from", ">mean", ">error", ">deviation", ">error"], rows);
  };

  /* A bar for the total share, and in it the share of the number by itself. */
  const bar = (own, total, label) => {
    const width = (share) => Math.max(0, Math.min(100, 100 * share)) || 0;
    return svg("svg", { class: "bar", viewBox: "0 0 100 18", preserveAspectRatio: "none", role: "img", "aria-label": label },
      svg("rect", { x: 0, y: 7, width: 100, height: 4, fill: "var(--line)" }),
      svg("rect", { x: 0, y: 3, width: width(total), height: 12, fill: "var(--after)", "fill-opacity": 0.35 }),
      svg("rect", { x: 0, y: 3, width: width(own), height: 12, fill: "var(--after)" }));
  };

  /* Shares of the variance of a functional: Sobol indices, or those to first order. */
  const shares = (f, numbers) => {
    const variance = object(f.first).variance, drawn = list(f.effects).some((e) => object(object(e).main).value !== undefined);
    const cell = (content, kind) => element("td", { class: kind }, content);
    const rows = list(f.effects).map(object).map((e) => {
      const about = object(numbers.find((known) => known.name === e.number)), first = variance > 0 ? (e.change * e.change) / variance : 0;
      const [own, total] = drawn ? [object(e.main).value, object(e.total).value] : [first, first];
      const index = (pair) => `${number(object(pair).value, 3)} ± ${number(object(pair).error, 1)}`;
      return element("tr", {}, cell(text(e.number), "name"), cell(number(about.deviation, 4), "number"), cell(unit(about.unit)),
        cell(number(e.change, 4), "number"), cell(number(first, 3), "number"),
        ...(drawn ? [cell(index(e.main), "number"), cell(index(e.total), "number")] : []), cell(bar(own, total, text(e.number)), "bar"));
    });
    const heads = ["number", ">deviation", "unit", ">change", ">first order", ...(drawn ? [">Sobol index", ">total"] : []), "share of the variance"];
    return element("div", { class: "scroll" }, element("table", {},
      element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { class: head.startsWith(">") ? "number" : null }, head.replace(/^>/, ""))))),
      element("tbody", {}, ...rows)));
  };

  gradyn.uncertaintySentence = (result) => {
    const said = result.failed > 0 ? `${result.failed} of ${result.evaluations} evaluations failed. The first: ${text(result.failure)}` : "";
    return said ? ["busy", said] : ["good", `Mean and deviation of ${list(result.uncertainty).length} functionals with ${list(result.uncertain).length} uncertain numbers.`];
  };

  gradyn.uncertainty = (study) => {
    const result = object(study.result), numbers = list(result.uncertain).map(object), all = list(result.uncertainty).map(object);
    if (!all.length) return null;
    const parts = all.slice(0, most).flatMap((f) => [element("h3", {}, gradyn.labelled(text(f.name), f.unit)), moments(f), shares(f, numbers)]);
    const more = all.length - most, lacks = text(result.unsupported);
    return section("uncertainty", "Uncertainty", ...parts,
      more > 0 ? element("p", { class: "note" }, `${more} more functionals stand in result.json.`) : null,
      lacks ? element("p", { class: "note" }, `No second order: ${lacks}`) : null,
      element("p", { class: "note" }, "Change: of the functional by one standard deviation of the number. First order: share of the variance by gradients. " +
        "With draws, dark: the share of the number by itself; light: together with others."));
  };
})();
