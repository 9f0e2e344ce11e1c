"""What tests of quality measured is printed as a table at the end."""

from collections.abc import Callable

import pytest

from tests.quality.shares import HEAD, KEPT, Judge


@pytest.fixture
def judge(record_property: Callable[[str, object], None]) -> Judge:
    return Judge(record_property)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = [r for key in ("passed", "failed") for r in terminalreporter.getreports(key) if r.when == "call"]
    told = sorted(str(told) for report in reports for name, told in report.user_properties if name == KEPT)
    for line in ["", HEAD, *told] if told else []:
        terminalreporter.write_line(line)
