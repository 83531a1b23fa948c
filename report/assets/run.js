"use strict";

/* Tables of numbers, and runs: a trajectory with the model that moved along it. */
(() => {
  const { list, text, object } = gradyn;

  /* Columns of {"columns": [{"name": "2.x [m]", "values": 7}]}, where 7 is the index of a text among all
     columns. */
  class Table {
    constructor(json) {
      const columns = list(object(json).columns).map(object);
      this.columns = columns.map((column) => text(gradyn.columns[column.values]).split(" ").filter(Boolean));
      this.rows = Math.min(...this.columns.map((column) => column.length), Infinity);
      if (this.rows === Infinity) this.rows = 0;
      this.headings = columns.map((column) => text(column.name));
      this.names = this.headings.map((name) => name.replace(/ \[[^\]]*\]$/, ""));
      this.units = this.headings.map((name) => (name.match(/ \[([^\]]*)\]$/) || ["", ""])[1]);
      this.words = this.columns;
      this.columns = this.columns.map((column) => Float64Array.from(column.slice(0, this.rows), Number));
      this.rowsInFile = Number(object(json).rows_in_file) || 0;
      this.columnsInFile = Number(object(json).columns_in_file) || 0;
      this.torn = Number(object(json).torn) || 0;
    }

    column(name) {
      const at = this.names.indexOf(name);
      return at < 0 ? null : this.columns[at];
    }

    /* Describes what the page omits; "" if nothing. */
    thinned() {
      const parts = [];
      if (this.rows < this.rowsInFile) parts.push(`${this.rows} of ${this.rowsInFile} rows`);
      if (this.columns.length < this.columnsInFile)
        parts.push(`the first ${this.columns.length} of ${this.columnsInFile} columns`);
      return parts.join(" and ");
    }
  }

  /* Cubic through values and slopes at both ends of a step. */
  const hermite = (y0, y1, v0, v1, s, h) => {
    const s2 = s * s, s3 = s2 * s;
    return y0 * (2 * s3 - 3 * s2 + 1) + y1 * (3 * s2 - 2 * s3) + h * (v0 * (s3 - 2 * s2 + s) + v1 * (s3 - s2));
  };

  class Run {
    constructor(json, label) {
      this.label = label;
      this.model = object(object(json).model);
      this.table = new Table(object(json).trajectory);
      this.invariants = new Table(object(json).invariants);
      this.costates = new Table(object(json).costates);
      this.file = text(object(json).file);
      this.time = this.table.columns[0] || new Float64Array(0);
      this.end = this.time.length ? this.time[this.time.length - 1] : 0;
      this.axes = Number(this.model.axes) || 0;
      this.coordinates = Number(this.model.coordinates) || 0;
      this.points = list(this.model.points).map(object);
      const known = (i) => Number.isInteger(i) && i >= 0 && i < this.points.length;
      this.drawables = list(this.model.drawables).map(object).filter((d) => list(d.points).every(known));
      this.signals = list(this.model.signals).map(object);
      this.modes = list(this.model.modes).map(list); /* [time, mode from then on] */
    }

    /* Whether an object belongs to the mode at t. */
    shown(drawable, t) {
      const modes = list(drawable.modes);
      if (!modes.length) return true;
      let mode = 1;
      for (const [since, next] of this.modes) if (since <= t) mode = next;
      return modes.includes(mode);
    }

    /* Whether there is a motion to show. */
    get visible() {
      return this.axes >= 2 && this.points.length > 0 && this.table.rows > 0 &&
        this.table.columns.length > this.coordinates;
    }

    /* The step that contains t: its first row, and the position in it, from 0 to 1. */
    locate(t) {
      const time = this.time;
      let low = 0, high = time.length - 1;
      if (high <= 0 || !(t > time[0])) return { row: 0, s: 0, h: 0 };
      if (t >= time[high]) return { row: high - 1, s: 1, h: time[high] - time[high - 1] };
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (time[middle] <= t) low = middle;
        else high = middle;
      }
      const h = time[high] - time[low];
      return { row: low, s: h > 0 ? (t - time[low]) / h : 0, h };
    }

    /* State column i at a position in a step: positions are interpolated with velocities, others linearly. */
    state(i, at) {
      const y = this.table.columns[i + 1], n = this.coordinates;
      if (!y) return 0;
      const next = Math.min(at.row + 1, this.table.rows - 1);
      if (at.s === 0 || next === at.row) return y[at.row];
      const v = i < n ? this.table.columns[n + i + 1] : null;
      if (v) return hermite(y[at.row], y[next], v[at.row], v[next], at.s, at.h);
      return y[at.row] * (1 - at.s) + y[next] * at.s;
    }

    /* Position of a point, or components of a direction, [x, y, z]. */
    point(i, at) {
      const p = this.points[i], out = [0, 0, 0];
      for (let k = 0; k < this.axes; k++) {
        out[k] = Number(list(p.fixed)[k]) || 0;
        for (const carrier of list(p.carriers)) out[k] += carrier[1] * this.state(carrier[0] + k, at);
      }
      return out;
    }

    /* Value of signal i at t, from its samples. */
    signal(i, t) {
      const s = this.signals[i];
      if (!s || list(s.t).length < 2) return 0;
      const step = s.t[1] - s.t[0], place = Math.max(0, Math.min(t / step, s.t.length - 1));
      const k = Math.min(Math.floor(place), s.t.length - 2), share = place - k;
      return s.value[k] * (1 - share) + s.value[k + 1] * share;
    }
  }

  /* The runs to be shown: those before and after the search of one study, or the last run of each study. */
  const runsOf = (studies) => {
    if (studies.length === 1)
      return list(studies[0].runs).map((json) => new Run(json, text(object(json).label)));
    return studies.flatMap((study) => {
      const runs = list(study.runs);
      return runs.length ? [new Run(runs[runs.length - 1], text(study.folder))] : [];
    });
  };

  Object.assign(gradyn, { Table, Run, runsOf, hermite });
})();
