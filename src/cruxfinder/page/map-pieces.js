/** The pieces the map of cruxes is drawn with, once everything has its place. */

import { s } from "./dom.js";

/** A line of a node's label. */
export function mapText(node, name, line, text) {
  return s("text", { class: name, x: node.labelX, y: node.labelY + 14 + line * 18, "text-anchor": node.anchor, text });
}

/** The box around a node and its label, where it can be clicked. */
export function mapBounds(node) {
  const wide = Math.max(...node.lines.map((line) => line.length), 10) * 8.4 + 6;
  const left = { start: node.x - node.outer, end: node.labelX - wide, middle: node.x - wide / 2 }[node.anchor];
  const right = { start: node.labelX + wide, end: node.x + node.outer, middle: node.x + wide / 2 }[node.anchor];
  const top = Math.min(node.y - node.outer, node.labelY - 4);
  return { x: left, y: top, width: right - left, height: Math.max(node.y + node.outer, node.labelY + node.text) - top, rx: 8 };
}

/** What one question means for another: a line with its word. */
export function mapEdge(edge) {
  const turn = (edge.towards * 180) / Math.PI;
  return s("g", { class: "map-edge", dataset: { kind: edge.kind } },
    s("path", { class: "map-line", d: edge.path }),
    s("path", { class: "map-head", d: "M0 0L-9 -4.5L-9 4.5Z",
      transform: `translate(${edge.end.x.toFixed(1)} ${edge.end.y.toFixed(1)}) rotate(${turn.toFixed(1)})` }),
    s("rect", { class: "map-plate", x: edge.x - edge.wide / 2, y: edge.y - 10, width: edge.wide, height: 20, rx: 10 }),
    s("text", { class: "map-word", x: edge.x, y: edge.y, dy: "0.35em", text: edge.label }));
}

/** A side in the legend. */
export function mapKey(side) {
  const place = { x: 1.5, y: 3.5, width: 19, height: 9, rx: 2 };
  const arc = s("rect", { class: "map-arc", dataset: { side }, ...place, vars: { "--camp": "var(--text-2)" } });
  return s("svg", { class: "map-key", viewBox: "0 0 22 16", "aria-hidden": "true" }, arc);
}

/** A kind of line in the legend. */
export function mapLine(kind) {
  const line = s("path", { class: "map-line", d: "M1 8H27" });
  return s("svg", { class: "map-key is-line", viewBox: "0 0 28 16", "aria-hidden": "true", dataset: { kind } }, line);
}
