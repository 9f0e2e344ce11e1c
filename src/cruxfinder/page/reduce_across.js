/** What goes across threads: which dispute leads, how cruxes bear on each other, who stands together. */

const related = (state, event) => {
  const pairs = { ...state.related, [`${event.first} ${event.second}`]: event };
  const all = Object.values(pairs);
  return {
    ...state, related: pairs,
    relations: all.flatMap((pair) => pair.dependencies ?? []).map((d) => ({
      from: d.from_crux, to: d.to_crux, relation: d.relation, confidence: d.confidence, sketch: d.sketch,
      by: d.by, second: d.second,
    })),
    duplicates: all.filter((pair) => pair.same).map((pair) => ({ first: pair.first, second: pair.second })),
    roots: all.filter((pair) => pair.root).map((pair) => ({ root: pair.root, first: pair.first, second: pair.second })),
  };
};

const promoted = (state, event) => {
  const on = state.promoted.filter((id) => id !== event.replaces && state.threads[id].endedMs === null);
  return { ...state, promoted: [...on, event.thread] };
};

/** The thread whose crux explains most: by rank among those extracted and validated. */
export function primaryOf(state) {
  const rankOf = (thread) => thread.figures[thread.crux]?.rank ?? 0;
  const found = state.threadIds.map((id) => state.threads[id]).filter((t) => t.extracted?.validated && t.status !== "MERGED");
  const best = found.reduce((top, t) => (top === null || rankOf(t) > rankOf(top) ? t : top), null);
  return best?.id ?? null;
}

export const acrossEvents = {
  crux_promoted: promoted,
  cruxes_related: related,
  coalition_detected: (state, event) => ({
    ...state,
    coalitions: event.groups.map((g) => ({ members: g.members, positions: g.positions ?? [], label: g.label ?? "" })),
    preliminary: event.preliminary ?? false,
  }),
  global_convergence: (state, event) => ({
    ...state, converged: true, primary: event.cruxes?.[0] ?? state.primary,
  }),
};
