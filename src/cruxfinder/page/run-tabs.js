/** The panels of a run: the first stands beside the others on a wide screen, and all take turns on a narrow one. */

import { h } from "./dom.js";

const WIDE = "(min-width: 1100px)";

export class RunTabs {
  #tabs;
  #onOpen;
  #side;
  #narrow;
  #wide = matchMedia(WIDE);

  /**
   * @param {{id: string, label: string, panel: HTMLElement}[]} tabs the first is the main one
   * @param {() => void} onOpen a panel has come into sight
   */
  constructor(tabs, onOpen) {
    this.#onOpen = onOpen;
    this.#narrow = tabs[0].id;
    this.#side = tabs[1].id;
    this.#tabs = tabs.map((tab) => ({ ...tab, button: this.#button(tab) }));
    this.bar = h("div", {
      class: "tabs no-print", role: "tablist", "aria-label": "Views of this debate", on: { keydown: (e) => this.#keys(e) },
    }, this.#tabs.map((t) => t.button));
    for (const tab of this.#tabs) {
      tab.panel.id = `panel-${tab.id}`;
      tab.panel.classList.add("panel");
      tab.panel.dataset.panel = tab.id;
    }
    this.#tabs[0].panel.classList.add("main-panel");
    this.#look();
  }

  /** Follows the width of the window until `stop` is called. */
  start() {
    this.#wide.addEventListener("change", this.#changed);
  }

  stop() {
    this.#wide.removeEventListener("change", this.#changed);
  }

  #changed = () => {
    this.#look();
    this.#onOpen();
  };

  get panels() {
    return this.#tabs.map((t) => t.panel);
  }

  isShown(id) {
    return this.#wide.matches && id === this.#tabs[0].id ? true : id === this.selected;
  }

  get selected() {
    return this.#wide.matches ? this.#side : this.#narrow;
  }

  open(id) {
    if (this.isShown(id)) return;
    this.#narrow = id;
    if (id !== this.#tabs[0].id) this.#side = id;
    this.#look();
    this.#toTop();
    this.#onOpen();
  }

  /** A panel begins at its beginning, below what may stand above the tabs. */
  #toTop() {
    const side = this.bar.parentElement;
    if (side) side.scrollTop = Math.min(side.scrollTop, this.bar.previousElementSibling?.offsetHeight ?? 0);
  }

  #button(tab) {
    return h("button", {
      class: "tab", type: "button", role: "tab", id: `tab-${tab.id}`, "aria-controls": `panel-${tab.id}`,
      on: { click: () => this.open(tab.id) },
    }, tab.label);
  }

  #look() {
    const wide = this.#wide.matches;
    for (const [at, { id, panel, button }] of this.#tabs.entries()) {
      const chosen = id === this.selected;
      button.setAttribute("aria-selected", String(chosen));
      button.tabIndex = chosen ? 0 : -1;
      button.hidden = wide && at === 0;
      panel.hidden = !this.isShown(id);
      // A panel that scrolls has to be reached by the keyboard, also where nothing in it can be.
      if (at > 0) panel.tabIndex = 0;
      // The main panel has no tab on a wide screen, so it is a region of its own there.
      panel.setAttribute("role", wide && at === 0 ? "region" : "tabpanel");
      if (wide && at === 0) panel.setAttribute("aria-label", this.#tabs[0].label);
      else panel.setAttribute("aria-labelledby", `tab-${id}`);
    }
  }

  #keys(event) {
    const seen = this.#tabs.filter((t) => !t.button.hidden);
    const at = seen.findIndex((t) => t.id === this.selected);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: seen.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = seen[(to + seen.length) % seen.length];
    this.open(next.id);
    next.button.focus();
  }
}
