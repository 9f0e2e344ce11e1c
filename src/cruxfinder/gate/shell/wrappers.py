"""Commands that run other commands: which of their words are the command within."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

SHELLS: Final = frozenset("sh bash zsh dash ksh ash fish rbash mksh tcsh csh yash elvish nu xonsh osh".split())
PYTHONS: Final = frozenset(
    "python python2 python3 pypy pypy3 ipython ipython3 bpython ptpython jython micropython".split()
)
# Interpreters, and the flags before the code they run.
INTERPRETERS: Final[dict[str, frozenset[str]]] = {
    **dict.fromkeys(PYTHONS, frozenset({"-c"})),
    **dict.fromkeys(("perl", "ruby"), frozenset({"-e", "-ne", "-pe", "-E"})),
    **dict.fromkeys(("node", "deno", "bun", "nodejs"), frozenset({"-e", "--eval", "-p", "--print", "eval"})),
    "php": frozenset({"-r"}),
    **dict.fromkeys(("awk", "gawk", "mawk"), frozenset[str]()),
    **dict.fromkeys(("osascript", "lua", "luajit", "rscript", "r", "groovy", "scala", "elixir"), frozenset({"-e"})),
    **dict.fromkeys(("julia", "tsx", "ts-node", "qjs", "racket", "ghc", "swift"), frozenset({"-e", "--eval"})),
    **dict.fromkeys(("guile", "gjs"), frozenset({"-c"})),
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
    "watch": wrapper("-n -q --interval --equexit", joined=True),
    "eval": wrapper(joined=True),
}
HANDS_INPUT_ON: Final = SHELLS | frozenset("ssh su runuser env flock eval sg newgrp gcloud".split())
# Programs of which only one subcommand wraps: how many words come first, counting that one.
SUBCOMMANDS: Final[dict[str, dict[str, Wrapper]]] = {
    "docker": {"exec": wrapper("-e -u -w --env --user --workdir --env-file", 1), "run": wrapper("", 1)},
    "podman": {"exec": wrapper("-e -u -w --env --user --workdir", 1), "run": wrapper("", 1)},
    "docker-compose": {"exec": wrapper("-e -u -w --env --user", 1), "run": wrapper("-e -u -w -v --name", 1)},
    **{name: {"exec": wrapper("-c -n --container --namespace", 1)} for name in ("kubectl", "oc")},
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
    " --filter --prefix -n --namespace --kubeconfig -w --workspace --cwd --directory --project -l --log-level"
    " --config --progress --ansi --parallel".split()
)
TELLING: Final = frozenset(  # programs whose name among the words of an unknown one says what that one runs
    "rm shred dd terraform tofu kubectl helm mkfs wipefs git psql mysql mariadb mongosh redis-cli sqlite3 bash sh"
    " zsh python python3 node perl ruby php aws gcloud az docker podman systemctl dropdb chmod chown crux pip".split()
)
EDITORS: Final = frozenset("vi vim nvim ex view ed emacs nano less man".split())
_GIT_RUNS: Final = re.compile(  # settings whose value git runs
    r"core\.(?:sshcommand|pager|editor|fsmonitor|askpass|gitproxy|alternaterefscommand)|sequence\.editor|diff\.external"
    r"|credential\.(?:.*\.)?helper|diff\..*\.(?:textconv|command)|merge\..*\.driver|filter\..*\.(?:clean|smudge|process)"
    r"|gpg\.(?:.*\.)?program|uploadpack\.packobjectshook|remote\..*\.(?:uploadpack|receivepack)|interactive\.difffilter"
    r"|pager\..*|(?:difftool|mergetool|man|browser)\..*\.cmd|trailer\..*\.(?:command|cmd)|submodule\..*\.update",
    re.IGNORECASE | re.DOTALL,
)
_GIT_SETTING: Final = re.compile(r"([\w-]+\.[^=\n]*?[\w-]+)=(.*)", re.DOTALL)
_GIT_PACK: Final = re.compile(r"(--upload-pack|--receive-pack|--exec)(?:=(.*))?", re.DOTALL)
_GIT_FILTERS: Final = frozenset(
    "--tree-filter --index-filter --msg-filter --env-filter --commit-filter --parent-filter --tag-name-filter".split()
)
_SPLITS: Final = re.compile(r"-[iv0]*S=?(.*)|--split-string(?:=(.*))?", re.DOTALL)
_SHELL_CODE: Final = re.compile(r"-[a-zA-Z]*c[a-zA-Z]*")
_OPTION_BUNDLE: Final = re.compile(r"[-+][a-zA-Z]*[oO][a-zA-Z]*")
SHELL_VALUED: Final = frozenset("-o +o -O +O --rcfile --init-file".split())
STDIN_FILES: Final = frozenset({"/dev/stdin", "/dev/fd/0", "-"})
XARGS_VALUED: Final = frozenset(
    "-n -I -J -L -P -d -s -a -E -R -S -j -N --max-args --max-lines --max-procs --max-chars --delimiter --arg-file"
    " --jobs --colsep --joblog --results --tmpdir --timeout --delay --retries".split()
)
EXECUTED_MAX: Final = 8  # commands of one `find`
_EXECUTES: Final = frozenset({"-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"})


@dataclass(frozen=True, slots=True, kw_only=True)
class InnerCommand:
    """The command within: as words, or as a text for a shell with words for `$0`, `$1` …"""

    words: tuple[str, ...] = ()
    text: str | None = None


def inner_of(
    program: str, words: tuple[str, ...], stdin: str | None, names: tuple[str, ...], files: dict[str, str]
) -> InnerCommand | None:
    """What a command runs, if it runs another one. `names` is what a `find` before it looked for, `files` what is in
    files made by `<(…)`."""
    if program in (*SHELLS, "source", ".") and words and words[0] in files:
        return InnerCommand(text=files[words[0]])
    if program in SHELLS:
        return inner_of_shell(words, stdin)
    if program in ("source", ".") and words and words[0] in STDIN_FILES and stdin:
        return InnerCommand(text=stdin)
    if (carried := carried_command(program, words)) is not None:
        return InnerCommand(text=carried)
    if program in ("make", "gmake") and stdin and ("-" in words or "-f-" in words):
        return InnerCommand(text="\n".join(line.lstrip("\t@-") for line in stdin.split("\n") if line.startswith("\t")))
    if program == "flock" and (locked := after_flag(words, ("-c", "--command"))) is not None:
        return locked
    if program == "expect" and (spawned := after_flag(words, ("-c",))) is not None:
        return InnerCommand(text=(spawned.text or "").replace("spawn ", ""))
    if program in ("powershell", "pwsh", "cmd"):
        return inner_of_windows_shell(words)
    if program in ("su", "runuser", "newgrp", "sg"):
        given = after_flag(words, ("-c", "--command"))
        return given or (InnerCommand(text=stdin) if stdin else None)
    if program == "env" and (split := split_by_env(words)):
        return InnerCommand(text=split)
    if program == "command" and words[:1] in (("-v",), ("-V",)):
        return None
    if program in ("find", "fd"):
        return inner_of_find(words)
    if program in ("xargs", "parallel"):
        listed = next((files.get(after) for flag, after in pairwise(words) if flag in ("-a", "--arg-file")), None)
        return inner_of_xargs(program, words, names, listed or stdin)
    if program in ("kubectl", "oc") and {"exec", "run", "debug"} & set(words) and "--" in words:
        return InnerCommand(words=words[words.index("--") + 1 :])
    if program == "trap" and len(words) > 1:
        return InnerCommand(text=skip_flags(words, frozenset())[0] if words[0] == "--" else words[0])
    if program in INTERPRETERS and "-m" in words[:-1]:
        return InnerCommand(words=words[words.index("-m") + 1 :])
    if program in ("docker", "podman") and skip_flags(words, BEFORE)[:1] == ("compose",):
        return inner_of_subcommand("docker-compose", skip_flags(words, BEFORE)[1:])
    if program in ("docker", "podman") and skip_flags(words, BEFORE)[:1] == ("container",):
        return inner_of_subcommand(program, skip_flags(words, BEFORE)[1:])
    if program == "gcloud" and "ssh" in words and "--" in words:
        rest = words[words.index("--") + 1 :]
        return InnerCommand(text="\n".join(dict.fromkeys((" ".join(rest), shlex.join(rest)))))
    if program == "uv" and stdin and words[:1] == ("run",) and "-" in words:
        return InnerCommand(words=("python", "-c", stdin))
    if program == "chroot" and stdin and len(skip_flags(words, PREFIXES[program].valued)) == 1:
        return InnerCommand(text=stdin)
    if program in ("npm", "npx") and (called := after_flag(words, ("-c", "--call"))) is not None:
        return called
    if program in SUBCOMMANDS:
        return inner_of_subcommand(program, words)
    if program in PREFIXES:
        return inner_of_prefix(PREFIXES[program], words, stdin)
    return None


def carried_command(program: str, words: tuple[str, ...]) -> str | None:
    """A command inside one word of another: a git alias, what an editor or an archiver is told to run."""
    if program == "git":
        return "\n".join(carried_by_git(words)) or None
    if program in EDITORS:
        return next((word.lstrip("+:!") for word in words if word.startswith(("!", ":!", "+!"))), None)
    if program in ("npm", "pnpm") and words[:2] == ("pkg", "set"):  # what the next `npm run` runs
        scripts = [word.partition("=")[2] for word in words if word.startswith("scripts.")]
        return "\n".join(scripts) or None
    if program == "gh" and words[:2] in (("alias", "set"), ("alias", "import")) and len(words) > 3:
        return words[-1].removeprefix("!") if words[-1].startswith("!") else f"gh {words[-1]}"
    return None


def git_settings(words: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The settings that a git command makes, for itself (`-c`) or from now on (`config`)."""
    for flag, word in pairwise(words):
        if flag in ("-c", "--config") and (found := _GIT_SETTING.fullmatch(word)):
            yield found[1], found[2]
    for flag, following in pairwise((*words, "")):
        name, equals, setting = flag.partition("=")
        setting = setting if equals else following
        if name == "--config-env" and (found := _GIT_SETTING.fullmatch(setting)):
            yield found[1], f"${found[2]}"  # the value is in a variable
    if "config" in words:
        given = [word for word in words[words.index("config") + 1 :] if not word.startswith("-")]
        given = given[1:] if given[:1] in (["set"], ["add"]) else given
        if len(given) > 1 and "." in given[0]:
            yield given[0], given[1]


