"""Coalitions and cruxes on real votes and credences, beside simple methods from the same run and the figures aimed at.

The answers and the scorer of votes are not part of this repository. SETS names the folder that has them as data/ and
measure/.
"""

import json
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench import forecasters  # noqa: E402 - after the path it is found on

CRUX = ROOT / ".venv" / "bin" / "crux"
TIMEOUT_S = 1800
PEAK_MIB_MAX = 500.0
WALL_S_MAX = 10.0


@dataclass(frozen=True)
class Aim:
    """A figure of the scorer's summary; `at_least` is what is aimed at, and compared to as many places as it has."""

    what: str
    group: str
    name: str
    at_least: float
    places: int
    baselines: tuple[str, ...]

    def kept(self, figure: float) -> bool:
        return round(figure, self.places) >= self.at_least


COALITIONS = ("seed 0.7", "silhouette", "k-means k=2 given")
RANKINGS = ("polarity", "first component")
AIMS = (
    Aim("coalitions, House 1984, ARI", "coalitions_ari", "house84 10 questions", 0.56, 2, COALITIONS),
    Aim("coalitions, Supreme Court, ARI", "coalitions_ari", "scotus9497 10 questions", 0.70, 2, COALITIONS),
    Aim("ranking, House 1984, NDCG@3", "cruxes_ndcg", "house84 @3", 0.70, 2, RANKINGS),
    Aim("ranking, Supreme Court, NDCG@3", "cruxes_ndcg", "scotus9497 @3", 0.88, 2, RANKINGS),
    Aim("hidden votes, Polis, gain", "hidden_votes_gain", "polis", 0.036, 3, (*COALITIONS, "PCA + k-means")),
)


def main() -> int:
    sets = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared")
    sets = sets if sets.is_absolute() else ROOT / sets
    scorer = sets / "measure" / "score_votes.py"
    if not scorer.is_file():
        told = f"there is no scorer at {scorer}: name the folder with measure/ and data/ by: make bench-real SETS=PATH"
        print(told, file=sys.stderr)
        return 2
    crux = shlex.quote(str(CRUX))
    command = [sys.executable, str(scorer), str(sets / "data"), "--cmd", f"{crux} votes {{dir}} --json"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=TIMEOUT_S)
    if done.returncode:
        print(f"the scorer failed: {done.stderr.strip()[-500:]}", file=sys.stderr)
        return 2
    *tables, last = done.stdout.rstrip().splitlines()
    print("\n".join(tables))
    return 1 if report(json.loads(last)) + report_forecasters(sets / "data" / "fri" / "dev") else 0


def report(summary: dict) -> int:
    """One line a promise; returns the number of those not kept."""
    missed = 0
    print(f"{'':<34}{'here':>7}{'aim':>7}         beside")
    for aim in AIMS:
        figures = summary[aim.group][aim.name]
        kept = aim.kept(figures["command"])
        missed += not kept
        beside = ", ".join(f"{name} {figures[name]:.3f}" for name in aim.baselines)
        print(
            f"{aim.what:<34}{figures['command']:>7.3f}{aim.at_least:>7.3f}  {'ok    ' if kept else 'MISSED'} {beside}"
        )
    for what, figure, most, unit in (
        ("largest conversation, time", summary["cost"]["wall_s"], WALL_S_MAX, "s"),
        ("largest conversation, memory", summary["cost"]["peak_mib"], PEAK_MIB_MAX, "MiB"),
    ):
        kept = figure <= most
        missed += not kept
        print(f"{what:<34}{figure:>7.1f}{most:>7.1f}  {'ok    ' if kept else 'MISSED'} {unit}, at most")
    return missed


def report_forecasters(folder: Path) -> int:
    """Camps found from credences beside the known ones, and our ranking beside the published worth of each question."""
    if not (folder / forecasters.TABLE).is_file():
        print(f"forecasters: skipped, there is no {forecasters.TABLE} in {folder}")
        return 0
    command = [str(CRUX), "credences", str(folder / forecasters.TABLE), "--json"]
    start = perf_counter()
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=TIMEOUT_S)
    wall_s = perf_counter() - start
    if done.returncode:
        print(f"crux credences failed: {done.stderr.strip()[-500:]}", file=sys.stderr)
        return 1
    found = json.loads(done.stdout)
    matched, known = forecasters.camps_matched(found, folder)
    kept = matched >= forecasters.CAMPS_MATCHED_MIN
    aim = f"{forecasters.CAMPS_MATCHED_MIN:>7}  {'ok    ' if kept else 'MISSED'} of {known}, in {wall_s:.1f} s"
    print(f"{'forecasters, camps matched':<34}{matched:>7}{aim}")
    for what, worth in forecasters.published_worths(folder).items():
        agreement = forecasters.rank_agreement(found, worth)
        print(f"{what + ', rho':<38}{agreement.rho:>7.2f}  over {agreement.of} questions (shown, not aimed at)")
    return 0 if kept else 1


if __name__ == "__main__":
    raise SystemExit(main())
