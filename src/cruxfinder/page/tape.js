/** The frames of a run and the state after each: what the timeline scrubs over. Grows at its end, or is swapped whole. */

import { initial, reduce } from "./reducer.js";
import { stageName } from "./words.js";

/** What may be worth a mark on the timeline, by kind of event. */
const MARKS = {
  stage_transition: (e) => ({ mark: "stage", label: `${e.thread} enters ${stageName(e.entered)}` }),
  lock_succeeded: (e) => ({ mark: "lock", label: `${e.thread} locks its question` }),
  lock_failed: (e) => ({ mark: "failed", label: `${e.thread} fails to lock, try ${e.attempt}` }),
  crux_extracted: (e) => (e.validated ? { mark: "crux", label: `crux of ${e.thread}` } : null),
  coalition_detected: () => ({ mark: "coalition", label: "coalitions" }),
  pivot_forced: (e) => ({ mark: "stage", label: `led to: ${e.to}` }),
  synthesis_given: (e) => ({ mark: "crux", label: `synthesis of act ${e.act}` }),
  user_question: () => ({ mark: "question", label: "a question to you" }),
  debate_complete: () => ({ mark: "end", label: "the end" }),
};

export class Tape {
  constructor(frames = []) {
    this.frames = [];
    this.states = [initial()];
    this.marks = [];
    this.append(frames);
  }

  get length() {
    return this.frames.length;
  }

  get last() {
    return this.states[this.frames.length];
  }

  append(frames) {
    for (const frame of frames) {
      this.frames.push(frame);
      this.states.push(reduce(this.states[this.states.length - 1], frame));
      const mark = MARKS[frame.event.kind]?.(frame.event);
      if (mark) this.marks.push({ ...mark, at: this.frames.length, atMs: frame.event.at_ms });
    }
  }

  /** How many frames have a number up to `n`: the place of event `n` on this tape. */
  placeOf(n) {
    return this.#firstWhere((frame) => frame.n > n);
  }

  /** How many frames were told up to this moment of the debate. */
  placeAt(ms) {
    return this.#firstWhere((frame) => frame.event.at_ms > ms);
  }

  #firstWhere(beyond) {
    let [low, high] = [0, this.frames.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (beyond(this.frames[middle])) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
