"""Commands that run other commands: which of their words are the command within."""

import re
import shlex
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

SHELLS: Final = frozenset("sh bash zsh dash ksh ash fish rbash mksh tcsh csh yash elvish nu xonsh osh".split())
# Interpreters, and the flags before the code they run.
INTERPRETERS: Final[dict[str, frozenset[str]]] = {
    **dict.fromkeys(("python", "python2", "python3", "pypy", "pypy3"), frozenset({"-c"})),
    **dict.fromkeys(("perl", "ruby"), frozenset({"-e", "-ne", "-pe", "-E"})),
    **dict.fromkeys(("node", "deno", "bun", "nodejs"), frozenset({"-e", "--eval", "-p", "--print"})),
    "php": frozenset({"-r"}),
    **dict.fromkeys(("awk", "gawk", "mawk"), frozenset[str]()),
    "osascript": frozenset({"-e"}),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrapper:
    """How a wrapper's own words end: flags that take a value, then so many words of its own."""

    valued: frozenset[str] = frozenset()
    own: int = 0
    joined: bool = False  # the words are one text for a shell


def wrapper(valued: str = "", own: int = 0, *, joined: bool = False) -> Wrapper:
    return Wrapper(valued=frozenset(valued.split()), own=own, joined=joined)


PREFIXES: Final[dict[str, Wrapper]] = {
    "sudo": wrapper(
        "-u -g -h -p -C -r -t -T -U -D -R --user --group --host --prompt --chdir --role --type --close-from"
        " --command-timeout --other-user"
    ),
    "doas": wrapper("-u -C"),
    "run0": wrapper("-u --user --unit --property --description"),
    "pkexec": wrapper("-u --user"),
    "env": wrapper("-u -C --unset --chdir"),
    "nohup": wrapper(),
    "time": wrapper("-f -o"),
    "nice": wrapper("-n --adjustment"),
    "ionice": wrapper("-c -n -p"),
    "chrt": wrapper("", 1),
    "taskset": wrapper("", 1),
    "timeout": wrapper("-s -k --signal --kill-after", 1),
    "gtimeout": wrapper("-s -k --signal --kill-after", 1),
    "stdbuf": wrapper("-i -o -e"),
    "setsid": wrapper(),
    "exec": wrapper("-a"),
    "builtin": wrapper(),
    "command": wrapper(),
    "busybox": wrapper(),
    "toybox": wrapper(),
    "strace": wrapper("-e -o -p -s -fo"),
    "ltrace": wrapper("-e -o -p"),
    "catchsegv": wrapper(),
    "caffeinate": wrapper("-t -w"),
    "systemd-run": wrapper("-p -u --unit --property"),
    "chroot": wrapper("--userspec", 1),
    "unshare": wrapper(),
    "nsenter": wrapper("-t --target"),
    "flock": wrapper("-w -E --wait --timeout", 1),
    "chronic": wrapper(),
    "unbuffer": wrapper(),
    "proxychains": wrapper("-f"),
    "proxychains4": wrapper("-f"),
    "torsocks": wrapper(),
    "direnv": wrapper("", 2),
    "aws-vault": wrapper("-d --duration", 2),
    "dotenv": wrapper("-f"),
    "npx": wrapper("-p --package -w --workspace"),
    "bunx": wrapper(),
    "pnpx": wrapper(),
    "at": wrapper("-f -q -t", 100, joined=True),
    "batch": wrapper("", 100, joined=True),
    "ssh": wrapper("-i -p -l -o -F -J -L -R -D -b -c -E -m -O -Q -S -W -w -B -I", 1, joined=True),
    "watch": wrapper("-n -d --interval", joined=True),
    "eval": wrapper(joined=True),
}
# Programs of which only one subcommand wraps: how many words come first, counting that one.
SUBCOMMANDS: Final[dict[str, dict[str, Wrapper]]] = {
    "docker": {"exec": wrapper("-e -u -w --env --user --workdir --env-file", 1), "run": wrapper("", 1)},
    "podman": {"exec": wrapper("-e -u -w --env --user --workdir", 1), "run": wrapper("", 1)},
    "docker-compose": {"exec": wrapper("-e -u -w --env --user", 1), "run": wrapper("-e -u -w -v --name", 1)},
    "uv": {"run": wrapper("--with --python -p --group --extra --env-file --directory --project")},
    **{name: {"run": wrapper()} for name in ("poetry", "pipenv", "pdm", "hatch", "rye", "op", "doppler", "infisical")},
    "bundle": {"exec": wrapper()},
    "npm": {"exec": wrapper("-p --package"), "x": wrapper("-p --package")},
    "pnpm": {"exec": wrapper(), "dlx": wrapper("--package")},
    "yarn": {"exec": wrapper(), "dlx": wrapper("-p --package")},
    "mise": {"exec": wrapper(), "x": wrapper()},
    "heroku": {"run": wrapper("-a --app -r --remote")},
}
RUN_VALUED: Final = frozenset(
    "-v -e -w -u -p -l -h -m --volume --env --workdir --user --name --network --net --publish --mount"
    " --env-file --entrypoint --platform --memory --cpus --hostname --label --add-host --gpus --shm-size"
    " --ulimit --cap-add".split()
)
BEFORE: Final = frozenset(  # flags with a value that may stand before a subcommand
    "-f --file -p --profile --project-name --env-file -H --host --context -c --project-directory -C --dir"
    " --filter --prefix -w --workspace --cwd --directory --project -l --log-level --config".split()
)
TELLING: Final = frozenset("rm shred dd terraform tofu kubectl helm mkfs wipefs".split())
QUIET: Final = frozenset(  # they print, search, install or keep what they are given
    "echo printf grep egrep fgrep rg ag ack zgrep git cat ls cd pushd man which type whereis help info apropos"
    " tldr test [ [[ export alias unalias local declare readonly typeset set unset sed jq yq cut sort uniq diff"
    " wc head tail less more tee touch mkdir cp mv ln stat file find fd pip pip3 npm pnpm yarn cargo go brew apt"
    " apt-get dnf yum apk pacman snap uv poetry gem bundle composer dotnet choco winget code vim vi nvim nano"
    " emacs subl gh glab pytest jest vitest mocha make gmake cmake ninja bazel gradle mvn tox nox ruff black"
    " mypy eslint tsc docker podman docker-compose kubectl oc helm terraform tofu aws gcloud az curl wget ssh"
    " scp rsync for case select read logger notify-send tr rm rmdir chmod chown pulumi cdk psql mysql sqlite3"
    " redis-cli mongosh crux history hash ps pgrep pkill kill killall lsof systemctl journalctl service command"
    " builtin exec eval xargs parallel trap".split()
)
EDITORS: Final = frozenset("vi vim nvim ex view ed emacs nano less man".split())
_ALIAS: Final = re.compile(r"alias\.[\w-]+=(!?)(.+)", re.DOTALL)
_RUNS: Final = re.compile(
    r"(?:--checkpoint-action=exec|--to-command|--use-compress-program|ProxyCommand|LocalCommand|core\.(?:sshCommand"
    r"|pager|"
    r"editor|fsmonitor)|--rsh|--info-script|--new-volume-script)=(.+)",
    re.DOTALL | re.IGNORECASE,
)
_SHELL_CODE: Final = re.compile(r"-[a-zA-Z]*c[a-zA-Z]*")
SHELL_VALUED: Final = frozenset("-o +o -O +O --rcfile --init-file".split())
STDIN_FILES: Final = frozenset({"/dev/stdin", "/dev/fd/0", "-"})
EXECUTED_MAX: Final = 8  # commands of one `find`
_EXECUTES: Final = frozenset({"-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Inner:
    """The command within: as words, or as a text for a shell with words for `$0`, `$1` …"""

    words: tuple[str, ...] = ()
    text: str | None = None


def inner_of(
    program: str, words: tuple[str, ...], stdin: str | None, names: tuple[str, ...], files: dict[str, str]
) -> Inner | None:
    """What a command runs, if it runs another one. `names` is what a `find` before it looked for, `files` what is in
    files made by `<(…)`."""
    if program in (*SHELLS, "source", ".") and words and words[0] in files:
        return Inner(text=files[words[0]])
    if program in SHELLS:
        return of_shell(words, stdin)
    if program in ("source", ".") and words and words[0] in STDIN_FILES and stdin:
        return Inner(text=stdin)
    if (carried := carried_command(program, words)) is not None:
        return Inner(text=carried)
    if program in ("make", "gmake") and stdin and ("-" in words or "-f-" in words):
        return Inner(text="\n".join(line.lstrip("\t@-") for line in stdin.split("\n") if line.startswith("\t")))
    if program == "flock" and (locked := after_flag(words, ("-c", "--command"))) is not None:
        return locked
    if program in ("powershell", "pwsh", "cmd"):
        return of_windows(words)
    if program in ("su", "runuser"):
        given = after_flag(words, ("-c", "--command"))
        return given or (Inner(text=stdin) if stdin else None)
    if program == "env" and (split := after_flag(words, ("-S", "--split-string"))) is not None:
        return split
    if program == "command" and words[:1] in (("-v",), ("-V",)):
        return None
    if program in ("find", "fd"):
        return of_find(words)
    if program in ("xargs", "parallel"):
        return of_xargs(words, names)
    if program in ("kubectl", "oc") and {"exec", "run", "debug"} & set(words) and "--" in words:
        return Inner(words=words[words.index("--") + 1 :])
    if program == "trap" and len(words) > 1:
        return Inner(text=unflagged(words, frozenset())[0] if words[0] == "--" else words[0])
    if program in INTERPRETERS and "-m" in words[:-1]:
        return Inner(words=words[words.index("-m") + 1 :])
    if program == "docker" and unflagged(words, BEFORE)[:1] == ("compose",):
        return of_subcommand("docker-compose", unflagged(words, BEFORE)[1:])
    if program in SUBCOMMANDS:
        return of_subcommand(program, words)
    if program in PREFIXES:
        return of_prefix(PREFIXES[program], words, stdin)
    return None


def carried_command(program: str, words: tuple[str, ...]) -> str | None:
    """A command inside one word of another: a git alias, what an editor or an archiver is told to run."""
    if program == "git":
        for name, value in pairwise((*words, "")):
            if found := _ALIAS.fullmatch(name if "=" in name else f"{name}={value}"):
                return found[2] if found[1] else f"git {found[2]}"
            if name in ("-x", "--exec") and "rebase" in words:
                return value
            if name == "-c" and (found := re.fullmatch(r"[\w.]+=!?(.+\s.+)", value, re.DOTALL)):
                return found[1]
    if program in EDITORS:
        return next((word.lstrip(":!") for word in words if word.startswith(("!", ":!"))), None)
    if found := next((found[1] for word in words if (found := _RUNS.fullmatch(word))), None):
        return found
    return None if program in QUIET or program in SHELLS or program in INTERPRETERS else tail(program, words)


def tail(program: str, words: tuple[str, ...]) -> str | None:
    """What a program that is not known to keep its words to itself may run: they begin with a program to be feared."""
    for place, word in enumerate(words):
        text = word.lstrip("!:+").rpartition("=")[2] if word.startswith("-") else word.lstrip("!:+")
        first = text.split(None, 1)
        if len(first) > 1 and first[0].rpartition("/")[2] in TELLING:
            return text
        if not word.startswith("-") and word.rpartition("/")[2] in TELLING and place + 1 < len(words):
            return shlex.join(words[place:]) if program not in PREFIXES and program not in SUBCOMMANDS else None
    return None


def of_shell(words: tuple[str, ...], stdin: str | None) -> Inner | None:
    """The code behind `-c`, or what comes in where no script is named."""
    place = 0
    while place < len(words) and words[place][:1] in ("-", "+") and words[place] != "-":
        if _SHELL_CODE.fullmatch(words[place]):
            rest = unflagged(words[place + 1 :], frozenset())
            return Inner(text=rest[0], words=rest[1:]) if rest else None
        if words[place] == "--" or re.fullmatch(r"-[a-z]*s", words[place]):
            place += 1
            break
        place += 2 if words[place] in SHELL_VALUED else 1
    rest = words[place:]
    piped = not rest or rest[0] in STDIN_FILES or (place > 0 and re.fullmatch(r"-[a-z]*s", words[place - 1]))
    if not piped or not stdin:
        return None
    return Inner(text=stdin, words=("sh", *(rest[1:] if rest[:1] == ("--",) else rest)))


def of_windows(words: tuple[str, ...]) -> Inner | None:
    for place, word in enumerate(words):
        if word.lower() in ("-command", "-c", "/c", "/k", "-encodedcommand"):
            return Inner(text=" ".join(words[place + 1 :]).replace("\\", "/"))
    return None


def after_flag(words: tuple[str, ...], flags: tuple[str, ...]) -> Inner | None:
    for word, following in pairwise((*words, "")):
        if word in flags and following:
            return Inner(text=following)
        attached = next((flag for flag in flags if word.startswith(flag) and word != flag), None)
        if attached is not None:
            return Inner(text=word[len(attached) :].removeprefix("="))
    return None


def of_find(words: tuple[str, ...]) -> Inner | None:
    """What `-exec` runs, with the name that was looked for in the place of `{}`."""
    found = sought(words)
    runs: list[str] = []
    for start in [place for place, word in enumerate(words) if word in _EXECUTES][:EXECUTED_MAX]:
        end = next((place for place in range(start, len(words)) if words[place] in (";", "+")), len(words))
        runs.append(shlex.join(w.replace("{}", found[0]) if found else w for w in words[start + 1 : end]))
    return Inner(text="\n".join(runs)) if runs else None


def sought(words: tuple[str, ...]) -> tuple[str, ...]:
    """What a `find` with these words comes up with: its names in its folder; nothing where it takes any name."""
    base = words[0].rstrip("/") if words and not words[0].startswith("-") else "."
    names = [b for a, b in pairwise(words) if a in ("-name", "-iname")]
    return tuple(f"{base}/{name}" for name in names)


def of_xargs(words: tuple[str, ...], names: tuple[str, ...]) -> Inner | None:
    rest = unflagged(words, frozenset("-n -I -i -L -P -d -s -a -E -j --max-args --replace --delimiter".split()))
    if not rest:
        return None
    if ":::" in rest:
        rest = rest[: rest.index(":::")]
    if len(rest) == 1 and " " in rest[0]:
        return Inner(text=rest[0])
    operands = names or ("{}",)
    if any("{}" in word for word in rest):
        return Inner(words=tuple(word.replace("{}", operands[0]) for word in rest))
    return Inner(words=(*rest, *operands))


def of_subcommand(program: str, words: tuple[str, ...]) -> Inner | None:
    name, *rest = unflagged(words, BEFORE) or ("",)
    how = SUBCOMMANDS[program].get(name)
    if how is None:
        return None
    valued = RUN_VALUED if name == "run" and program in ("docker", "podman") else how.valued
    within = unflagged(tuple(rest), valued)[how.own :]
    if within[:1] == ("--",):
        within = within[1:]
    return Inner(words=within) if within else None


def of_prefix(how: Wrapper, words: tuple[str, ...], stdin: str | None) -> Inner | None:
    rest = unflagged(words, how.valued)[how.own :]
    if rest[:1] == ("--",):
        rest = rest[1:]
    if how.joined:
        fed = stdin if stdin and (not rest or rest[0] in SHELLS) else ""
        text = "\n".join(part for part in (" ".join(rest), fed) if part)
        return Inner(text=text) if text else None
    if not rest and stdin and any(word in ("-s", "-i", "--shell", "--login") for word in words):
        return Inner(text=stdin)
    return Inner(words=rest) if rest else None


def unflagged(words: tuple[str, ...], valued: frozenset[str]) -> tuple[str, ...]:
    """What comes after the flags."""
    place = 0
    while place < len(words) and words[place].startswith("-"):
        if words[place] == "--":
            return words[place + 1 :]
        bundled = len(words[place]) > 2 and words[place][1] != "-" and f"-{words[place][-1]}" in valued
        place += 2 if words[place] in valued or bundled else 1
    return words[place:]
