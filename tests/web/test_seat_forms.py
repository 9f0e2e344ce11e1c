"""Every form of a seat, filled in by hand: what it sends can be read, and used, by the engine."""

import json
from collections.abc import Generator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from pydantic import TypeAdapter

import cruxfinder as cf
from cruxfinder.crux.asks import AskDraft, AskFirst, AskGrade, AskJudge, AskProbe, AskRelate, Drafted, Duty, Question
from cruxfinder.debaters.people.desk import why_unusable
from cruxfinder.debaters.people.seat_form import SeatForm, form_for
from cruxfinder.kernel import wire
from cruxfinder.kernel.refusals import Refusal
from cruxfinder.kernel.vocabulary import AgentId, CandidateId, MoveKind, Phase, Role, RuleId, Side, ThreadId, TopSide
from cruxfinder.protocols.any_ask import AnyAsk, read_answer
from cruxfinder.protocols.registry import fold
from cruxfinder.talk.asks import AskConsent, AskTurn
from cruxfinder.talk.turns import TurnId, TurnType
from tests.web.browsing import WIDE, Served

pytestmark = pytest.mark.web

ME, THREAD = AgentId("holder"), ThreadId("t1")
QUESTIONS = (
    Question(id=CandidateId("c1"), question="Does it hold?", yes_means="it does", no_means="it does not"),
    Question(id=CandidateId("c2"), question="Will it last?", yes_means="it will", no_means="it ends"),
)
MOVES = tuple(MoveKind)
EVENTS = cf.debate("bitcoin", seed=36).events
RECORD = fold(EVENTS)
FORM: TypeAdapter[SeatForm] = TypeAdapter(SeatForm)
WHY = Refusal(rule=RuleId("STEEL-1"), reason="it names no reason", remedy="name the reason")

SIT_DOWN = """async (frames) => {
  const { initial, reduce } = await import("/page/reducer.js");
  window.states = [initial()];
  for (const frame of frames) window.states.push(reduce(window.states.at(-1), frame));
  window.seat = document.createElement("crux-seat");
  window.answers = [];
  window.seat.addEventListener("answered", (event) => window.answers.push(event.detail));
  document.querySelector("#view").replaceChildren(window.seat);
  window.asked = ({ ask, form }) => {
    const state = window.states.at(-40);
    const entry = { agent: ask.agent, name: "Ines", ask, form, secondsLeft: null, view: {} };
    window.about = { id: "here", camps: { of: {}, list: [] }, select() {} };
    window.seat.show(state, window.about, [entry]);
  };
}"""


def draft(*, number: int = 1, refused: tuple[Refusal, ...] = (), duty: Duty | None = None) -> AskDraft:
    return AskDraft(agent=ME, number=number, thread=THREAD, allowed=MOVES, heard=3, refused=refused, duty=duty)


def probe(phase: Phase) -> AskProbe:
    return AskProbe(agent=ME, number=1, thread=THREAD, phase=phase, round=1, heard=3, questions=QUESTIONS)


def turn(type: TurnType, *, may_ask: bool = False) -> AskTurn:
    return AskTurn(
        agent=ME,
        number=1,
        role=Role.SPEAKER,
        type=type,
        words=100,
        heard=2,
        task="Say where you stand",
        answers=TurnId("n2"),
        may_ask=may_ask,
    )


JUDGE = AskJudge(
    agent=ME, number=1, thread=THREAD, heard=3, question="Does it hold?", side=Side.YES, statement="It holds", version=1
)
GRADE = AskGrade(agent=ME, number=1, thread=THREAD, heard=3, claim="It holds", reason="it did", falsifier="below 10")
CONSENT = AskConsent(agent=ME, number=1, heard=3, proposal="We try it for a year", side=TopSide.NUANCED)
FORMS: list[tuple[str, AnyAsk, dict[str, str]]] = [
    ("first", AskFirst(agent=ME, number=1), {}),
    *((f"probe {phase}", probe(phase), {}) for phase in Phase if phase is not Phase.LOCKED),
    *((f"judge {fits}", JUDGE, {"judge.fits": fits}) for fits in ("true", "false")),
    ("relate", AskRelate(agent=ME, number=1, first=THREAD, second=ThreadId("t2"), questions=QUESTIONS), {}),
    *((f"grade {grade}", GRADE, {"grade.grade": grade}) for grade in ("ACCURATE", "INCOMPLETE", "WRONG")),
    *((f"consent {agrees}", CONSENT, {"consent.agrees": agrees}) for agrees in ("true", "false")),
    *((f"turn {type}", turn(type), {}) for type in TurnType),
    ("a question to the user", turn(TurnType.POSITION, may_ask=True), {"turn.to_user": "true"}),
    *((f"move {kind}", draft(), {"move": kind.value}) for kind in MOVES),
    ("a concession that changes sides", draft(), {"move": "CONCEDE", "CONCEDE.top_changed": "true"}),
    (
        "what is owed, after it was sent back",
        draft(refused=(WHY,), duty=Duty(move=MoveKind.STEELMAN, thread=THREAD, about=AgentId("economist"))),
        {},
    ),
]


