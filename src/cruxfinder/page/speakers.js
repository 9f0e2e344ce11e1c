/** How people are called, and how the line of an event, which the server made, reads in a row of text. */

import { sideWord, wordFor } from "./words.js";

/** The name of an agent, or of whoever else may speak. */
export function speakerName(state, id) {
  return state.seats.find((s) => s.id === id)?.name ?? wordFor("house", id);
}

/** Names in a row: "Ines, Rufus and Kofi". */
export function speakerNames(state, ids) {
  const names = ids.map((id) => speakerName(state, id));
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** A change of sides. */
export function movedWords(before, after) {
  return `${sideWord(before)} → ${sideWord(after)}`;
}

/** What stands before the text of a line, in words. */
export function lineHead(line) {
  return { badge: (line.badge ?? "").replaceAll("_", " ").toLowerCase(), detail: line.detail ?? "" };
}

/**
 * The line of an event as one row of text; those of a thread begin with its name.
 * @param {{event: {thread?: string}, line: {name?: string, badge?: string, detail?: string, text?: string}}} frame
 */
export function lineText({ event, line }) {
  const { badge, detail } = lineHead(line);
  const head = [event.thread, line.name, badge, detail].filter(Boolean).join(" ");
  return line.text ? `${head}: ${line.text}` : head;
}
