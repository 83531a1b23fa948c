"use strict";

/* Runs in space, drawn by three.js. */
(() => {
  const { element, theme, vectors } = gradyn;
  const known = typeof THREE === "object" && THREE ? THREE : null;

  class Space {
    static get possible() {
      if (!known) return false;
      try {
        const canvas = document.createElement("canvas");
        return Boolean(canvas.getContext("webgl") || canvas.getContext("experimental-webgl"));
      } catch (error) {
        return false;
      }
    }

    constructor(stage, actors, bounds) {
      this.actors = actors;
      this.bounds = bounds;
      this.options = { paths: true, names: false };
      this.renderer = new known.WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
      this.renderer.setPixelRatio(devicePixelRatio || 1);
      this.canvas = this.renderer.domElement;
      this.labels = element("div", { class: "labels" });
      stage.append(this.canvas, this.labels);
      this.camera = new known.PerspectiveCamera(35, 1, bounds.span / 100, bounds.span * 50);
      this.camera.up.set(0, 0, 1);
      this.middle = new known.Vector3(...[0, 1, 2].map((c) => (bounds.low[c] + bounds.high[c]) / 2));
      this.camera.position.copy(this.middle).add(new known.Vector3(-1.0, -1.35, 0.75).multiplyScalar(1.1 * bounds.span));
      this.orbit = new known.OrbitControls(this.camera, this.canvas);
      this.orbit.target.copy(this.middle);
      this.orbit.enableKeys = false;
      this.orbit.enableZoom = false; /* the page scrolls; with ctrl or shift see below */
      this.orbit.update();
      this.orbit.addEventListener("change", () => this.render());
      this.canvas.addEventListener("wheel", (event) => {
        if (!event.ctrlKey && !event.shiftKey) return;
        event.preventDefault();
        this.camera.position.sub(this.orbit.target).multiplyScalar(Math.exp(event.deltaY / 400)).add(this.orbit.target);
        this.orbit.update();
        this.render();
      }, { passive: false });
      this.build();
    }

    build() {
      this.scene = new known.Scene();
      const sun = new known.DirectionalLight(0xffffff, 0.8);
      sun.position.set(-1, -2, 4);
      this.scene.add(new known.AmbientLight(0xffffff, 0.75), sun);
      const { low, high, span } = this.bounds, grid = new known.GridHelper(2 * span, 20, theme().soft, theme().line);
      grid.rotation.x = Math.PI / 2;
      grid.position.set(this.middle.x, this.middle.y, low[2] - 0.02 * (high[2] - low[2]));
      this.scene.add(grid);
      this.paths = new known.Group();
      for (const actor of this.actors) for (const i of actor.traced) this.addPath(actor, i);
      this.scene.add(this.paths);
      this.moving = new known.Group();
      this.scene.add(this.moving);
    }

    addPath(actor, i) {
      const points = [], steps = Math.min(600, 2 * actor.run.table.rows);
      for (let k = 0; k <= steps; k++)
        points.push(new known.Vector3(...actor.run.point(i, actor.run.locate((actor.run.end * k) / steps))));
      const line = new known.BufferGeometry().setFromPoints(points);
      this.paths.add(new known.Line(line, new known.LineBasicMaterial({ color: actor.shade(), transparent: true, opacity: 0.6 })));
    }

    material(colour, actor, solid) {
      return new known.MeshLambertMaterial({ color: colour, transparent: Boolean(actor.ghost || solid),
        opacity: (actor.ghost ? 0.4 : 1) * (solid ? 0.55 : 1), depthWrite: !solid, side: known.DoubleSide });
    }

    /* A tube along a line; straight pieces are enough. */
    tube(path, radius, colour, actor) {
      const points = path.map((p) => new known.Vector3(...p));
      const curve = new known.CurvePath();
      for (let k = 0; k + 1 < points.length; k++) curve.add(new known.LineCurve3(points[k], points[k + 1]));
      const geometry = new known.TubeBufferGeometry(curve, Math.max(1, path.length - 1), radius, 8, false);
      this.moving.add(new known.Mesh(geometry, this.material(colour, actor)));
    }

    thread(path, colour, actor) {
      const line = new known.BufferGeometry().setFromPoints(path.map((p) => new known.Vector3(...p)));
      this.moving.add(new known.Line(line, new known.LineBasicMaterial({ color: colour, transparent: actor.ghost, opacity: actor.ghost ? 0.5 : 1 })));
    }

    solid(body, colour, actor) {
      const { low, high } = body.box;
      const size = [0, 1, 2].map((k) => high[k] - low[k]), middle = [0, 1, 2].map((k) => (high[k] + low[k]) / 2);
      let shape;
      if (body.shape === "cylinder") {
        shape = new known.CylinderBufferGeometry(body.size[0], body.size[0], body.size[1], 40);
        if (body.axis === 0) shape.rotateZ(Math.PI / 2);
        if (body.axis === 2) shape.rotateX(Math.PI / 2);
      } else {
        shape = new known.BoxBufferGeometry(...size);
        shape.translate(...middle);
      }
      const frame = new known.Matrix4().makeBasis(...body.base.map((b) => new known.Vector3(...b)));
      frame.setPosition(...body.centre);
      const mesh = new known.Mesh(shape, this.material(colour, actor, true));
      const edges = new known.LineSegments(new known.EdgesGeometry(shape, 30),
        new known.LineBasicMaterial({ color: colour, transparent: actor.ghost, opacity: actor.ghost ? 0.4 : 1 }));
      for (const part of [mesh, edges]) {
        part.matrixAutoUpdate = false;
        part.matrix.copy(frame);
        this.moving.add(part);
      }
    }

    actor(actor, t) {
      const unit = this.bounds.unit, colour = actor.shade(), shapes = gradyn.shapesAt(actor.run, t, unit);
      const ball = new known.SphereBufferGeometry(0.14 * unit, 12, 8);
      for (const line of shapes.lines) {
        const tint = actor.ghost ? colour : line.colour || colour;
        if (line.kind === "thin") this.thread(line.path, tint, actor);
        else if (line.kind === "spring") this.tube(line.path, 0.04 * unit, tint, actor);
        else this.tube(line.path, 0.12 * unit, tint, actor);
      }
      for (const body of shapes.solids) this.solid(body, body.colour || colour, actor);
      for (const mark of actor.marked) {
        const mesh = new known.Mesh(ball, this.material(mark.ground ? theme().soft : colour, actor));
        mesh.position.set(...shapes.point(mark.i));
        this.moving.add(mesh);
      }
      for (const arrow of shapes.arrows) {
        const size = Math.hypot(...arrow.force);
        if (size > 0)
          this.moving.add(new known.ArrowHelper(new known.Vector3(...vectors.unit(arrow.force)),
            new known.Vector3(...arrow.at), 3 * unit, theme().active));
      }
    }

    clear() {
      for (const part of [...this.moving.children]) {
        this.moving.remove(part);
        if (part.geometry) part.geometry.dispose();
        if (part.material) part.material.dispose();
      }
    }

    render() {
      this.renderer.render(this.scene, this.camera);
      this.labels.replaceChildren();
      for (const actor of this.options.names ? this.actors : [])
        for (const mark of actor.marked) {
          const at = new known.Vector3(...actor.run.point(mark.i, actor.run.locate(this.t))).project(this.camera);
          if (Math.abs(at.z) < 1)
            this.labels.append(element("span", { style: `left:${50 + 50 * at.x}%;top:${50 - 50 * at.y}%` }, mark.name));
        }
    }

    draw(t) {
      const box = this.canvas.parentNode.getBoundingClientRect();
      const width = Math.max(50, box.width - 2), height = Math.max(50, box.height - 2);
      if (width !== this.width || height !== this.height) {
        this.renderer.setSize(width, height);
        this.camera.aspect = width / height;
        this.camera.updateProjectionMatrix();
        Object.assign(this, { width, height });
      }
      if (this.look !== theme()) this.build();
      this.look = theme();
      this.t = t;
      this.clear();
      this.paths.visible = this.options.paths;
      for (const actor of this.actors) this.actor(actor, t);
      this.render();
    }
  }

  gradyn.Space = Space;
})();
