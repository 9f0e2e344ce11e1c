"""Texts on disk, deflated: a structured move repeats much of what its message says, and event names recur."""

import zlib
from typing import Final

LEVEL: Final = 6
# What entries have in common, the commonest last. It is part of the file format: a change needs a new format version.
COMMON: Final = (
    b'"refusals":[{"rule":"FLOOD-3","reason":"12 messages in 30 s","remedy":"held for the next slot","until_ms":'
    b'"outcome":"held"}"kind":"moderator_intervention""cause":"to":["kind":"dcg_calculated","at_ms":"phase":"gap":"noise":'
    b'"figures":[{"candidate":"c1","share":0."gap_closed":0."coverage":"polarity":"impact":"dcg":"rank":"flips":["'
    b'"kind":"lock_attempted""kind":"lock_succeeded""kind":"lock_failed""kind":"stage_transition","left":"entered":"'
    b'"kind":"evidence_provided""kind":"commitment_made""kind":"falsifier_declared""number":1,"concreteness":1.0'
    b'"kind":"steelman_attempt""attempt":1}"kind":"steelman_graded""steelman":"m"grade":"ACCURATE","by":"'
    b'"kind":"probe_answered","at_ms":"phase":"BEFORE","round":1,"agent":"p_top":0."credences":[["c1",0.'
    b'"kind":"message_refused","at_ms":,"agent":"'
    b'"move":{"kind":"PROVIDE_EVIDENCE","evidence":"source":"falsifier_of":"number":1,"direction":"FOR"},"content":"'
    b'"move":{"kind":"CHALLENGE_EVIDENCE","target":"m"attacks":"MEASUREMENT","CAUSAL_LINK","why":"'
    b'"move":{"kind":"COMMIT_POSITION","side":"YES","NO","statement":"reason":"confidence":0."horizon":"10y+","falsifier":'
    b'{"metric":"threshold":"deadline":"reasoning":"'
    b'"move":{"kind":"STEELMAN","target":"claim":"reason":"falsifier":"'
    b'"move":{"kind":"GRADE_STEELMAN","target":"m"grade":"INCOMPLETE","missing":"'
    b'"move":{"kind":"CLAIM","proposition":"reason":"confidence":0."top_side":"'
    b'"content":"topics":["reply_to":"m"cooldown_ms":'
    b'{"kind":"message_posted","at_ms":1"id":"m"agent":"thread":"t1","message":"m'
)


class DamagedText(Exception):
    """What is stored is not what was written."""


def compress_text(text: str) -> bytes:
    deflate = zlib.compressobj(LEVEL, zlib.DEFLATED, -15, 8, zlib.Z_DEFAULT_STRATEGY, COMMON)
    return deflate.compress(text.encode()) + deflate.flush()


def decompress_text(stored: bytes) -> str:
    try:
        inflate = zlib.decompressobj(-15, COMMON)
        return (inflate.decompress(stored) + inflate.flush()).decode()
    except (zlib.error, UnicodeDecodeError):
        raise DamagedText from None
