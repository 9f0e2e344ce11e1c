"""A shell's text comes out as the plain commands it would run."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cruxfinder.gate.shell.reader import read


def commands(text: str) -> list[str]:
    return [command.text for command in read(text).commands]


def last(text: str) -> str:
    return commands(text)[-1]


@pytest.mark.parametrize(
    "text",
    [
        "rm -rf /x",
        "r''m -rf /x",
        '"rm" "-r" \'-f\' /x',
        "r\\m -r\\f /x",
        "$'\\x72\\x6d' -rf /x",
        "$'\\162m' -rf /x",
        "X=rm; $X -rf /x",
        "X='rm -rf'; $X /x",
        'A=r B=m; "$A$B" -rf /x',
        "rm${IFS}-rf${IFS}/x",
        "{rm,-rf,/x}",
        "/bin/rm -rf /x",
        "/bin/r? -rf /x",
        "$(echo rm) -rf /x",
        "`echo rm` -rf /x",
        "$(printf 'r%s' m) -rf /x",
        "${Y:-rm} -rf /x",
        "Z=xrmx; ${Z:1:2} -rf /x",
        "rm \\\n -r \\\n -f /x",
        "alias d='rm -rf'; d /x",
        "echo 'rm -rf /x' | sh",
        "echo cm0gLXJmIC94 | base64 -d | bash",
        "printf '726d202d7266202f78' | xxd -r -p | sh",
        "echo 'x/ fr- mr' | rev | bash",
        "echo 'sn -sg /y' | tr 'snygx' 'rmxfg' | sh",
        "bash <<< 'rm -rf /x'",
        "bash <<'EOF'\nrm -rf /x\nEOF",
        "sh -s <<EOF\nrm -rf /x\nEOF",
        "source <(echo rm -rf /x)",
        "sudo -u root -- env -u A B=1 nice -n 3 rm -rf /x",
        "xargs -n1 -P 4 rm -rf /x",
        "find . -exec rm -rf /x {} \\;",
        "ssh -p 22 -o A=b host 'rm -rf /x'",
        "docker compose -f a.yml exec -T db rm -rf /x",
        "kubectl exec -n a pod -c c -- rm -rf /x",
        "su - bob -c 'rm -rf /x'",
        "flock /tmp/l -c 'rm -rf /x'",
        "echo 'rm -rf /x' | at now",
        "git -c alias.z='!rm -rf /x' z",
        "git filter-branch --tree-filter 'rm -rf /x' HEAD",
        "awk 'BEGIN{system(\"rm -rf /x\")}'",
        "perl -e 'system(\"rm -rf /x\")'",
        "python3 -c \"import subprocess; subprocess.run(['rm', '-rf', '/x'])\"",
        "trap 'rm -rf /x' EXIT",
        "if [ -d /x ]; then rm -rf /x; fi",
        "while read a; do rm -rf /x; done",
        "{ ls; rm -rf /x; }",
        "f() { rm -rf /x; }; f",
        "echo a && echo b || rm -rf /x",
        "ls & rm -rf /x",
        "echo $(rm -rf /x)",
        "# a comment\nrm -rf /x # another",
    ],
)
def test_disguises_come_off(text: str) -> None:
    assert any(found.startswith(("rm -r -f /x", "rm -r -f ./x")) for found in commands(text)), commands(text)


def test_a_blank_inside_a_word_does_not_make_two() -> None:
    assert last("git commit -m 'push --force now'") == "git commit -m push␣--force␣now"


def test_bundled_flags_are_set_apart_where_a_program_bundles_them() -> None:
    assert last("rm -rfv a") == "rm -r -f -v a"
    assert last("terraform apply -auto-approve") == "terraform apply -auto-approve"
    assert last("curl -sXDELETE u") == "curl -s -X DELETE u"


def test_options_of_git_itself_are_left_out() -> None:
    assert last("git -C repo -c a.b=c --no-pager push -f") == "git push -f"


def test_what_is_not_known_stays_as_it_is_written() -> None:
    assert last('rm -rf "$HOME/$(date +%F)" *.log') == "rm -r -f $HOME/$(date␣+%F) *.log"


def test_redirects_are_no_words_and_where_they_write_is_known() -> None:
    found = read("echo a 2>&1 > /etc/x >> b &> c < in").commands[-1]
    assert (found.text, found.writes) == ("echo a", ("/etc/x", "b", "c"))
    assert read("> /dev/sda").commands[-1].writes == ("/dev/sda",)


def test_input_that_is_known_is_kept() -> None:
    assert read("psql db <<'SQL'\ndrop table t;\nSQL").commands[-1].stdin == "drop table t;\n"
    assert read('for t in a b; do echo "drop $t"; done | psql').commands[-1].stdin == "drop a b\n"
    assert read("cat notes.txt | psql").commands[-1].stdin == ""


def test_a_here_document_in_quotes_is_not_expanded_and_one_without_is() -> None:
    assert read("A=b; cat <<'E'\n$A\nE").commands[-1].stdin == "$A\n"
    assert read("A=b; cat <<E\n$A\nE").commands[-1].stdin == "b\n"


def test_a_variable_set_in_a_substitution_stays_there() -> None:
    assert last("X=a; echo $(X=b; echo c); echo $X") == "echo a"


@given(st.text(alphabet="rm -f/$(){}'\"`;&|<>\\\nEOF=x#*?[]!~ab01", max_size=120) | st.text(max_size=80))
@settings(max_examples=120)
def test_any_text_is_read(text: str) -> None:
    script = read(text)
    assert all(isinstance(command.text, str) for command in script.commands)


@pytest.mark.parametrize(
    "nasty", ["$(" * 3000, "'" * 9001, '"$(' * 2000, "{" * 9000, "<<E " * 2000, "`" * 5001, "a=b " * 9000]
)
def test_nasty_texts_end(nasty: str) -> None:
    read(nasty)
