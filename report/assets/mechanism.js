"use strict";

/* Animation of the mechanism: one stage with all runs overlaid, or one for each run, and the controls. */
(() => {
  const { element, theme, number, fade } = gradyn;

  /* The drawn runs: the last one in full colour, the others as shadows. */
  const actorsOf = (runs, apart) => runs.map((run, k) => ({
    run,
    ghost: !apart && runs.length === 2 && k === 0,
    shade: () => (runs.length <= 2 ? (k === runs.length - 1 ? theme().after : theme().before)
      : theme().series[k % theme().series.length]),
    traced: gradyn.traced(run),
    marked: gradyn.marked(run),
    paths: new Map(),
  }));

  class Mechanism {
    constructor(runs, clock) {
      this.runs = runs.filter((run) => run.visible);
      this.clock = clock;
      this.bounds = gradyn.bounds(this.runs);
      this.stages = element("div", { class: "stages" });
      this.views = [];
      this.options = { paths: true, names: false };
      this.section = element("section", { id: "mechanism" }, element("h2", {}, "Motion"), this.stages, this.controls());
      clock.onChange((t) => this.show(t));
      gradyn.onTheme(() => this.show(clock.t));
      addEventListener("resize", () => this.show(clock.t));
    }

    get mode() {
      return this.modes ? this.modes.value : "overlaid";
    }

    caption(actors) {
      const out = element("div", { class: "caption" });
      for (const actor of actors)
        out.append(element("span", { class: "swatch", style: `background:${actor.shade()}` }), actor.run.label + " ");
      return out;
    }

    stage(runs, apart) {
      const stage = element("div", { class: "stage" }), all = actorsOf(this.runs, apart);
      const actors = all.filter((actor) => runs.includes(actor.run)), space = runs.some((run) => run.axes === 3);
      this.stages.append(stage);
      const view = space && gradyn.Space.possible ? new gradyn.Space(stage, actors, this.bounds)
        : new gradyn.Plane(stage, actors, this.bounds);
      stage.append(this.caption(actors));
      view.options = this.options;
      this.views.push(view);
    }

    /* Creates the stages; the section must be in the page. */
    build() {
      for (const view of this.views) if (view.renderer) view.renderer.dispose();
      this.stages.replaceChildren();
      this.views = [];
      if (this.mode === "side by side") for (const run of this.runs) this.stage([run], true);
      else if (this.mode === "overlaid") this.stage(this.runs, false);
      else this.stage(this.runs.filter((run) => run.label === this.mode), true);
      this.show(this.clock.t);
    }

    show(t) {
      for (const view of this.views) view.draw(t);
      this.slider.value = String(t);
      this.readout.textContent = `t = ${number(t, 4)} s`;
      this.button.textContent = this.clock.playing ? "❚❚" : "►";
      this.button.setAttribute("aria-label", this.clock.playing ? "pause" : "play");
    }

    toggle(name, label) {
      const box = element("input", { type: "checkbox", checked: this.options[name] });
      box.addEventListener("change", () => {
        this.options[name] = box.checked;
        this.show(this.clock.t);
      });
      return element("label", {}, box, " " + label);
    }

    choose(values, chosen, label, act) {
      const select = element("select", { "aria-label": label },
        ...values.map(([value, name]) => element("option", { value, selected: value === chosen }, name)));
      select.addEventListener("change", () => act(select.value));
      return select;
    }

    controls() {
      const clock = this.clock, act = (label, name, action) => {
        const button = element("button", { type: "button", "aria-label": name, title: name }, label);
        button.addEventListener("click", action);
        return button;
      };
      this.button = act("►", "play", () => (clock.playing ? clock.pause() : clock.play()));
      this.slider = element("input", { type: "range", id: "time", min: 0, max: clock.end, step: "any", value: 0, "aria-label": "time" });
      this.slider.addEventListener("input", () => clock.show(Number(this.slider.value)));
      this.readout = element("output", { for: "time" });
      const speed = this.choose(gradyn.speeds.map((s) => [String(s), `× ${s}`]), String(clock.speed), "speed",
        (value) => (clock.speed = Number(value)));
      if (this.runs.length > 1) {
        const names = ["overlaid", "side by side", ...this.runs.map((run) => run.label)];
        this.modes = this.choose(names.map((name) => [name, name]), "overlaid", "which runs", () => this.build());
      }
      return element("div", { class: "controls" }, this.button, act("−", "a step back", () => clock.step(-1)),
        act("+", "a step on", () => clock.step(1)), this.slider, this.readout, speed, this.modes || null,
        this.toggle("paths", "paths"), this.toggle("names", "names"));
    }
  }

  gradyn.Mechanism = Mechanism;
})();