def carried_by_git(words: tuple[str, ...]) -> Iterator[str]:
    """What git is told to run: by an alias, a setting, a flag, an address or a subcommand."""
    for name, value in git_settings(words):
        if name.lower().startswith("alias."):
            yield value[1:] if value.startswith("!") else f"git {value}"
        elif _GIT_RUNS.fullmatch(name):
            yield value.removeprefix("!")
    for word, following in pairwise((*words, "")):
        if found := _GIT_PACK.fullmatch(word):
            yield found[2] or following
        elif word.startswith("ext::"):
            yield word.removeprefix("ext::").replace("% ", " ")
        elif word in _GIT_FILTERS or (word in ("-x", "-u") and {"rebase", "clone"} & set(words[:4])):
            yield following
    for first, second in (("bisect", "run"), ("submodule", "foreach")):
        if (first, second) in pairwise(words):
            rest = skip_flags(words[words.index(second) + 1 :], frozenset())
            yield rest[0] if len(rest) == 1 else shlex.join(rest)


def inner_of_shell(words: tuple[str, ...], stdin: str | None) -> InnerCommand | None:
    """The code behind `-c`, or what comes in where no script is named."""
    place = 0
    while place < len(words) and words[place][:1] in ("-", "+") and words[place] != "-":
        if _SHELL_CODE.fullmatch(words[place]):
            named = words[place + 1 :]
            rest = skip_shell_flags(named[1:] if takes_option(words[place]) else named)
            return InnerCommand(text=rest[0], words=rest[1:]) if rest else None
        if words[place] == "--" or re.fullmatch(r"-[a-z]*s", words[place]):
            place += 1
            break
        place += 2 if takes_option(words[place]) else 1
    rest = words[place:]
    piped = not rest or rest[0] in STDIN_FILES or (place > 0 and re.fullmatch(r"-[a-z]*s", words[place - 1]))
    if not piped or not stdin:
        return None
    return InnerCommand(text=stdin, words=("sh", *(rest[1:] if rest[:1] == ("--",) else rest)))


