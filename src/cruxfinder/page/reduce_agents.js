/** What is known of the agents: how much they said, where, what they hold in public and (when it is over) in private. */

/** A seat as the page has it; what the log leaves out at its default is filled in. */
export function seatOf(seat) {
  return {
    id: seat.id, name: seat.name, about: seat.about ?? "", role: seat.role ?? "speaker", icon: seat.icon ?? "",
    model: seat.model ?? "", isPerson: seat.is_person ?? false, interests: seat.interests ?? [],
  };
}

/** The agents with those of new seats beside them. */
export function seated(agents, seats) {
  const next = { ...agents };
  for (const seat of seats) {
    next[seat.id] = {
      id: seat.id, messages: 0, threads: [], topSide: null, topClaim: "", confidence: [], lastAtMs: null,
      pTop: null, pTops: [], firstPosition: null,
    };
  }
  return next;
}

function withAgent(state, id, change) {
  const agent = state.agents[id];
  if (!agent) return state;
  return { ...state, agents: { ...state.agents, [id]: { ...agent, ...change(agent) } } };
}

/** What a message says of its author's public position on the topic: a claim states it, a concession may change it. */
function statedIn(agent, event) {
  const { move, at_ms: atMs } = event;
  const heard = (value) => [...agent.confidence, { atMs, value }];
  switch (move.kind) {
    case "CLAIM":
      return { topSide: move.top_side, topClaim: move.proposition, confidence: heard(move.confidence) };
    case "CONCEDE":
      if (!move.top_changed || !move.side_after) return {};
      return { topSide: move.side_after, topClaim: move.proposition, confidence: heard(0.5) };
    default:
      return {};
  }
}

function spoke(state, event) {
  return withAgent(state, event.agent, (agent) => ({
    messages: agent.messages + 1,
    threads: agent.threads.includes(event.thread) ? agent.threads : [...agent.threads, event.thread],
    lastAtMs: event.at_ms,
    ...statedIn(agent, event),
  }));
}

function tookTurn(state, event) {
  return withAgent(state, event.agent, (agent) => ({
    messages: agent.messages + 1,
    lastAtMs: event.at_ms,
    ...(event.turn.side ? { topSide: event.turn.side } : {}),
  }));
}

function first(state, event) {
  return withAgent(state, event.agent, () => ({
    pTop: event.p_top,
    pTops: [{ atMs: event.at_ms, value: event.p_top, phase: "FIRST" }],
    firstPosition: { pTop: event.p_top, side: event.side, reason: event.reason },
  }));
}

function probed(state, event) {
  if (event.failed) return state;
  const { p_top: value, at_ms: atMs, phase } = event;
  return withAgent(state, event.agent, (agent) => ({ pTop: value, pTops: [...agent.pTops, { atMs, value, phase }] }));
}

export const agentEvents = {
  message_posted: spoke, turn_spoken: tookTurn, first_position: first, probe_answered: probed,
};
