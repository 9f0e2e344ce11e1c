"""What a shell's variables hold while its text is read: plain values, lists, and names that stand for other names."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final, TypeVar

ITEMS_MAX: Final = 2_000  # of one list
PLACES: Final = 9  # of the words of a call that are known to be empty where they were not given
REFERENCES_MAX: Final = 4  # names that stand for names

Held = TypeVar("Held")
Items = Iterable[tuple[str, str]]  # the index, empty where the next one is meant, and the value


@dataclass(slots=True)
class Variables:
    values: dict[str, str] = field(default_factory=dict[str, str])
    lists: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    references: dict[str, str] = field(default_factory=dict[str, str])
    changes: list[Callable[[], None]] = field(default_factory=list[Callable[[], None]])  # how each is undone

    def get(self, name: str) -> str | None:
        name = self._resolve_name(name)
        if name.endswith("]"):
            name, _, index = name[:-1].partition("[")
            return self.item(name, index)
        return self.values.get(name)

    def item(self, name: str, index: str) -> str | None:
        """One of a list; all of them as one text where it cannot be told which."""
        name = self._resolve_name(name)
        held = self.lists.get(name)
        if held is None:
            return self.values.get(name)
        if index in held:
            return held[index]
        index = self.values.get(index, index)
        if index.startswith("-") and index[1:].isdecimal():
            return [*held.values()][int(index[:9])] if 0 < int(index[1:9] or 0) <= len(held) else None
        return held.get(index, "" if index.isdecimal() else " ".join(held.values()))

    def all_of(self, name: str) -> tuple[str, ...] | None:
        """Each of a list, in its order; None where nothing is known of it."""
        name = self._resolve_name(name)
        if (held := self.lists.get(name)) is not None:
            return tuple(held.values())
        return (self.values[name],) if name in self.values else None

    def indices(self, name: str) -> tuple[str, ...]:
        return tuple(self.lists.get(self._resolve_name(name), ()))

    def set(self, name: str, value: str) -> None:
        name = self._resolve_name(name)
        if name.endswith("]"):
            name, _, index = name[:-1].partition("[")
            self.set_item(name, index, value)
            return
        self._change(self.values, name, value)
        if name in self.lists:
            self._change(self.lists[name], "0", value)

    def set_item(self, name: str, index: str, value: str) -> bool:
        """Is there room for it?"""
        name = self._resolve_name(name)
        held = self.lists.get(name)
        if held is None:
            held = {"0": self.values[name]} if name in self.values else dict[str, str]()
            self._change(self.lists, name, held)
        index = index or str(len(held))
        if len(held) >= ITEMS_MAX and index not in held:
            return False
        self._change(held, index, value)
        if index == "0":
            self._change(self.values, name, value)
        return True

    def set_list(self, name: str, items: Items, *, more: bool = False) -> bool:
        """Put values into a list, behind those it has or in their place; is there room for all of them?"""
        name = self._resolve_name(name)
        if not more:
            self._change(self.lists, name, dict[str, str]())
            self._change(self.values, name, "")
        return all(self.set_item(name, index, value) for index, value in items)

    def refer(self, name: str, other: str) -> None:
        self._change(self.references, name, other)

    @property
    def positions(self) -> tuple[str, ...] | None:
        """What `$1`, `$2` … stand for, where that is known."""
        return self.all_of("@")

    def set_positions(self, words: tuple[str, ...] | None) -> None:
        if words is None:
            self._forget_positions()
            return
        self._change(self.lists, "@", {str(place): word for place, word in enumerate(words, 1)})
        self._change(self.values, "#", str(len(words)))
        self._change(self.values, "*", " ".join(words))
        for place in range(1, PLACES + 1):
            self._change(self.values, str(place), words[place - 1] if place <= len(words) else "")

    def _forget_positions(self) -> None:
        self._drop(self.lists, "@")
        for name in ("#", "*", *map(str, range(1, PLACES + 1))):
            self._drop(self.values, name)

    def undo(self, changes: int) -> None:
        """Back to what was known when there were so many changes."""
        while len(self.changes) > changes:
            self.changes.pop()()

    def _resolve_name(self, name: str) -> str:
        for _ in range(REFERENCES_MAX):
            if name not in self.references:
                break
            name = self.references[name]
        return name

    def _change(self, table: dict[str, Held], key: str, value: Held) -> None:
        before = table.get(key)
        self.changes.append(lambda: _restore(table, key, before))
        table[key] = value

    def _drop(self, table: dict[str, Held], key: str) -> None:
        before = table.pop(key, None)
        self.changes.append(lambda: _restore(table, key, before))


def _restore(table: dict[str, Held], key: str, value: Held | None) -> None:
    if value is None:
        table.pop(key, None)
    else:
        table[key] = value
