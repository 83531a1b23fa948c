"use strict";

/* Assembles the report, and updates it while a search runs. */
(() => {
  const { data, element, list, text, object } = gradyn;
  const page = document.getElementById("report"), studies = list(data.studies).map(object);
  const runs = gradyn.runsOf(studies), single = studies.length === 1 ? studies[0] : null;
  const clock = new gradyn.Clock(Math.max(0, ...runs.map((run) => run.end).filter(Number.isFinite)));

  /* several studies: only the curves are compared */
  gradyn.timeline = single && runs.length ? gradyn.timelineOf(runs[runs.length - 1]) : null;

  const problem = (study) => text(object(study.result || study.settings).problem);
  const title = single ? problem(single) || text(single.folder) : "Comparison of " + [...new Set(studies.map(problem))].join(", ");

  const head = () => {
    const missing = [];
    if (typeof Chart !== "function") missing.push("chart.js: curves are still pictures");
    if (runs.some((run) => run.axes === 3) && typeof THREE !== "object") missing.push("three.js: space is drawn flat");
    else if (runs.some((run) => run.axes === 3) && !gradyn.Space.possible) missing.push("WebGL, which this browser lacks: space is drawn flat");
    return element("header", {}, element("h1", {}, title),
      element("p", { class: "soft" }, `${single ? text(single.folder) + ", " : ""}gradyn ${text(data.gradyn)}, ${text(data.made)}`),
      missing.length ? element("p", { class: "note" }, `Made without ${missing.join("; ")}.`) : null);
  };

  const licences = () => {
    const all = Object.entries(object(data.licences));
    return all.length ? element("footer", {}, element("details", {}, element("summary", {}, "Licences of the scripts in this page"),
      ...all.map(([name, words]) => element("div", {}, element("h3", {}, name), element("pre", {}, text(words)))))) : null;
  };

  /* A damaged section must not affect the others. */
  const add = (make) => {
    try {
      const made = make();
      if (made) page.append(made);
    } catch (error) {
      page.append(element("section", {}, element("p", { class: "note bad" }, `A part of the report cannot be shown: ${error.message}`)));
      console.error(error);
    }
  };

  const moving = runs.filter((run) => run.visible);
  const mechanism = moving.length ? new gradyn.Mechanism(runs, clock) : null;
  const trajectories = gradyn.trajectories(runs, clock);

  document.title = `${title} – gradyn`;
  const alone = mechanism && page.dataset.only === "motion"; // a page about nothing else
  if (alone) add(() => mechanism.section);
  else {
    add(head);
    if (single) add(() => gradyn.summary(single, runs));
    add(() => (single ? gradyn.verdict(single) : gradyn.verdicts(studies)));
    if (single) add(() => gradyn.warnings(single));
    add(() => mechanism && mechanism.section);
    if (!mechanism) add(() => trajectories && trajectories.section());
    if (single) add(() => gradyn.fit(single, runs, clock));
    if (single) add(() => gradyn.profiles(single));
    if (single) add(() => gradyn.uncertainty(single));
    if (single) add(() => gradyn.filter(single, clock));
    if (single) add(() => gradyn.experiment(single, clock));
    add(() => gradyn.convergence(studies));
    if (single) add(() => gradyn.manyStarts(single));
    add(() => gradyn.front(studies));
    for (const study of studies) add(() => gradyn.sweep(study, studies));
    for (const study of studies) add(() => gradyn.fromFiles(study));
    add(() => gradyn.parameters(studies));
    if (single) add(() => gradyn.functionals(single));
    if (single) add(() => gradyn.limits(single, runs, clock));
    if (single) add(() => gradyn.segments(single));
    if (single) add(() => gradyn.events(single, runs));
    if (single) add(() => gradyn.stepStudy(single));
    if (single) add(() => gradyn.influence(runs));
    add(() => gradyn.signals(runs, clock));
    add(() => gradyn.costates(runs, clock));
    if (mechanism) add(() => trajectories && trajectories.section());
    add(() => gradyn.invariants(runs, clock));
    if (single) add(() => gradyn.statistics(single));
    add(licences);
  }

  for (const plot of [...gradyn.plots]) plot.draw();
  if (trajectories && !alone) trajectories.draw();
  if (mechanism) mechanism.build();

  /* "#t=1.5" shows that time. Otherwise the motion starts, unless the reader prefers no motion. */
  const wanted = /^#t=([-+.0-9e]+)$/.exec(location.hash);
  if (wanted) clock.show(Number(wanted[1]));
  else if (mechanism && !matchMedia("(prefers-reduced-motion: reduce)").matches) clock.play();
  else clock.set(0);
  Object.assign(gradyn, { clock, mechanism, runs });

  /* A running search renews the file every few seconds; the scroll position stays. */
  if (data.running) {
    const place = `gradyn ${location.pathname}`;
    const before = (() => {
      try {
        return JSON.parse(sessionStorage.getItem(place));
      } catch (error) {
        return null;
      }
    })();
    if (before) {
      scrollTo(0, before.scroll);
      if (before.playing === false) clock.show(before.t);
    }
    setTimeout(() => {
      try {
        sessionStorage.setItem(place, JSON.stringify({ scroll: scrollY, t: clock.t, playing: clock.playing }));
      } catch (error) {
        /* a browser may refuse to store it */
      }
      location.reload();
    }, 4000);
  }
})();
