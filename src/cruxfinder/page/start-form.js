/** Starts a debate: what about, who takes part, how, and how far it may go. */

import { getJson, postJson } from "./api.js";
import { freshId, h, setShown, setText } from "./dom.js";

const PACES = [["watch", "to watch"], ["live", "in real time"], ["fast", "as fast as it goes"]];
const OWN = "";
const ANSWER_WAIT_S = 300;
const ASK_HINTS = { crux: "Only in a conversation: here they ask each other", talk: "The conversation waits for your answer" };

/** What a field of numbers takes, as the server says it. */
function rangeOf({ min, max, step }) {
  const [low, high] = [min, max].map((end) => Number(end).toLocaleString("en", { maximumFractionDigits: 6 }));
  return `It takes a ${step === "1" ? "whole number" : "number"} from ${low} to ${high}.`;
}

export class CruxStart extends HTMLElement {
  #packs = [];
  #protocols = new Map();
  #model = false;
  #p = null;
  #errors = new Map();

  connectedCallback() {
    if (this.#p) return;
    this.#build();
    this.#load();
  }

  async #load() {
    try {
      const [packs, health, form] = await Promise.all(["/api/packs", "/api/health", "/api/form"].map((path) => getJson(path)));
      this.#packs = packs.packs;
      this.#protocols = new Map(form.protocols.map((one) => [one.name, one]));
      this.#layOptions(form.options);
      this.#model = Boolean(health.model);
      this.#offer();
    } catch (problem) {
      this.dispatchEvent(new CustomEvent("trouble", { detail: problem, bubbles: true }));
    }
  }

