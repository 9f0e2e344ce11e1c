"""How much is said in a debate of the gate (DIA-9): advocate first, then the critic who sees its answer, both briefly.

Whoever calls the gate thinks for it by default, with the same model; another one where it is configured.
"""

from typing import Final

DEBATER_TOKENS: Final = 500
JUDGE_TOKENS: Final = 200
LAST_ATTEMPTS: Final = 2  # that an advocate is shown
