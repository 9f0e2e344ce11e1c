/** All threads side by side. A column is made once and hidden where its thread is not opened yet. */

import { h, setShown } from "./dom.js";
import "./thread-column.js";

export class CruxThreads extends HTMLElement {
  #list = null;
  #empty = null;
  #drawn = null;
  #columns = new Map();

  /** @param {object} state @param {object} context select */
  show(state, context) {
    this.#build();
    if (state.threads === this.#drawn) return;
    this.#drawn = state.threads;
    setShown(this.#empty, state.threadIds.length === 0);
    for (const id of state.threadIds) this.#columnOf(id).show(state, state.threads[id], context);
    for (const [id, column] of this.#columns) setShown(column, id in state.threads);
  }

  /** Makes the columns and cards of what is still to come, out of sight. */
  prepare(state, context) {
    this.#build();
    for (const id of state.threadIds) {
      const known = this.#columns.has(id);
      const column = this.#columnOf(id);
      if (!known) column.hidden = true;
      column.prepare(state, state.threads[id], context);
    }
  }

  column(id) {
    return this.#columns.get(id) ?? null;
  }

  #columnOf(id) {
    let column = this.#columns.get(id);
    if (!column) {
      column = h("crux-thread", { class: "thread" });
      this.#columns.set(id, column);
      this.#list.append(column);
    }
    return column;
  }

  #build() {
    if (this.#list) return;
    this.#list = h("div", { class: "threads" });
    this.#empty = h("p", { class: "muted empty" }, "Nobody has spoken yet.");
    this.append(h("h2", { class: "visually-hidden" }, "Threads"), this.#list, this.#empty);
  }
}

customElements.define("crux-threads", CruxThreads);
