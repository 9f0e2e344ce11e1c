"""The report as text: what it holds, and that nothing but its own script may run in it."""

import base64
import json
import re
from hashlib import sha256

import pytest

import cruxfinder as cf
from cruxfinder.kernel import wire
from cruxfinder.page.bundle import bundle_script, modules_in_order, page_files
from cruxfinder.page.report_page import report
from cruxfinder.protocols.any_run import Finished
from cruxfinder.protocols.registry import read_event
from tests.exports.runs import run

DATA = re.compile(r'<script type="application/json" id="run">(.*?)</script>', re.DOTALL)
SCRIPT = re.compile(r'<script type="module">(.*?)</script>', re.DOTALL)
STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)


@pytest.fixture(scope="module")
def finished() -> Finished:
    return cf.debate("free-will", seed=1)


@pytest.fixture(scope="module")
def text(finished: Finished) -> str:
    return report(finished.run, finished.events, finished.outcome)


def test_every_event_and_the_result_are_in_it(text: str, finished: Finished) -> None:
    found = DATA.search(text)
    assert found is not None
    held = json.loads(found[1])
    assert [frame["n"] for frame in held["frames"]] == list(range(1, len(finished.events) + 1))
    assert tuple(read_event(json.dumps(frame["event"])) for frame in held["frames"]) == finished.events
    assert held["result"] == json.loads(json.dumps(wire.camel(finished.outcome)))


def test_its_policy_lets_only_its_own_script_and_style_in(text: str) -> None:
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None and policy[1].startswith("default-src 'none'; ")
    for pattern, directive in ((SCRIPT, "script-src"), (STYLE, "style-src")):
        inside = pattern.findall(text)
        assert len(inside) == 1
        digest = base64.b64encode(sha256(inside[0].encode()).digest()).decode()
        assert f"{directive} 'sha256-{digest}'" in policy[1]
    assert "unsafe" not in policy[1] and "http" not in policy[1]


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("pack-bitcoin", "a crux map"),
        ("talk-debate", "minutes of a debate"),
        ("talk-consensus", "minutes of a search for consensus"),
        ("talk-discussion", "minutes of a discussion"),
        ("talk-roundtable", "minutes of a round table"),
    ],
)
def test_its_title_says_what_it_is(name: str, called: str) -> None:
    found = run(name)
    assert f"<title>{found.outcome.topic}: {called}</title>" in report(name, found.events, found.outcome)


def test_it_loads_nothing() -> None:
    script = bundle_script("report.js")
    assert not re.search(r"^\s*(import|export)\b", script, re.MULTILINE)
    assert "</script" not in script


def test_modules_come_after_what_they_need() -> None:
    order = modules_in_order("report.js")
    assert order[-1] == "report.js" and "main.js" not in order
    assert set(order) <= set(page_files())
    for place, name in enumerate(order):
        needed = re.findall(r'^import .*"\./(.+)";$', page_files()[name].decode(), re.MULTILINE)
        assert set(needed) <= set(order[:place])
