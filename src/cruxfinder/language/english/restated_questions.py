"""Is a question another one in free words? Asked where matching word by word found no answer.

What ought to be done is said in many ways ("close it to cars", "ban cars from it") and turns on what it is done to. So
the things named have to be the same, and what is to be done with them is reduced to a yes or a no: allow, keep and
continue it, or ban, abolish and stop it. A word that stands in one question alone has to be implied by one of the
other. Numbers, names and words of quantity are never implied.
"""

from collections.abc import Sequence
from typing import Final, Literal

from cruxfinder.language.english.contrasts import words_in_order
from cruxfinder.language.english.question_claims import ClaimWord, QuestionClaim, base_form, is_light, is_of_subject
from cruxfinder.language.english.question_word_pairs import ALIKE_FROM, AlikeWords, word_relations
from cruxfinder.language.english.question_words import ACTORS

Sameness = Literal["", "same", "opposite"]
Pair = tuple[int, int, int]  # of a word here, one there, and 1 or -1

WORDS_MAX: Final = 60
THINGS_MIN: Final = 2  # that both name; one is enough where both say what to do with it
IMPLIED_FROM: Final = 0.55  # of an embedder's cosine: "landlords" imply "tenants", "ministers" no "advisers"
NEAR_FROM: Final = 0.6  # of the texts, where a word is only implied
ACTOR_MAX: Final = 3
FRAME_MAX: Final = 0.6
SOUNDS_ALIKE_FROM: Final = 0.6  # of an embedder's cosine: "rust" and "corrosion"

# What is to be done with a thing: let it be or stay, or not.
DEEDS: Final[dict[str, int]] = {
    word: sign
    for sign, line in (
        (1, "allow permit tolerate legalise legalize legal lawful permissible allowed permitted keep kept retain"
            " maintain preserve continue remain stay spare save restore reintroduce reinstate revive introduce"
            " adopt open"),
        (-1, "ban prohibit forbid forbidden outlaw bar disallow illegal unlawful impermissible criminal abolish scrap"
             " eliminate discontinue dismantle drop end finish stop cease halt conclude close shut demolish remove"
             " repeal withdraw cancel"),
    )
    for word in line.split()
}  # fmt: skip
# Nouns that stand before another and add nothing to it.
IDLE: Final = frozenset(
    "custom practice habit system policy rule use existence institution member members side favour account stand"
    " ever citizens drinking eating using having".split()
)


def compare_restated(one: QuestionClaim, other: QuestionClaim, nearness: float, alike: AlikeWords | None) -> Sameness:
    """By words known to be alike, then, where the two share few words in their order, by words that sound alike."""
    found = compare_claims(one, other, nearness, alike, ALIKE_FROM)
    if found or alike is None or nearness < NEAR_FROM or share_in_order(one, other) >= FRAME_MAX:
        return found
    return compare_claims(one, other, nearness, alike, SOUNDS_ALIKE_FROM)


def share_in_order(one: QuestionClaim, other: QuestionClaim) -> float:
    """How much of two questions is one frame, in which a word that differs tells two subjects apart."""
    first, second = ([w.stem for w in claim.words] for claim in (one, other))
    return 2 * words_in_order(first, second) / max(1, len(first) + len(second))


def compare_claims(
    one: QuestionClaim, other: QuestionClaim, nearness: float, alike: AlikeWords | None, alike_from: float
) -> Sameness:
    if max(len(one.words), len(other.words)) > WORDS_MAX:
        return ""
    pairs = pair_things(one, other, alike, alike_from)
    if pairs is None:
        return ""
    left = words_without(one, {n for n, _, _ in pairs}), words_without(other, {k for _, k, _ in pairs})
    deeds = [deed_sign(w) if one.mood == "ought" else 0 for side in left for w in side]
    rest = [[w for w in side if not (one.mood == "ought" and deed_sign(w))] for side in left]
    rest = [leave_out_actor(rest[0], one, other), leave_out_actor(rest[1], other, one)]
    if not are_implied(rest[0], rest[1], one, other, nearness, alike):
        return ""
    both_deeds = one.mood == "ought" and all(any(deed_sign(w) for w in side) for side in left)
    things = [p for p in pairs if not is_light(one.words[p[0]])]
    if len(things) < (1 if both_deeds else THINGS_MIN) or are_swapped(one, other, pairs):
        return ""
    opposed = sum(sign < 0 for *_, sign in pairs) + sum(d < 0 for d in deeds) + (one.turned != other.turned)
    return "opposite" if opposed % 2 else "same"


