/** Who stands together: the camps a state shows, each with a colour token 1 to 8 and a letter, never colour alone. */

import { sideWord } from "./words.js";

const CAMPS_MAX = 8;
const LETTERS = "ABCDEFGH";
const TOP_SIDES = ["YES", "NO", "NUANCED"];
const drawnCamps = new Map();
const DRAWN_MAX = 512;

/**
 * The camps as they stand: by coalition where there are any, else by the side taken on the topic.
 * The same object is given for the same camps, so that it can be compared by identity.
 * @param {object} state
 * @returns {{basis: "coalition"|"side", list: {index: number, letter: string, label: string, members: string[],
 *   color: string}[], of: Object<string, {index: number, letter: string, label: string, color: string}>}}
 */
export function campsOf(state) {
  const sides = sideCamps(state);
  const grouped = state.coalitions.length > 0;
  const camps = grouped ? coalitionCamps(state, sides) : sides;
  const name = JSON.stringify([grouped, camps]);
  let known = drawnCamps.get(name);
  if (!known) {
    if (drawnCamps.size >= DRAWN_MAX) drawnCamps.clear();
    known = described(camps, grouped ? "coalition" : "side");
    drawnCamps.set(name, known);
  }
  return known;
}

function sideCamps(state) {
  const camps = [];
  TOP_SIDES.forEach((side, at) => {
    const members = Object.keys(state.agents).filter((id) => state.agents[id].topSide === side);
    if (members.length) camps.push({ index: at + 1, members, label: sideWord(side) });
  });
  return camps;
}

/** A coalition keeps the colour of the side it is most like, so that the picture does not flip on its birth. */
function coalitionCamps(state, sides) {
  const groups = state.coalitions.slice(0, CAMPS_MAX);
  const free = new Set(Array.from({ length: CAMPS_MAX }, (_, i) => i + 1));
  const given = new Map();
  const pairs = groups.flatMap((group) => sides.map((side) => ({ group, side, like: likeness(group.members, side.members) })));
  for (const { group, side, like } of pairs.sort((a, b) => b.like - a.like)) {
    if (!like || given.has(group) || !free.delete(side.index)) continue;
    given.set(group, side.index);
  }
  return groups.map((group) => {
    const index = given.get(group) ?? Math.min(...free);
    free.delete(index);
    return { index, members: group.members, label: group.label };
  });
}

/** The share of all in two groups who are in both. */
function likeness(some, others) {
  const both = some.filter((id) => others.includes(id)).length;
  return both / (some.length + others.length - both);
}

function described(camps, basis) {
  const list = camps.map((c) => ({ ...c, letter: LETTERS[c.index - 1], color: `var(--camp-${c.index})` }));
  const of = {};
  for (const { members, ...camp } of list) for (const id of members) of[id] ??= camp;
  return { basis, list, of };
}
