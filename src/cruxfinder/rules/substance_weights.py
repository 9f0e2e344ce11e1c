"""What speaks for a turn and what against it, where it has no vector; written by `scripts/weigh.py`."""

from typing import Final

BIAS: Final = -375
# By the fields of `substance.MakeUp`.
MAKE_UP: Final = (
    12.7,  # own
    -21.0,  # few
    873.9,  # own_share
    -488.3,  # repeated
    3.9,  # most_own
    13.1,  # most_own_impersonal
    6.9,  # states
    -898.4,  # first_person
    -286.3,  # second_person
    -203.3,  # marked
    -84.5,  # any_marked
    67.0,  # any_turned
    18.2,  # joints
    113.1,  # argues
    4.0,  # told
    55.2,  # concedes
    135.7,  # tests
    9.4,  # asks
)
BY_WEIGHT: Final = (
    (-75, "again behind comment conclusion discussion evening fully heard heart here it'll item line meeting"),
    (-75, "mine notes often opening please previous really set she speak stands through together tonight whole"),
    (-74, "position"),
    (-70, "different sentence shall"),
    (-68, "note view"),
    (-67, "been now record"),
    (-64, "her supports"),
    (-61, "remarks"),
    (-59, "mistake"),
    (-58, "me"),
    (-57, "wish"),
    (-55, "same"),
    (-51, "stand we'll"),
    (-49, "you're"),
    (-47, "answer conversation forward i"),
    (-45, "colleagues"),
    (-43, "you've"),
    (-42, "about i'm"),
    (-39, "like"),
    (-38, "said side"),
    (-37, "claim oh"),
    (-36, "all"),
    (-35, "good she's"),
    (-34, "find"),
    (-32, "opinion"),
    (-30, "down shouldn't"),
    (-29, "question"),
    (-27, "upon"),
    (-26, "count us"),
    (-24, "put yes"),
    (-23, "told"),
    (-22, "change ought"),
    (-21, "minutes"),
    (-20, "let"),
    (-19, "sort times"),
    (-18, "finally"),
    (-17, "has"),
    (-16, "let's may"),
    (-15, "it's"),
    (-14, "just thought"),
    (-13, "seconded"),
    (-12, "too"),
    (-10, "belongs go thank"),
    (-9, "remember"),
    (-8, "hand have i've"),
    (-7, "today up"),
    (-6, "essential how subject"),
    (-5, "disagree room speaker wrote"),
    (-4, "our"),
    (-3, "voting"),
    (-1, "opened thing"),
    (1, "ask either"),
    (3, "came my way"),
    (5, "did evil mind very"),
    (6, "when worse"),
    (8, "end"),
    (10, "first makes what"),
    (11, "didn't"),
    (12, "actually"),
    (14, "can day"),
    (15, "hear over point think was"),
    (16, "after"),
    (17, "else into them"),
    (18, "more"),
    (21, "against"),
    (23, "who's"),
    (25, "own"),
    (26, "always out those without"),
    (28, "doesn't within"),
    (29, "kept"),
    (30, "should"),
    (31, "hasn't"),
    (32, "his lot"),
    (34, "however"),
    (36, "need off"),
    (37, "state"),
    (39, "important they'd"),
    (40, "stop where"),
    (42, "much will"),
    (43, "use"),
    (44, "two"),
    (45, "every"),
    (46, "haven't least"),
    (47, "only"),
    (50, "who"),
    (51, "though under"),
    (52, "per"),
    (57, "one"),
    (61, "never tell"),
    (63, "know less"),
    (64, "does"),
    (66, "doing"),
    (67, "we"),
    (69, "also don't they"),
    (72, "their"),
    (73, "give"),
    (74, "i'd some would"),
    (75, "agree asked away being can't couldn't explain fine get goes got grant had isn't nobody other people"),
    (75, "reason sure tells ten want went why"),
)
WORDS: Final = {word: weight for weight, words in BY_WEIGHT for word in words.split()}
