"use strict";

/* The common time of the page: of the mechanism, the slider, and the cursors of plots. */
(() => {
  const speeds = [0.001, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 100, 1000];

  class Clock {
    constructor(end) {
      this.end = end;
      this.t = 0;
      this.playing = false;
      this.listeners = [];
      /* real time if that takes a few seconds, otherwise about six */
      const wanted = end >= 1.5 && end <= 20 ? 1 : end / 6;
      this.speed = speeds.reduce((a, b) =>
        Math.abs(Math.log(b / wanted)) < Math.abs(Math.log(a / wanted)) ? b : a);
    }

    onChange(listener) {
      this.listeners.push(listener);
    }

    forget(listener) {
      this.listeners = this.listeners.filter((known) => known !== listener);
    }

    set(t) {
      this.t = Math.max(0, Math.min(t, this.end));
      for (const listener of this.listeners) listener(this.t);
    }

    play() {
      if (this.playing || !(this.end > 0)) return;
      if (this.t >= this.end) this.t = 0;
      this.playing = true;
      let last = performance.now();
      const frame = (now) => {
        if (!this.playing) return;
        const next = this.t + ((now - last) / 1000) * this.speed;
        last = now;
        this.set(next > this.end ? 0 : next);
        requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
      this.set(this.t);
    }

    pause() {
      this.playing = false;
      this.set(this.t);
    }

    /* Stops at a time and shows it. */
    show(t) {
      this.playing = false;
      this.set(t);
    }

    step(count) {
      this.show(this.t + (count * this.end) / 200);
    }
  }

  Object.assign(gradyn, { Clock, speeds });
})();
