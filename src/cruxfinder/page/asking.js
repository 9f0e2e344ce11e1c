/** What a run asks of the person who watches: a question of the conversation, and moves for the seats they hold. */

import { getJson, postJson, runPath } from "./api.js";
import { freshId, h, setShown, setText } from "./dom.js";
import { speakerName } from "./speakers.js";

export class CruxAsking extends HTMLElement {
  #id = null;
  #asks = [];
  #known = "";
  #question = null;
  #seat = null;
  #last = null;

  /**
   * @param {object} state the newest one, wherever the reader has scrubbed to
   * @param {object} context id
   * @param {{agent: string, number: number}[]} waiting who is waited for
   */
  show(state, context, waiting) {
    this.#id = context.id;
    this.#last = { state, context };
    this.#askUser(state);
    const name = JSON.stringify(waiting);
    if (name !== this.#known) {
      this.#known = name;
      this.#fetch(waiting, name);
    } else this.#drawSeat();
  }

  #askUser(state) {
    const open = state.complete ? null : (state.questions.findLast((q) => q.answer === null) ?? null);
    if (open?.turn === this.#question?.turn) return;
    this.#question?.card.remove();
    this.#question = open ? { turn: open.turn, card: this.#card(state, open) } : null;
    if (open) this.prepend(this.#question.card);
  }

  #card(state, open) {
    const [field, title] = [freshId("answer"), freshId("asked")];
    const text = h("textarea", { id: field, rows: "3", required: true });
    const note = h("p", { class: "error", role: "alert" });
    const send = h("button", { class: "button primary", type: "submit" }, "Answer");
    const submit = async (event) => {
      event.preventDefault();
      if (!text.value.trim()) {
        setText(note, "Write an answer first.");
        text.focus();
        return;
      }
      send.disabled = true;
      try {
        await postJson(runPath(this.#id, "/answer"), { turn: open.turn, text: text.value.trim() });
        setText(send, "Sent");
      } catch (problem) {
        send.disabled = false;
        setText(note, problem.message);
      }
    };
    return h("section", { class: "card asked-card", "aria-labelledby": title },
      h("p", { class: "eyebrow" }, "A question to you"), h("h2", { id: title }, open.question),
      h("p", { class: "muted small" }, `${speakerName(state, open.agent)} waits for your answer.`),
      h("form", { on: { submit } }, h("div", { class: "field" }, h("label", { for: field }, "Your answer"), text), note, send));
  }

  async #fetch(waiting, name) {
    if (waiting.length) {
      try {
        const { seats } = await getJson(runPath(this.#id, "/seats"));
        if (name !== this.#known) return;
        this.#asks = seats;
      } catch {
        // The next status tells again who is waited for.
        this.#known = "";
        return;
      }
    } else this.#asks = [];
    this.#drawSeat();
  }

  #drawSeat() {
    if (!this.#seat && this.#asks.length) {
      this.#seat = h("crux-seat", { class: "card" });
      this.#seat.addEventListener("answered", (event) => this.#answer(event.detail));
      this.append(this.#seat);
    }
    if (!this.#seat) return;
    setShown(this.#seat, this.#asks.length > 0);
    this.#seat.show?.(this.#last.state, this.#last.context, this.#asks);
  }

  async #answer({ agent, number, answer }) {
    try {
      await postJson(runPath(this.#id, `/seats/${encodeURIComponent(agent)}`), { number, answer });
      this.#asks = this.#asks.filter((ask) => ask.agent !== agent || (ask.ask.number ?? 0) !== number);
      this.#drawSeat();
    } catch (problem) {
      this.#seat.refuse?.(problem);
      if (problem.status === 409) this.#known = "";
    }
  }
}

customElements.define("crux-asking", CruxAsking);