  #build() {
    const seconds = (name, more) => h("input", { type: "number", name, min: "0", max: "86400", step: "any", ...more });
    const p = {
      about: h("div", { class: "choices", role: "radiogroup", "aria-label": "What about" }), topic: h("textarea", {
        rows: "2", name: "topic", placeholder: "A claim people differ on, such as: We should move to a four-day week",
      }),
      agents: h("div", { class: "checks" }), protocol: h("select", { name: "protocol" }), protocolHint: h("span", { class: "hint" }),
      people: h("select", { name: "people" }), name: h("input", { type: "text", name: "name", maxlength: "80", autocomplete: "off" }),
      wait: seconds("peopleWaitS", { placeholder: "no limit" }), answerWait: seconds("waitS", { value: String(ANSWER_WAIT_S) }),
      pace: h("select", { name: "pace" }, PACES.map(([value, words]) => h("option", { value }, words))),
      options: h("div", { class: "two" }), flags: h("div"), inputs: {}, askUser: h("input", { type: "checkbox", name: "askUser" }),
      askHint: h("span", { class: "hint" }),
      note: h("div", { class: "error", role: "alert" }),
      send: h("button", { class: "button primary wide", type: "submit" }, "Start the debate"),
    };
    this.#p = p;
    p.protocol.addEventListener("change", () => this.#protocolChanged());
    p.people.addEventListener("change", () => this.#showWaits());
    p.name.addEventListener("input", () => this.#showWaits());
    p.askUser.addEventListener("change", () => this.#showWaits());
    this.#lay(p);
  }

  #lay(p) {
    p.topicField = this.#field("topic", "Your topic", p.topic);
    p.peopleField = this.#field("people", "A seat for me", p.people);
    p.nameField = this.#field("name", "My name", p.name, "To sit at the table yourself; leave it empty to watch");
    p.waitField = this.#field("peopleWaitS", "Wait for me, seconds", p.wait, "After that the debate goes on without you");
    p.answerField = this.#field("waitS", "Wait for my answer, seconds", p.answerWait, "After that the conversation goes on without it");
    p.agentsField = h("fieldset", { class: "field" }, h("legend", null, "Who takes part"), p.agents, this.#error("agents"));
    for (const field of [p.topicField, p.nameField, p.waitField, p.answerField, p.agentsField]) field.hidden = true;
    p.askHint.id = freshId("ask");
    p.askUser.setAttribute("aria-describedby", p.askHint.id);
    const begin = { submit: (event) => this.#submit(event) };
    this.append(h("form", { class: "card start", novalidate: true, "aria-labelledby": "start-title", on: begin },
      h("h2", { id: "start-title" }, "Start a debate"),
      p.about, p.topicField, p.agentsField,
      h("div", { class: "two" }, this.#field("protocol", "How", p.protocol, p.protocolHint), this.#field("pace", "Pace", p.pace)),
      p.peopleField, p.nameField, p.waitField,
      h("details", { class: "more-options" }, h("summary", null, "More"),
        p.options, p.flags,
        h("label", { class: "check" }, p.askUser, h("span", null, "They may ask me questions", p.askHint)), p.answerField),
      h("div", { class: "start-foot" }, p.note, p.send)));
  }

  /** A field for each option that the server offers, with its words and its range. */
  #layOptions(options) {
    const p = this.#p;
    for (const { name, kind, label, help, low, high } of options) {
      if (kind === "flag") {
        p.inputs[name] = h("input", { type: "checkbox", name });
        p.flags.append(h("label", { class: "check" }, p.inputs[name], label));
        continue;
      }
      const number = { type: "number", min: String(low), max: String(high), step: kind === "whole" ? "1" : "any", inputmode: "decimal" };
      p.inputs[name] = h("input", { name, ...(kind === "list" ? { type: "text", spellcheck: "false" } : number) });
      p.options.append(this.#field(name, label, p.inputs[name], help));
    }
  }

  /** Nobody is asked how long to wait for what is not asked for. */
  #showWaits() {
    const p = this.#p;
    setShown(p.waitField, this.#seat() !== "");
    setShown(p.answerField, p.askUser.checked && !p.askUser.disabled);
  }

  /** Whose seat the person takes: one of the pack's, or one of their own. */
  #seat() {
    return this.#p.pack ? this.#p.people.value : this.#p.name.value.trim();
  }

  #field(name, label, control, hint) {
    const id = freshId(`start-${name}`);
    control.id = id;
    const told = hint instanceof Node ? hint : hint ? h("span", { class: "hint" }, hint) : null;
    return h("div", { class: "field" }, h("label", { for: id }, label), control, told, this.#error(name, control));
  }

  #error(name, control) {
    const el = h("span", { class: "error", id: freshId("error"), hidden: true });
    this.#errors.set(name, { el, control: control ?? null });
    control?.setAttribute("aria-describedby", el.id);
    return el;
  }

  #offer() {
    const p = this.#p;
    const name = freshId("about");
    const choice = (value, title, words, disabled) => h("label", { class: "choice" },
      h("input", { type: "radio", name, value, disabled, on: { change: () => this.#chosen(value) } }),
      h("span", null, h("b", null, title), words ? h("span", { class: "hint" }, words) : null));
    p.about.replaceChildren(
      ...this.#packs.map((pack) => choice(pack.name, pack.topic, `${pack.agents.length} agents`, false)),
      choice(OWN, "A topic of my own", this.#model ? "The model draws up who argues"
        : "Needs a model: start the server with --model, or set CRUX_MODEL", !this.#model));
    const first = p.about.querySelector("input:not(:disabled)");
    if (!first) return;
    first.checked = true;
    this.#chosen(first.value);
  }

  #chosen(value) {
    const p = this.#p;
    const pack = this.#packs.find((one) => one.name === value) ?? null;
    p.pack = pack;
    setShown(p.topicField, pack === null);
    setShown(p.nameField, pack === null);
    setShown(p.agentsField, pack !== null);
    setShown(p.peopleField, pack !== null);
    p.agents.replaceChildren(...(pack?.agents ?? []).map((agent) => h("label", { class: "check", title: agent.about },
      h("input", { type: "checkbox", value: agent.id, checked: true }),
      h("span", null, h("b", null, agent.name), h("span", { class: "hint" }, agent.about)))));
    const before = p.protocol.value;
    p.protocol.replaceChildren(...(pack?.protocols ?? [...this.#protocols.keys()]).map((one) => (
      h("option", { value: one, selected: one === before }, this.#protocols.get(one).label))));
    p.people.replaceChildren(h("option", { value: "" }, "none, I watch"),
      ...(pack?.agents ?? []).map((agent) => h("option", { value: agent.id }, `I am ${agent.name}`)));
    this.#protocolChanged();
  }

  #protocolChanged() {
    const p = this.#p;
    const { aim, inTurns } = this.#protocols.get(p.protocol.value);
    setText(p.protocolHint, aim);
    p.askUser.disabled = !inTurns;
    setText(p.askHint, inTurns ? ASK_HINTS.talk : ASK_HINTS.crux);
    this.#showWaits();
  }

  /** What was filled in; what was left alone is left out, so that the server's own values hold. */
  #wishes() {
    const p = this.#p;
    const body = { protocol: p.protocol.value, pace: p.pace.value };
    if (p.pack) body.pack = p.pack.name;
    else body.topic = p.topic.value.trim();
    const seated = [...p.agents.querySelectorAll("input:checked")].map((box) => box.value);
    if (p.pack && seated.length < p.pack.agents.length) body.agents = seated;
    const seat = this.#seat();
    if (seat) body.people = [seat];
    if (seat && p.wait.value) body.peopleWaitS = Number(p.wait.value);
    for (const [name, input] of Object.entries(p.inputs)) {
      if (input.type === "checkbox") { if (input.checked) body[name] = true; continue; }
      if (input.type === "number") { if (input.value !== "") body[name] = Number(input.value); continue; }
      const words = input.value.split(/[\s,]+/).filter(Boolean);
      if (words.length) body[name] = words;
    }
    if (p.askUser.checked && !p.askUser.disabled) Object.assign(body, { askUser: true, waitS: Number(p.answerWait.value) });
    return body;
  }

  #faults(body) {
    const p = this.#p;
    const faults = {};
    if (!body.pack && !body.topic) faults.topic = "Say what the debate is about.";
    if (body.agents && body.agents.length < 2) faults.agents = "At least two have to take part.";
    if (body.people && body.agents && !body.agents.includes(body.people[0])) {
      faults.people = "You do not take part: seat this agent, or pick another.";
    }
    const numbers = { ...p.inputs };
    if (body.people) numbers.peopleWaitS = p.wait;
    if (body.askUser) numbers.waitS = p.answerWait;
    for (const [name, input] of Object.entries(numbers)) {
      if (!input.validity.valid) faults[name] = rangeOf(input);
    }
    if (body.askUser && p.answerWait.value === "") faults.waitS = "Say how long they are to wait.";
    return faults;
  }

  #tell(faults) {
    for (const [name, { el, control }] of this.#errors) {
      setText(el, faults[name] ?? "");
      setShown(el, Boolean(faults[name]));
      if (faults[name]) control?.setAttribute("aria-invalid", "true");
      else control?.removeAttribute("aria-invalid");
    }
    const first = Object.keys(faults).map((name) => this.#errors.get(name)?.control).find(Boolean);
    first?.closest("details")?.setAttribute("open", "");
    first?.focus();
  }

  async #submit(event) {
    event.preventDefault();
    const p = this.#p;
    setText(p.note, "");
    const body = this.#wishes();
    const faults = this.#faults(body);
    this.#tell(faults);
    if (Object.keys(faults).length) return;
    p.send.disabled = true;
    setText(p.send, "Starting …");
    try {
      const told = await postJson("/api/debates", body);
      location.hash = `#/run/${encodeURIComponent(told.id)}`;
    } catch (problem) {
      this.#refused(problem);
    } finally {
      p.send.disabled = false;
      setText(p.send, "Start the debate");
    }
  }

  /** The server's reason goes beside the field it is about, where that can be told. */
  #refused(problem) {
    const beside = (field) => (field === "people" && !this.#p.pack ? "name" : field);
    const told = (problem.body.errors ?? []).map(({ field, fault }) => [beside(String(field).split(".")[1]), fault]);
    const placed = told.filter(([name]) => this.#errors.has(name));
    this.#tell(Object.fromEntries(placed));
    if (placed.length < Math.max(1, told.length)) setText(this.#p.note, problem.message);
  }
}

customElements.define("crux-start", CruxStart);
