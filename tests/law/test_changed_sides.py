"""A commitment to another side starts anew, and a latecomer costs the others nothing."""

from dataclasses import replace

import pytest

from cruxfinder.crux.evolve_thread import without_old_position
from cruxfinder.crux.law import lock, steelman
from cruxfinder.kernel.vocabulary import AgentId, Side
from tests.law.build import ANN, BOB, CAT, DAN, EVE, Play, commit


@pytest.mark.rule("LOCK-4")
def test_a_falsifier_of_the_side_one_has_left_no_longer_counts() -> None:
    play = Play()
    play.to_lock()
    play.commit_all()
    assert lock.agents_without_falsifier(play.thread) == ()
    play.post(ANN, commit(ANN, Side.NO, falsifier=None))
    assert lock.agents_without_falsifier(play.thread) == (ANN,)


@pytest.mark.rule("LOCK-4")
def test_a_commitment_to_the_same_side_keeps_its_falsifier() -> None:
    play = Play()
    play.to_lock()
    play.commit_all()
    play.post(ANN, commit(ANN, Side.YES, falsifier=None))
    assert lock.agents_without_falsifier(play.thread) == ()


@pytest.mark.rule("LOCK-3")
def test_a_steelman_of_the_side_one_has_left_no_longer_counts() -> None:
    play = Play()
    play.to_evidence()
    assert steelman.has_passed(play.thread, BOB, ANN)
    changed = without_old_position(play.thread, ANN)
    assert not steelman.has_passed(changed, BOB, ANN)
    assert steelman.has_passed(changed, ANN, BOB), "what she said of the others stands"


@pytest.mark.rule("STEEL-4")
def test_nobody_owes_a_latecomer_a_steelman_at_a_large_table() -> None:
    play = Play(yes=(ANN, BOB, CAT), no=(DAN, EVE))
    play.to_lock()
    play.commit_all()
    late = replace(play.thread, late=frozenset({EVE}))
    owed: list[AgentId] = [target for author, target in steelman.required_pairs(late) if author in (ANN, BOB, CAT)]
    assert owed == [DAN, DAN, DAN]
    assert EVE in {author for author, _ in steelman.required_pairs(late)}