@pytest.fixture(scope="module")
def seat(browser: Browser, served: Served) -> Generator[Page]:
    """A page with a seat in the middle of a debate, and nothing but it."""
    page = browser.new_context(viewport=WIDE).new_page()
    page.goto(served.address)
    sit_down(page, EVENTS)
    yield page
    page.context.close()


def sit_down(page: Page, events: tuple[Any, ...]) -> None:
    page.evaluate(SIT_DOWN, [{"n": n, "event": wire.plain_value(e)} for n, e in enumerate(events, start=1)])


def ask_for(page: Page, ask: AnyAsk) -> None:
    form = FORM.dump_python(form_for(ask, RECORD), mode="json", exclude_defaults=True)  # as the server sends it
    page.evaluate("(asked) => window.asked(asked)", {"ask": wire.plain_value(ask), "form": form})


def fill(page: Page, wanted: dict[str, str]) -> None:
    """Fill in whatever is still empty, as often as a choice brings up more fields."""
    if "move" in wanted:
        page.locator(f'.seat-move input[value="{wanted["move"]}"]').check()
    for _ in range(4):
        before = page.locator(".seat-field").count()
        for name in page.locator(".seat-choices").evaluate_all("found => found.map(f => f.dataset.field)"):
            field = page.locator(f'.seat-choices[data-field="{name}"]')
            if not field.count():
                continue  # an earlier choice took it away
            if name in wanted:
                field.locator(f'input[value="{wanted[name]}"]').check()
            elif not field.locator("input:checked").count():
                field.locator("input").first.check()
        for area in page.locator(".seat-field textarea").all():
            if not area.input_value():
                area.fill('Words of a person, with "quotes"\nand a second line')
        for number in page.locator(".seat-field input[type=number]").all():
            if not number.input_value():
                number.fill("73")
        for select in page.locator(".seat-field select").all():
            if not select.input_value():
                select.select_option(index=1)
        if page.locator(".seat-field").count() == before:
            return


def sent(page: Page) -> Any:
    before = page.evaluate("window.answers.length")
    page.locator(".seat-ask button[type=submit]").click()
    told = page.locator(".seat-problems").first
    assert page.evaluate("window.answers.length") == before + 1, told.inner_text()
    return page.evaluate("window.answers.at(-1)")


@pytest.mark.parametrize(("ask", "wanted"), [pytest.param(ask, wanted, id=name) for name, ask, wanted in FORMS])
def test_what_a_form_sends_can_be_used(seat: Page, ask: AnyAsk, wanted: dict[str, str]) -> None:
    ask_for(seat, AskFirst(agent=ME, number=99))  # so that this ask is a new one
    seat.evaluate("sessionStorage.clear()")
    ask_for(seat, ask)
    fill(seat, wanted)
    told = sent(seat)
    assert (told["agent"], told["number"]) == (ME, 1)
    answer = read_answer(json.dumps(told["answer"]))
    assert why_unusable(ask, answer) == ""
    if "move" in wanted:
        assert isinstance(answer, Drafted) and answer.draft.move.kind == wanted["move"]


def test_nothing_is_sent_while_something_is_missing(seat: Page) -> None:
    seat.evaluate("sessionStorage.clear()")
    ask_for(seat, draft(number=7))
    seat.locator('.seat-move input[value="CLAIM"]').check()
    before = seat.evaluate("window.answers.length")
    seat.locator(".seat-ask button[type=submit]").click()
    assert seat.evaluate("window.answers.length") == before
    assert "Something is still needed" in seat.locator(".seat-problems").inner_text()


def test_what_was_typed_outlives_what_happens_meanwhile(seat: Page) -> None:
    seat.evaluate("sessionStorage.clear()")
    ask_for(seat, draft(number=8))
    seat.locator('.seat-move input[value="CLAIM"]').check()
    words = seat.locator('textarea[name="CLAIM.proposition"]')
    words.fill("kept words")
    seat.evaluate("window.states.slice(-30).forEach((s) => window.seat.show(s, window.about, window.seat.drawn))")
    assert words.input_value() == "kept words"
    fill(seat, {})
    sent(seat)
    seat.evaluate("window.seat.refuse({ title: 'Unusable', detail: 'a confidence lies outside' })")
    assert "a confidence lies outside" in seat.locator(".seat-problems").inner_text()
    assert words.input_value() == "kept words"
    assert seat.locator(".seat-ask button[type=submit]").is_enabled()
