"""Which commands there are: what `crux --help` says of each, and where it is found once it is called."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class CommandRow:
    name: str
    module: str  # in this package
    attribute: str  # a function, or a Typer with commands of its own
    help: str  # the first paragraph of what the command itself says
    panel: str = ""


DEBATES: Final = "Debates"
RUNS: Final = "Runs"
PEOPLE: Final = "People's own answers"
SET_UP: Final = "Packs and set-up"
AGENTS: Final = "The gate for agents"

COMMANDS: Final = (
    CommandRow(
        "demo",
        "debate_commands",
        "demo",
        "Watch five believers find what their quarrel about Bitcoin turns on.",
        DEBATES,
    ),
    CommandRow(
        "debate",
        "debate_commands",
        "debate",
        "Let the believers of a pack debate its topic, or models debate a topic of yours.",
        DEBATES,
    ),
    CommandRow("resume", "debate_commands", "resume", "Go on with a run that was interrupted.", DEBATES),
    CommandRow(
        "fork",
        "debate_commands",
        "fork",
        "Branch off a run: the same first N events, then something changed.",
        DEBATES,
    ),
    CommandRow(
        "replay",
        "debate_commands",
        "replay",
        "Run a finished debate again and compare it with its log, byte for byte.",
        DEBATES,
    ),
    CommandRow("list", "list_command", "list_runs", "List the runs, newest first.", RUNS),
    CommandRow(
        "show", "run_commands", "show", "Show what a run came to; of one that is not over, how far it got.", RUNS
    ),
    CommandRow(
        "events", "run_commands", "events", "Print the events of a run, or those of its messages that fit.", RUNS
    ),
    CommandRow("watch", "run_commands", "watch", "Follow a run that another process writes, until it is over.", RUNS),
    CommandRow("stop", "run_commands", "stop", "Ask a run to end with what it has.", RUNS),
    CommandRow("answer", "run_commands", "answer", "Answer the question a conversation waits with.", RUNS),
    CommandRow("diff", "run_commands", "diff", "Compare what two runs came to.", RUNS),
    CommandRow(
        "report",
        "report_command",
        "report",
        "Write a run as one HTML file that opens anywhere: the debate to walk through, and its crux map.",
        RUNS,
    ),
    CommandRow(
        "export",
        "export_command",
        "export",
        "Write a run as a file that other programs read: a document, a table, a map or plain data.",
        RUNS,
    ),
    CommandRow(
        "serve",
        "serve_command",
        "serve",
        "Watch debates in a browser, start them there, join in; the same over HTTP.",
        RUNS,
    ),
    CommandRow(
        "ledger",
        "ledger_commands",
        "commands",
        "List what would change whose mind and by when; what is due; record how it came out.",
        RUNS,
    ),
    CommandRow(
        "credences",
        "credence_commands",
        "credences",
        "Find what people disagree about, from a table of how likely they think things are.",
        PEOPLE,
    ),
    CommandRow(
        "survey",
        "credence_commands",
        "survey",
        "Write a form in which people say how likely they think things are.",
        PEOPLE,
    ),
    CommandRow(
        "votes",
        "vote_commands",
        "votes",
        "Find coalitions, what divides them and what they share, from a table of votes or of credences.",
        PEOPLE,
    ),
    CommandRow(
        "packs", "pack_commands", "commands", "List the packs that ship; show one; check one of your own.", SET_UP
    ),
    CommandRow(
        "schema",
        "schema_command",
        "schema",
        "Print the JSON Schema of a result, of minutes, of an event, of settings; or list the schemas.",
        SET_UP,
    ),
    CommandRow(
        "bench",
        "bench_command",
        "bench",
        "Measure how often the planted crux of known worlds is found, beside simpler ways to find it.",
        SET_UP,
    ),
    CommandRow("inspect", "inspect_commands", "commands", "See what the rules see in a text.", SET_UP),
    CommandRow(
        "doctor",
        "doctor_command",
        "doctor",
        "Look whether everything is in its place; a model that is named is asked one short question.",
        SET_UP,
    ),
    CommandRow(
        "gate",
        "gate_commands",
        "commands",
        "Debate a risky step before it is taken, and a task that failed twice.",
        AGENTS,
    ),
    CommandRow(
        "mcp",
        "mcp_command",
        "mcp",
        "Serve the gate and whole debates to agents, over the Model Context Protocol.",
        AGENTS,
    ),
)

GATE_COMMANDS: Final = (
    CommandRow("route", "gate_action_commands", "route", "Does an action call for a debate, and by which rule?"),
    CommandRow(
        "plan",
        "gate_action_commands",
        "plan",
        "Debate an action before it is taken: PROCEED (0), MODIFY (10) or ESCALATE (20).",
    ),
    CommandRow(
        "attempt",
        "gate_failure_commands",
        "attempt",
        "Note a failed attempt, or see where a task stands: 0 go on, 20 after the third failure.",
    ),
    CommandRow(
        "failure",
        "gate_failure_commands",
        "failure",
        "Debate a task that failed twice: RETRY (0), PIVOT (11) or ESCALATE (20).",
    ),
    CommandRow(
        "reset",
        "gate_failure_commands",
        "reset",
        "Begin the count of a task's failures again: on your word, or where what was said is a reason to (else 3).",
    ),
    CommandRow("outcome", "gate_record_commands", "outcome", "Tell the gate what came of what it decided."),
    CommandRow(
        "report",
        "gate_record_commands",
        "report",
        "Whether the gate helps: how often it debates, what comes of it, which rules fire for nothing, what it costs.",
    ),
    CommandRow("rules", "gate_record_commands", "rules", "List the rules, or show what one of them knows."),
    CommandRow(
        "fingerprint",
        "gate_text_commands",
        "fingerprint",
        "What stays the same when an error comes back: paths, numbers and names are masked.",
    ),
    CommandRow(
        "csp",
        "gate_text_commands",
        "csp",
        "Read a CSP/1 text strictly and write it as the gate does; what is wrong is told with its place.",
    ),
)
