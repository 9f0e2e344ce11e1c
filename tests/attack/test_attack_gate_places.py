"""The gate's own files, however a call reaches them: from a folder, by a pattern, through git, pip, links or tools."""

import json
import os
import sys
from pathlib import Path

import pytest

from cruxfinder.adapters.packs.rule_file import shipped_rules
from cruxfinder.cli import gate_hook
from cruxfinder.gate.actions import Action
from cruxfinder.gate.router import route
from cruxfinder.gate.runtime.own_places import own_places
from cruxfinder.gate.self_paths import GatePlaces

RULE = "gate-itself"
PLACES = GatePlaces(
    home="/srv/u",
    environments=("/opt/crux", "/usr/lib/python3.12"),
    kept=("/srv/u/.local/state/cruxfinder", "/srv/app/memory"),
    settings=("/srv/dots/agent.json",),
    links=(("/srv/app/cfg", "/srv/app/.claude"), ("/srv/app/l", "/srv/u/.local")),
)
AGENT, STATE, HOME, APP = "/srv/app/.claude", "/srv/u/.local/state/cruxfinder/gate", "/srv/u", "/srv/app"

CHANGES = [
    (APP, "cd .cl* && rm settings.json"),
    (APP, "cd .claude; tee settings.local.json < x"),
    (APP, "pushd .cursor && truncate -s0 hooks.json"),
    (APP, "cd .claude && dd of=settings.json"),
    (AGENT, "rm settings.json"),
    (AGENT, "echo {} > settings.json"),
    (AGENT, "mv hooks /tmp/x"),
    (AGENT, "git rm settings.json"),
    (AGENT, "sed -i s/a/b/ ./settings.json"),
    (f"{AGENT}/hooks", "rm ../settings.json"),
    (APP, "git -C .claude rm settings.json"),
    (APP, "git -C .claude checkout HEAD~2 settings.json"),
    (APP, "git --work-tree=.claude checkout x -- settings.json"),
    (STATE, "rm key"),
    (STATE, "cp /tmp/key ."),
    (APP, "rm /srv/u/.local/state/cruxfinder/gate/key"),
    (APP, "mv ~/.local/state/c* y"),
    (APP, "rm -r $HOME/.local/state/*finder"),
    (APP, "rm memory/x.md"),
    (APP, "truncate -s 0 ./src/../memory/notes"),
    (APP, "rm /srv/dots/agent.json"),
    (APP, "rm cfg/settings.json"),
    (APP, "cd cfg && rm settings.json"),
    (APP, "echo {} > cfg/settings.json"),
    (APP, "rm -r l/state"),
    (APP, "cd l/state && rm -r cruxfinder"),
    (APP, "sed -i s/PreToolUse/X/ .*/settings.json"),
    (APP, "for f in .*/settings.json; do echo {} > $f; done"),
    (APP, "rm .[c]laude/settings.json"),
    (APP, "git checkout other -- .claude"),
    (APP, "git checkout HEAD~1 .claude/settings.json"),
    (APP, "git restore --source=HEAD~3 .claude"),
    (APP, "git restore -s HEAD~3 -SW .claude"),
    (APP, "git restore --staged --worktree .claude"),
    (APP, "git stash -- .claude/settings.json"),
    (APP, "git stash push -m x .claude/settings.json"),
    (APP, "git sparse-checkout set --no-cone '/*' '!.claude'"),
    (APP, "git checkout x -- ':(top).claude'"),
    (APP, "git clean -fdx .claude"),
    (APP, "rsync -a x/ ~/"),
    (APP, "rsync -a x/ /srv/u"),
    (APP, "cp -r x/. $HOME"),
    (APP, "cp -r x/* ~"),
    (APP, "tar xf x.tar -C ~"),
    (APP, "tar -xzf x.tgz --directory=/srv/u"),
    (APP, "unzip x.zip -d ~/"),
    (HOME, "cp -r /tmp/x/. ."),
    (APP, "pip3 uninstall -y cruxfinder"),
    (APP, "pip3.12 uninstall cruxfinder"),
    (APP, "python3 -mpip uninstall -y cruxfinder"),
    (APP, "python3 -Im pip uninstall -y cruxfinder"),
    (APP, "python3 -I -m pip uninstall -y Crux_Finder"),
    (APP, "pip uninstall -y CruxFinder"),
    (APP, "pip install 'cruxfinder[all]<0.1'"),
    (APP, "uv tool uninstall crux*"),
    (APP, "uv pip uninstall cruxfinder"),
    (APP, "pipx uninstall CRUXFINDER"),
    (APP, "/opt/crux/bin/pip uninstall -y pyyaml"),
    (APP, "/opt/crux/bin/python -m pip uninstall -y pyyaml"),
    (APP, "/opt/crux/bin/pip uninstall -yr r.txt"),
    (APP, "uv pip uninstall -p /opt/crux pyyaml"),
    (APP, "uv pip uninstall --python=/opt/crux/bin/python pyyaml"),
    (APP, "wget -qO.claude/settings.json x"),
    (APP, "curl -so.claude/settings.json https://x.example/s"),
    (APP, "curl --output=.claude/settings.json https://x.example/s"),
    (APP, "find . -name settings.json -exec sed -i s/hook/x/ {} +"),
    (APP, "find . -name settings.json -delete"),
    (APP, "find ~ -name settings.local.json | xargs rm"),
    (APP, "grep -rl PreToolUse . | xargs sed -i s/PreToolUse/X/"),
    (APP, "grep -rlZ 'gate hook' ~ | xargs -0 perl -i -pe 's/gate hook/true/'"),
    (APP, "pkill -f 'gate hook'"),
    (APP, "printf -v DISABLE_DEBATE 1; export DISABLE_DEBATE"),
    (APP, "read DISABLE_DEBATE <<< 1"),
    (APP, "tmux set-environment -g DISABLE_DEBATE 1"),
    (APP, "screen -X setenv CRUX_GATE_OFF delete-tree"),
    (APP, 'gdb -p $PPID -batch -ex \'call (int)setenv("DISABLE_DEBATE","1",1)\''),
    (APP, "gdb -batch -ex 'attach 412' -ex 'call (int)putenv(\"A=1\")'"),
    (APP, "cat x >> ~/.zshenv"),
    (APP, "echo 'alias ls=true' | tee -a ~/.bashrc"),
    (APP, "cp x ~/.profile"),
    (APP, "ln -sf /tmp/x /srv/u/.zshrc"),
    (APP, "sed -i 1d /srv/u/.bash_profile"),
    (HOME, "echo x >> .bashrc"),
    (APP, "cd ~ && echo x >> .zprofile"),
    (APP, "cp x.service ~/.config/systemd/user/"),
    (APP, "cd ~/.config/systemd/user && cp /tmp/x.service x.service"),
    (APP, "echo x > ~/.config/fish/config.fish"),
    (APP, "cp x.plist ~/Library/LaunchAgents/"),
    (APP, "echo '* * * * * x' > /var/spool/cron/crontabs/u"),
    (APP, "rm -rf /opt/crux"),
    (APP, "mv /opt/crux/bin/python /opt/crux/bin/python.old"),
    (APP, "echo > /opt/crux/lib/python3.12/site-packages/x.pth"),
    (APP, "cp x.py /usr/lib/python3.12/json/__init__.py"),
    (APP, "mv /opt /o"),
    ("/opt/crux/lib", "rm -r python3.12"),
    (APP, "python3 -c \"import os; os.link('.claude/settings.json','x')\""),
    (APP, "python3 -c \"import os; os.rename('x', '.claude/settings.json')\""),
    (APP, "python3 -c \"import shutil; shutil.move('/srv/u/.local/state/cruxfinder','x')\""),
    (AGENT, "python3 -c \"open('settings.json','w').write('')\""),
    (APP, "python3 -c \"open('/opt/crux/pyvenv.cfg','w')\""),
    (APP, "git checkout other -- .mcp.json"),
    (APP, "git restore --source=x .claude/plugins"),
    (APP, "x=$(ls -d .cl*); echo {} > $x/settings.json"),
    (APP, 'echo {} > "$(realpath .claude)/settings.json"'),
    (APP, f"rm {'./' * 200}.claude/settings.json"),
]
HARMLESS = [
    (APP, "cat .claude/settings.json"),
    (AGENT, "cat settings.json"),
    (AGENT, "jq .hooks settings.json"),
    (AGENT, "ls"),
    (AGENT, "cp settings.json /tmp/backup.json"),
    (f"{AGENT}/commands", "rm review.md"),
    (f"{AGENT}/worktrees/x", "rm settings.json"),
    (f"{AGENT}/worktrees/x", "sed -i s/a/b/ src/main.py"),
    (f"{AGENT}/worktrees/x", "pytest -q"),
    (APP, "rm settings.json"),
    (APP, "sed -i s/a/b/ config/settings.json"),
    (APP, "echo {} > .vscode/settings.json"),
    (APP, "find src -name settings.json -exec sed -i s/a/b/ {} +"),
    (APP, "find . -name '*.json' -exec sed -i s/a/b/ {} +"),
    (APP, "find . -name settings.json -exec cat {} +"),
    (APP, "grep -rl PreToolUse ."),
    (APP, "grep -rl oldname src | xargs sed -i s/oldname/newname/"),
    (APP, "git checkout main"),
    (APP, "git checkout main -- src/app.py"),
    (APP, "git checkout -b fix-claude"),
    (APP, "git restore src/app.py"),
    (APP, "git restore --staged .claude/settings.json"),
    (APP, "git stash"),
    (APP, "git stash pop"),
    (APP, "git stash show -p"),
    (APP, "git diff HEAD -- .claude"),
    (APP, "git show HEAD:.claude/settings.json"),
    (APP, "git add .claude"),
    (APP, "git -C .claude status"),
    (APP, "git -C .claude log settings.json"),
    (APP, "git sparse-checkout set src docs"),
    (APP, "tar xf x.tar"),
    (APP, "tar czf home.tgz -C ~ notes"),
    (APP, "tar xf x.tar -C build"),
    (APP, "cp -r x/. ."),
    (APP, "cp notes.txt ~/"),
    (APP, "rsync -a x/ ./y/"),
    (APP, "rsync -a src/ ~/backup/"),
    (APP, "unzip x.zip -d /tmp/x"),
    (APP, "ln -s . p"),
    (APP, "pip uninstall -y requests"),
    (APP, "pip uninstall -yr requirements.txt"),
    (APP, "pip3 install requests"),
    (APP, "python3 -m pip install -r requirements.txt"),
    (APP, "/opt/other/bin/pip uninstall -y pyyaml"),
    (APP, ".venv/bin/pip uninstall -y pyyaml"),
    (APP, "/opt/crux/bin/pip list"),
    (APP, "uv tool install ruff"),
    (APP, "uv pip show cruxfinder"),
    (APP, "wget -qO- https://x.example/s | head"),
    (APP, "curl -so out.json https://x.example/.claude/settings.json"),
    (APP, "pkill -f 'npm run dev'"),
    (APP, "printf -v NAME '%s' x"),
    (APP, "printf '%s\\n' DISABLE_DEBATE"),
    (APP, "tmux set-environment -g EDITOR vim"),
    (APP, "tmux new-session -d -s dev"),
    (APP, "gdb -p 4321 -batch -ex 'thread apply all bt'"),
    (APP, "gdb -batch -ex run -ex bt ./prog"),
    (APP, "source ~/.bashrc"),
    (APP, ". ~/.profile"),
    (APP, "cat ~/.zshrc"),
    (APP, "grep PATH ~/.bashrc"),
    (APP, "shellcheck ~/.bashrc"),
    (APP, "cp ~/.bashrc dotfiles/bashrc"),
    (APP, "echo x >> .bashrc"),
    (APP, "cp x dotfiles/.zshrc"),
    ("/srv/u/dotfiles", "sed -i s/a/b/ .zshrc"),
    (APP, "ls ~/.config/systemd/user"),
    (APP, "cat /var/spool/cron/crontabs/u"),
    (APP, "source /opt/crux/bin/activate"),
    (APP, "/opt/crux/bin/python -m pytest"),
    (APP, "ls /opt/crux/lib/python3.12/site-packages"),
    (APP, "grep -rn yaml /opt/crux/lib"),
    (APP, "cp /opt/crux/lib/python3.12/site-packages/yaml/x.py /tmp/"),
    (APP, "ruff check /opt/crux/lib/python3.12/site-packages/yaml"),
    (APP, "touch /opt/crux2/x"),
    (APP, "cat cfg/settings.json"),
    (APP, "ls l/state"),
    (APP, "touch l/share/x"),
    (APP, "cat memory/x.md"),
    (APP, "cp x src/memory/y"),
    (APP, "python3 -c \"print(open('.claude/settings.json').read())\""),
    (APP, "python3 -c \"import json; json.dump({}, open('settings.json','w'))\""),
    (APP, "python3 -c \"open('out.txt','w').write('see settings.json')\""),
    (APP, "npm run hooks"),
    (APP, "mkdir -p .claude/commands"),
    (APP, "cat .mcp.json"),
    (APP, "jq . memory2/failures.jsonl"),
    (APP, "git log -- .mcp.json"),
    (APP, "for d in $(ls -d */); do echo $d; done"),
    (APP, 'cd "$(realpath src)" && ls'),
]
CHANGING_CALLS: list[tuple[str, dict[str, object]]] = [
    ("Write", {"file_path": "/opt/crux/lib/python3.12/site-packages/yaml/__init__.py", "content": "x"}),
    ("Write", {"file_path": "/opt/crux/bin/python", "content": "x"}),
    ("Write", {"file_path": "/srv/u/.bashrc", "content": "x"}),
    ("Write", {"file_path": "/srv/other/.zshenv", "content": "x"}),
    ("Write", {"file_path": "~/.profile", "content": "x"}),
    ("Edit", {"file_path": "/srv/u/.config/systemd/user/x.service", "old_string": "a", "new_string": "b"}),
    ("Write", {"file_path": "cfg/settings.json", "content": "x"}),
    ("Write", {"file_path": "l/state/cruxfinder/gate/key", "content": "x"}),
    ("mcp__fs__write_files", {"files": {".claude/settings.json": "{}"}}),
    ("mcp__fs__write_files", {"files": {"a.txt": "x", "./.cursor/hooks.json": "{}"}}),
    ("mcp__fs__put", {"name": ".claude/settings.json", "value": "x"}),
    ("mcp__fs__put", {"entries": [{"key": "src/../.claude/settings.json", "value": "x"}]}),
    ("mcp__fs__open", {"path": ".claude/settings.json", "mode": "w"}),
    ("mcp__fs__open", {"path": ".claude/settings.json", "mode": "a+"}),
    ("mcp__fs__rename", {"old": "x", "new_name": ".claude/settings.json"}),
    ("mcp__shell__run", {"command": "rm settings.json", "cwd": ".claude"}),
    ("mcp__fs__put", {"name": ".mcp.json", "value": "x"}),
    ("mcp__fs__write_files", {"files": {".claude/hooks/pre.sh": "exit 0"}}),
    ("mcp__py__run", {"code": "open('settings.json', 'w')", "cwd": ".claude"}),
]
HARMLESS_CALLS: list[tuple[str, dict[str, object]]] = [
    ("Read", {"file_path": "/srv/u/.bashrc"}),
    ("Read", {"file_path": "/opt/crux/lib/python3.12/site-packages/yaml/__init__.py"}),
    ("Write", {"file_path": "/srv/app/dotfiles/.bashrc", "content": "x"}),
    ("Write", {"file_path": "/srv/app/settings.json", "content": "x"}),
    ("Write", {"file_path": ".vscode/settings.json", "content": "x"}),
    ("Write", {"file_path": "docs/setup.md", "content": "edit ~/.bashrc and .claude/settings.json"}),
    ("Write", {"file_path": "deploy/etc/cron.d/x", "content": "x"}),
    ("mcp__fs__write_files", {"files": {"src/a.py": "x", "settings.json": "{}"}}),
    ("mcp__fs__open", {"path": ".claude/settings.json", "mode": "r"}),
    ("mcp__fs__read_file", {"path": ".claude/settings.json"}),
    ("mcp__fs__put", {"name": "config/settings.json", "value": "x"}),
    ("mcp__github__create_issue", {"title": ".claude", "body": ".claude/settings.json"}),
    ("mcp__shell__run", {"command": "rm settings.json", "cwd": "config"}),
    ("mcp__shell__run", {"command": "cat settings.json", "cwd": "sub/.vscode"}),
]


