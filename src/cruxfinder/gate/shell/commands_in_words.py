"""Commands and statements that stand whole in a word of a program which may run them.

No list names every program that runs others. So whatever is not known to print, search or keep its words is taken to
run a word that is a command to be feared or a statement that destroys, unless its flag says that it is only a text.
"""

import re
import shlex
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote_plus

from cruxfinder.gate.shell.interpreters import script_of
from cruxfinder.gate.shell.wrappers import INTERPRETERS, PREFIXES, SHELLS, STDIN_FILES, SUBCOMMANDS, TELLING

SEGMENTS_MAX: Final = 50
SENDS: Final = frozenset("curl wget http https xh".split())  # a database may be at the other end
SENT_MAX: Final = 20_000  # characters
FEARED_IN_WORDS: Final = TELLING | frozenset(
    "sudo doas env eval exec nohup source find xargs curl wget nc truncate kill pkill killall shutdown reboot halt"
    " poweroff crontab userdel deluser passwd iptables ufw mysqladmin redis gsutil bq flyctl fly heroku vercel"
    " npm pnpm yarn twine cargo gh pulumi cdk ansible-playbook rclone rsync mv cp tee ln chattr zfs zpool".split()
)
KEEPS_WORDS: Final = frozenset(  # they print, search, install, send or keep what they are given
    "echo printf grep egrep fgrep rg ag ack zgrep cat ls cd pushd which type whereis help info apropos tldr test [ [["
    " export alias unalias local declare readonly typeset set unset sed jq yq cut sort uniq diff wc head tail more tee"
    " touch mkdir cp mv ln stat file find fd pip pip3 cargo brew apk pacman snap uv poetry gem bundle composer"
    " dotnet choco winget code vim vi nvim nano emacs subl gh glab pytest jest vitest mocha ava tap playwright cypress"
    " rspec phpunit ctest bats ninja bazel gradle mvn tox nox ruff black mypy eslint tsc prettier docker podman"
    " docker-compose kubectl oc helm terraform tofu curl wget http https xh for case select read logger notify-send tr"
    " rm rmdir chmod chown pulumi cdk psql mysql sqlite3 redis-cli mongosh crux history hash ps pgrep pkill kill"
    " killall lsof systemctl journalctl service command builtin exec eval xargs parallel trap jira slack ntfy notify"
    " terminal-notifier growlnotify say espeak cowsay figlet toilet banner lolcat todo todo.sh task taskwarrior linear"
    " asana trello bd hub tea mail mailx mutt sendmail msmtp pbcopy xclip xsel wl-copy sqlfluff sqlformat pg_format"
    " shellcheck shfmt aspell codespell semgrep ast-grep comby comm cmp dialog whiptail zenity kdialog gum glow"
    " bat xdg-open open expr seq true false : return exit sleep basename dirname realpath md5sum sha256sum"
    " sha1sum llm ollama changie changeset towncrier cz git-cz commitizen wall write tmux-message log column strings"
    " whois dig title function".split()
)
# Of these only the values of flags may be run: their other words are files, names, tasks, or wrapped commands.
RUNS_FLAGS: Final = frozenset(
    "git npm pnpm yarn npx aws gcloud az ssh scp sftp rsync make gmake cmake man less apt apt-get dnf yum hg svn fzf"
    " go".split()
) | frozenset((*PREFIXES, *SUBCOMMANDS))
KEEPS_INPUT: Final = frozenset(  # what they are fed is a text, an archive or a patch to them
    "git hg svn patch apply_patch sponge base64 xxd gzip xz zstd gpg openssl iconv fold fmt nl tac rev paste pandoc awk"
    " dd claude codex gemini aider sqlfmt sql-formatter sqruff squawk pgformatter split csplit od hexdump".split()
)
TEXT_WORDS: Final = frozenset(  # in the name of a flag or a variable whose value is a text
    "message msg body title description desc notes note subject summary comment comments reason text label labels"
    " name grep pattern search regex regexp author format pretty template trailer annotation annotations header"
    " prompt caption content match testnamepattern run-name tag tags query-filter changelog msgs".split()
)
TEXT_FLAGS: Final = frozenset("-run -bench -skip -tags".split())
TEXT_LETTERS: Final = {"git": "mSGe", "hg": "m", "svn": "m", "npm": "mtg", "pnpm": "mtg", "yarn": "mtg", "npx": "mtg"}
SETTING_FLAGS: Final = frozenset("-o -c --option --config --set -D --define -x".split())
_RUNS: Final = re.compile(  # their value is run, whatever it is
    r"(?:--checkpoint-action=exec|--to-command|--use-compress-program|(?:-o)?(?:Proxy|Local|KnownHosts)Command"
    r"|--rsh|--info-script|--new-volume-script|--(?:to|cc|header|sendmail)-cmd|--extcmd|--open-files-in-pager"
    r"|--rsync-path|--post-renderer)[= ](.+)",
    re.DOTALL | re.IGNORECASE,
)
_LEAD: Final = re.compile(  # what stands before a command in such a word
    r"[!:+|@\s$({\"'`]*+(?:(?:\w{1,20}[ \t])?[\w.:-]{0,40}"
    r"(?:commands?|cmd|exec|execute|program|shell|system|spawn|run|call|invoke)"
    r":{0,2}(?:[ \t]*[=:][ \t]*|[ \t]+)[\[\"'(]{0,4})?",
    re.IGNORECASE,
)
_SETTING: Final = re.compile(r"([\w.:-]{1,80}?)(?:::)?=[ \t]*")
_FLAG_NAME: Final = re.compile(r"--?[A-Za-z][\w.-]{0,60}")
_SEGMENTS: Final = re.compile(r"[;&|\n]+")
_FIELD: Final = re.compile(r"^(?:\w{1,40}=|[a-z]{3,5}://[^?]{0,400}\?(?:[^&]{0,200}&){0,9}?query=)")
_THIS_MACHINE: Final = re.compile(r"^(?:https?://)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(?:[:/]|$)")
_ASSIGNED: Final = re.compile(r"[A-Za-z_]\w*=\S*")
_STATEMENT_ENDS: Final = re.compile(r";|\*/")
_LINE_COMMENT: Final = re.compile(r"--[^\n]*")
_OPENS: Final = " ('\""
_DESTROYS: Final = re.compile(
    r"(?:drop\s+(?:table|database|schema|view|materialized|index|column|user|role|function"
    r"|procedure|trigger|sequence|type|extension|owned|keyspace|collection|tablespace)\s"
    r"|truncate\s+(?:table\s|[\w.\"`\[\]]{1,100}\s*(?:;|,|\Z|cascade\b|restart\b))|delete\s+from\s"
    r"|alter\s+(?:table|database|schema|role|user|system|keyspace)\s|update\s+\S{1,100}\s+set\s)",
    re.IGNORECASE,
)


