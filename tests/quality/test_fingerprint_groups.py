"""DIA-5, how right: of any two messages, are the same errors grouped together and others kept apart?"""

from itertools import combinations

import pytest

from cruxfinder.gate.fingerprints import fingerprint
from tests.gate.error_families import FAMILIES
from tests.quality.shares import Judge, share_of

pytestmark = [pytest.mark.quality, pytest.mark.rule("DIA-5")]


def test_messages_are_grouped_by_their_error(judge: Judge) -> None:
    """Over all families: programs that say the same of the same thing may share a fingerprint."""
    told = [
        ((family, number), fingerprint(message))
        for family, errors in FAMILIES.items()
        for number, messages in enumerate(errors)
        for message in messages
    ]
    pairs = [(a[0] == b[0], a[1] == b[1]) for a, b in combinations(told, 2)]
    judge.at_least("pairs of messages of one error: grouped", share_of(found for same, found in pairs if same), 1.0)
    judge.at_most(
        "pairs of messages of two errors: grouped", share_of(found for same, found in pairs if not same), 0.001
    )
