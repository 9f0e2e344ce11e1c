"""What speaks for a turn and what against it, beside its vector; written by `scripts/weigh.py`."""

from typing import Final

BIAS: Final = 187
# By the fields of `substance.MakeUp`.
MAKE_UP: Final = (
    19.0,  # own
    -78.5,  # few
    362.5,  # own_share
    -515.6,  # repeated
    0.0,  # most_own
    12.3,  # most_own_impersonal
    32.8,  # states
    -359.4,  # first_person
    0.0,  # second_person
    -250.5,  # marked
    -55.0,  # any_marked
    42.3,  # any_turned
    22.6,  # joints
    78.6,  # argues
    1.5,  # told
    95.5,  # concedes
    85.0,  # tests
    45.3,  # asks
)
BY_WEIGHT: Final = (
    (-75, "count heard item may often please previous record set stands whole"),
    (-72, "let tonight"),
    (-69, "behind together"),
    (-68, "different"),
    (-66, "again opening"),
    (-65, "here"),
    (-60, "mine"),
    (-58, "speak"),
    (-57, "view"),
    (-55, "heart told"),
    (-54, "through"),
    (-50, "remain"),
    (-49, "i mistake"),
    (-48, "absolutely"),
    (-44, "it'll too"),
    (-42, "find myself notes"),
    (-41, "hand i'm now put"),
    (-39, "essential me"),
    (-38, "minutes time"),
    (-36, "yes"),
    (-35, "have"),
    (-33, "there"),
    (-30, "among"),
    (-28, "could"),
    (-27, "not"),
    (-25, "down"),
    (-24, "are"),
    (-23, "evening same"),
    (-22, "ago position said us"),
    (-21, "comment"),
    (-19, "about"),
    (-16, "fully"),
    (-14, "it's shouldn't times"),
    (-13, "conclusion shall"),
    (-12, "all go"),
    (-11, "been which"),
    (-8, "everybody full"),
    (-7, "until"),
    (-6, "stand"),
    (-4, "line up"),
    (-3, "saying"),
    (-2, "comes four no you've"),
    (-1, "held"),
    (1, "came lot"),
    (2, "he see those"),
    (3, "grant perfectly"),
    (4, "how them"),
    (5, "look you'd"),
    (6, "over"),
    (7, "debate you"),
    (8, "should"),
    (9, "am your"),
    (10, "read"),
    (12, "think"),
    (13, "already"),
    (14, "what"),
    (15, "very"),
    (17, "don't haven't hear"),
    (18, "argument out their"),
    (19, "per under"),
    (21, "ask two"),
    (22, "get"),
    (23, "point"),
    (24, "further use"),
    (25, "both some"),
    (26, "end every"),
    (27, "agreed first more"),
    (28, "grateful"),
    (29, "can"),
    (31, "needs"),
    (33, "his"),
    (34, "they"),
    (37, "into makes where"),
    (38, "my talking"),
    (40, "one"),
    (41, "also mean"),
    (42, "got never why"),
    (44, "instead would"),
    (45, "who"),
    (49, "only"),
    (51, "goes say"),
    (52, "i'd off"),
    (53, "much"),
    (54, "give we"),
    (55, "people"),
    (60, "had says"),
    (63, "want"),
    (66, "made"),
    (69, "sure ten"),
    (74, "important"),
    (75, "agree agrees asked away being can't does doing fine isn't least mind nobody other reason tell tells"),
    (75, "they'd went"),
)
WORDS: Final = {word: weight for weight, words in BY_WEIGHT for word in words.split()}
