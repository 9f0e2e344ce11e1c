/**
 * Where the nodes, labels and edges of the crux map go: no chance, no overlaps, the same map for the same debate.
 *
 * Wide: two bows of nodes that face each other, labels on the outside, so that no edge can cross a label.
 * Narrow: one column of nodes with labels on the right and edges as arcs on the left.
 */

const MAP_WIDE_MIN = 760;
const MAP_LINE = 18;
const MAP_CHARACTER = 8.4; // of the label's font, generously: a wider font may be all there is
const MAP_LINES_MAX = 6;
const MAP_RING = 11;
const MAP_GAP = 26;
const MAP_GUTTER = 58; // for arcs beside a column

/**
 * Cut a text into lines of at most `most` characters, the last one shortened where there are too many.
 * @param {string} text
 * @param {number} most characters a line
 * @param {number} [lines] at most
 * @returns {string[]}
 */
function wrappedLines(text, most, lines = MAP_LINES_MAX) {
  const found = [""];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = found[found.length - 1];
    const piece = word.length > most ? `${word.slice(0, most - 1)}…` : word;
    if (last === "") found[found.length - 1] = piece;
    else if (last.length + 1 + piece.length <= most) found[found.length - 1] = `${last} ${piece}`;
    else found.push(piece);
  }
  if (found.length <= lines) return found;
  const kept = found.slice(0, lines);
  kept[lines - 1] = `${kept[lines - 1].slice(0, most - 2)} …`;
  return kept;
}

/**
 * Is there room for two bows of nodes?
 * @param {number} width in pixels
 */
export function mapIsWide(width) {
  return width >= MAP_WIDE_MIN;
}

/** The area of a node stands for the DCG, 0 to 1; a small ring where none is known. */
function layoutRadius(dcg, largest) {
  return dcg === null ? 16 : Math.max(18, largest * Math.sqrt(Math.min(1, dcg)));
}

/**
 * Places for nodes and edges.
 * @param {{id: string, label: string, dcg: number|null}[]} nodes in the order they are to be read
 * @param {{from: string, to: string, label: string}[]} edges
 * @param {number} width in pixels
 * @returns {{width: number, height: number, wide: boolean, nodes: object[], edges: object[]}}
 */
export function mapLayout(nodes, edges, width) {
  const wide = mapIsWide(width);
  const placed = wide ? layoutBows(nodes, width) : layoutColumn(nodes, width, edges.length > 0);
  const at = new Map(placed.nodes.map((node) => [node.id, node]));
  const known = edges.filter((edge) => at.has(edge.from) && at.has(edge.to) && edge.from !== edge.to);
  const centre = { x: width / 2, y: placed.height / 2 };
  const taken = placed.nodes.map((node) => layoutBox(node.x, node.y, 2 * node.outer, 2 * node.outer));
  const drawn = known.map((edge, number) => {
    const [one, two] = [at.get(edge.from), at.get(edge.to)];
    if (!wide) return layoutArc(edge, one, two, placed.nodes, taken);
    const bend = layoutBendInward(one, two, centre, number);
    const ends = [layoutTowards(one, bend, one.outer + 3), layoutTowards(two, bend, two.outer + 9)];
    return layoutEdge(edge, ends, bend, taken);
  });
  return { width, height: placed.height, wide, nodes: placed.nodes, edges: drawn };
}

function layoutBows(nodes, width) {
  if (nodes.length === 1) return layoutAlone(nodes[0], width);
  const room = Math.min(330, width * 0.26);
  const largest = Math.min(62, width * 0.06);
  const most = Math.floor(room / MAP_CHARACTER);
  const left = nodes.filter((_, number) => number % 2 === 0);
  const right = nodes.filter((_, number) => number % 2 === 1);
  const sides = [left, right].map((side) => side.map((node) => layoutMeasured(node, most, largest)));
  const heights = sides.map((side) => side.reduce((sum, node) => sum + node.tall, 0) + MAP_GAP * (side.length - 1));
  const height = Math.max(240, ...heights) + 2 * MAP_GAP;
  const bulge = sides.some((side) => side.length > 2) ? Math.min(46, width * 0.03) : 0;
  const found = sides.flatMap((side, right01) => {
    let y = (height - heights[right01]) / 2;
    return side.map((node) => {
      const middle = y + node.tall / 2;
      y += node.tall + MAP_GAP;
      const away = (middle - height / 2) / (height / 2);
      const inset = 16 + room + 12 + node.outer + bulge * away * away;
      const x = right01 ? width - inset : inset;
      const labelX = right01 ? x + node.outer + 12 : x - node.outer - 12;
      return { ...node, x, y: middle, labelX, labelY: middle - node.text / 2, anchor: right01 ? "start" : "end" };
    });
  });
  const order = new Map(nodes.map((node, number) => [node.id, number]));
  return { height, nodes: found.sort((a, b) => order.get(a.id) - order.get(b.id)) };
}

