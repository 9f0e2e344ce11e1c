"""How far a share that was counted can be trusted."""

import math
from typing import Final

Z: Final = 1.959964  # 95 % of a normal distribution lie within so many deviations


def wilson_interval(hits: float, of: int) -> tuple[float, float]:
    """The 95 % interval of a share, which stays within 0…1 and is honest where all or none hit."""
    middle, weight = hits + Z * Z / 2, of + Z * Z
    half = Z * math.sqrt(max(0.0, hits * (of - hits)) / of + Z * Z / 4)
    low = 0.0 if hits <= 0 else (middle - half) / weight
    high = 1.0 if hits >= of else (middle + half) / weight
    return low, high


def paired_interval(gained: float, lost: float, of: int) -> tuple[float, float]:
    """The 95 % interval of a difference between two shares of the same things, of which these were gained and lost.

    Agresti and Min's, with half an observation more on either side: where nothing differs it has a width all the same.
    """
    more = of + 2
    middle = (gained - lost) / more
    half = Z * math.sqrt(max(0.0, gained + lost + 1 - (gained - lost) ** 2 / more)) / more
    return max(-1.0, middle - half), min(1.0, middle + half)
