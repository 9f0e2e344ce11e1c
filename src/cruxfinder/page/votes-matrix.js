/** Who voted how: people by coalition in rows, the most dividing question first; a page of people at a time. */

import { h, refill, freshId, setText } from "./dom.js";
import { campMark } from "./chart.js";
import { voteCamp } from "./votes-map.js";
import { sideWord } from "./words.js";

const MATRIX_PAGE = 40;
const MATRIX_SIDES = { 1: "YES", "-1": "NO", 0: "UNCERTAIN" };

/**
 * @param {{people: {id: string, name: string, coalition: number|null}[], questions: {id: string, text: string}[],
 *   votes: (number|null)[][], count: (n: number) => string}} table rows as people, columns as questions
 * @returns {HTMLElement}
 */
export function votesMatrix(table) {
  const rows = table.people.map((person, n) => ({ person, votes: table.votes[n] ?? [] }));
  rows.sort((a, b) => (a.person.coalition ?? 99) - (b.person.coalition ?? 99) || (a.person.name < b.person.name ? -1 : 1));
  const view = { coalition: "", find: "", page: 0 };
  const body = h("tbody");
  const told = h("p", { class: "matrix-told", role: "status" });
  const draw = () => matrixDraw(rows, view, table.count, body, told, back, on);
  const turn = (by) => () => {
    view.page += by;
    draw();
  };
  const back = h("button", { type: "button", class: "button", text: "Before", on: { click: turn(-1) } });
  const on = h("button", { type: "button", class: "button", text: "Next", on: { click: turn(1) } });
  const frame = h("div", { class: "matrix-scroll", tabindex: 0, role: "region", "aria-label": "Votes of everybody" },
    h("table", { class: "matrix-table" },
      h("caption", { class: "visually-hidden", text: "Votes: people in rows, questions in columns" }), matrixHead(table.questions), body));
  draw();
  return h("div", { class: "matrix" }, matrixControls(rows, view, draw), frame,
    h("div", { class: "matrix-pages" }, told, h("span", { class: "no-print" }, back, on)), matrixKey());
}

function matrixHead(questions) {
  return h("thead", null, h("tr", null, h("th", { scope: "col", class: "matrix-corner", text: "Who" }),
    questions.map((question, n) => h("th", { scope: "col", title: question.text || question.id },
      h("span", { class: "matrix-question", text: `${n + 1} ${matrixShort(question)}` })))));
}

function matrixShort(question) {
  const name = question.text || question.id;
  return name.length > 24 ? `${name.slice(0, 23)}…` : name;
}

function matrixControls(rows, view, draw) {
  const homes = [...new Set(rows.map((row) => row.person.coalition ?? 0))].sort();
  const [one, two] = [freshId("matrix"), freshId("matrix")];
  const select = h("select", { id: one, on: { change: () => {
    Object.assign(view, { coalition: select.value, page: 0 });
    draw();
  } } }, h("option", { value: "", text: "everybody" }), homes.map((id) => h("option", { value: String(id), text: voteCamp(id).label })));
  const find = h("input", { id: two, type: "search", placeholder: "name", on: { input: () => {
    Object.assign(view, { find: find.value.trim().toLowerCase(), page: 0 });
    draw();
  } } });
  return h("div", { class: "matrix-controls no-print" },
    h("div", { class: "field" }, h("label", { for: one, text: "Show" }), select),
    h("div", { class: "field" }, h("label", { for: two, text: "Find" }), find));
}

function matrixDraw(rows, view, count, body, told, back, on) {
  const inside = (person) => view.coalition === "" || String(person.coalition ?? 0) === view.coalition;
  const fits = rows.filter(({ person }) => inside(person) && person.name.toLowerCase().includes(view.find));
  const pages = Math.max(1, Math.ceil(fits.length / MATRIX_PAGE));
  view.page = Math.max(0, Math.min(pages - 1, view.page));
  const start = view.page * MATRIX_PAGE;
  const shown = fits.slice(start, start + MATRIX_PAGE);
  refill(body, shown.map((row) => matrixRow(row)));
  setText(told, fits.length ? `${start + 1}–${start + shown.length} of ${count(fits.length)}` : "Nobody fits.");
  back.disabled = view.page === 0;
  on.disabled = view.page >= pages - 1;
  back.hidden = on.hidden = pages === 1;
}

function matrixRow({ person, votes }) {
  const name = h("span", { class: "matrix-name", text: person.name, title: person.name });
  const head = h("th", { scope: "row" }, h("span", { class: "person" }, campMark(voteCamp(person.coalition)), name));
  const cell = (vote) => h("td", { class: "matrix-cell", dataset: { vote: vote ?? "" }, text: matrixWord(vote) });
  return h("tr", null, head, votes.map(cell));
}

function matrixWord(vote) {
  return vote === null ? "" : sideWord(MATRIX_SIDES[vote]);
}

function matrixKey() {
  const item = (vote, text) => h("li", null, h("span", { class: "matrix-cell", dataset: { vote }, "aria-hidden": "true" }), text);
  return h("ul", { class: "matrix-key" }, [1, -1, 0].map((vote) => item(vote, matrixWord(vote))), item("", "no vote"));
}