def carried_texts(program: str, words: tuple[str, ...]) -> Iterator[str]:
    """The words of a program that are whole commands to be feared, as it may run them."""
    if program in SHELLS or program in INTERPRETERS:
        return
    for text in (found[1] for word in words if (found := _RUNS.fullmatch(word))):
        yield text
    for flag, text in carried_values(program, words):
        if (command := feared_command(flag, text)) is not None:
            yield command
    if program not in KEEPS_WORDS and program not in RUNS_FLAGS and (rest := feared_tail(words)):
        yield rest


def feared_tail(words: tuple[str, ...]) -> str:
    """The words of an unknown program from the name of a feared one on; empty where none names one."""
    for place, word in enumerate(words[:-1]):
        if not word.startswith("-") and word.rpartition("/")[2] in TELLING:
            return shlex.join(words[place:])
    return ""


def carried_statements(program: str, words: tuple[str, ...], stdin: str = "") -> Iterator[str]:
    """The words of a program, and what it is fed, that are whole statements which destroy something."""
    if program in SHELLS:
        return
    if stdin and may_run_input(program, words) and is_destructive_sql(stdin):
        yield stdin
    yield from (text for _, text in carried_values(program, words) if is_destructive_sql(text))
    if program in SENDS and not any(map(_THIS_MACHINE.search, words)):
        sent = (_FIELD.sub("", text) for _, text in flag_values(words, operands=True) if len(text) <= SENT_MAX)
        yield from (text for text in map(unquote_plus, sent) if is_destructive_sql(text))


