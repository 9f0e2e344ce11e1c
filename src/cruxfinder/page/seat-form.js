/** The person's place at the table: every ask that waits for them, each with a form of its own. */

import { h, keyed, setShown, setText } from "./dom.js";
import { SeatAsk } from "./seat-ask.js";

/** Everything that waits for a person in this run. `answered` is told with {agent, number, answer}. */
export class CruxSeat extends HTMLElement {
  forms = new Map();
  list = h("div", { class: "seat-list" });
  idle = h("p", { class: "seat-idle" });
  news = h("p", { class: "visually-hidden", role: "status" });

  connectedCallback() {
    if (!this.list.isConnected) this.append(this.idle, this.list, this.news);
    this.timer ??= setInterval(() => this.tick(), 1000);
  }

  disconnectedCallback() {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  view(agent) {
    return this.views?.get(agent) ?? null;
  }

  /**
   * @param {object} state
   * @param {object} context
   * @param {{agent: string, name: string, ask: object, secondsLeft: number|null, view: object}[]} asks
   */
  show(state, context, asks) {
    const open = asks ?? [];
    if (open !== this.drawn) this.take(open, state, context);
    for (const form of this.forms.values()) form.show(state);
    setText(this.idle, state.complete ? "The debate is over; nothing is asked of you any more."
      : "Nothing is asked of you right now. You will be told when it is your move.");
    setShown(this.idle, this.forms.size === 0);
  }

  take(open, state, context) {
    this.drawn = open;
    this.views = new Map(open.map((entry) => [entry.agent, entry.view]));
    const now = new Map();
    for (const entry of open) {
      const key = `${entry.agent}#${entry.ask.number ?? 0}`;
      const form = this.forms.get(key) ?? new SeatAsk(this, entry, state, context);
      const left = entry.secondsLeft;
      form.until = left === null || left === undefined ? null : performance.now() + left * 1000;
      now.set(key, form);
    }
    // An ask may close and come back, as when the server was killed: only a later one makes its draft worthless.
    for (const [key, form] of this.forms) if (!now.has(key) && open.some((one) => one.agent === form.agent)) form.forget();
    const fresh = [...now].filter(([key]) => !this.forms.has(key)).map(([, form]) => form.told);
    if (fresh.length) setText(this.news, fresh.join(". "));
    this.forms = now;
    keyed(this.list, [...now.values()], (form) => `${form.agent}#${form.number}`, (form) => form.element);
    this.tick();
  }

  tick() {
    for (const form of this.forms.values()) form.tick(form.until === null ? null : (form.until - performance.now()) / 1000);
  }

  /**
   * Shows why the server did not take the last answer; what was typed stays.
   * @param {{title?: string, detail?: string, message?: string}} problem
   */
  refuse(problem) {
    const form = this.lastSent ?? [...this.forms.values()][0];
    if (!form) return;
    form.setBusy(false);
    form.render();
    form.complain("That was not taken:", [problem.detail || problem.title || problem.message]);
  }
}

customElements.define("crux-seat", CruxSeat);
