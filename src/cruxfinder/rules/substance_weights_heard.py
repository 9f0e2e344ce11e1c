"""What speaks for a turn and what against it, beside its vector; written by `scripts/weigh.py`."""

from typing import Final

BIAS: Final = 166
# By the fields of `substance.MakeUp`.
MAKE_UP: Final = (
    18.3,  # own
    -46.4,  # few
    466.2,  # own_share
    -570.9,  # repeated
    1.7,  # most_own
    16.5,  # most_own_impersonal
    13.7,  # states
    -442.2,  # first_person
    0.0,  # second_person
    -290.7,  # marked
    -42.6,  # any_marked
    39.4,  # any_turned
    17.2,  # joints
    87.4,  # argues
    0.0,  # told
    101.8,  # concedes
    98.0,  # tests
    39.8,  # asks
)
BY_WEIGHT: Final = (
    (-75, "again count item mistake often please previous record set stands stubborn tonight whole"),
    (-69, "find"),
    (-65, "it'll together view"),
    (-63, "heard"),
    (-59, "behind"),
    (-57, "line"),
    (-56, "opening"),
    (-55, "let"),
    (-53, "mine through"),
    (-45, "put"),
    (-43, "been"),
    (-42, "same"),
    (-41, "may"),
    (-40, "different hand here"),
    (-39, "i'm"),
    (-38, "absolutely now too"),
    (-36, "time"),
    (-29, "i"),
    (-28, "heart told"),
    (-27, "essential"),
    (-25, "me"),
    (-20, "down"),
    (-19, "fully not yes"),
    (-18, "claim have no shall"),
    (-17, "are it's"),
    (-16, "about"),
    (-15, "minutes"),
    (-14, "evening"),
    (-12, "room there"),
    (-11, "all"),
    (-10, "ago"),
    (-9, "four"),
    (-8, "notes speak"),
    (-7, "stand"),
    (-6, "full shouldn't"),
    (-5, "could us"),
    (-2, "until which you've"),
    (1, "nothing"),
    (2, "board lot"),
    (3, "came point your"),
    (4, "table"),
    (5, "know"),
    (6, "more see"),
    (7, "should what"),
    (8, "ask"),
    (9, "always he idea"),
    (11, "per their"),
    (13, "every"),
    (15, "two use who"),
    (16, "within"),
    (17, "instead says think"),
    (19, "out"),
    (20, "don't talking under"),
    (21, "will"),
    (22, "least read"),
    (23, "they"),
    (26, "can get"),
    (30, "am both"),
    (32, "further only"),
    (35, "makes why"),
    (36, "can't hear say where"),
    (37, "into"),
    (39, "never some ten"),
    (40, "very"),
    (42, "made one"),
    (43, "agreed end his"),
    (47, "much though"),
    (48, "my"),
    (51, "first got i'd"),
    (54, "also"),
    (57, "would"),
    (58, "give people sure"),
    (59, "tell"),
    (68, "other"),
    (69, "fine off"),
    (72, "we"),
    (75, "agree asked away being does doing goes had important isn't nobody reason tells want went"),
)
WORDS: Final = {word: weight for weight, words in BY_WEIGHT for word in words.split()}