def may_run_input(program: str, words: tuple[str, ...]) -> bool:
    """Is what comes in nothing that is known to be code, a text or somebody else's: a framework's database shell?"""
    if program in INTERPRETERS:
        return script_of(program, words) not in ("", *STDIN_FILES)
    return program not in KEEPS_WORDS | KEEPS_INPUT and program not in PREFIXES


def is_destructive_sql(text: str) -> bool:
    """Is a text SQL that drops, empties, deletes or changes?"""
    readings = dict.fromkeys(" ".join(way.split()) for way in (text, _LINE_COMMENT.sub(" ", text)))
    parts = (part for way in readings for part in _STATEMENT_ENDS.split(way))
    return any(_DESTROYS.match(part.lstrip(_OPENS)) for part in parts)


def carried_values(program: str, words: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The words of a program that may be run, each with the flag it belongs to; those that are only texts left out."""
    if program in KEEPS_WORDS or (program == "git" and "grep" in words[:3] and not pager_of_grep(words)):
        return
    operands = program not in RUNS_FLAGS
    if program == "git" and "grep" in words[:3]:
        words = pager_of_grep(words)
    for flag, text in flag_values(words, operands=operands or program in ("make", "gmake")):
        if (" " in text or "\t" in text or "\n" in text) and not is_text_flag(program, flag):
            yield flag, text


def pager_of_grep(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word for word in words if word.startswith(("-O", "--open-files-in-pager=")))


def flag_values(words: tuple[str, ...], *, operands: bool) -> Iterator[tuple[str, str]]:
    flag = ""
    for word in words:
        if word == "--" and not operands:
            return
        if word.startswith("-") and len(word) > 1 and not word.startswith("-- "):  # which is a comment in SQL
            name, equals, value = word.partition("=")
            known = _FLAG_NAME.fullmatch(name) is not None
            if equals and known:
                yield name, value
            if word[1] != "-" and len(word) > 2:
                yield word[:2], word[2:]
            flag = word if known and not equals else ""
        else:
            if flag or operands:
                yield flag, word
            flag = ""


def is_text_flag(program: str, flag: str) -> bool:
    """Does a flag say that its value is a text, not a command?"""
    if not flag or flag in TEXT_FLAGS:
        return bool(flag)
    if flag.startswith("--") or len(flag) > 4:
        return not TEXT_WORDS.isdisjoint((flag.strip("-").lower(), *flag.lower().strip("-").split("-")))
    return flag[-1] in TEXT_LETTERS.get(program, "m")


def feared_command(flag: str, text: str) -> str | None:
    """A text as the command that it is, where one of its commands is to be feared."""
    ways = [text]
    if (found := _SETTING.match(text)) and (flag in SETTING_FLAGS or not flag):
        if found[1].lower() in TEXT_WORDS:
            return None
        ways.append(text[found.end() :])
    ways += [text[lead.end() :] for text in ways if (lead := _LEAD.match(text))]
    for whole in dict.fromkeys(ways):
        segments = _SEGMENTS.split(whole, SEGMENTS_MAX)
        if len(segments) > SEGMENTS_MAX or any(map(begins_feared, segments)):
            return whole
    return None


def begins_feared(segment: str) -> bool:
    words = [word for word in segment.split(None, 6)[:6] if not _ASSIGNED.fullmatch(word)]
    if not words:
        return False
    first = words[0].lstrip("(!{").rpartition("/")[2]
    return len(words) > 1 and first in FEARED_IN_WORDS
