"""A command or a statement that stands whole in a word of another program is seen, where that program may run it; what
is only said, looked for or kept is not."""

import pytest

from cruxfinder.adapters.packs.rule_file import shipped_rules
from cruxfinder.gate.actions import Action
from cruxfinder.gate.router import route

RUN = [
    # runners that no list names
    "frobnicate 'rm -rf ~'",
    "frobnicate --hook='git push --force origin main'",
    "frobnicate --hook 'true; rm -rf /srv/data'",
    "frobnicate -O'rm -rf ~'",
    "frobnicate 'git status' 'rm -rf ~'",
    "frobnicate --on-exit='sudo rm -rf /srv/data'",
    "frobnicate ONEXIT='rm -rf ~'",
    "frobnicate 'FOO=1 rm -rf ~'",
    "frobnicate bash -c 'rm -rf /srv/data'",
    "gdb -batch -ex '!rm -rf ~'",
    "gdb -batch -ex 'shell git push --force origin main'",
    "lldb -o 'platform shell rm -rf ~'",
    "entr -r 'rm -rf ~'",
    "nodemon --exec 'git push --force origin main'",
    "hyperfine 'rm -rf /srv/data'",
    "fzf --preview='rm -rf ~'",
    "fzf --bind 'start:execute rm -rf ~'",
    "tar -I'rm -rf ~' -cf x.tar x",
    "rsync --rsync-path='rm -rf /srv/data && rsync' a h:b",
    "scp -oProxyCommand='rm -rf /srv/data' a h:b",
    "ssh -o 'LocalCommand rm -rf /srv/data' h",
    "ssh -o ProxyCommand=none h 'rm -rf /srv/data'",
    "ssh h sudo bash -s <<< 'rm -rf /srv/data'",
    "ssh h 'cd /srv && bash' <<'EOF'\nrm -rf data\nEOF",
    "apt-get -o APT::Update::Pre-Invoke::='rm -rf /srv/data' update",
    "man -P 'rm -rf ~' ls",
    "make --eval='$(shell rm -rf ~)'",
    "make CC='git push --force origin main'",
    "npx -c 'git push --force origin main'",
    "npm x --call='rm -rf /srv/data'",
    "pnpm --shell-mode exec 'rm -rf /srv/data'",
    "yarn exec 'rm -rf /srv/data'",
    "gcloud compute ssh vm --command='rm -rf /srv/data'",
    "gh alias set wipe '!rm -rf ~'",
    "git difftool --extcmd='rm -rf ~' HEAD",
    "git difftool -x 'rm -rf ~' HEAD",
    "git grep --open-files-in-pager='rm -rf ~' x",
    "git send-email --cc-cmd 'rm -rf ~' x.patch",
    "git svn fetch --authors-prog='rm -rf ~'",
    "strace -f -o '|rm -rf /srv/data' true",
    "printf 'rm -rf ~\\n' | parallel -j2",
    "parallel ::: 'rm -rf ~' 'ls'",
    # statements
    "frobnicate --sql 'DROP TABLE users'",
    "frobnicate 'delete from users'",
    "frobnicate -q'TRUNCATE TABLE users'",
    "frobnicate 'select 1; drop table users'",
    "aws athena start-query-execution --query-string '/* x */ DROP TABLE users'",
    "aws timestream-query query --query-string='DELETE FROM t'",
    "gcloud spanner databases execute-sql db --sql 'DELETE FROM users WHERE true'",
    "frobnicate '-- clean up\ndrop\n  table users'",
    "frobnicate \"select '--'; drop table users\"",
    "heroku pg:psql -c 'DROP TABLE users'",
    "npx wrangler d1 execute db --remote --command='DROP TABLE users'",
    "echo 'DROP TABLE users' | turso db shell x",
    "db2 <<< 'DROP TABLE users'",
    # interpreters
    "python3 -Ic'import shutil; shutil.rmtree(\"/srv\")'",
    "python3 -m timeit -s 'import shutil' 'shutil.rmtree(\"/srv\")'",
    "ipython3 -c 'import shutil; shutil.rmtree(\"/srv\")'",
    "perl -we'system(\"rm -rf ~\")'",
    "lua -e 'os.execute(\"rm -rf ~\")'",
    "Rscript -e 'system(\"rm -rf ~\")'",
    "julia -e 'run(`rm -rf /srv/data`)'",
    "cat > x.py <<'EOF'\nimport shutil\nshutil.rmtree('/srv')\nEOF\npython3 ./x.py",
    'node <(echo \'require("child_process").execSync("rm -rf ~")\')',
]
SAID = [
    "echo 'rm -rf ~'",
    "printf '%s\\n' 'git push --force origin main'",
    "logger 'rm -rf /srv/data was refused'",
    "notify-send 'Cleanup' 'rm -rf build finished'",
    "terminal-notifier -message 'git push --force origin main done'",
    "say 'git push --force origin main'",
    "slack status edit 'rm -rf ~ is refused'",
    "jira issue create -s 'rm -rf / in cleanup script' -b 'DROP TABLE users was run'",
    "git commit -m 'rm -rf build before the release'",
    "git commit -am 'git push --force is gone from the docs'",
    "git commit -m'DROP TABLE users in the migration'",
    "git commit --message='rm -rf /srv/data no longer runs'",
    "git tag -a v1 -m 'DROP TABLE users removed from setup'",
    "git stash push -m 'rm -rf ~ experiment'",
    "git notes add -m 'git push --force origin main by accident'",
    "git log --grep 'rm -rf /'",
    "git log --grep='DROP TABLE users'",
    "git log -S'rm -rf ~' --oneline",
    "git log -G 'DROP TABLE users'",
    "git grep -n 'rm -rf ~'",
    "git grep -nE -e 'DROP TABLE users' -- src",
    "git merge --no-ff -m 'rm -rf ~ is quoted now' topic",
    "grep -rn 'DROP TABLE users' .",
    "rg -n 'git push --force origin main' docs",
    "gh pr create --title 'Stop rm -rf ~' --body 'rm -rf ~ ran in CI'",
    "gh pr create --body 'DROP TABLE users is dropped from the seed'",
    "gh issue comment 5 --body 'git push --force origin main did it'",
    "gh issue list --search 'rm -rf /'",
    "glab mr note 5 -m 'rm -rf ~'",
    "curl -d 'rm -rf /' http://localhost:8080/echo",
    "curl -d 'DROP TABLE users' http://localhost:8080/parse",
    'curl --json \'{"text": "git push --force origin main"}\' http://localhost:8080/notes',
    "docker run --rm alpine echo 'rm -rf /'",
    "docker build --label note='rm -rf ~' .",
    "kubectl annotate pod x note='rm -rf /srv'",
    "pytest -k 'rm -rf or drop table' tests",
    "uv run pytest -k 'git push --force'",
    "npx jest -t 'rm -rf is refused'",
    "npm test -- -t 'rm -rf ~ is refused'",
    "yarn test -t 'DROP TABLE users is refused'",
    "go test -run 'rm -rf' ./...",
    "npm version patch -m 'rm -rf dist before build'",
    "hg commit -m 'rm -rf ~ is refused'",
    "svn commit -m 'DROP TABLE users moved'",
    "frobnicate --message 'rm -rf ~ is refused'",
    "frobnicate --release-notes='DROP TABLE users is refused'",
    "frobnicate 'Drop support for Python 3.8'",
    "frobnicate 'Truncate long lines in the log'",
    "frobnicate 'Update the docs and set a date'",
    "frobnicate --hook 'npm test'",
    "frobnicate 'git status --short'",
    "nodemon --exec 'python app/debate_runs.py'",
    "hyperfine 'grep -r foo .' 'rg foo'",
    "fzf --preview 'cat {}'",
    "rsync -e 'ssh -p 2222' a h:b",
    "ssh -o StrictHostKeyChecking=no h 'systemctl status app'",
    "ssh h echo 'rm -rf /'",
    "sudo echo 'rm -rf /'",
    "env A=1 echo 'git push --force origin main'",
    "make test ARGS='-k smoke'",
    "make note MSG='rm -rf dist goes first'",
    "aws logs filter-log-events --log-group-name x --filter-pattern 'DROP TABLE users'",
    "aws athena start-query-execution --query-string 'SELECT count(*) FROM users'",
    "gcloud spanner databases execute-sql db --sql='SELECT 1'",
    "turso db shell x 'SELECT * FROM users LIMIT 5'",
    "shellcheck -e SC2115 'clean up.sh'",
    "crux gate plan 'rm -rf ./data/uploads'",
    "todo add 'rm -rf old checkouts'",
    "seq 3 | parallel echo",
    "parallel gzip ::: a.txt b.txt",
    "python3 -m timeit 'sum(range(100))'",
    "python3 -m pytest -k 'rm -rf'",
    "ipython -c 'print(1)'",
    "Rscript -e 'summary(cars)'",
    "cat > /tmp/x.py <<'EOF'\nprint('rm -rf /')\nEOF\npython3 /tmp/x.py",
]


def debated(text: str) -> bool:
    return route(Action(text=text, tool="bash", folder="/srv/app"), shipped_rules()).debate


@pytest.mark.rule("DIA-8")
@pytest.mark.parametrize("text", RUN)
def test_a_word_that_is_a_command_is_read_as_one(text: str) -> None:
    assert debated(text)


@pytest.mark.parametrize("text", SAID)
def test_a_word_that_only_talks_of_a_command_is_none(text: str) -> None:
    assert not debated(text)


def test_more_words_than_are_looked_at_are_not_taken_for_harmless() -> None:
    many = " ".join(f"'a b {number}'" for number in range(300))
    assert debated(f"frobnicate {many} 'rm -rf ~'")
    segments = ";".join(f"a {number}" for number in range(80))
    assert debated(f"frobnicate '{segments};rm -rf ~'")
