"""Code that builds a command from parts is read as the command it comes to; what nobody can read calls for a debate."""

import shlex

import pytest

from cruxfinder.adapters.packs.rule_file import shipped_rules
from cruxfinder.gate.actions import Action
from cruxfinder.gate.router import Routing, route
from cruxfinder.gate.shell.constant_calls import VALUE_MAX
from cruxfinder.gate.shell.literals import fold_literals
from cruxfinder.gate.shell.python_code import FoldedCode, fold_code

PYTHON = [
    "import os; os.system('%s -rf ~' % 'rm')",
    "import os; os.system('%s %s ~' % ('rm', '-rf'))",
    "import os; os.system('{} -rf ~'.format('rm'))",
    "import os; os.system('{p} -rf ~'.format(p='rm'))",
    "import os; a = 'rm'; os.system(f'{a} -rf ~')",
    "import os; os.system('~ fr- mr'[::-1])",
    "import os; os.system(''.join(reversed('~ fr- mr')))",
    "import os; os.system(chr(114) + 'm -rf ~')",
    "import os; os.system(''.join(map(chr, [114, 109, 32, 45, 114, 102, 32, 126])))",
    "import os; os.system(''.join(chr(c) for c in (114, 109, 32, 45, 114, 102, 32, 126)))",
    "import os; os.system(''.join([chr(c ^ 1) for c in b'sl!,sg!\\x7f']))",
    "import os; os.system('\\x72m -rf ~')",
    "import os; os.system('\\u0072\\155 -rf ~')",
    "import os; os.system(bytes([114, 109, 32, 45, 114, 102, 32, 126]))",
    "import os; os.system(bytes.fromhex('726d202d7266207e').decode())",
    "import os, binascii; os.system(binascii.unhexlify('726d202d7266207e').decode())",
    "import os, base64 as b; os.system(b.b64decode('cm0gLXJmIH4=').decode())",
    "import os, codecs; os.system(codecs.decode('ez -es ~', 'rot13'))",
    "import os; c = 'r'; c += 'm'; os.system(c + ' -rf ~')",
    "import os; os.system('xx -rf ~'.replace('xx', 'rm'))",
    "import os; os.system('RM -RF ~'.lower())",
    "import os; os.system(' '.join(['rm', '-rf', '~']))",
    "import os; os.system('a rm -rf ~'[2:])",
    "from os import system as s; s('r' 'm -rf ~')",
    "import subprocess as p; p.run(['r' + 'm', '-rf', '/srv/data'])",
    "import subprocess; subprocess.run('rm,-rf,/srv/data'.split(','))",
    "exec('import os; os.system(\"rm -rf ~\")')",
    "exec('imp' + 'ort shutil; shutil.rm' + 'tree(\"/srv\")')",
    "eval(compile('__import__(\"shutil\").rmtree(\"/srv\")', '', 'eval'))",
    "import timeit; timeit.timeit('shutil.rmtree(\"/srv\")', 'import shutil')",
    # decoded from what nobody can read
    "import os, sys; os.system(sys.argv[1][::-1])",
    "import os, base64; x = base64.b64decode(open('a').read()); os.system(x)",
    "import os; os.system(''.join(chr(int(c)) for c in open('a')))",
    "import subprocess, sys; subprocess.run([bytes.fromhex(sys.argv[1]).decode(), '-rf', '/'])",
    # what it does under another name
    "import os as o\nfor r, d, fs in o.walk('/home'):\n for f in fs: o.remove(r + '/' + f)",
    "from os import walk, unlink as u\nfor r, d, fs in walk('/home'):\n for f in fs: u(r + '/' + f)",
    "import os\nfor r, d, fs in os.walk('/home'):\n for f in fs: os.truncate(r + '/' + f, 0)",
    "from shutil import rmtree as tidy; tidy('/srv')",
    "import pydoc; pydoc.pipepager('', 'rm -rf ~')",
    "import psycopg2; psycopg2.connect('prod').cursor().execute('DELETE FROM users')",
    "import psycopg2; psycopg2.connect('prod').cursor().execute('DROP ' + 'TABLE users')",
    "import sqlalchemy as s; s.create_engine('x').execute(s.text('UPDATE users SET admin = true'))",
    "import git; git.Repo('.').remotes.origin.push('main', force=True)",
    "import git; git.Repo('.').git.push('--force', 'origin', 'main')",
]
OTHERS = [
    ("node", "-e", "require('child_process').execSync('r' + \"m -rf ~\")"),
    ("node", "-e", "require('child_process').execSync('\\x72m -rf ~')"),
    ("node", "-e", "require('child_process').execSync('\\u{72}m -rf ~')"),
    ("node", "-e", "require('child_process').execSync(String.fromCharCode(114,109) + ' -rf ~')"),
    ("node", "-e", "require('child_process').execSync('~ fr- mr'.split('').reverse().join(''))"),
    ("node", "-e", "require('child_process').execSync(['rm', '-rf', '~'].join(' '))"),
    ("node", "-e", "eval(\"require('child_process').execSync('rm -rf ~')\")"),
    ("node", "-e", "db.query('DELETE FROM users')"),
    ("ruby", "-e", "system('%s -rf ~' % 'rm')"),
    ("ruby", "-e", "system([114,109].pack('c*') + ' -rf ~')"),
    ("ruby", "-e", "system('~ fr- mr'.reverse)"),
    ("ruby", "-e", "system(114.chr + 'm -rf ~')"),
    ("perl", "-e", 'system(chr(114) . "m -rf ~")'),
    ("perl", "-e", "system(scalar reverse('~ fr- mr'))"),
    ("perl", "-e", "system(join('', 'r', 'm', ' -rf ~'))"),
    ("perl", "-e", 'system("\\x72\\x6d -rf ~")'),
    ("php", "-r", "system(strrev('~ fr- mr'));"),
    ("php", "-r", "system('r' . 'm -rf ~');"),
    ("php", "-r", "system(sprintf('%s -rf ~', 'rm'));"),
    ("php", "-r", "system(implode('', ['r', 'm', ' -rf ~']));"),
]
HARMLESS = [
    "print('%s -rf ~' % 'rm')",
    "print('~ fr- mr'[::-1])",
    "import subprocess, sys; subprocess.run(sys.argv[1:])",
    "import subprocess; cmd = ['git', 'status']; subprocess.run(cmd, check=True)",
    "import subprocess; out = subprocess.check_output(['git', 'log']).decode(); print(out[::-1])",
    "import subprocess; print(subprocess.run(['ls'], capture_output=True).stdout.decode('utf-8'))",
    "import subprocess, json; cfg = json.loads(open('a.json').read()); subprocess.run(cfg['test'])",
    "import subprocess; subprocess.run(['grep', '-c', 'x', 'a.txt'])",
    "import subprocess; name = 'app'; subprocess.run(f'docker ps --filter name={name}', shell=True)",
    "import base64; print(base64.b64decode('cm0gLXJmIH4=').decode())",
    "import os; print(os.path.join('a', 'b'), os.listdir('.'))",
    "import os\nfor r, d, fs in os.walk('src'):\n for f in fs: print(os.path.join(r, f))",
    "import os; os.remove('a.tmp')",
    "import sqlite3; print(sqlite3.connect('a.db').execute('SELECT count(*) FROM t').fetchall())",
    "import sqlite3; c = sqlite3.connect('a.db'); c.execute('DELETE FROM t WHERE id = ?', (5,))",
    "import git; git.Repo('.').remotes.origin.fetch()",
    "stack = []; stack.push('--x') if False else print(1)",
    "import timeit; print(timeit.timeit('sum(range(9))'))",
    "print(eval('1 + 2'))",
    "print(''.join(chr(c) for c in range(97, 123)))",
    "import re; print(re.sub(r'\\d+', '', 'a1'))",
    "import ast; print(ast.dump(ast.parse('x = 1')))",
]