function layoutAlone(node, width) {
  const most = Math.floor(Math.min(560, width - 48) / MAP_CHARACTER);
  const one = layoutMeasured(node, most, Math.min(62, width * 0.12));
  const y = MAP_GAP + one.outer;
  const labelY = y + one.outer + 14;
  const alone = { ...one, x: width / 2, y, labelX: width / 2, labelY, anchor: "middle" };
  return { height: labelY + one.text + MAP_GAP, nodes: [alone] };
}

function layoutColumn(nodes, width, arcs) {
  const largest = Math.min(56, width * 0.11);
  const widest = Math.max(...nodes.map((node) => layoutRadius(node.dcg, largest))) + MAP_RING;
  const x = (arcs ? MAP_GUTTER : 6) + widest;
  const most = Math.max(10, Math.floor((width - x - widest - 18) / MAP_CHARACTER));
  let y = 14;
  const found = nodes.map((node) => {
    const one = layoutMeasured(node, most, largest, 8);
    const middle = y + one.tall / 2;
    y += one.tall + MAP_GAP;
    return { ...one, x, y: middle, labelX: x + widest + 12, labelY: middle - one.text / 2, anchor: "start" };
  });
  return { height: y - MAP_GAP + 14, nodes: found };
}

/** A node with its wrapped label; one line more is kept for the count of sides below it. */
function layoutMeasured(node, most, largest, lines = MAP_LINES_MAX) {
  const radius = layoutRadius(node.dcg, largest);
  const outer = radius + MAP_RING;
  const label = wrappedLines(node.label, most, lines);
  const text = (label.length + 1) * MAP_LINE;
  return { ...node, radius, outer, lines: label, text, tall: Math.max(2 * outer, text) };
}

/** Across: nearly straight. On one side: bent into the free middle, past whoever stands between. */
function layoutBendInward(one, two, centre, number) {
  const middle = { x: (one.x + two.x) / 2, y: (one.y + two.y) / 2 };
  if (Math.abs(one.x - two.x) > 160) return { x: middle.x, y: middle.y + ((number % 3) - 1) * 14 };
  return { x: centre.x, y: middle.y };
}

/** On the left of the column, the further the longer, so that arcs lie inside each other. */
function layoutArc(edge, one, two, nodes, taken) {
  const span = Math.abs(nodes.indexOf(one) - nodes.indexOf(two));
  const share = nodes.length > 2 ? (span - 1) / (nodes.length - 2) : 0;
  const peak = MAP_GUTTER - 8 - (MAP_GUTTER - 24) * share;
  const down = one.y < two.y ? 1 : -1;
  const start = { x: one.x - one.outer * 0.9 - 2, y: one.y + down * one.outer * 0.45 };
  const end = { x: two.x - two.outer * 0.92 - 7, y: two.y - down * two.outer * 0.4 };
  const bend = { x: 2 * peak - (start.x + end.x) / 2, y: (start.y + end.y) / 2 };
  return layoutEdge(edge, [start, end], bend, taken);
}

function layoutEdge(edge, [start, end], bend, taken) {
  const wide = edge.label.length * 7.4 + 14;
  const spots = [0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78].map((t) => layoutAlong(start, bend, end, t));
  const free = spots.find((spot) => !taken.some((box) => layoutMeets(box, layoutBox(spot.x, spot.y, wide, 20))));
  const label = free ?? spots[0];
  taken.push(layoutBox(label.x, label.y, wide, 20));
  const path = `M${layoutRound(start)} Q${layoutRound(bend)} ${layoutRound(end)}`;
  return { ...edge, path, end, towards: Math.atan2(end.y - bend.y, end.x - bend.x), x: label.x, y: label.y, wide };
}

function layoutTowards(from, to, distance) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return { x: from.x + ((to.x - from.x) / length) * distance, y: from.y + ((to.y - from.y) / length) * distance };
}

function layoutAlong(start, bend, end, t) {
  const mix = (a, b, c) => (1 - t) * (1 - t) * a + 2 * t * (1 - t) * b + t * t * c;
  return { x: mix(start.x, bend.x, end.x), y: mix(start.y, bend.y, end.y) };
}

function layoutBox(x, y, wide, tall) {
  return { left: x - wide / 2, right: x + wide / 2, top: y - tall / 2, bottom: y + tall / 2 };
}

function layoutMeets(one, two) {
  return one.left < two.right && two.left < one.right && one.top < two.bottom && two.top < one.bottom;
}

function layoutRound(point) {
  return `${point.x.toFixed(1)} ${point.y.toFixed(1)}`;
}
