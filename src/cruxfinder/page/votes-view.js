/** Votes of many people: who stands together, what divides them, what they share, and the whole table. */

import { h, refill, setShown, percent, plural, freshId } from "./dom.js";
import { postJson } from "./api.js";
import { campMark, redraw } from "./chart.js";
import { votesPlane, votePlaces, voteCamp } from "./votes-map.js";
import { votesMatrix } from "./votes-matrix.js";
import { cruxThreads } from "./crux-card.js";
import { countPeople, countWord, sideWord, wordFor } from "./words.js";

const VOTES_BYTES_MAX = 1_900_000;
const VOTES_SHOWN = 12;
const VOTES_OF_SIDES = { YES: 1, NO: -1, UNCERTAIN: 0 };
const VOTES_EXAMPLE = "agent,bridge,market,library\nAlder,YES,NO,YES\nBirch,YES,NO,YES\nFir,NO,YES,YES\nHazel,NO,YES,\n";

/** A table of votes, from a file, a paste, or a debate's own positions. */
export class CruxVotes extends HTMLElement {
  problem = h("p", { class: "banner", role: "alert", hidden: true });
  form = h("form", { class: "votes-form", on: { submit: (event) => this.send(event) } });
  source = h("details", { class: "votes-source card", open: true }, h("summary", { text: "A table of votes" }), this.form);
  body = h("div", { class: "votes-body" });

  connectedCallback() {
    if (this.body.isConnected) return;
    this.append(this.problem, this.source, this.body);
    this.build();
  }

  build() {
    const [file, text] = [freshId("votes"), freshId("votes")];
    this.area = h("textarea", { id: text, rows: 6, wrap: "off", spellcheck: "false", placeholder: VOTES_EXAMPLE });
    this.file = h("input", { id: file, type: "file", accept: ".csv,text/csv,text/plain", on: { change: () => this.read() } });
    this.button = h("button", { type: "submit", class: "button primary", text: "Draw the map" });
    refill(this.form, h("p", { class: "muted" }, "A CSV file with one row a person and one column a question. ",
      "A vote is YES, NO, pass (not sure), or nothing. It is read by your own server and not kept."),
      h("div", { class: "field" }, h("label", { for: file, text: "A file" }), this.file),
      h("div", { class: "field" }, h("label", { for: text, text: "or paste it here" }), this.area),
      h("div", null, this.button));
  }

  async read() {
    const [chosen] = this.file.files;
    if (!chosen) return;
    if (chosen.size > VOTES_BYTES_MAX) return this.complain(`${chosen.name} is too large: at most 1.9 MB can be sent.`);
    // Not shown in the box: a text of a megabyte would keep the page from moving.
    await this.ask(await chosen.text(), chosen.name);
  }

  async send(event) {
    event.preventDefault();
    await this.ask(this.area.value);
  }

  async ask(csv, name = "") {
    if (!csv.trim()) return this.complain("There is no table yet: choose a file or paste one.");
    setShown(this.problem, false);
    this.button.disabled = true;
    try {
      this.give(await postJson("/api/votes", { csv }), name);
      this.source.open = false;
    } catch (error) {
      this.complain(error.detail || error.message);
    } finally {
      this.button.disabled = false;
    }
  }

  complain(text) {
    refill(this.problem, h("strong", { text: "That did not work." }), ` ${text}`);
    setShown(this.problem, true);
  }

  /**
   * Draws a vote map as the server answers it.
   * @param {object} answer
   * @param {string} [name] of the file
   */
  give(answer, name = "") {
    const table = votesRead(answer);
    refill(this.body, votesDrawn({ ...table, title: answer.title || name || "A map of votes" }, this.room()));
    this.body.querySelector("h2")?.setAttribute("tabindex", "-1");
    this.body.querySelector("h2")?.focus();
  }

  /**
   * The same picture of a debate: agents as people, cruxes as questions, sides as votes.
   * @param {object} state
   */
  fromDebate(state) {
    setShown(this.source, false);
    const threads = cruxThreads(state);
    const from = threads.flatMap((thread) => [thread.id, thread.crux, thread.sides, thread.figures]);
    redraw(this.body, [state.seats, state.coalitions, state.primary, ...from], () => {
      const table = votesOfDebate(state, threads);
      return table ? votesDrawn(table, this.room()) : h("p", { class: "muted view-empty", text: "Nobody has taken a side on a crux yet." });
    });
  }

  /** The width there is for the picture, inside its card. */
  room() {
    const whole = (this.wide ||= this.clientWidth) || 760;
    return (whole > 780 ? whole * 0.62 : whole) - 48;
  }

  /** For the run's own tab. */
  show(state) {
    this.fromDebate(state);
  }
}

/** The server's answer as one table; its questions come in the order in which they divide. */
function votesRead(answer) {
  const { people, questions, votes } = answer.matrix;
  const texts = new Map([...answer.cruxes, ...answer.commonGround].map((told) => [told.id, told.text ?? ""]));
  return {
    ...answer, votes, places: answer.positions, count: countPeople,
    people: people.map((id) => ({ id, name: id, coalition: answer.agents[id].coalition })),
    questions: questions.map((id) => ({ id, text: texts.get(id) })),
  };
}

function votesPlaced(people, votes) {
  const spots = votePlaces(votes);
  return people.map((person, n) => ({ ...person, ...spots[n] }));
}

