"""What lets one call through the hook (DIA-13): an approval of one exact call, by one gate, once, for some minutes.

A call that the hook turned back is kept under an id, with the gate that judged it. A debate of that call that ends in
PROCEED leaves an approval under a name that only the key of this user can make: from the call, the rules that fired,
the digest of all rules in force and the judge. The hook makes the name of the call before it and takes the approval
away. Both lie in the user's state folder, out of a working tree's reach; what others put there has no seal of ours.
"""

import hashlib
import hmac
import json
import os
import re
import secrets
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final, cast

from cruxfinder.errors import BadInput, StoreFault
from cruxfinder.gate.actions import Action, exact_arguments
from cruxfinder.gate.rule_set import RuleSet
from cruxfinder.kernel.private_files import (
    lock_file,
    make_folder,
    open_private,
    read_object,
    read_tail,
    write_atomically,
)

APPROVED: Final = timedelta(minutes=15)  # how long an approval can be used
PENDING: Final = timedelta(hours=1)  # how long a call that was turned back can be debated again
FILES_MAX: Final = 500  # of a kind; the oldest go first
KEY_BYTES: Final = 32
ID_BYTES: Final = 6
NAME: Final = re.compile(r"[0-9a-f]{1,64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class GateConfig:
    """How a gate was started, so that the same one can be started again."""

    memory: str = ""
    rules: str = ""
    off: tuple[str, ...] = ()
    model: str = ""
    base_url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Warrant:
    """What an approval is for; everything in it must be the same again."""

    call: str  # digest of the call
    fired: tuple[str, ...]  # ids of the rules that fired
    rules: str  # digest of all rules in force
    judge: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingCall:
    """A call that was turned back, without its secrets, and the gate that did so."""

    warrant: Warrant
    text: str
    stakes: str
    gate: GateConfig


class Approvals:
    """The approvals and pending calls of one user."""

    def __init__(self, folder: Path, clock: Callable[[], datetime]) -> None:
        self._folder = folder
        self._clock = clock

    # ---- calls that were turned back

    def keep(self, call: PendingCall) -> str:
        """Keep a call for another debate; the id it is known by."""
        id = secrets.token_hex(ID_BYTES)
        self._write(self._folder / "calls", id, {"call": asdict(call)}, PENDING)
        return id

    def pending_call(self, id: str) -> PendingCall:
        sealed = self._read(self._folder / "calls", id)
        if sealed is None:
            raise BadInput(
                f"no call waits under {id!r}; it is named where the hook turned it back, and kept for an hour"
            )
        held = cast("dict[str, Any]", sealed["call"])  # sealed: it is as we wrote it
        warrant, config = held["warrant"], held["gate"]
        return PendingCall(
            warrant=Warrant(
                call=warrant["call"], fired=tuple(warrant["fired"]), rules=warrant["rules"], judge=warrant["judge"]
            ),
            text=held["text"],
            stakes=held["stakes"],
            gate=GateConfig(
                memory=config["memory"],
                rules=config["rules"],
                off=tuple(config["off"]),
                model=config["model"],
                base_url=config["base_url"],
            ),
        )

    # ---- approvals

    def grant(self, warrant: Warrant) -> None:
        id = secrets.token_hex(KEY_BYTES)  # two approvals of one call are told apart by it
        self._write(self._folder / "approvals", self._name(warrant), {"id": id}, APPROVED)

    def revoke(self, warrant: Warrant) -> None:
        """The newest word counts: a debate that ends otherwise takes an older approval back."""
        self.use(warrant)
        if self._key(make=False):
            (self._folder / "approvals" / self._name(warrant)).unlink(missing_ok=True)

    def use(self, warrant: Warrant) -> bool:
        """Is there an approval for exactly this? It is gone afterwards, whoever asks again."""
        if not self._key(make=False):
            return False
        folder, name = self._folder / "approvals", self._name(warrant)
        approval = self._read(folder, name)
        if approval is None or not self._spend(str(approval.get("id", ""))):
            return False
        try:
            (folder / name).unlink()
        except FileNotFoundError:
            return False  # somebody else was faster
        return True

    def _spend(self, id: str) -> bool:
        """Note that an approval is used, longer than it lives: a copy of it that is put back is refused."""
        if not NAME.fullmatch(id):
            return False
        folder = self._folder / "spent"
        try:
            make_folder(folder)
            self._sweep(folder)
            os.close(open_private(folder / id, os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return False
        except OSError as error:
            raise StoreFault(f"{folder} cannot be written: {error.strerror}") from None
        return True

    def _name(self, warrant: Warrant) -> str:
        return self._seal("approval", [getattr(warrant, field.name) for field in fields(Warrant)])

    # ---- sealed files

    def _write(self, folder: Path, name: str, value: dict[str, Any], lives: timedelta) -> None:
        until = int((self._clock() + lives).timestamp())
        body = json.dumps({**value, "until": until, "seal": self._seal(folder.name, [name, value, until])})
        try:
            make_folder(folder)
            self._sweep(folder)
            write_atomically(folder / name, body.encode(errors="replace"))
        except OSError as error:
            raise StoreFault(f"{folder} cannot be written: {error.strerror}") from None

    def _read(self, folder: Path, name: str) -> dict[str, Any] | None:
        """What we wrote under this name and has not expired; anything else is nothing."""
        if not NAME.fullmatch(name) or not self._key(make=False):
            return None
        value = read_object(folder / name)
        if value is None:
            return None
        seal, until = value.pop("seal", ""), value.pop("until", 0)
        if not isinstance(seal, str) or not isinstance(until, int):
            return None
        if not hmac.compare_digest(
            seal.encode(errors="replace"), self._seal(folder.name, [name, value, until]).encode()
        ):
            return None
        left = until - self._clock().timestamp()
        return value if 0 <= left <= PENDING.total_seconds() else None

    def _sweep(self, folder: Path) -> None:
        """Remove what has expired, and the oldest beyond the bound."""
        now = self._clock().timestamp()
        found = sorted((entry.stat(follow_symlinks=False).st_mtime, entry.path) for entry in os.scandir(folder))
        spare = len(found) - FILES_MAX + 1
        for number, (changed, path) in enumerate(found):
            if number < spare or changed < now - 2 * PENDING.total_seconds():
                Path(path).unlink(missing_ok=True)

    def _seal(self, kind: str, value: list[Any]) -> str:
        told = json.dumps([kind, value], sort_keys=True).encode(errors="replace")
        return hmac.new(self._key(make=True), told, hashlib.sha256).hexdigest()

    def _key(self, *, make: bool) -> bytes:
        """This user's key, made on first use. One that others could read or that is too short is replaced."""
        path = self._folder / "key"
        try:
            exposed = bool(path.lstat().st_mode & 0o077)
            descriptor = open_private(path)
        except FileNotFoundError:
            return self._new_key(path) if make else b""
        try:
            data, _ = read_tail(descriptor, KEY_BYTES)
        finally:
            os.close(descriptor)
        if exposed or len(data) < KEY_BYTES:
            path.unlink(missing_ok=True)
            return self._new_key(path) if make else b""
        return data

    def _new_key(self, path: Path) -> bytes:
        """Made under a lock: of two processes that need the first key, one makes it and the other takes it."""
        try:
            make_folder(path.parent)
            lock = open_private(path.with_name("key.lock"), os.O_RDWR | os.O_CREAT)
            try:
                lock_file(lock, path)
                if not path.exists():
                    write_atomically(path, secrets.token_bytes(KEY_BYTES))
            finally:
                os.close(lock)
        except OSError as error:
            raise StoreFault(f"the gate cannot keep its key in {path.parent}: {error.strerror}") from None
        return self._key(make=False)


# ---- digests


def digest_call(action: Action) -> str:
    """Names a call without telling it: its tool, every argument as it was given, and the folder it runs in.

    A text without arguments is the call with that text for its `command`.
    """
    given = action.exact or exact_arguments(dict(action.arguments) or {"command": action.text})
    told = [action.tool, given, action.folder, sorted(action.paths), action.environment]
    return hashlib.sha256(json.dumps(told).encode(errors="replace")).hexdigest()


def digest_rules(rules: RuleSet) -> str:
    return hashlib.sha256(json.dumps(with_sorted_sets(asdict(rules)), sort_keys=True).encode()).hexdigest()


def with_sorted_sets(value: object) -> Any:
    """Sets in an order that does not change from one process to the next."""
    match value:
        case dict():
            return {str(key): with_sorted_sets(held) for key, held in cast("dict[object, object]", value).items()}
        case set() | frozenset():
            return sorted(str(held) for held in cast("frozenset[object]", value))
        case list() | tuple():
            return [with_sorted_sets(held) for held in cast("tuple[object, ...]", value)]
        case _:
            return value
