"use strict";

/* The problem in short: the objective and constraints, the model and its sizes, and the choices for the
   computation. */
(() => {
  const { element, list, text, object, number } = gradyn;
  const finite = (value) => typeof value === "number" && Number.isFinite(value);
  const count = (n, one, many) => (n === 1 ? `1 ${one}` : `${n} ${many || `${one}s`}`);
  const isVaried = (p) => (finite(p.scale) ? p.scale > 0 : !p.fixed);

  const objectiveOf = (result, functionals) => {
    if (text(result.objective_name)) return text(result.objective_name);
    const term = (f) => (finite(f.weight) && f.weight !== 1 ? `${number(f.weight, 4)} ${text(f.name)}` : text(f.name));
    const terms = functionals.filter((f) => f.use === "objective").map(term);
    const largest = functionals.filter((f) => f.use === "largest").map(term);
    if (largest.length) terms.push(`the largest of ${largest.join(", ")}`);
    const shown = terms.slice(0, 6).join(" + ");
    return terms.length > 6 ? `${shown} and ${terms.length - 6} more` : shown;
  };

  /* "subject to 2 equalities and 1 path constraint" */
  const constraintsOf = (functionals) => {
    const of = (...uses) => functionals.filter((f) => uses.includes(f.use)).length;
    const kinds = [[of("equal"), "equality", "equalities"], [of("at-most", "at-least"), "inequality", "inequalities"],
      [of("path-constraint"), "bound of path constraints", "bounds of path constraints"]];
    const parts = kinds.filter(([n]) => n > 0).map(([n, one, many]) => count(n, one, many));
    return parts.length ? `subject to ${parts.join(", ")}` : "without constraints";
  };

  const task = (about, functionals, parameters) => {
    const varied = count(parameters.filter(isVaried).length, "parameter");
    const searched = () => `minimise ${objectiveOf(about, functionals) || "nothing"} over ${varied} of ${parameters.length}, ${constraintsOf(functionals)}`;
    const data = functionals.filter((f) => f.use === "residual").length;
    return { run: searched, fit: () => `fit ${varied} of ${parameters.length} to ${data} data, ${constraintsOf(functionals)}`,
      profile: () => `profiles of ${varied}`, uncertainty: () => `uncertainty of ${count(functionals.length, "functional")}`, simulate: () => `simulate${about.covariance ? ", with covariances of the states" : ""}`, gradient: () => `derivatives of ${count(functionals.length, "functional")} by ${varied}`,
      filter: () => "estimate the state along the run", doe: () => "optimal times of measurements",
      steps: () => "errors of the step size, from three of them", sweep: () => `${count(functionals.length, "functional")} over a grid of parameters`,
      pareto: () => `trade-offs between objectives over ${varied}, ${constraintsOf(functionals)}` }[about.command] || (() => text(about.command));
  };

  const modelOf = (model) => {
    const sizes = object(model.sizes);
    if (sizes.kind !== "mechanism") return sizes.kind ? "general equations" : "";
    return `mechanism ${model.axes === 3 ? "in space" : "in the plane"}, ${text(sizes.chosen)} coordinates`;
  };

  const sizesOf = (model, parameters, functionals) => {
    const sizes = object(model.sizes), rest = [[parameters.length, "parameter"], [functionals ? functionals.length : NaN, "functional"]];
    const all = [[sizes.points, "point"], [sizes.coordinates, "coordinate"], [sizes.constraints, "constraint"],
      [sizes.degrees_of_freedom, "degree of freedom", "degrees of freedom"], [sizes.states, "state"], ...rest];
    const [first] = list(model.mode_names).map(text); /* includes constraints of other modes, which are not active */
    return all.filter(([n]) => finite(n)).map(([n, one, many]) => count(n, one, many) + (first && /^degree/.test(one) ? ` in ${first}` : "")).join(", ");
  };

  /* The tolerance or the step, and the end of the run. */
  const accuracy = (about) => [finite(about.step) && about.step > 0 ? `step ${number(about.step, 4)} s` : finite(about.rtol) && `rtol ${number(about.rtol, 2)}`,
    finite(about.t_end) && `to t = ${number(about.t_end, 5)} s`].filter(Boolean).join(", ");

  gradyn.summary = (study, runs) => {
    const about = { ...object(study.settings), ...object(study.result) }, model = runs.length ? runs[runs.length - 1].model : {};
    const parameters = list(about.parameters).map(object), functionals = list(about.functionals || about.uncertainty).map(object), chosen = object(about.chosen);
    const names = list(model.mode_names).map(text), redundant = list(object(model.sizes).redundant_constraints).map(text);
    const row = (term, value) => (value ? [element("dt", {}, term), element("dd", {}, value)] : []);
    const method = text(chosen.method) || text(object(about.statistics).method) || text(about.method);
    const rows = [...row("task", task(about, functionals, parameters)()), ...row("model", modelOf(model)),
      ...row("sizes", sizesOf(model, parameters, about.functionals || about.uncertainty ? functionals : null)), ...row("redundant", redundant.join(", ")), ...row("modes", names.join(", ")),
      ...row("run", [method, accuracy(about)].filter(Boolean).join(", ")), ...row("coordinates", text(chosen.coordinates)),
      ...row("gradients", about.command === "simulate" ? "" : text(chosen.gradients) || text(about.sensitivity)),
      ...row("algorithm", text(chosen.algorithm) || text(about.algorithm)),
      ...row("segments", finite(about.segments) && about.segments > 0 && `${number(about.segments)}`)];
    return element("section", { id: "summary" }, text(model.summary) ? element("p", {}, text(model.summary)) : null, element("dl", {}, ...rows));
  };
})();
