"use strict";

/* The scripts of the page share this object, and have no other global names. Names, units and messages of a
   problem reach the page as text, never as markup. */
const gradyn = {};

(() => {
  const json = (id) => JSON.parse(document.getElementById(id).textContent);
  gradyn.data = json("data");
  gradyn.columns = json("columns"); /* of tables, each a text "0 0.1 ..." */

  /* Returns an array, a text or an object, also if a damaged file has something else instead. */
  gradyn.list = (value) => (Array.isArray(value) ? value : []);
  gradyn.text = (value) => (typeof value === "string" ? value : "");
  gradyn.object = (value) => (value && typeof value === "object" ? value : {});

  /* element("td", {class: "number"}, "text", child, ...) */
  gradyn.element = (tag, attributes, ...children) => {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {}))
      if (value !== undefined && value !== null && value !== false)
        made.setAttribute(name, value === true ? "" : value);
    made.append(...children.filter((child) => child !== null && child !== undefined));
    return made;
  };

  /* A name as texts with places between them where a line may end: after a separator, not inside of words. */
  gradyn.breakable = (name) => name.replace(/[_@/:\]]|[.-](?=[A-Za-z])/g, "$&\0").split("\0")
    .flatMap((piece, k) => (k ? [gradyn.element("wbr"), piece] : [piece]));

  gradyn.svg = (tag, attributes, ...children) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes || {})) made.setAttribute(name, value);
    made.append(...children);
    return made;
  };

  /* A number with this number of significant digits, short: 0.25, 1.3e-7, 12000. */
  gradyn.number = (value, digits = 6) => {
    if (typeof value !== "number" || Number.isNaN(value)) return "–";
    if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
    const size = Math.abs(value);
    const shown =
      value !== 0 && (size < 1e-4 || size >= 1e7)
        ? value.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e")
        : String(Number(value.toPrecision(digits)));
    return shown.replace(/-/g, "−");
  };
  /* A unit for display: m^2/s^3 with raised powers. */
  const raised = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };
  gradyn.unit = (unit) => gradyn.text(unit).replace(/\^(-?\d+)(?![\d.])/g, (all, power) => [...power].map((c) => raised[c]).join(""));
  gradyn.quantity = (value, unit, digits) =>
    gradyn.number(value, digits) + (gradyn.text(unit) ? " " + gradyn.unit(unit) : "");
  gradyn.labelled = (name, unit) => (gradyn.text(unit) ? `${name} [${gradyn.unit(unit)}]` : `${name}`);

  /* --- colours: those of the style sheet, for canvases */

  let theme = null;
  const listeners = [];
  const read = () => {
    const style = getComputedStyle(document.documentElement);
    const of = (name) => style.getPropertyValue("--" + name).trim();
    theme = { series: of("series").split(/\s+/), bands: of("bands").split(/\s+/) };
    for (const name of ["ground", "card", "ink", "soft", "line", "before", "after", "over", "active", "bad"])
      theme[name] = of(name);
  };
  gradyn.theme = () => {
    if (!theme) read();
    return theme;
  };
  gradyn.onTheme = (listener) => listeners.push(listener);
  const renew = () => {
    read();
    for (const listener of listeners) listener();
  };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", renew);
  matchMedia("print").addEventListener("change", renew);

  /* "rgba(...)" of a colour "#rrggbb" */
  gradyn.fade = (colour, share) => {
    const byte = (at) => parseInt(colour.slice(at, at + 2), 16);
    return `rgba(${byte(1)}, ${byte(3)}, ${byte(5)}, ${share})`;
  };
})();
