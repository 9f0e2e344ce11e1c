"""FALS-1 and FALS-5, how right: concrete forecasts pass, and vague claims do not, with a date or without."""

import csv
import json
import re
from functools import cache
from pathlib import Path

import pytest

from cruxfinder.crux.law import forecasts
from cruxfinder.kernel.pack import Falsifier
from tests.law.read_falsifiers import faults
from tests.quality.shares import Judge, share_of

pytestmark = [pytest.mark.quality, pytest.mark.rule("FALS-1")]

OWN = Path(__file__).parent / "falsifiers"
SHARED = Path(__file__).parents[3] / "shared" / "data"  # beside the repository, where it is at all
SHARE_MIN = 0.95


@cache
def lines(name: str) -> tuple[dict[str, str], ...]:
    return tuple(json.loads(line) for line in (OWN / f"{name}.jsonl").read_text("utf-8").splitlines())


def falsifier(line: dict[str, str]) -> Falsifier:
    if "text" in line:
        return forecasts.read(line["text"])
    return Falsifier(metric=line["metric"], threshold=line["threshold"], deadline=line["deadline"])


def accepted(told: Falsifier) -> bool:
    return not any(faults(told))


def refused(told: Falsifier) -> bool:
    return not accepted(told)


def dated(claim: str) -> str:
    return f"{claim.rstrip('. ?')} by 2030"


# ---- sets of our own words


def test_concrete_falsifiers_pass(judge: Judge) -> None:
    assert len(lines("concrete")) >= 100
    found = share_of(accepted(falsifier(line)) for line in lines("concrete"))
    judge.at_least("falsifiers accepted: concrete", found, SHARE_MIN)


@pytest.mark.parametrize("with_date", [False, True], ids=["undated", "dated"])
def test_vague_claims_are_refused(judge: Judge, with_date: bool) -> None:
    claims = [line for line in lines("vague") if bool(line["dated"]) is with_date]
    assert len(lines("vague")) >= 150
    found = share_of(refused(falsifier(line)) for line in claims)
    judge.at_least(f"falsifiers refused: vague, {'dated' if with_date else 'undated'}", found, SHARE_MIN)


def test_a_date_alone_does_not_make_a_vague_claim_concrete(judge: Judge) -> None:
    claims = [line["text"] for line in lines("vague") if not line["dated"] and "text" in line]
    in_parts = [Falsifier(metric=claim, threshold=claim, deadline="by 2030") for claim in claims]
    in_one = share_of(refused(forecasts.read(dated(claim))) for claim in claims)
    judge.at_least("falsifiers refused: vague, given a date, in one sentence", in_one, 0.9)
    judge.at_least("falsifiers refused: vague, given a date, in parts", share_of(map(refused, in_parts)), 0.9)


@pytest.mark.parametrize(
    ("concrete", "least"), [pytest.param(True, 0.85, id="concrete"), pytest.param(False, 0.88, id="vague")]
)
def test_falsifiers_in_varied_forms_are_told_apart(judge: Judge, concrete: bool, least: float) -> None:
    """The half that was not looked at: the other half taught words and weights."""
    told = [falsifier(line) for line in lines("varied_held_out") if bool(line["concrete"]) is concrete]
    found = share_of(accepted(one) is concrete for one in told)
    judge.at_least(f"falsifiers of varied forms {'accepted' if concrete else 'refused'}", found, least)


@pytest.mark.parametrize(
    ("concrete", "least"), [pytest.param(True, 0.85, id="concrete"), pytest.param(False, 0.92, id="vague")]
)
def test_falsifiers_of_strangers_are_told_apart(judge: Judge, concrete: bool, least: float) -> None:
    """Its even lines taught frames and deadlines, so this tells whether the rule gets worse."""
    told = [falsifier(line) for line in lines("strangers_development") if bool(line["concrete"]) is concrete]
    found = share_of(accepted(one) is concrete for one in told)
    judge.at_least(f"falsifiers of strangers {'accepted' if concrete else 'refused'}", found, least)


def test_every_refusal_says_what_is_missing() -> None:
    for line in lines("vague"):
        told = falsifier(line)
        assert all(re.search(r"the (?:metric|threshold|deadline) ", refusal.reason) for refusal in faults(told))


# ---- questions and arguments of others


@pytest.mark.skipif(not (SHARED / "forecast").is_dir(), reason="the shared data is not here")
def test_real_forecasting_questions_pass(judge: Judge) -> None:
    (path,) = (SHARED / "forecast" / "dev").glob("*.json")
    asked = json.loads(path.read_text("utf-8"))[::7]
    texts = [f"{item['question'].rstrip('? ')} by {item['close_time'][:10]}?" for item in asked]
    in_one = share_of(accepted(forecasts.read(text)) for text in texts)
    judge.at_least("falsifiers accepted: Autocast, in one sentence", in_one, SHARE_MIN)
    in_parts = [Falsifier(metric=i["question"], threshold=i["question"], deadline=i["close_time"]) for i in asked]
    judge.at_least("falsifiers accepted: Autocast, in parts", share_of(map(accepted, in_parts)), SHARE_MIN)


@pytest.mark.skipif(not (SHARED / "argkp").is_dir(), reason="the shared data is not here")
def test_arguments_are_no_falsifiers(judge: Judge) -> None:
    with (SHARED / "argkp" / "dev" / "arguments_train.csv").open(encoding="utf-8") as rows:
        arguments = [row["argument"] for row in csv.DictReader(rows)][::17]
    bare = share_of(refused(forecasts.read(argument)) for argument in arguments)
    judge.at_least("falsifiers refused: arguments of ArgKP", bare, SHARE_MIN)
    with_date = share_of(refused(forecasts.read(dated(argument))) for argument in arguments)
    judge.at_least("falsifiers refused: arguments of ArgKP, given a date", with_date, 0.85)
