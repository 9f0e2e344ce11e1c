"""What a bare name means is decided by the folder a script is in and by the links it made, not by how it sounds."""

import pytest

from cruxfinder.adapters.packs.rule_file import shipped_rules
from cruxfinder.gate.actions import Action
from cruxfinder.gate.router import route
from cruxfinder.gate.shell.folders import folder_after_cd, normalize_path

DANGEROUS = [
    "cd ~/.. && rm -rf build",
    "cd && rm -rf build",
    "cd $HOME/../.. ; rm -rf bin",
    "cd ~root; rm -rf ./tmp",
    "cd /; rm -rf $PWD/bin",
    'cd / && rm -rf "${PWD}/tmp"',
    "cd /srv/app/../..; rm -rf bin",
    "cd / && sudo rm -rf bin",
    "cd /usr && nice -n 5 rm -rf bin",
    "cd ~ && rm -rf ./*/bin",
    "env -C / rm -rf bin",
    "sudo --chdir=/ rm -rf bin",
    "pnpm -C ~ exec rm -rf build",
    "unset TMPDIR; rm -rf $TMPDIR/srv/h/*",
    "TMPDIR=; rm -rf $TMPDIR/opt",
    "export TMPDIR=/home; rm -rf $TMPDIR/me",
    "rm -rf $RUNNER_TEMP/home",
    "rm -rf ${TMPDIR}/usr/lib",
    "rm -rf $TMPDIR/*",
    "ln -s ~ build && rm -rf build/*",
    "ln -s /home /tmp/h && rm -rf /tmp/h/*",
    "ln -sfn /srv/data dist; rm -rf ./dist/",
    "cd /tmp && ln -s /srv/data; rm -rf data/*",
    "ln -st build /srv/data && rm -rf build/data/*",
    "ln -s / a; ln -s a/home b; ln -s b out; rm -rf out/*",
    "mv /srv/data build && rm -rf build",
    "sudo ln -s /srv/data build && sudo rm -rf build/*",
    "mount --bind /srv/data tmp && rm -rf tmp/*",
]
HARMLESS = [
    "cd frontend && rm -rf build",
    "cd ~/projects/app && rm -rf node_modules dist",
    'cd "$(git rev-parse --show-toplevel)" && rm -rf build',
    'cd "$REPO" && rm -rf .next',
    "cd .. && rm -rf packages/web/dist",
    "cd /srv/app && rm -rf $PWD/build",
    'rm -rf "$TMPDIR/build-123"',
    'rm -rf "${TMPDIR}/work" "$RUNNER_TEMP/artifacts"',
    "rm -rf ${TMPDIR:?}/work",
    'rm -rf "${TMPDIR:-/tmp}/app-cache"',
    "unset NODE_ENV; rm -rf node_modules",
    "ln -s ../shared/node_modules node_modules && npm test",
    "ln -sf build/compile_commands.json . && rm -rf dist",
    "ln -s /usr/bin/python3 python && ./python --version",
    "cd /etc && cat hosts",
    "mv dist build && rm -rf build",
    "mv node_modules /tmp/nm_old && rm -rf /tmp/nm_old",
    "mv a.txt b.txt && rm -rf out",
    "env -C frontend rm -rf dist",
]

IN_A_HOME = "/".join(["", "home", "me", "app"])  # in parts: no file of the repository names a path of a machine


def debated(text: str, folder: str = "/srv/app") -> bool:
    return route(Action(text=text, tool="bash", folder=folder), shipped_rules()).debate


@pytest.mark.rule("DIA-8")
@pytest.mark.parametrize("text", DANGEROUS)
def test_a_spared_name_is_not_spared_where_it_means_something_else(text: str) -> None:
    assert debated(text)


@pytest.mark.parametrize("text", HARMLESS)
def test_what_is_made_anew_every_day_is_still_spared(text: str) -> None:
    assert not debated(text)


def test_the_folder_of_the_call_decides_as_well() -> None:
    assert debated("rm -rf bin", folder="/")
    assert debated("cd .. && rm -rf build", folder=IN_A_HOME)
    assert not debated("rm -rf bin", folder=IN_A_HOME)


@pytest.mark.parametrize(
    ("folder", "to", "there"),
    [
        ("/srv/app", "~", "~"),
        ("/srv/app", "$HOME/..", "/home"),
        ("/srv/app", "~/../..", "/"),
        ("", "..", ".."),
        ("/srv/app", "-", ""),
        ("~", "a/../b", "~/b"),
        ("/srv", "$X/b", "$X/b"),
    ],
)
def test_a_script_goes_from_folder_to_folder(folder: str, to: str, there: str) -> None:
    assert folder_after_cd(folder, to) == there


def test_a_path_is_straightened() -> None:
    assert normalize_path("${HOME}/./a//b") == "~/a/b"
    assert normalize_path("//srv/./x/..") == "/srv"