def fired(tool: str, arguments: dict[str, object], cwd: str, places: GatePlaces = PLACES) -> set[str]:
    action = gate_hook.read_action(json.dumps({"tool_name": tool, "tool_input": arguments, "cwd": cwd}).encode())
    assert action is not None
    return {one.rule.id for one in route(action, shipped_rules(), places=places).fired}


@pytest.mark.rule("DIA-8")
def test_commands_that_change_the_gate_are_seen_from_every_folder() -> None:
    passed = [(cwd, said) for cwd, said in CHANGES if RULE not in fired("Bash", {"command": said}, cwd)]
    assert passed == []


@pytest.mark.rule("DIA-8")
def test_their_harmless_neighbours_pass() -> None:
    stopped = [(cwd, said, found) for cwd, said in HARMLESS if (found := fired("Bash", {"command": said}, cwd))]
    assert stopped == []


def test_tools_that_change_the_gate_are_seen_by_whatever_argument_names_it() -> None:
    assert [(tool, given) for tool, given in CHANGING_CALLS if RULE not in fired(tool, given, APP)] == []
    assert [(tool, given, found) for tool, given in HARMLESS_CALLS if (found := fired(tool, given, APP))] == []


# ---- what the hook knows of itself


def test_the_hook_knows_its_interpreter_and_its_state(tmp_path: Path) -> None:
    places = own_places(Action(text="x", folder=str(tmp_path)), tmp_path / "memory")
    for place in (sys.executable, os.__file__, f"{places.kept[0]}/gate/key"):
        assert RULE in fired("Write", {"file_path": place, "content": "x"}, str(tmp_path), places), place
        assert fired("Read", {"file_path": place}, str(tmp_path), places) == set()


