/** Where a run comes from: a server that is listened to until the debate is over, or a file that holds it all. */

import { getJson, runPath } from "./api.js";
import { follow, gather } from "./stream.js";
import { Tape } from "./tape.js";

/** How often what a running debate costs is asked for. */
const USAGE_EVERY_MS = 5000;

/** A run from a file: nothing is ever asked of a server. */
export function fileSource(frames, result, brief) {
  return {
    tape: new Tape(frames), info: null, result: result ?? null, brief: brief ?? null, status: null, connection: "closed", static: true,
    start: () => {}, stop: () => {},
  };
}

export class LiveSource {
  tape = new Tape();
  info = null;
  result = null;
  brief = null;
  status = null;
  connection = "connecting";
  static = false;
  #id;
  #told;
  #unfollow = null;
  #left = new AbortController();
  #timer = null;

  /**
   * @param {string} id
   * @param {{onChange: () => void, onTrouble: (problem: Error) => void, onCalm: () => void}} told
   *   onChange: anything here is not what it was; the tape may have grown or be another
   */
  constructor(id, told) {
    this.#id = id;
    this.#told = told;
  }

  start() {
    this.#listen(0);
    this.#timer = setInterval(() => {
      if (this.status?.state === "running" && !document.hidden) this.#read();
    }, USAGE_EVERY_MS);
  }

  stop() {
    this.#left.abort();
    clearInterval(this.#timer);
    this.#unfollow?.();
  }

  /** After a stop or a resume the stream may have closed: it goes on from the last event known. */
  again() {
    this.#unfollow?.();
    this.#listen(this.tape.last.n);
  }

  #listen(after) {
    this.#unfollow = follow(this.#id, {
      onFrames: (frames) => this.#grow(frames),
      onStatus: (status) => this.#stands(status),
      onEnd: (withheld) => this.#over(withheld),
      onConnection: (state, problem) => this.#connected(state, problem),
    }, after);
    this.#read();
  }

  #grow(frames) {
    this.tape.append(frames);
    this.#told.onChange();
  }

  #stands(status) {
    this.status = status;
    this.#told.onChange();
    if (status.state !== "running") this.#read();
  }

  #connected(state, problem) {
    if (this.#stopped) return;
    this.connection = state;
    if (problem) this.#trouble(problem);
    else if (state === "open") this.#told.onCalm();
    this.#told.onChange();
  }

  #trouble(problem) {
    if (problem.name !== "AbortError" && !this.#stopped) this.#told.onTrouble(problem);
  }

  async #read() {
    try {
      const info = await getJson(runPath(this.#id));
      this.info = info;
      this.status ??= { state: info.state, why: info.why, waiting: info.waiting ?? [] };
      if (info.state === "complete") {
        this.result ??= await getJson(runPath(this.#id, "/result"));
        this.brief ??= await getJson(runPath(this.#id, "/brief"));
      }
      if (this.#stopped) return;
      if (this.connection === "open" || this.connection === "closed") this.#told.onCalm();
      this.#told.onChange();
    } catch (problem) {
      // 409: not over after all; the stream tells when it is.
      if (problem.status !== 409) this.#trouble(problem);
    }
  }

  get #stopped() {
    return this.#left.signal.aborted;
  }

  /**
   * What was private is told at the end, so the whole run is read once more and swapped in. A line that was cut just
   * before its end told nothing of that: gaps in the numbers do.
   */
  async #over(withheld) {
    if (this.tape.last.complete) this.status = { state: "complete", why: "", waiting: [] };
    this.#read();
    if (withheld > 0 || this.tape.last.n > this.tape.length) {
      const frames = await gather(this.#id, this.#left.signal);
      if (frames && !this.#stopped) this.tape = new Tape(frames);
    }
    if (!this.#stopped) this.#told.onChange();
  }
}
