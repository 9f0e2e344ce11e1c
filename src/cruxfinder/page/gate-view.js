/** What the gate has done: its figures in plain words, its debates, and the log of a day. */

import { h, refill, setShown, percent, plural } from "./dom.js";
import { getJson } from "./api.js";
import { shareBar } from "./chart.js";
import { wordFor } from "./words.js";

const GATE_TONES = { PROCEED: "good", MODIFY: "warn", RETRY: "accent", PIVOT: "accent", ESCALATE: "bad" };
const GATE_COLUMNS = ["When", "Task", "Stakes", "Resolution", "Rules", "Outcome"];
const GATE_PAGE = 50;

/** The gate's report. */
export class CruxGate extends HTMLElement {
  body = h("div", { class: "gate-body" });
  shown = GATE_PAGE;

  connectedCallback() {
    if (this.body.isConnected) return;
    this.append(this.body);
    this.load();
  }

  async load() {
    refill(this.body, h("p", { class: "muted", text: "Loading …" }));
    try {
      this.give(await getJson("/api/gate"));
    } catch (error) {
      refill(this.body, h("p", { class: "banner", role: "alert" }, h("strong", { text: "The gate's report cannot be shown." }),
        ` ${error.detail || error.message}`));
    }
  }

  /**
   * @param {{report: object, brief: object, debates: object[], days: string[]}} answer
   */
  give(answer) {
    this.answer = answer;
    const { report, brief, debates, days } = answer;
    refill(this.body,
      h("header", { class: "gate-head" }, h("h2", { text: "The gate" }), h("p", { class: "muted", text: gateSpan(brief) })),
      report.debates || debates.length ? [gateFigures(brief), gateTables(report), this.list(debates), this.log(days)] : gateEmpty());
  }

  list(debates) {
    const body = h("tbody");
    const more = h("button", {
      type: "button", class: "button no-print", text: "Show more", on: { click: () => draw(this.shown + GATE_PAGE) },
    });
    const draw = (count) => {
      this.shown = count;
      refill(body, debates.slice(0, count).map(gateRow));
      setShown(more, debates.length > count);
    };
    draw(GATE_PAGE);
    return h("section", { class: "card gate-part" }, h("h3", { text: "Debates, the last one first" }),
      h("div", { class: "table-wrap", tabindex: 0, role: "region", "aria-label": "Debates of the gate" },
        h("table", { class: "gate-table is-long" }, h("caption", { class: "visually-hidden", text: "Debates of the gate" }),
          h("thead", null, h("tr", null, GATE_COLUMNS.map((text) => h("th", { scope: "col", text })))), body)), more);
  }

  log(days) {
    if (!days.length) return null;
    const text = h("pre", { class: "gate-log", tabindex: 0, hidden: true, "aria-label": "The log of the day" });
    const problem = h("p", { class: "error", role: "alert", hidden: true });
    const buttons = days.map((day) => h("button", {
      type: "button", class: "button", text: day, "aria-pressed": "false",
      on: { click: () => this.open(day, buttons, text, problem) },
    }));
    return h("section", { class: "card gate-part" }, h("h3", { text: "The log of a day" }),
      h("div", { class: "gate-days no-print" }, buttons), problem, text);
  }

  async open(day, buttons, text, problem) {
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.textContent === day));
    setShown(problem, false);
    try {
      const found = await getJson(`/api/gate/days/${encodeURIComponent(day)}`);
      text.textContent = found.text;
      setShown(text, true);
    } catch (error) {
      problem.textContent = error.detail || error.message;
      setShown(problem, true);
    }
  }
}

function gateSpan(brief) {
  return brief.figures.length ? brief.span
    : "A risky step is debated before it is taken, and a task that failed twice before it is tried again.";
}

/** The figures as everybody reads them, with how to tell an outcome beside those that wait for one. */
function gateFigures(brief) {
  return h("div", { class: "gate-tiles" }, brief.figures.map(({ name, figure, words }) => (
    h("div", { class: "gate-tile card" }, h("p", { class: "gate-number", text: figure }), h("p", { class: "small", text: words }),
      name === "open" ? h("p", { class: "small" }, h("code", { text: "crux gate outcome ID success|failure" })) : null))));
}

function gateTables(report) {
  const effects = report.effects.filter((effect) => effect.debates > 0);
  const rules = report.rules.filter((rule) => rule.debates > 0);
  return h("div", { class: "gate-two" },
    h("section", { class: "card gate-part" }, h("h3", { text: "What was decided, and what came of it" }),
      effects.map((effect) => shareBar(effect.resolution, effect.debates / Math.max(1, report.debates), gateEffect(effect),
        plural(effect.debates, "time")))),
    h("section", { class: "card gate-part" }, h("h3", { text: "Which rules called for a debate" }),
      rules.length ? gateRules(rules) : h("p", { class: "muted", text: "None did." })));
}

function gateRules(rules) {
  const idle = (rule) => (rule.falsePositives === null ? "not known yet" : `${percent(rule.falsePositives)} of ${rule.known} known`);
  const row = (rule) => h("tr", null, h("th", { scope: "row" }, h("code", { text: rule.rule })),
    h("td", { text: String(rule.debates) }), h("td", { text: idle(rule) }));
  return h("table", { class: "gate-table" }, h("caption", { text: "For nothing: it went on as planned, and that was well" }),
    h("thead", null, h("tr", null, ["Rule", "Debates", "For nothing"].map((text) => h("th", { scope: "col", text })))),
    h("tbody", null, rules.map(row)));
}

function gateEffect(effect) {
  const words = wordFor("resolutions", effect.resolution)[1];
  const share = effect.share === null ? "no outcome known yet"
    : `${percent(effect.share)} of ${effect.known} known outcomes were a success`;
  return `it ${words}; ${share}`;
}

function gateRow(metric) {
  const outcome = metric.outcome
    ? { success: ["success", "good"], failure: ["failure", "bad"] }[metric.outcome] ?? [metric.outcome, null] : ["open", null];
  const rules = metric.rules?.length ? metric.rules.join(", ") : "–";
  return h("tr", null, h("td", { class: "gate-when", text: (metric.ts ?? "").replace("T", " ").replace(/:\d\dZ$/, "") }),
    h("td", { class: "gate-task" }, h("code", { text: metric.task })),
    h("td", { text: metric.stakes || "–" }),
    h("td", null, h("span", { class: "pill", "data-tone": GATE_TONES[metric.resolution], text: metric.resolution })),
    h("td", { text: rules }), h("td", null, h("span", { class: "pill", "data-tone": outcome[1], text: outcome[0] })));
}

function gateEmpty() {
  const line = (command, words) => [h("dt", null, h("code", { text: command })), h("dd", { text: words })];
  return h("section", { class: "card gate-empty" }, h("h3", { text: "Nothing has been debated yet" }),
    h("p", { text: "The gate stands before a risky step. Try it in a terminal:" }),
    h("dl", null, line('crux gate route "rm -rf build"', "does it call for a debate, and by which rule?"),
      line('crux gate plan "DROP TABLE users" --tool sql', "debate it before it is taken"),
      line('crux gate attempt "Fix the auth test" --error "…" --approach "…"',
        "tell of a failed attempt; the second one calls for a debate"),
      line("crux gate outcome ID success", "say what came of it, so that the figures here mean something")));
}

customElements.define("crux-gate", CruxGate);
