"""How the fake provider's brain takes turns: it reads the object it is shown and answers with one of that shape."""

import json
import re
from random import Random
from typing import Final

ONE: Final = re.compile(r'^JSON: \{"type": "([a-z]+)", content', re.MULTILINE)
SEVERAL: Final = re.compile(r'^JSON: \{"turns": \[', re.MULTILINE)
EACH: Final = re.compile(r'\{"agent": "((?:[^"\\]|\\.)*)", "type": "([a-z]+)"')
ANSWERED: Final = re.compile(r" Answer n\d+ of ([^.]+)\.")


def asked_for_a_turn(user: str) -> bool:
    return ONE.search(user) is not None or SEVERAL.search(user) is not None


def turns(user: str, for_it: bool, dice: Random) -> str:
    """The turn that is asked for, and those of the others where they are."""
    alone = ONE.search(user)
    if alone is not None:
        return json.dumps(one(alone[1], user, for_it, dice))
    due = EACH.findall(user)
    written = [{"agent": name, **one(kind, user, for_it == (n == 0), dice)} for n, (name, kind) in enumerate(due)]
    return json.dumps({"turns": written})


def one(type: str, user: str, for_it: bool, dice: Random) -> dict[str, str]:
    said = {"type": type, "content": content(type, user, dice)}
    if type in {"ruling", "position", "concession"}:
        said["side"] = "YES" if for_it else "NO"
    if type == "concession":
        said["concedes"] = f"the {dice.choice(WORDS)} may slip" if for_it else ""
    if type == "synthesis":
        said["next_step"] = f"measure the {dice.choice(WORDS)} for {dice.randint(2, 9)} weeks"
    return said


def content(type: str, user: str, dice: Random) -> str:
    a, b, c, d, e, f = dice.sample(WORDS, 6)
    if type == "question":
        return f"What happens to the {a} {b} if the {c} {d} grows by {dice.randint(2, 90)} percent?"
    if type == "synthesis":
        return f"The {a} {b} was tied to the {c} {d}. What follows is a smaller {e} {f}."
    others = ANSWERED.findall(user)
    lead = f"{others[-1]}, no. " if others and type in {"rebuttal", "counter"} else ""
    said = dice.choice(FORMS).format(a=a, b=b, c=c, d=d, e=e, f=f, n=dice.randint(2, 90))
    return f"{lead}{said}"


FORMS: Final = (
    "If the {a} {b} of the services doubles, then the {c} {d} fails within {n} days, because the {e} {f} waits.",
    "In the {a} {b} of {n} teams nobody found the {c} {d}, so the {e} {f} must stay with the monolith.",
    "Unless the {a} {b} is paid for by the {c} {d}, {n} of the {e} {f} will leave before the split.",
    "We could test it: count the {a} {b} before and after the {c} {d}, and expect {n} more {e} {f}.",
    "Take the {a} {b} as a case. Its {c} {d} took {n} releases, which means that the {e} {f} was never the bottleneck.",
    "The {a} {b} shows the opposite. There the {c} {d} shrank by {n} percent although the {e} {f} grew.",
    "Every {a} {b} that splits off needs a {c} {d} of its own, and {n} of those cost more than one {e} {f}.",
    "Whoever keeps the {a} {b} whole pays with the {c} {d}: {n} engineers then wait for the {e} {f}.",
)
WORDS: Final = tuple(
    "anchor apron archive attic bakery barrel basin battery beacon bellows bicycle blanket bottle bracket bridge "
    "bucket cabin candle canvas carpet cellar chimney cistern clay clinic cobbler copper cradle crane crate curtain "
    "dairy depot dock drain drum easel elevator engine fabric ferry fiddle flask forge fountain furnace garage garden "
    "glacier glove granary gravel hammer hammock harbour harness hinge hospital inkwell iron island jacket kennel "
    "kettle kiln ladder lantern laundry leather library lighthouse linen loom mailbox marble meadow medal mill mirror "
    "monastery mortar needle nursery oar orchard oven paddle parcel pavement pencil pier pillow pipeline plough "
    "pottery pulley quarry quilt railway rake reservoir ribbon rope rudder saddle sawmill scaffold school shovel "
    "shutter silo sledge spade stable staircase stove submarine tannery telescope theatre thimble timber tower "
    "tractor trellis trumpet tunnel umbrella vineyard violin wagon wardrobe warehouse well wharf wheel window".split()
)