def test_a_folder_is_the_memory_once_something_is_remembered_there(tmp_path: Path) -> None:
    memory = tmp_path / "notes"
    memory.mkdir()
    action = Action(text="rm notes/x.md", tool="Bash", arguments=(("command", "rm notes/x.md"),), folder=str(tmp_path))
    assert not route(action, shipped_rules(), places=own_places(action, memory)).debate
    (memory / "failures.jsonl").touch()
    assert route(action, shipped_rules(), places=own_places(action, memory)).debate


def test_links_that_lead_to_the_gate_are_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    (home / ".local/state/cruxfinder").mkdir(parents=True)
    project = tmp_path / "project"
    (project / "shared").mkdir(parents=True)
    (project / ".claude").mkdir()
    (project / "shared/agent.json").touch()
    (project / ".claude/settings.json").symlink_to(project / "shared/agent.json")
    (project / "dots").symlink_to(project / ".claude")
    (project / "s").symlink_to(home / ".local/state")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_STATE_HOME", raising=False)

    def debates(said: str) -> bool:
        given = (("command", said),)
        action = Action(text=said, tool="Bash", arguments=given, folder=os.path.realpath(project))
        return route(action, shipped_rules(), places=own_places(action, project / "memory")).debate

    for said in ("rm dots/settings.json", "rm shared/agent.json", "rm s/cruxfinder/x", "cd dots && rm settings.json"):
        assert debates(said), said
    for said in ("cat dots/settings.json", "rm shared/other.json", "touch s/other/x", "cd s && ls"):
        assert not debates(said), said


def test_many_words_are_looked_up_in_bounded_time(tmp_path: Path) -> None:
    said = " ".join(f"w{number}" for number in range(50_000))
    action = Action(text=said, tool="Bash", arguments=(("command", said),), folder=str(tmp_path))
    assert own_places(action, tmp_path).links == () or sys.platform == "darwin"
