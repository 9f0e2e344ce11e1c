"""One memo, one persona: who wrote it, and what they claim in it, word for word."""

from collections.abc import Sequence

from cruxfinder.adapters.casting import text_files
from cruxfinder.adapters.casting.persona_extraction import AuthoredText, Portrait, gather_or_cancel, portrait
from cruxfinder.adapters.casting.text_files import Document
from cruxfinder.errors import BadInput
from cruxfinder.kernel.vocabulary import AGENTS_MAX
from cruxfinder.language.quotes import DocumentSpan
from cruxfinder.ports import Budget, Thinker


async def persona_of_memo(memo: str | Document, *, topic: str, thinker: Thinker, budget: Budget) -> Portrait:
    """The persona of a memo, given by its path or as a document. Raise BadInput, or DebaterFault, in one sentence."""
    document = text_files.read(memo) if isinstance(memo, str) else text_files.check_document(memo)
    return await portrait(text_of_memo(document), topic=topic, thinker=thinker, budget=budget)


async def personas_of_memos(
    memos: Sequence[str | Document], *, topic: str, thinker: Thinker, budget: Budget
) -> tuple[Portrait, ...]:
    """One for each memo, in order. All files are read before the first request is paid for."""
    if len(memos) > AGENTS_MAX:
        raise BadInput(f"a debate has at most {AGENTS_MAX} personas, and there are {len(memos)} memos")
    documents = [text_files.read(memo) if isinstance(memo, str) else text_files.check_document(memo) for memo in memos]
    wanted = [portrait(text_of_memo(each), topic=topic, thinker=thinker, budget=budget) for each in documents]
    return await gather_or_cancel(wanted)


def text_of_memo(document: Document) -> AuthoredText:
    whole = DocumentSpan(start=0, end=len(document.text))
    return AuthoredText(
        source=document.source, document=document.text, stretches=(whole,), name=document.stem, signed=False
    )
