"use strict";

/* Runs drawn on a canvas in two dimensions: mechanisms in the plane, and, without three.js or WebGL, mechanisms
   in space as seen from a direction that the reader can rotate. */
(() => {
  const { element, theme, fade, vectors } = gradyn;

  class Plane {
    constructor(stage, actors, bounds) {
      this.actors = actors; /* {run, colour, ghost} */
      this.bounds = bounds;
      this.space = actors.some((actor) => actor.run.axes === 3);
      this.turn = { azimuth: -0.9, elevation: 0.45 };
      this.zoom = 1;
      this.shift = [0, 0];
      this.canvas = element("canvas", { role: "img", "aria-label": "the mechanism" });
      stage.append(this.canvas);
      this.pen = this.canvas.getContext("2d");
      this.options = { paths: true, names: false };
      this.listen();
    }

    /* --- from space to the canvas */

    /* Coordinates in the drawing before scaling. */
    flat(p) {
      if (!this.space) return [p[0], p[1]];
      const { azimuth, elevation } = this.turn, c = Math.cos(azimuth), s = Math.sin(azimuth);
      const x = c * p[0] + s * p[1], y = -s * p[0] + c * p[1];
      return [x, Math.cos(elevation) * p[2] + Math.sin(elevation) * y];
    }

    fit() {
      const box = this.canvas.getBoundingClientRect(), ratio = devicePixelRatio || 1;
      this.width = box.width || 600;
      this.height = box.height || 400;
      this.canvas.width = Math.round(this.width * ratio);
      this.canvas.height = Math.round(this.height * ratio);
      this.ratio = ratio;
      const { low, high } = this.bounds, corners = [];
      for (let k = 0; k < 8; k++) corners.push(this.flat([0, 1, 2].map((c) => ((k >> c) & 1 ? high[c] : low[c]))));
      const x = corners.map((p) => p[0]), y = corners.map((p) => p[1]);
      this.centre = [(Math.min(...x) + Math.max(...x)) / 2, (Math.min(...y) + Math.max(...y)) / 2];
      const air = 2.4 * this.bounds.unit;
      this.scale = Math.min(this.width / (Math.max(...x) - Math.min(...x) + air),
        this.height / (Math.max(...y) - Math.min(...y) + air)) * this.zoom;
    }

    place(p) {
      const [x, y] = this.flat(p);
      return [this.width / 2 + this.shift[0] + (x - this.centre[0]) * this.scale,
        this.height / 2 + this.shift[1] - (y - this.centre[1]) * this.scale];
    }

    /* --- hands */

    listen() {
      this.canvas.addEventListener("wheel", (event) => {
        if (!event.ctrlKey && !event.shiftKey) return; /* the page scrolls */
        event.preventDefault();
        this.zoom *= Math.exp(-event.deltaY / 400);
        this.draw(this.t);
      }, { passive: false });
      this.canvas.addEventListener("pointermove", (event) => {
        if (!event.buttons) return;
        if (this.space && !event.shiftKey) {
          this.turn.azimuth += event.movementX / 120;
          this.turn.elevation = Math.max(-1.5, Math.min(1.5, this.turn.elevation + event.movementY / 120));
        } else {
          this.shift[0] += event.movementX;
          this.shift[1] += event.movementY;
        }
        this.draw(this.t);
      });
      this.canvas.addEventListener("dblclick", () => {
        this.zoom = 1;
        this.shift = [0, 0];
        this.draw(this.t);
      });
    }

    /* --- drawing */

    trace(path) {
      this.pen.beginPath();
      path.forEach((p, k) => {
        const [x, y] = this.place(p);
        if (k) this.pen.lineTo(x, y);
        else this.pen.moveTo(x, y);
      });
    }

    stroke(path, colour, width, dash = []) {
      this.trace(path);
      this.pen.strokeStyle = colour;
      this.pen.lineWidth = width;
      this.pen.setLineDash(dash);
      this.pen.stroke();
      this.pen.setLineDash([]);
    }

    /* Lines at round coordinates, faint. */
    grid() {
      if (this.space) return this.floor();
      const rough = 80 / this.scale, power = Math.pow(10, Math.floor(Math.log10(rough)));
      const step = [1, 2, 5, 10].map((k) => k * power).find((k) => k >= rough);
      const left = this.centre[0] - this.width / this.scale, right = this.centre[0] + this.width / this.scale;
      const down = this.centre[1] - this.height / this.scale, up = this.centre[1] + this.height / this.scale;
      const reach = (a) => Math.round(a / step) * step, colour = theme().line;
      for (let x = reach(left); x <= right; x += step) this.stroke([[x, down, 0], [x, up, 0]], colour, x ? 0.5 : 1);
      for (let y = reach(down); y <= up; y += step) this.stroke([[left, y, 0], [right, y, 0]], colour, y ? 0.5 : 1);
      this.pen.fillStyle = theme().soft;
      this.pen.font = "11px system-ui, sans-serif";
      this.pen.textAlign = "left";
      this.stroke([[0, 0, 0]], colour, 1);
      const bar = step * this.scale;
      this.pen.fillRect(this.width - bar - 12, this.height - 12, bar, 2);
      this.pen.fillText(`${gradyn.number(step)} m`, this.width - bar - 12, this.height - 17);
    }

    floor() {
      const { low, high } = this.bounds, z = low[2], n = 6;
      for (let k = 0; k <= n; k++) {
        const x = low[0] + (k / n) * (high[0] - low[0]), y = low[1] + (k / n) * (high[1] - low[1]);
        this.stroke([[x, low[1], z], [x, high[1], z]], theme().line, 0.7);
        this.stroke([[low[0], y, z], [high[0], y, z]], theme().line, 0.7);
      }
    }

    paths(actor) {
      for (const i of actor.traced) {
        if (!actor.paths.has(i)) {
          const out = [], steps = Math.min(600, 2 * actor.run.table.rows);
          for (let k = 0; k <= steps; k++) out.push(actor.run.point(i, actor.run.locate((actor.run.end * k) / steps)));
          actor.paths.set(i, out);
        }
        this.stroke(actor.paths.get(i), fade(actor.shade(), 0.45), 1.2);
      }
    }

    solid(body, colour) {
      const { low, high } = body.box, at = (u, v, w) => [0, 1, 2].map((c) => body.centre[c] +
        u * body.base[0][c] + v * body.base[1][c] + (body.base[2] ? w * body.base[2][c] : 0));
      const faces = [];
      if (body.shape === "cylinder") {
        const [radius, length] = body.size, axis = body.base[2] ? body.axis : 2, ring = (w) => {
          const out = [];
          for (let k = 0; k <= 36; k++) {
            const c = [0, 0, 0];
            c[(axis + 1) % 3] = radius * Math.cos((2 * Math.PI * k) / 36);
            c[(axis + 2) % 3] = radius * Math.sin((2 * Math.PI * k) / 36);
            c[axis] = w;
            out.push(at(...c));
          }
          return out;
        };
        faces.push(ring(-length / 2));
        if (body.base[2]) faces.push(ring(length / 2));
        faces.push([at(0, 0, 0), ring(0)[0]]);
      } else if (!body.base[2]) {
        const [a, b] = [low, high];
        faces.push([at(a[0], a[1]), at(b[0], a[1]), at(b[0], b[1]), at(a[0], b[1]), at(a[0], a[1])]);
      } else
        for (const w of [low[2], high[2]])
          faces.push([at(low[0], low[1], w), at(high[0], low[1], w), at(high[0], high[1], w), at(low[0], high[1], w),
            at(low[0], low[1], w)]);
      for (const face of faces) {
        this.stroke(face, colour, 1.5);
        this.pen.fillStyle = fade(colour, 0.14);
        this.pen.fill();
      }
      if (body.base[2] && body.shape !== "cylinder")
        for (const [u, v] of [[0, 0], [1, 0], [1, 1], [0, 1]])
          this.stroke([low, high].map((w) => at(u ? high[0] : low[0], v ? high[1] : low[1], w[2])), colour, 1.5);
    }

    arrow(arrow, colour) {
      const size = Math.hypot(...arrow.force);
      if (!(size > 0)) return;
      const most = this.most.get(arrow.name) || size, tip = vectors.add(arrow.at, arrow.force, (4 * this.bounds.unit) / most);
      this.stroke([arrow.at, tip], colour, 2);
      const [x, y] = this.place(tip), [x0, y0] = this.place(arrow.at), angle = Math.atan2(y - y0, x - x0);
      this.pen.beginPath();
      this.pen.moveTo(x, y);
      for (const side of [0.4, -0.4]) this.pen.lineTo(x - 9 * Math.cos(angle + side), y - 9 * Math.sin(angle + side));
      this.pen.fillStyle = colour;
      this.pen.fill();
    }

    /* The largest size of each force, so that arrows have a common scale. */
    measure(t) {
      this.most = this.most || new Map();
      for (const { run } of this.actors)
        for (const d of run.drawables)
          if (d.shape === "force" && !this.most.has(d.name)) {
            const signal = run.signals[d.signal], size = Math.hypot(...d.size);
            this.most.set(d.name, size * (signal ? Math.max(...signal.value.map(Math.abs)) : 1));
          }
    }

    mark(mark, p, colour) {
      const [x, y] = this.place(p), r = 4;
      this.pen.beginPath();
      if (mark.ground) {
        this.pen.moveTo(x, y);
        this.pen.lineTo(x - 7, y + 11);
        this.pen.lineTo(x + 7, y + 11);
        this.pen.closePath();
      } else this.pen.arc(x, y, r, 0, 2 * Math.PI);
      this.pen.fillStyle = theme().card;
      this.pen.strokeStyle = colour;
      this.pen.lineWidth = 1.6;
      this.pen.fill();
      this.pen.stroke();
      if (mark.ground)
        for (let k = -6; k <= 6; k += 4) {
          this.pen.beginPath();
          this.pen.moveTo(x + k, y + 11);
          this.pen.lineTo(x + k - 3, y + 16);
          this.pen.stroke();
        }
      if (!this.options.names) return;
      this.pen.fillStyle = theme().ink;
      this.pen.fillText(mark.name, x + 7, y - 6);
    }

    actor(actor, t) {
      const colour = actor.shade(), shapes = gradyn.shapesAt(actor.run, t, this.bounds.unit);
      const width = Math.max(3, Math.min(7, 0.35 * this.bounds.unit * this.scale));
      const widths = { rod: width, thin: 1.5, spring: 1.6, beam: 0.8 * width };
      if (this.options.paths) this.paths(actor);
      for (const guide of shapes.guides) if (!this.space) this.guide(guide, colour);
      for (const body of shapes.solids) this.solid(body, body.colour || colour);
      this.pen.lineJoin = this.pen.lineCap = "round";
      for (const line of shapes.lines)
        this.stroke(line.path, actor.ghost ? colour : line.colour || colour, widths[line.kind]);
      for (const arrow of shapes.arrows) this.arrow(arrow, theme().active);
      this.pen.font = "12px system-ui, sans-serif";
      for (const mark of actor.marked) this.mark(mark, shapes.point(mark.i), colour);
    }

    /* A point on a guide: the line on which it stays, and a slider. */
    guide(guide, colour) {
      const [x, y] = this.place(guide.at), horizontal = guide.axis === 1;
      this.pen.strokeStyle = theme().soft;
      this.pen.lineWidth = 1;
      this.pen.beginPath();
      this.pen.moveTo(horizontal ? 0 : x, horizontal ? y + 9 : 0);
      this.pen.lineTo(horizontal ? this.width : x, horizontal ? y + 9 : this.height);
      this.pen.stroke();
      this.pen.fillStyle = fade(colour, 0.25);
      this.pen.strokeStyle = colour;
      this.pen.fillRect(x - 16, y - 9, 32, 18);
      this.pen.strokeRect(x - 16, y - 9, 32, 18);
    }

    draw(t) {
      this.t = t;
      this.fit();
      this.measure();
      this.pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
      this.pen.clearRect(0, 0, this.width, this.height);
      this.grid();
      for (const actor of this.actors) {
        this.pen.globalAlpha = actor.ghost ? 0.6 : 1;
        this.actor(actor, t);
      }
      this.pen.globalAlpha = 1;
    }
  }

  gradyn.Plane = Plane;
})();
