"""What speaks for a turn and what against it, where it has no vector; written by `scripts/weigh.py`."""

from typing import Final

BIAS: Final = -346
# By the fields of `substance.MakeUp`.
MAKE_UP: Final = (
    13.7,  # own
    -58.5,  # few
    656.6,  # own_share
    -330.7,  # repeated
    6.1,  # most_own
    15.3,  # most_own_impersonal
    0.0,  # states
    -787.2,  # first_person
    -150.1,  # second_person
    -184.8,  # marked
    -73.3,  # any_marked
    0.0,  # any_turned
    33.4,  # joints
    113.5,  # argues
    8.9,  # told
    159.1,  # concedes
    116.3,  # tests
    31.4,  # asks
)
BY_WEIGHT: Final = (
    (-75, "again behind comment conclusion conversation discussion evening fully heard heart her here it'll"),
    (-75, "item line meeting mine namely notes often opening opinion please pleasure previous seconded sentence"),
    (-75, "shall shared speak stand stands supports together tonight whole wish"),
    (-73, "remember side sound"),
    (-72, "record"),
    (-71, "find shouldn't you've"),
    (-70, "really set she's"),
    (-68, "been minutes she superb"),
    (-67, "down thank"),
    (-66, "same through"),
    (-65, "remarks"),
    (-63, "answers essential forward sort"),
    (-59, "i'm"),
    (-58, "me mistake"),
    (-57, "like"),
    (-53, "us"),
    (-51, "wrote"),
    (-50, "myself"),
    (-49, "count i now"),
    (-47, "answer basically speaker"),
    (-46, "across"),
    (-45, "room view"),
    (-43, "opened"),
    (-39, "belongs has"),
    (-38, "whenever"),
    (-36, "position"),
    (-34, "different"),
    (-32, "must times"),
    (-31, "all indeed"),
    (-30, "holds subject"),
    (-29, "i've put"),
    (-27, "second"),
    (-26, "persuaded thought"),
    (-25, "reading"),
    (-23, "about too truly"),
    (-22, "argued everybody"),
    (-21, "comes"),
    (-20, "note yes"),
    (-19, "underline"),
    (-18, "each said"),
    (-15, "begin i'll keep long ought today told"),
    (-14, "perhaps statement"),
    (-13, "go"),
    (-12, "earlier let voting"),
    (-11, "above hand just last you're"),
    (-10, "colleagues otherwise round"),
    (-9, "third"),
    (-8, "change page"),
    (-7, "both response word"),
    (-6, "honestly"),
    (-5, "ago noted repeat"),
    (-4, "have turn"),
    (-3, "up"),
    (-2, "back yours"),
    (-1, "among our we've"),
    (1, "taking"),
    (2, "going part"),
    (3, "idea"),
    (5, "do question were"),
    (6, "over"),
    (7, "not without"),
    (8, "most what"),
    (9, "against end that's"),
    (10, "first"),
    (11, "came doesn't more no off"),
    (12, "might wants"),
    (14, "kept"),
    (16, "important way"),
    (17, "look lot"),
    (19, "clearly"),
    (20, "made okay two where"),
    (21, "once well when"),
    (23, "absolutely further"),
    (24, "come out"),
    (25, "day"),
    (29, "can"),
    (30, "need"),
    (31, "ten yeah"),
    (32, "less mind own"),
    (33, "isn't"),
    (35, "who's"),
    (36, "defend"),
    (38, "board never"),
    (39, "believe other"),
    (41, "will"),
    (42, "around use"),
    (43, "giving"),
    (44, "else per stop very"),
    (45, "either point tell"),
    (46, "one those"),
    (47, "his"),
    (48, "ask hasn't only whether"),
    (49, "who"),
    (50, "their"),
    (54, "making"),
    (57, "every"),
    (60, "they"),
    (62, "would"),
    (65, "however"),
    (66, "didn't"),
    (69, "does got"),
    (70, "always"),
    (71, "under"),
    (73, "we"),
    (74, "much"),
    (75, "actually agree also asked away being can't couldn't doing don't evil example explain fact fine"),
    (75, "friend's get give goes grant had haven't i'd know least mean nobody people reason some state sure"),
    (75, "talking tells think though want we'd went why within worse"),
)
WORDS: Final = {word: weight for weight, words in BY_WEIGHT for word in words.split()}
