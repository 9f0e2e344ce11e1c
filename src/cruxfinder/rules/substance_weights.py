"""What speaks for a turn and what against it; written by `scripts/weigh.py`."""

from typing import Final

BIAS: Final = -392
# By the fields of `substance.MakeUp`.
MAKE_UP: Final = (
    8.3,  # own
    -16.3,  # few
    964.3,  # own_share
    -498.4,  # repeated
    6.0,  # most_own
    14.3,  # most_own_impersonal
    11.2,  # states
    -956.1,  # first_person
    -310.7,  # second_person
    -155.9,  # marked
    -94.8,  # any_marked
    72.8,  # any_turned
    13.2,  # joints
    111.9,  # argues
    1.0,  # told
    65.6,  # concedes
    138.3,  # tests
    10.7,  # asks
)
BY_WEIGHT: Final = (
    (-75, "again been behind conclusion forward fully heard heart here it'll item note notes opening please"),
    (-75, "position previous really set speak stands together tonight whole wish"),
    (-74, "meeting shall"),
    (-72, "evening"),
    (-70, "count now"),
    (-67, "discussion"),
    (-62, "she"),
    (-61, "different me oh"),
    (-60, "claim"),
    (-59, "line"),
    (-57, "her"),
    (-52, "through"),
    (-51, "conversation"),
    (-50, "answer mistake"),
    (-49, "sentence"),
    (-48, "same"),
    (-46, "comment often"),
    (-45, "about i'm"),
    (-43, "mine opinion"),
    (-41, "you're"),
    (-39, "pleasure supports"),
    (-37, "belongs"),
    (-36, "all good room side"),
    (-34, "said she's"),
    (-33, "question"),
    (-31, "you've"),
    (-30, "too"),
    (-28, "find like"),
    (-25, "minutes"),
    (-24, "i thought"),
    (-23, "down ought"),
    (-22, "ago just"),
    (-20, "upon us"),
    (-18, "stand we'll"),
    (-17, "myself shouldn't sort"),
    (-16, "may thank"),
    (-15, "put"),
    (-14, "bit go view"),
    (-12, "it's"),
    (-11, "reading"),
    (-10, "wrote"),
    (-9, "exactly say"),
    (-8, "has reply second shared"),
    (-7, "he remarks there"),
    (-6, "let well"),
    (-5, "coming thing"),
    (-4, "finally"),
    (-3, "times up which"),
    (-2, "opened"),
    (-1, "comes i've told"),
    (5, "not"),
    (6, "take was you your"),
    (7, "isn't what"),
    (8, "however"),
    (9, "without"),
    (10, "changed"),
    (12, "look"),
    (13, "mind way"),
    (14, "my them"),
    (15, "next"),
    (16, "over"),
    (17, "can"),
    (20, "end"),
    (21, "use"),
    (22, "much"),
    (24, "own"),
    (25, "after day where"),
    (26, "lot"),
    (27, "always important more think who's"),
    (28, "into out"),
    (29, "makes"),
    (30, "mean"),
    (31, "every"),
    (32, "first two"),
    (36, "within"),
    (38, "against should"),
    (40, "kept need those"),
    (42, "evil"),
    (45, "his want"),
    (46, "does less"),
    (47, "don't"),
    (48, "only why"),
    (51, "who"),
    (52, "per"),
    (55, "one though"),
    (56, "under"),
    (58, "least off"),
    (61, "their"),
    (62, "also doing state"),
    (63, "will"),
    (66, "give"),
    (67, "would"),
    (68, "i'd other"),
    (69, "couldn't goes grant"),
    (71, "asked can't"),
    (72, "had tell"),
    (73, "we"),
    (75, "agree away being explain fine get got know never nobody people reason some sure tells ten they went"),
)
WORDS: Final = {word: weight for weight, words in BY_WEIGHT for word in words.split()}
