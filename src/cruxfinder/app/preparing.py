"""From a request for a debate to a table that is laid, and on to a run, or several."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from cruxfinder.adapters.casting.persona_sources import gather_personas
from cruxfinder.adapters.embeddings.embedders import embedder
from cruxfinder.adapters.models.model_pool import ModelPool
from cruxfinder.app import repeats, run_starts
from cruxfinder.app.debate_plan import DebatePlan, lay_topic, plan_debate
from cruxfinder.app.debate_request import DebateRequest
from cruxfinder.app.people import Participation
from cruxfinder.app.repeats import EndedRun
from cruxfinder.crux.stability import Stability
from cruxfinder.errors import BadInput
from cruxfinder.kernel.caps import Caps
from cruxfinder.kernel.pack import Pack
from cruxfinder.kernel.runner import Listener
from cruxfinder.kernel.settings import Settings
from cruxfinder.ports import NOTHING, Store, Usage
from cruxfinder.protocols.any_run import Finished


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A debate that can be held: the pack with everybody at the table, and what was told and taken on the way."""

    pack: Pack
    plan: DebatePlan
    notes: tuple[str, ...] = ()
    usage: Usage = NOTHING


async def prepare(request: DebateRequest) -> Prepared:
    return await prepare_plan(plan_debate(request))


async def prepare_plan(plan: DebatePlan) -> Prepared:
    """A pack is ready; for a topic the personas are made first, which takes of the budget."""
    if plan.pack is not None:
        return Prepared(pack=plan.pack, plan=plan)
    assert plan.models is not None, "a plan for a topic has them"
    caps = Caps.of(plan.settings)
    company = await gather_personas(plan.subject, plan.sources, plan.models, caps=caps, pace=plan.limits)
    if caps.exceeded_cap(company.usage + Usage(calls=1, tokens_in=1, nanodollars=1)):
        raise BadInput("making the personas took the whole budget")
    return Prepared(pack=lay_topic(company.pack, plan), plan=plan, notes=company.notes, usage=company.usage)


async def run_prepared(
    ready: Prepared,
    place: Store,
    *,
    run: str = "",
    listener: Listener | None = None,
    pace: float = 0,
    thinking: ModelPool | None = None,
    user: Participation | None = None,
) -> Finished:
    plan = ready.plan
    return await run_starts.start_laid(
        ready.pack,
        plan.protocol,
        place,
        seed=plan.seed,
        settings=plan.settings,
        debaters=plan.debaters,
        thinking=thinking or (plan.limits if ready.pack.models is not None else None),
        spent=ready.usage,
        listener=listener,
        pace=pace,
        run=run or plan.run or None,
        user=user or plan.participation,
        day=plan.day,
    )


async def repeat_debate(
    ready: Prepared, place: Store, seeds: Sequence[int], heard: Callable[[EndedRun], None] | None = None
) -> Stability:
    """The same debate with other seeds; models serve all runs within the same limits."""
    plan = ready.plan
    settings = split_caps(plan.settings, len(seeds), ready.usage) if ready.pack.models is not None else plan.settings
    pool = None if ready.pack.models is None else ModelPool(ready.pack.models, plan.limits)

    async def hold(seed: int) -> Finished:
        # What was spent to make it ready is not spent again.
        once = replace(ready, plan=replace(plan, seed=seed, settings=settings), usage=NOTHING)
        return await run_prepared(once, place, thinking=pool)

    try:
        return await repeats.repeat(hold, seeds, embedder(plan.settings.embedder), heard=heard)
    finally:
        if pool is not None:
            await pool.close()


def split_caps(settings: Settings, runs: int, spent: Usage) -> Settings:
    """What each of several runs may take of what is left."""
    return replace(
        settings,
        max_calls=share_of_cap(settings.max_calls, spent.calls, runs),
        max_tokens=share_of_cap(settings.max_tokens, spent.tokens, runs),
        max_nanodollars=share_of_cap(settings.max_nanodollars, spent.nanodollars, runs),
    )


def share_of_cap(most: int, spent: int, runs: int) -> int:
    if not most:
        return 0
    if most - spent < runs:
        raise BadInput(f"the budget leaves nothing for each of {runs} runs")
    return (most - spent) // runs
