"""What speaks for a turn and what against it, beside its vector; written by `scripts/weigh.py`."""

from typing import Final

BIAS: Final = 93
# By the fields of `substance.MakeUp`.
MAKE_UP: Final = (
    19.1,  # own
    -102.5,  # few
    241.7,  # own_share
    -379.6,  # repeated
    1.2,  # most_own
    14.2,  # most_own_impersonal
    18.7,  # states
    -214.3,  # first_person
    233.4,  # second_person
    -275.9,  # marked
    -32.7,  # any_marked
    -63.0,  # any_turned
    29.4,  # joints
    75.1,  # argues
    6.0,  # told
    173.9,  # concedes
    84.8,  # tests
    63.1,  # asks
)
BY_WEIGHT: Final = (
    (-75, "among behind count different essential evening find heard it'll item mine myself namely often"),
    (-75, "opening please previous record remain speak stands tonight whole"),
    (-74, "told"),
    (-71, "heart"),
    (-69, "again"),
    (-65, "set"),
    (-63, "everybody notes"),
    (-59, "minutes"),
    (-57, "view"),
    (-54, "hand us"),
    (-53, "here sentence"),
    (-51, "i'm"),
    (-50, "mistake"),
    (-48, "fully"),
    (-47, "shouldn't through together"),
    (-45, "stand too"),
    (-44, "let stubborn"),
    (-42, "down shall superb"),
    (-40, "me"),
    (-39, "could"),
    (-38, "may"),
    (-37, "i you've"),
    (-36, "same"),
    (-35, "across"),
    (-34, "times"),
    (-33, "conclusion side"),
    (-31, "answer"),
    (-30, "wish"),
    (-29, "now put"),
    (-27, "has noted which"),
    (-26, "basically"),
    (-25, "like not"),
    (-24, "vote"),
    (-23, "have yours"),
    (-22, "perhaps"),
    (-21, "round"),
    (-20, "conversation long"),
    (-19, "been comment"),
    (-17, "held sum"),
    (-16, "was"),
    (-15, "are response there"),
    (-13, "line shared"),
    (-12, "meeting voting"),
    (-11, "holds position"),
    (-10, "all"),
    (-9, "many"),
    (-8, "remarks today"),
    (-7, "claim earlier opened our"),
    (-6, "four last yes"),
    (-5, "between i've"),
    (-4, "ago"),
    (-2, "no really"),
    (-1, "supports"),
    (1, "own"),
    (2, "gets wants"),
    (3, "he per stop"),
    (4, "hope said your"),
    (5, "do"),
    (6, "day nothing"),
    (7, "continue entirely however read where"),
    (8, "argument both come"),
    (10, "their"),
    (11, "aren't came over use"),
    (12, "how never"),
    (15, "agreed going"),
    (16, "agreement more those whether"),
    (17, "okay"),
    (19, "needs what"),
    (21, "board speaking will"),
    (22, "defend well"),
    (24, "hear one understand"),
    (25, "end they"),
    (28, "giving look"),
    (29, "can example instead out"),
    (31, "else good important would"),
    (32, "evil"),
    (33, "believe my"),
    (36, "always say"),
    (37, "every first got grateful his"),
    (38, "ten who"),
    (39, "point question"),
    (40, "idea only"),
    (41, "part says"),
    (42, "tell"),
    (44, "they'd"),
    (45, "around"),
    (46, "don't other"),
    (47, "though"),
    (48, "we"),
    (49, "get within"),
    (50, "off"),
    (52, "itself kind under"),
    (53, "fine some"),
    (57, "made"),
    (60, "know"),
    (61, "i'd state"),
    (65, "sure"),
    (66, "haven't people"),
    (67, "debate"),
    (68, "very"),
    (70, "ask"),
    (72, "isn't mind"),
    (75, "actually agree agrees also asked away being can't does doing fact friend's further give goes had"),
    (75, "least mean much nobody reason talking tells think want went why"),
)
WORDS: Final = {word: weight for weight, words in BY_WEIGHT for word in words.split()}
