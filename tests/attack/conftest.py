"""What the attacks share."""

from pathlib import Path

import pytest

from tests.attack.working_tree import WorkingTree


@pytest.fixture
def tree(tmp_path: Path) -> WorkingTree:
    made = WorkingTree(root=tmp_path / "app", home=tmp_path / "home")
    made.root.mkdir()
    made.home.mkdir()
    return made
