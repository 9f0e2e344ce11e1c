"""DIA-1: every form reads and writes, what is odd is quoted, and what is wrong is told with its place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cruxfinder.gate.csp import CARRIED, LENGTH_MAX, BadText, read, write
from cruxfinder.gate.forms import (
    AdvocateClaim,
    CriticObjection,
    Diagnosis,
    FailureRequest,
    Form,
    GateResolution,
    Pattern,
    PlanRequest,
    Severity,
    Stakes,
    Synthesis,
)

SEED_FORMS = [
    (
        "DEBATE REQ:delete the cache ROUNDS:2 STAKES:high",
        PlanRequest(proposal="delete the cache", rounds=2, stakes=Stakes.HIGH),
    ),
    (
        "DEBATE_FAILURE REQ:fix auth test ATTEMPTS:[updated import path, reinstalled deps] "
        "ERRORS:[Cannot find module, Cannot find module]",
        FailureRequest(
            task="fix auth test",
            attempts=("updated import path", "reinstalled deps"),
            errors=("Cannot find module", "Cannot find module"),
        ),
    ),
    (
        'CLAIM:"the cache is rebuilt in a minute" SUPPORTS:[nobody reads it, "rebuilt daily, by cron"] CONFIDENCE:0.85',
        AdvocateClaim(
            claim="the cache is rebuilt in a minute",
            supports=("nobody reads it", "rebuilt daily, by cron"),
            confidence=0.85,
        ),
    ),
    (
        "OBJECTION:sessions live in it\nRISKS:[everybody is logged out]\n"
        "COUNTER:delete the keys under /pages only\nSEVERITY:medium",
        CriticObjection(
            objection="sessions live in it",
            risks=("everybody is logged out",),
            counter="delete the keys under /pages only",
            severity=Severity.MEDIUM,
        ),
    ),
    (
        "DIAGNOSIS: the alias is not known to the runner\n"
        "FIX: add it to the config\nDIFF_FROM_PREVIOUS: the config, not the import",
        Diagnosis(
            diagnosis="the alias is not known to the runner",
            fix="add it to the config",
            difference="the config, not the import",
        ),
    ),
    (
        "PATTERN:none BLIND_SPOT:None SHOULD_ESCALATE:false",
        Pattern(pattern="", blind_spot="", should_escalate=False),
    ),
    (
        "RESOLUTION PROCEED\nRATIONALE nothing stands against it",
        Synthesis(resolution=GateResolution.PROCEED, rationale="nothing stands against it"),
    ),
    (
        'RESOLUTION MODIFY\nRATIONALE The critic\'s "backup first" is right.\n'
        'MODIFICATIONS [take a backup, "limit it to /pages, no more"]\nNEXT_ATTEMPT_LIMIT 1\n',
        Synthesis(
            resolution=GateResolution.MODIFY,
            rationale='The critic\'s "backup first" is right.',
            modifications=("take a backup", "limit it to /pages, no more"),
            attempt_limit=1,
        ),
    ),
    (
        "RESOLUTION RETRY\nRATIONALE it differs\nNEXT_APPROACH pin the version\nNEXT_ATTEMPT_LIMIT 2",
        Synthesis(
            resolution=GateResolution.RETRY, rationale="it differs", next_approach="pin the version", attempt_limit=2
        ),
    ),
    (
        "RESOLUTION: PIVOT\nRATIONALE: a blind spot\nNEXT_APPROACH: read the lock file",
        Synthesis(resolution=GateResolution.PIVOT, rationale="a blind spot", next_approach="read the lock file"),
    ),
    (
        "RESOLUTION ESCALATE\nRATIONALE no rights\nESCALATE_TO human",
        Synthesis(resolution=GateResolution.ESCALATE, rationale="no rights", escalate_to="human"),
    ),
]


@pytest.mark.rule("DIA-1")
@pytest.mark.parametrize(
    ("text", "form"), SEED_FORMS, ids=[text.split()[0][:24] + str(n) for n, (text, _) in enumerate(SEED_FORMS)]
)
def test_every_form_is_read_and_reads_back(text: str, form: Form) -> None:
    assert read(text) == form
    assert read(write(form)) == form
    assert write(read(write(form))) == write(form)


def test_a_request_is_one_line_and_a_synthesis_one_field_a_line() -> None:
    request = PlanRequest(proposal="drop\nit", rounds=1, stakes=Stakes.LOW)
    assert write(request) == 'DEBATE REQ:"drop\\nit" ROUNDS:1 STAKES:low'
    made = Synthesis(resolution=GateResolution.MODIFY, rationale="so", modifications=("a, b", "c"), attempt_limit=2)
    assert write(made).splitlines() == [
        "RESOLUTION MODIFY",
        "RATIONALE so",
        'MODIFICATIONS ["a, b", c]',
        "NEXT_ATTEMPT_LIMIT 2",
    ]


def test_empty_lists_and_an_empty_item() -> None:
    assert read("CLAIM:x SUPPORTS:[] CONFIDENCE:1") == AdvocateClaim(claim="x", supports=(), confidence=1.0)
    assert read('CLAIM:x SUPPORTS:[ "" , a ] CONFIDENCE:0') == AdvocateClaim(
        claim="x", supports=("", "a"), confidence=0.0
    )
    assert read("RESOLUTION PROCEED\nRATIONALE so\nMODIFICATIONS []").resolution is GateResolution.PROCEED  # pyright: ignore[reportAttributeAccessIssue]


def test_a_quoted_none_is_a_word_and_a_bare_one_is_nothing() -> None:
    said = Pattern(pattern="none", blind_spot="", should_escalate=True)
    assert 'PATTERN:"none"' in write(said)
    assert read(write(said)) == said


@pytest.mark.rule("DIA-1")
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "line 1, column 1: expected one of DEBATE, DEBATE_FAILURE, CLAIM"),
        ("PLAN REQ:x", "line 1, column 1: expected one of DEBATE"),
        ("debate REQ:x ROUNDS:1 STAKES:low", "line 1, column 1: expected one of"),
        ("DEBATE:REQ", "line 1, column 7: expected a space and REQ:"),
        ("DEBATE REQ:x STAKES:low", "line 1, column 24: expected ROUNDS"),
        ("DEBATE REQ:x ROUNDS:4 STAKES:low", "line 1, column 21: expected ROUNDS to be a whole number from 1 to 3"),
        ("DEBATE REQ:x ROUNDS:1 STAKES:HIGH", "line 1, column 30: expected STAKES to be low, medium or high"),
        ("DEBATE REQ: ROUNDS:1 STAKES:low", "line 1, column 13: expected REQ to be a text that is not empty"),
        ("DEBATE REQ:x ROUNDS:1 ROUNDS:2 STAKES:low", "line 1, column 23: expected ROUNDS only once"),
        ("DEBATE REQ:x ROUNDS:1 STAKES:low CONFIDENCE:1", "line 1, column 34: expected the end of the text"),
        ('DEBATE REQ:"x ROUNDS:1 STAKES:low', "line 1, column 12: expected a closing quote"),
        ('DEBATE REQ:"x"y ROUNDS:1 STAKES:low', "line 1, column 15: expected a space after the closing quote"),
        ("DEBATE REQ:[x] ROUNDS:1 STAKES:low", "line 1, column 12: expected REQ to be a text"),
        ("DEBATE REQ:x ROUNDS:1 STAKES:low\nmore", "line 2, column 1: expected the end of the text"),
        ("DEBATE_FAILURE REQ:x ATTEMPTS:a ERRORS:[]", "line 1, column 31: expected ATTEMPTS to be a list in brackets"),
        ("DEBATE_FAILURE REQ:x ATTEMPTS:[a ERRORS:[]", "line 1, column 41: expected , or ] in the list ATTEMPTS"),
        ("DEBATE_FAILURE REQ:x ATTEMPTS:[a,] ERRORS:[]", "line 1, column 34: expected an item in the list ATTEMPTS"),
        ("CLAIM:x\nSUPPORTS:[]\nCONFIDENCE:high", "line 3, column 12: expected CONFIDENCE to be a number from 0 to 1"),
        ("CLAIM:x\nSUPPORTS:[]\nCONFIDENCE:1.2", "line 3, column 12: expected CONFIDENCE to be a number"),
        ("CLAIM:x\nSUPPORTS:[]\nCONFIDENCE:nan", "line 3, column 12: expected CONFIDENCE to be a number"),
        ("PATTERN:x BLIND_SPOT:y SHOULD_ESCALATE:maybe", "line 1, column 40: expected SHOULD_ESCALATE to be true or"),
        ("RESOLUTION APPROVE\nRATIONALE x", "line 1, column 12: expected RESOLUTION to be PROCEED"),
        ("RESOLUTION PROCEED", "line 1, column 19: expected RATIONALE"),
        ("RESOLUTION MODIFY\nRATIONALE x\nMODIFICATIONS []\nNEXT_ATTEMPT_LIMIT 1", "line 3, column 15: expected MODIF"),
        ("RESOLUTION MODIFY\nRATIONALE x\nMODIFICATIONS [a]", "line 3, column 18: expected NEXT_ATTEMPT_LIMIT, as the"),
        ("RESOLUTION RETRY\nRATIONALE x\nNEXT_APPROACH y\nNEXT_ATTEMPT_LIMIT 3", "line 4, column 20: expected NEXT_"),
        ("RESOLUTION PROCEED\nRATIONALE x\nMODIFICATIONS [a]", "line 3, column 15: expected nothing more with PROCEED"),
        ("RESOLUTION ESCALATE\nRATIONALE x\nNEXT_APPROACH y", "line 3, column 15: expected ESCALATE_TO with ESCALATE"),
        ("RESOLUTION PROCEED\nRATIONALE x\nVERDICT y", "line 3, column 1: expected MODIFICATIONS, NEXT_APPROACH, ES"),
        ('RESOLUTION PROCEED\nRATIONALE "x" and more', "line 2, column 15: expected the end of the line"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(text: str, told: str) -> None:
    with pytest.raises(BadText) as caught:
        read(text)
    assert str(caught.value).startswith(told)


def test_a_proposal_cannot_smuggle_in_fields() -> None:
    with pytest.raises(BadText, match="expected STAKES only once"):
        read("DEBATE REQ:tidy up STAKES:low and drop it ROUNDS:1 STAKES:high")
    sly = PlanRequest(proposal="tidy up STAKES:low", rounds=3, stakes=Stakes.HIGH)
    assert read(write(sly)) == sly


# ---- whatever is written reads back

texts = st.text(max_size=60)
said = texts.filter(lambda text: bool(text.strip()))
lists = st.lists(texts, max_size=5).map(tuple)
hundredths = st.integers(0, 100).map(lambda n: n / 100)


def syntheses() -> st.SearchStrategy[Synthesis]:
    def of(resolution: GateResolution) -> st.SearchStrategy[Synthesis]:
        carried = CARRIED[resolution]
        return st.builds(
            Synthesis,
            resolution=st.just(resolution),
            rationale=said,
            modifications=st.lists(texts, min_size=1, max_size=4).map(tuple)
            if "MODIFICATIONS" in carried
            else st.just(()),
            next_approach=said if "NEXT_APPROACH" in carried else st.just(""),
            escalate_to=said if "ESCALATE_TO" in carried else st.just(""),
            attempt_limit=st.integers(1, 2) if "NEXT_ATTEMPT_LIMIT" in carried else st.just(0),
        )

    return st.sampled_from(GateResolution).flatmap(of)


forms = st.one_of(
    st.builds(PlanRequest, proposal=said, rounds=st.integers(1, 3), stakes=st.sampled_from(Stakes)),
    st.builds(FailureRequest, task=said, attempts=lists, errors=lists),
    st.builds(AdvocateClaim, claim=said, supports=lists, confidence=hundredths),
    st.builds(CriticObjection, objection=said, risks=lists, counter=texts, severity=st.sampled_from(Severity)),
    st.builds(Diagnosis, diagnosis=said, fix=said, difference=texts),
    st.builds(Pattern, pattern=texts, blind_spot=texts, should_escalate=st.booleans()),
    syntheses(),
)


@pytest.mark.rule("DIA-1")
@given(forms)
def test_whatever_is_written_reads_back(form: Form) -> None:
    assert read(write(form)) == form


def test_a_text_that_is_too_long_is_not_read() -> None:
    short = write(SEED_FORMS[0][1])
    assert read(short + " " * (LENGTH_MAX - len(short))) == SEED_FORMS[0][1]
    with pytest.raises(BadText, match="at most"):
        read(short + " " * (LENGTH_MAX + 1 - len(short)))


@given(forms, st.text(alphabet='"[]:,\\\n none REQSTAKES', max_size=30))
def test_odd_characters_survive(form: Form, odd: str) -> None:
    request = FailureRequest(task=f"x{odd}", attempts=(odd, write(form)), errors=(odd,))
    assert read(write(request)) == request


@given(st.text(alphabet='DEBATRQCLIM:[]",\\ \n01', max_size=60) | st.text(max_size=60))
def test_any_text_is_read_or_told_to_be_wrong(text: str) -> None:
    try:
        form = read(text)
    except BadText as fault:
        told = fault
    else:
        assert read(write(form)) == form
        return
    assert told.line >= 1 and told.column >= 1 and "expected" in told.told