def takes_option(flag: str) -> bool:
    """Does a shell's flag take the next word? `-o` does, also at the end of a bundle: `-euo pipefail`."""
    return flag in SHELL_VALUED or _OPTION_BUNDLE.fullmatch(flag) is not None


def skip_shell_flags(words: tuple[str, ...]) -> tuple[str, ...]:
    """What comes after a shell's flags."""
    place = 0
    while place < len(words) and words[place][:1] in ("-", "+") and words[place] != "-":
        if words[place] == "--":
            return words[place + 1 :]
        place += 2 if takes_option(words[place]) else 1
    return words[place:]


def inner_of_windows_shell(words: tuple[str, ...]) -> InnerCommand | None:
    for place, word in enumerate(words):
        if word.lower() in ("-command", "-c", "/c", "/k", "-encodedcommand"):
            return InnerCommand(text=" ".join(words[place + 1 :]).replace("\\", "/"))
    return None


def after_flag(words: tuple[str, ...], flags: tuple[str, ...]) -> InnerCommand | None:
    for word, following in pairwise((*words, "")):
        if word in flags and following:
            return InnerCommand(text=following)
        attached = next((flag for flag in flags if word.startswith(flag) and word != flag), None)
        if attached is not None:
            return InnerCommand(text=word[len(attached) :].removeprefix("="))
    return None


