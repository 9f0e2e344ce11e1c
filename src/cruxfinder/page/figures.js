/** The figures of a run the page shows, at any state of it, as telling/figures.py counts them; a test compares the two. */

const NO_VOTE = "devils-advocate";

/** @param {object} state @returns {{[name: string]: number}} */
export function figuresOf(state) {
  const refused = [...state.refusals, ...state.turnRefusals];
  const said = state.messageOrder.filter((id) => !state.messages[id].moderator).length;
  return {
    agents: state.seats.filter((seat) => seat.id !== NO_VOTE).length,
    threads: state.threadIds.length,
    messages: said,
    turns: state.turns.length,
    interventions: state.messageOrder.length - said,
    refusals: refused.filter(isSentBack).length,
    held: refused.filter((r) => r.outcome === "held").length,
    dropped: refused.filter((r) => r.outcome === "dropped").length,
    coalitions: state.coalitions.length,
    failures: state.failures.length,
  };
}

/** A draft that waits for its slot was not sent back. */
export function isSentBack(refusal) {
  return refusal.outcome !== "held";
}

/** How many messages agents have in a thread. */
export function messagesOf(state, thread) {
  return thread.messageIds.filter((id) => !state.messages[id].moderator).length;
}

/** Who would change sides on the topic with the answer to a thread's question. */
export function flipsOf(thread) {
  return thread.figures[thread.crux]?.flips ?? [];
}