def debate(program: str, flag: str, code: str) -> Routing:
    return route(Action(text=f"{program} {flag} {shlex.quote(code)}", tool="bash", folder="/srv/app"), shipped_rules())


@pytest.mark.rule("DIA-8")
@pytest.mark.parametrize("code", PYTHON)
def test_python_is_read_as_the_command_it_builds(code: str) -> None:
    assert debate("python3", "-c", code).debate


@pytest.mark.parametrize(("program", "flag", "code"), OTHERS)
def test_other_languages_are_read_as_the_command_they_build(program: str, flag: str, code: str) -> None:
    assert debate(program, flag, code).debate


@pytest.mark.parametrize("code", HARMLESS)
def test_code_that_runs_nothing_to_be_feared_passes(code: str) -> None:
    routed = debate("python3", "-c", code)
    assert not routed.debate, routed.fired


@pytest.mark.parametrize(
    ("program", "code"),
    [
        ("node", "console.log('rm' + ' -rf ~')"),
        ("node", "console.log(['a', 'b'].join(' '), 'abc'.split('').reverse().join(''))"),
        ("node", "const { execSync } = require('child_process'); console.log(execSync('git status').toString())"),
        ("ruby", "puts 'abc'.reverse + '%s' % 'x'"),
        ("perl", "print join(', ', 'a', 'b'), chr(65)"),
    ],
)
def test_other_code_that_runs_nothing_to_be_feared_passes(program: str, code: str) -> None:
    assert not debate(program, "-e", code).debate


# ---- bounds


def folded(code: str) -> FoldedCode:
    found = fold_code(code)
    assert found is not None
    return found


@pytest.mark.parametrize(
    "code",
    [
        "exec('a' * 10**9)",
        "exec('%1000000000s' % 'a')",
        "exec('%*s' % (1000000000, 'a'))",
        "exec('{:>1000000000}'.format('a'))",
        "exec('{:>{}}'.format('a', 1000000000))",
        "exec(bytes(1000000000))",
        "exec('a'.join(['b' * 9999] * 9999))",
        "exec(('a' * 9999).replace('a', 'b' * 9999))",
        "exec(str(10 ** 100000))",
        "exec(chr(-1) + chr(99999999999) + [][0] + 'a'[5] + 'é'.encode('ascii'))",
    ],
)
def test_nothing_long_is_computed(code: str) -> None:
    assert all(len(text) <= VALUE_MAX for text in folded(code).texts)


def test_what_is_too_deep_or_too_long_is_not_taken_for_read() -> None:
    assert folded("exec(" + "-" * 50_000 + "1)").cut
    assert folded("exec(1" + " + 1" * 20_000 + ")").cut
    assert folded("exec(1)\n" + "#" * 200_000).cut
    assert fold_code("exec(" * 500) is None  # no Python
    assert fold_code("exec('\0')") is None


def test_names_are_followed_only_while_they_are_constant() -> None:
    assert "rm -rf x" in folded("a = 'rm'\nexec(a + ' -rf x')").texts
    assert "rm -rf x" not in folded("a = 'rm'\na = input()\nexec(a + ' -rf x')").texts
    assert "rm -rf x" not in folded("a = 'rm'\nfor a in b: exec(a + ' -rf x')").texts


def test_literals_are_put_together_whatever_their_quotes() -> None:
    assert fold_literals("f('a' + \"b\" + 'c')") == "f('abc')"
    assert fold_literals("f('a' + x)") == "f('a' + x)"
    assert fold_literals(r"f('\x61\x0a')") == r"f('a\x0a')"