def split_by_env(words: tuple[str, ...]) -> str:
    """The text that `env -S` takes for words, with the words behind it; empty where it takes none."""
    for place, word in enumerate(words):
        if (found := _SPLITS.fullmatch(word)) is not None:
            glued = found[1] if found[1] is not None else found[2]
            text, rest = (
                (glued, words[place + 1 :]) if glued else ("".join(words[place + 1 : place + 2]), words[place + 2 :])
            )
            return " ".join(part for part in (text.replace("\\_", " "), shlex.join(rest)) if part)
        if not word.startswith("-") and "=" not in word and not (place and words[place - 1] in PREFIXES["env"].valued):
            return ""
    return ""


def inner_of_find(words: tuple[str, ...]) -> InnerCommand | None:
    """What `-exec` runs, with the name that was looked for in the place of `{}`."""
    found = paths_to_find(words)
    runs: list[str] = []
    for start in [place for place, word in enumerate(words) if word in _EXECUTES][:EXECUTED_MAX]:
        end = next((place for place in range(start, len(words)) if words[place] in (";", "+")), len(words))
        runs.append(shlex.join(w.replace("{}", found[0]) if found else w for w in words[start + 1 : end]))
    return InnerCommand(text="\n".join(runs)) if runs else None


def paths_to_find(words: tuple[str, ...]) -> tuple[str, ...]:
    """What a `find` with these words comes up with: its names in its folder; nothing where it takes any name."""
    base = words[0].rstrip("/") if words and not words[0].startswith("-") else "."
    names = [b for a, b in pairwise(words) if a in ("-name", "-iname")]
    return tuple(f"{base}/{name}" for name in names)


def inner_of_xargs(
    program: str, words: tuple[str, ...], names: tuple[str, ...], stdin: str | None
) -> InnerCommand | None:
    """What `xargs` or `parallel` runs on what it is fed: what comes in, stands behind `:::`, or a `find` looked for."""
    rest = skip_flags(words, XARGS_VALUED)
    first = next((place for place, word in enumerate(rest) if word.startswith(":::")), len(rest))
    given = tuple(word for word in rest[first:] if not word.startswith(":::"))
    command, mark = rest[:first], replacement_mark(words)
    lines = given or tuple((stdin or "").replace("\0", "\n").splitlines()) or names
    if program == "parallel":
        return inner_of_parallel(command, lines or ("{}",))
    if not command:
        return None
    if not mark:
        items = lines if given or not stdin or {"-0", "-d", "-L"} & set(words) else tuple(quoted_words(stdin))
        mark = "{}" if not stdin and any("{}" in word for word in command) else ""
        if not mark:
            return InnerCommand(words=(*command, *(items or ("{}",))))
        lines = lines[:1]
    runs = [tuple(word.replace(mark, line.lstrip()) for word in command) for line in lines or ("{}",)]
    return InnerCommand(words=runs[0]) if len(runs) == 1 else InnerCommand(text="\n".join(map(shlex.join, runs)))


def inner_of_parallel(command: tuple[str, ...], lines: tuple[str, ...]) -> InnerCommand:
    """Each line in the place of `{}`, or behind the command; a command of its own where there is none."""
    text = " ".join(command) or "{}"
    text = text if re.search(r"\{[\d./]*\}", text) else f"{text} {{}}"
    return InnerCommand(text="\n".join(re.sub(r"\{[\d./]*\}", lambda _, put=line: put, text) for line in lines))