def pair_things(
    one: QuestionClaim, other: QuestionClaim, alike: AlikeWords | None, alike_from: float
) -> list[Pair] | None:
    """The words both have, but for what is to be done; None where one of them is opposed and may be two subjects."""
    found: list[Pair] = []
    for relation in word_relations(alike, alike_from):
        for n, word in enumerate(one.words):
            if n in {p[0] for p in found} or is_deed(word, one):
                continue
            free = [k for k, w in enumerate(other.words) if k not in {p[1] for p in found} and not is_deed(w, other)]
            for k in sorted(free, key=lambda k: (is_light(other.words[k]), abs(k - n))):
                sign = relation(word, other.words[k])
                if sign < 0 and is_of_subject(word, other.words[k]):
                    return None
                if sign:
                    turned = word.turned != other.words[k].turned
                    found.append((n, k, -sign if turned else sign))
                    break
    return found


def is_deed(word: ClaimWord, claim: QuestionClaim) -> bool:
    return claim.mood == "ought" and deed_sign(word) != 0


def deed_sign(word: ClaimWord) -> int:
    """1: let it be so, or stay so; -1: do not; 0: no such word."""
    sign = DEEDS.get(word.word) or DEEDS.get(base_form(word.word)) or DEEDS.get(word.stem) or 0
    return -sign if word.turned else sign


def words_without(claim: QuestionClaim, taken: set[int]) -> list[ClaimWord]:
    return [w for n, w in enumerate(claim.words) if n not in taken]


def leave_out_actor(left: Sequence[ClaimWord], claim: QuestionClaim, other: QuestionClaim) -> list[ClaimWord]:
    """Without who is to do it, where the other question leaves that open, and without words that add nothing."""
    kept = [w for w in left if not is_idle(w, claim)]
    first = [claim.words.index(w) for w in kept]
    if any(w.word in ACTORS for w in other.words):
        return kept
    if other.actorless and not claim.actorless and len(kept) <= ACTOR_MAX and first == [*range(len(first))]:
        return []
    return kept


def is_idle(word: ClaimWord, claim: QuestionClaim) -> bool:
    if word.turned:
        return False
    return is_light(word) or word.word in IDLE or (claim.mood == "ought" and word.word in ACTORS)


def are_implied(
    left: Sequence[ClaimWord],
    right: Sequence[ClaimWord],
    one: QuestionClaim,
    other: QuestionClaim,
    nearness: float,
    alike: AlikeWords | None,
) -> bool:
    """Does what only one of the questions says go with what both say?"""
    if not left and not right:
        return True
    if (left and right) or alike is None or nearness < NEAR_FROM or len(left) + len(right) > 1:
        return False
    there = other.words if left else one.words
    return all(is_implied(word, there, alike) for word in (*left, *right))


def is_implied(word: ClaimWord, there: Sequence[ClaimWord], alike: AlikeWords) -> bool:
    if word.stem[0] in "=#" or word.name or word.poles or not word.word.isalpha():
        return False
    return any(w.word.isalpha() and w.stem[0] not in "=#" and alike(word.word, w.word) >= IMPLIED_FROM for w in there)


def are_swapped(one: QuestionClaim, other: QuestionClaim, pairs: Sequence[Pair]) -> bool:
    """Has what is done to something changed places with it? Where it is let or not, what does it may stand anywhere."""
    placed = [(n, k) for n, k, _ in sorted(pairs) if is_placed(one.words[n], one) and is_placed(other.words[k], other)]
    inverted = [k for _, k in placed] != sorted(k for _, k in placed)
    if one.converse != other.converse:
        return not inverted
    if one.passive != other.passive:
        passive, active = (one, other) if one.passive else (other, one)
        ordered = [(n, k) if one.passive else (k, n) for n, k in placed]
        agents = [k for n, k in ordered if passive.words[n].stem == passive.agent]
        return active.agent != passive.agent and bool(agents) and agents[0] != min(k for _, k in ordered)
    deeds = [sorted(base_form(w.word) for w in claim.words if is_deed(w, claim)) for claim in (one, other)]
    return inverted and one.recast == other.recast and deeds[0] == deeds[1]


def is_placed(word: ClaimWord, claim: QuestionClaim) -> bool:
    return not is_light(word) and word.stem[0] != "#" and not (claim.mood == "ought" and bool(word.poles))
