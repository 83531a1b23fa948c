"use strict";

/* Events and modes of a run: their table, and the timeline that plots over time have in the background. */
(() => {
  const { element, list, text, object, number, fade, theme, section } = gradyn;
  const finite = (value) => typeof value === "number" && Number.isFinite(value);
  const most = 300; /* rows of the table */

  gradyn.bandColour = (k) => fade(theme().bands[k % theme().bands.length], 0.22);

  /* Events and modes of a run as {events: [{t, name, label}], bands: [{from, to, mode}], modes: [names]}. A run begins in
     its first mode. */
  gradyn.timelineOf = (run) => {
    const names = list(run.model.mode_names).map(text), bands = [];
    const events = list(run.model.events).map(object).filter((e) => finite(e.t))
      .map((e) => ({ t: e.t, name: `${text(e.event)} ${e.occurrence}, t = ${number(e.t, 5)} s`, mode: text(e.mode) }))
      .map((e) => ({ ...e, label: e.mode ? `${e.name}, then ${e.mode}` : e.name }));
    if (names.length)
      [[0, 1], ...run.modes].forEach(([since, mode], k) => {
        const next = run.modes[k];
        bands.push({ from: since, to: next ? next[0] : run.end, mode: mode - 1 });
      });
    return { events, bands, modes: names };
  };

  /* Names of the modes that occur, each with the colour of its bands. */
  gradyn.bandLegend = (timeline) => {
    const shown = timeline ? [...new Set(timeline.bands.map((band) => band.mode))].sort((a, b) => a - b) : [];
    return shown.length ? element("p", { class: "modes note" }, "modes: ", ...shown.map((k) => element("span", {},
      element("span", { class: "band", style: `background:${gradyn.bandColour(k)}` }), timeline.modes[k] || `mode ${k + 1}`))) : null;
  };

  /* Impulses of constraints, the largest first. */
  const impulsesOf = (event) => {
    const all = list(event.impulses).map(object).filter((i) => finite(i.impulse)).sort((a, b) => Math.abs(b.impulse) - Math.abs(a.impulse));
    const shown = all.slice(0, 4).map((i) => `${text(i.constraint)} ${number(i.impulse, 4)}`).join(", ");
    return all.length > 4 ? `${shown}, ${all.length - 4} smaller` : shown;
  };

  /* Events of the last run, or of the result if the study does not describe the last run. */
  const eventsOf = (study, runs) => {
    const own = runs.length ? list(runs[runs.length - 1].model.events) : [];
    return (own.length ? own : list(object(study.result).events)).map(object);
  };

  gradyn.events = (study, runs) => {
    const events = eventsOf(study, runs);
    if (!events.length) return null;
    const moded = events.some((e) => text(e.mode)), forced = events.some((e) => list(e.impulses).length);
    const heads = ["event", ">occurrence", ">t [s]", ">rate before", ">rebound [m/s]", ">impulse [N s]",
      ...(forced ? ["impulses of constraints"] : []), ">energy lost [J]", ...(moded ? ["mode after"] : [])];
    return section("events", "Events", gradyn.plainTable(heads, events.slice(0, most).map((e) => [text(e.event), e.occurrence, e.t,
      e.approach, e.rebound, e.impulse ? number(e.impulse, 5) : "", ...(forced ? [impulsesOf(e)] : []), number(e.energy_lost, 5), ...(moded ? [text(e.mode)] : [])])),
    element("p", { class: "note" }, (events.length > most ? `${events.length - most} more stand in result.json. ` : "")
      + "Rate before: time derivative of the guard; m/s if the guard is a gap. Impulses of constraints: integrals of their multipliers over the impact. "
      + "An event without impulse has none by its kind: a kinematic impact, an event without wall, new constraint or set velocity, or one of general equations, "
      + "which have no energy either."));
  };
})();
