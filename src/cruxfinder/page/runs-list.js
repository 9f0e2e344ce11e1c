/** The runs there are: a table on a wide screen, cards on a phone. */

import { getJson } from "./api.js";
import { h, keyed, plural, setShown, setText } from "./dom.js";
import { runStands } from "./words.js";

const REFRESH_MS = 4000;
const PAGE = 50;

export class CruxRuns extends HTMLElement {
  #p = null;
  #timer = null;
  #runs = [];
  #next = null;

  connectedCallback() {
    if (!this.#p) this.#build();
    this.#load();
    this.#timer = setInterval(() => { if (!document.hidden) this.#load(); }, REFRESH_MS);
  }

  disconnectedCallback() {
    clearInterval(this.#timer);
  }

  #build() {
    const head = ["Topic", "State", "Protocol", "Entries", "When"].map((word) => h("th", { scope: "col" }, word));
    this.#p = {
      body: h("tbody", null), table: null, count: h("span", { class: "muted small" }),
      empty: h("div", { class: "empty-state", hidden: true },
        h("p", { class: "empty-title" }, "No debates yet"),
        h("p", { class: "muted" }, "Start one: the people of a pack argue until the question they differ on is found.")),
      more: h("button", { class: "button", type: "button", hidden: true, on: { click: () => this.#more() } }, "Older ones"),
    };
    this.#p.table = h("table", { class: "runs", hidden: true },
      h("caption", { class: "visually-hidden" }, "Debates, newest first"), h("thead", null, h("tr", null, head)), this.#p.body);
    this.append(h("div", { class: "list-head" }, h("h1", null, "Debates"), this.#p.count, h("span", { class: "spring" }),
      h("button", {
        class: "button primary only-narrow", type: "button",
        on: { click: () => this.dispatchEvent(new CustomEvent("begin", { bubbles: true })) },
      }, "Start one")), this.#p.empty, this.#p.table, this.#p.more);
  }

  async #load() {
    try {
      const told = await getJson(`/api/debates?limit=${PAGE}`);
      // What was loaded further back stays; the newest page is told anew.
      const fresh = new Set(told.debates.map((run) => run.id));
      const older = this.#runs.length > PAGE ? this.#runs.filter((run) => !fresh.has(run.id)) : [];
      if (!older.length) this.#next = told.next ?? null;
      this.#runs = [...told.debates, ...older];
      this.#draw();
      this.dispatchEvent(new CustomEvent("calm", { bubbles: true }));
    } catch (problem) {
      this.dispatchEvent(new CustomEvent("trouble", { detail: problem, bubbles: true }));
    }
  }

  async #more() {
    try {
      const told = await getJson(`/api/debates?limit=${PAGE}&before=${encodeURIComponent(this.#next)}`);
      this.#runs = [...this.#runs, ...told.debates];
      this.#next = told.next ?? null;
      this.#draw();
    } catch (problem) {
      this.dispatchEvent(new CustomEvent("trouble", { detail: problem, bubbles: true }));
    }
  }

  #draw() {
    const { body, table, empty, more, count } = this.#p;
    setShown(empty, this.#runs.length === 0);
    setShown(table, this.#runs.length > 0);
    setShown(more, this.#next !== null);
    setText(count, this.#runs.length ? plural(this.#runs.length, "run") : "");
    // As text, because every answer holds new objects: what reads the same is not drawn again.
    const told = this.#runs.map((run) => JSON.stringify(run));
    keyed(body, told, (text) => JSON.parse(text).id, () => h("tr", null), (row, text) => drawRun(row, JSON.parse(text)));
  }
}

function drawRun(row, run) {
  const { word, tone } = runStands(run.state);
  const state = h("span", { class: "pill", dataset: { tone, live: String(run.state === "running") } },
    h("span", { class: "dot", "aria-hidden": "true" }), word);
  const waiting = run.waiting ? h("span", { class: "pill", dataset: { tone: "warn" } }, "waits for you") : null;
  row.replaceChildren(
    h("th", { scope: "row", class: "run-topic" },
      h("a", { href: `#/run/${encodeURIComponent(run.id)}` }, run.topic),
      h("span", { class: "muted small run-id" }, [run.id, run.parent ? `fork of ${run.parent}` : ""].filter(Boolean).join(" · "))),
    h("td", { "data-label": "State" }, state, waiting),
    h("td", { "data-label": "Protocol" }, run.protocol ?? ""),
    h("td", { "data-label": "Entries", class: "number" }, run.entries.toLocaleString("en")),
    h("td", { "data-label": "When" }, whenOf(run.updated)),
  );
}

/** "5 minutes ago" for today, the date for what is older; the exact time on hover. */
function whenOf(stamp) {
  if (!stamp) return "";
  const then = new Date(stamp);
  return h("time", { datetime: then.toISOString(), title: then.toLocaleString("en") }, agoWords(then));
}

function agoWords(then) {
  const minutes = Math.round((Date.now() - then.getTime()) / 60_000);
  const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  if (minutes < 1) return "just now";
  if (minutes < 60) return words.format(-minutes, "minute");
  if (minutes < 1440) return words.format(-Math.round(minutes / 60), "hour");
  return then.toLocaleDateString("en", { day: "numeric", month: "short", year: "numeric" });
}

customElements.define("crux-runs", CruxRuns);