function votesOfDebate(state, threads) {
  const agents = state.seats.filter((seat) => threads.some((thread) => thread.sides[seat.id]));
  if (!agents.length) return null;
  const home = (id) => state.coalitions.findIndex((group) => group.members.includes(id)) + 1 || null;
  const people = agents.map((seat) => ({ id: seat.id, name: seat.name, coalition: home(seat.id) }));
  const votes = agents.map((seat) => threads.map((thread) => VOTES_OF_SIDES[thread.sides[seat.id]] ?? null));
  const tally = (n, member) => {
    const cast = votes.filter((_, row) => member(people[row])).map((row) => row[n]);
    const count = (value) => cast.filter((vote) => vote === value).length;
    return { yes: count(1), no: count(-1), uncertain: count(0) };
  };
  const coalitions = state.coalitions.map((group, n) => ({ id: n + 1, label: group.label, size: group.members.length, shared: [] }));
  const cruxes = threads.map((thread, n) => ({
    id: thread.id, text: thread.question, score: null, ...tally(n, () => true),
    coalitions: Object.fromEntries(coalitions.map((group) => [group.id, tally(n, (person) => person.coalition === group.id)])),
  }));
  return {
    title: "Where the agents stand", count: (n) => countWord(n, "agents"), people, votes, places: votesPlaced(people, votes),
    coalitions, cruxes, commonGround: [], leftOut: null,
    why: coalitions.length ? "" : "no coalitions have formed yet", preliminary: state.preliminary,
    questions: threads.map((thread) => ({ id: thread.id, text: thread.question })),
  };
}

function votesDrawn(table, room) {
  const text = (id) => table.questions.find((question) => question.id === id)?.text || id;
  const left = votesLeft(table);
  const out = table.leftOut ?? { people: 0, questions: 0 };
  const asked = plural(table.questions.length + out.questions, "question");
  const size = `${table.count(table.people.length + out.people)} · ${asked}`;
  const section = (title, ...children) => h("section", { class: "votes-part card" }, h("h3", { text: title }), children);
  return [
    h("header", { class: "votes-head" }, h("h2", { text: table.title }),
      h("p", { class: "muted", text: [size,
        left].filter(Boolean).join(" · ") }),
      table.why ? h("p", { class: "votes-why", text: `Why there are not several coalitions: ${table.why}.` }) : null,
      table.preliminary && table.coalitions.length ? h("p", { class: "muted", text: wordFor("tables", "preliminary") }) : null),
    h("div", { class: "votes-top" }, section("Who stands near whom", votesPlane(table, room)),
      section("Coalitions", votesCoalitions(table, text))),
    section("What divides them",
      table.cruxes.length
        ? h("ol", { class: "votes-cruxes" }, table.cruxes.slice(0, VOTES_SHOWN).map((crux) => votesCrux(crux, table, text(crux.id))))
        : h("p", { class: "muted", text: "Nothing does." })),
    table.commonGround.length ? section("Common ground",
      h("ul", { class: "votes-ground" }, table.commonGround.slice(0, VOTES_SHOWN).map((held) => votesShared(held, text(held.id))))) : null,
    section("Everybody's votes", votesMatrix(table)),
  ];
}

/** What the server left out to keep the answer small, in words. */
function votesLeft({ leftOut, count }) {
  if (!leftOut) return "";
  const { people, questions } = leftOut;
  const told = [people ? count(people) : "", questions ? plural(questions, "question") : ""].filter(Boolean);
  return told.length ? `${told.join(" and ")} not shown` : "";
}

function votesCoalitions(table, text) {
  if (!table.coalitions.length) return h("p", { class: "muted", text: "There are none." });
  return h("ul", { class: "votes-coalitions" }, table.coalitions.map((group) => h("li", null,
    h("p", null, campMark(voteCamp(group.id)), h("strong", { text: group.label || voteCamp(group.id).label }),
      h("span", { class: "muted", text: ` ${table.count(group.size)}` })),
    group.shared.slice(0, 3).map((held) => h("p", { class: "small votes-held" }, votesSide(held.side), ` ${text(held.id)}`)),
    group.members ? h("details", null, h("summary", { text: "Members" }),
      h("p", { class: "small", text: group.members.slice(0, 400).join(", ") })) : null)));
}

function votesSide(side) {
  return h("span", { class: "votes-side", dataset: { side }, text: sideWord(side) });
}

function votesCrux(crux, table, text) {
  const score = crux.score === null ? "" : `divides ${percent(crux.score)}`;
  return h("li", { class: "votes-crux" },
    h("p", { class: "votes-crux-head" }, h("span", { text }), h("span", { class: "muted small", text: score })),
    votesBar("All", crux), table.coalitions.map((group) => votesBar(campMark(voteCamp(group.id)), crux.coalitions[group.id])));
}

/** YES from the left, NO from the right, not sure between; figures beside it, so the colours are not needed. */
function votesBar(name, tally) {
  const all = Math.max(1, tally.yes + tally.no + tally.uncertain);
  const piece = (side, count) => h("span", { class: "votes-piece", dataset: { side }, vars: { "--share": count / all } });
  return h("div", { class: "votes-bar" }, h("span", { class: "votes-bar-name" }, name),
    h("span", { class: "votes-track", "aria-hidden": "true" },
      piece("YES", tally.yes), piece("UNCERTAIN", tally.uncertain), piece("NO", tally.no)),
    h("span", { class: "votes-figures", text: votesCounted(tally) }));
}

function votesCounted({ yes, no, uncertain }) {
  const counts = [[yes, "YES"], [no, "NO"], ...(uncertain ? [[uncertain, "UNCERTAIN"]] : [])];
  return counts.map(([count, side]) => `${count} ${sideWord(side)}`).join(" · ");
}

function votesShared(held, text) {
  const share = held.share > 0.995 ? " everybody in every coalition" : ` at least ${percent(held.share)} of every coalition`;
  return h("li", null, votesSide(held.side), h("span", { text: ` ${text}` }), h("span", { class: "muted small", text: share }));
}

customElements.define("crux-votes", CruxVotes);
