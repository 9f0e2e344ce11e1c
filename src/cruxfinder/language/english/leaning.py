"""Words by which a turn leans on an earlier one, so that it cannot be read on its own."""

import re
from typing import Final

LEANING: Final = re.compile(
    r"\b(?:as i (?:was saying|(?:already )?(?:said|mentioned|argued|noted|explained))"
    r"|as (?:i|we)(?: have|['’]ve) (?:already |just )?(?:said|mentioned|argued|noted|explained|stated)"
    r"|like i(?:['’]ve)? said|as (?:already )?(?:mentioned|stated|noted|discussed) (?:above|before|earlier)"
    # Only where a part of a sentence begins: "the rule as stated, word for word" leans on nothing.
    r"|(?:(?<![^\n])|(?<=[.!?…:;,–—-]\s))(?:and |but )?as (?:already |previously )?(?:mentioned|stated|noted)(?=,)"
    r"|(?:to )?(?:continue|continuing|pick up|picking up|carry on|going on|go on) (?:from )?where (?:i|we) left off"
    r"|see (?:above|my (?:previous|last|earlier) turn)|as before(?=,)"
    r"|my (?:previous|last|earlier) (?:turn|message|post)"
    r"|what i (?:just )?said (?:before|earlier|above)|continued from|to be continued|more on (?:this|that) later)\b"
)
# Each of these phrases holds one of these: most turns hold none, and are not looked at twice.
LEANS: Final = (
    "said saying mentioned argued noted explained stated discussed left above previous last earlier before continued"
    " later"
).split()


def find_leaning(text: str) -> str:
    """The first of them as they are written; empty where there are none."""
    lowered = text.lower()
    if not any(word in lowered for word in LEANS) or (found := LEANING.search(lowered)) is None:
        return ""
    quoted = text if len(text) == len(lowered) else lowered  # a capital may lose its place
    return quoted[slice(*found.span())]