def replacement_mark(words: tuple[str, ...]) -> str:
    """What `xargs` puts a line in the place of; empty where it adds what it is fed at the end."""
    for word, following in pairwise((*words, "")):
        if not word.startswith("-") or word == "--":
            break
        if word in ("-I", "-J"):
            return following
        if word in ("-i", "--replace"):
            return "{}"
        if word.startswith(("-I", "-J", "-i", "--replace=")):
            return word.removeprefix("--replace=") if word.startswith("--") else word[2:]
    return ""


def quoted_words(text: str) -> list[str]:
    """The words of a text between blanks; quotes hold one together."""
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


def inner_of_subcommand(program: str, words: tuple[str, ...]) -> InnerCommand | None:
    before = BEFORE - {"-c"} if program == "pnpm" else BEFORE  # which takes its words for a shell's text then
    name, *rest = skip_flags(words, before) or ("",)
    how = SUBCOMMANDS[program].get(name)
    if how is None:
        return None
    valued = RUN_VALUED if name == "run" and program in ("docker", "podman") else how.valued
    within = skip_flags(tuple(rest), valued)[how.own :]
    if valued is RUN_VALUED and (entry := entrypoint_of(tuple(rest))):
        return InnerCommand(text="\n".join(map(shlex.join, filter(None, ((entry, *within), within)))))
    if within[:1] == ("--",):
        within = within[1:]
    if (len(within) == 1 and " " in within[0]) or (within and {"-c", "--shell-mode"} & set(words[:2])):
        return InnerCommand(text=" ".join(within))
    return InnerCommand(words=within) if within else None


def entrypoint_of(words: tuple[str, ...]) -> str:
    """The program that a container runs its words with: as it is told, or as somebody's image of it is called."""
    image = next(iter(skip_flags(words, RUN_VALUED)), "")
    own = words[: words.index(image)] if image else words
    for flag, value in pairwise((*own, image)):
        if flag.startswith("--entrypoint"):
            return flag.partition("=")[2] or value
    maker, _, name = image.rpartition("/")
    program = name.partition(":")[0].partition("@")[0]
    return program if maker and program in TELLING - SHELLS - frozenset(INTERPRETERS) else ""


def inner_of_prefix(how: Wrapper, words: tuple[str, ...], stdin: str | None) -> InnerCommand | None:
    rest = skip_flags(words, how.valued)[how.own :]
    if rest[:1] == ("--",):
        rest = rest[1:]
    if how.joined:
        runs = {word.rpartition("/")[2] for word in " ".join(rest).split()}
        fed = stdin if stdin and (not rest or runs & SHELLS) else ""
        text = "\n".join(part for part in (" ".join(rest), fed) if part)
        return InnerCommand(text=text) if text else None
    if not rest and stdin and any(word in ("-s", "-i", "--shell", "--login") for word in words):
        return InnerCommand(text=stdin)
    return InnerCommand(words=rest) if rest else None


def fed_within(program: str, inner: InnerCommand, stdin: str | None) -> str | None:
    """What comes in for the commands of a text that a shell is given, here or on another machine."""
    return stdin if program in HANDS_INPUT_ON and inner.text != stdin else None


def own_words(program: str, words: tuple[str, ...], inner: InnerCommand | None) -> tuple[str, ...]:
    """The words of a command without those of the command that it wraps."""
    if inner is not None and inner.text is None and words[-len(inner.words) :] == inner.words:
        return words[: len(words) - len(inner.words)]
    if program in PREFIXES and PREFIXES[program].joined:
        rest = skip_flags(words, PREFIXES[program].valued)
        return words[: len(words) - len(rest[PREFIXES[program].own :])]
    return words


def skip_flags(words: tuple[str, ...], valued: frozenset[str]) -> tuple[str, ...]:
    """What comes after the flags."""
    place = 0
    while place < len(words) and words[place].startswith("-"):
        if words[place] == "--":
            return words[place + 1 :]
        bundled = len(words[place]) > 2 and words[place][1] != "-" and f"-{words[place][-1]}" in valued
        place += 2 if words[place] in valued or bundled else 1
    return words[place:]
