/**
 * Making and keeping DOM nodes. All text goes in as text nodes: nothing that a debate says can become markup.
 */

const SVG_SPACE = "http://www.w3.org/2000/svg";

/** Set as properties, because the attribute is only their first value or does not exist. */
const AS_PROPERTY = new Set(["value", "checked", "selected", "disabled", "hidden", "open", "indeterminate", "htmlFor"]);

function dress(el, props) {
  // Plain loops here and below: hundreds of elements are made in one step of a scrub.
  for (const name in props) {
    const value = props[name];
    if (value === null || value === undefined) continue;
    if (name === "class") el.setAttribute("class", value);
    else if (name === "text") el.textContent = value;
    else if (name === "on") for (const [type, act] of Object.entries(value)) el.addEventListener(type, act);
    else if (name === "dataset") Object.assign(el.dataset, value);
    // Through the CSSOM: a style attribute would be refused by the content security policy.
    else if (name === "vars") for (const [key, to] of Object.entries(value)) el.style.setProperty(key, String(to));
    else if (AS_PROPERTY.has(name)) el[name] = value;
    else if (value === true) el.setAttribute(name, "");
    else if (value !== false || name.startsWith("aria-")) el.setAttribute(name, String(value));
  }
}

function fill(el, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false || child === "") continue;
    el.append(child instanceof Node ? child : String(child));
  }
  return el;
}

/**
 * An HTML element.
 * @param {string} tag
 * @param {object|null} [props] class, text, on: {click}, dataset, vars: {"--x": 1}, aria-*, and any attribute
 * @param {...(Node|string|number|null|false|Array)} children strings become text nodes
 * @returns {HTMLElement}
 */
export function h(tag, props, ...children) {
  const el = document.createElement(tag);
  dress(el, props);
  return fill(el, children);
}

/**
 * An SVG element; the same properties as for `h`.
 * @param {string} tag
 * @param {object|null} [props]
 * @param {...(Node|string|number|null|false|Array)} children
 * @returns {SVGElement}
 */
export function s(tag, props, ...children) {
  const el = document.createElementNS(SVG_SPACE, tag);
  dress(el, props);
  return fill(el, children);
}

const drawnChildren = new WeakMap();

/**
 * Makes the children of `parent` those of `items`: adds, moves and removes by key. `update(el, item)` is called for
 * new elements and where the item is not the very one drawn last, so unchanged items cost a comparison and no more.
 * The parent holds nothing but these children.
 * @template T
 * @param {Element} parent
 * @param {T[]} items
 * @param {(item: T) => string} key
 * @param {(item: T) => Element} make
 * @param {(el: Element, item: T) => void} [update]
 */
export function keyed(parent, items, key, make, update) {
  const before = drawnChildren.get(parent) ?? new Map();
  const now = new Map();
  let place = parent.firstChild;
  for (const item of items) {
    const name = key(item);
    const known = before.get(name);
    const el = known ? known.el : make(item);
    if (update && known?.item !== item) update(el, item);
    now.set(name, { el, item });
    if (el === place) place = place.nextSibling;
    else parent.insertBefore(el, place);
  }
  for (const [name, { el }] of before) if (now.get(name)?.el !== el) el.remove();
  drawnChildren.set(parent, now);
}

/** Sets the text only where it differs, so that an unchanged node is not laid out again. */
export function setText(el, text) {
  const wanted = String(text ?? "");
  if (el.textContent !== wanted) el.textContent = wanted;
}

/** Shows or hides an element, touching it only where that changes anything. */
export function setShown(el, shown) {
  if (el.hidden === shown) el.hidden = !shown;
}

/** Replaces all children. */
export function refill(el, ...children) {
  el.replaceChildren();
  return fill(el, children);
}

/** Debate time in minutes and seconds: 75000 becomes "1:15". */
export function clock(ms) {
  const seconds = Math.max(0, Math.floor((ms ?? 0) / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** 0.771 becomes "77%", a half goes to the even one, as everywhere else; what is not a number becomes a dash. */
export function percent(x) {
  if (!Number.isFinite(x)) return "–";
  const whole = Math.floor(x * 100);
  const rest = x * 100 - whole;
  return `${rest > 0.5 || (rest === 0.5 && whole % 2) ? whole + 1 : whole}%`.replace(/^-0%$/, "0%");
}

/** A figure to two places, a half to the even one: only odd eighths lie halfway. */
export function twoPlaces(x) {
  const eighths = x * 8;
  const halfway = Number.isInteger(eighths) && eighths % 2 !== 0;
  const below = Math.floor(x * 100);
  return halfway ? ((below % 2 ? below + 1 : below) / 100).toFixed(2) : x.toFixed(2);
}

/** plural(1, "message") is "1 message", plural(2, "reply", "replies") is "2 replies". */
export function plural(n, one, many) {
  return `${n} ${n === 1 ? one : (many ?? `${one}s`)}`;
}

/** "COMMIT_POSITION" becomes "commit position". */
export function wordsOf(name) {
  return String(name ?? "").replaceAll("_", " ").toLowerCase();
}

let lastId = 0;

/** An id no other element has, for labels and descriptions. */
export function freshId(prefix) {
  lastId += 1;
  return `${prefix}-${lastId}`;
}

/**
 * A source as it is shown: an http(s) address as a link that tells the target nothing, anything else as text.
 * @param {string} source
 */
export function sourceLink(source) {
  const address = /^https?:\/\/[^\s<>"]+$/i.test(source ?? "");
  if (!address) return h("span", { class: "source" }, source);
  return h("a", { class: "source", href: source, rel: "noopener noreferrer nofollow", target: "_blank" }, source);
}
