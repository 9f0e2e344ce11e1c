"""Writes the form of a survey: a CSV with a row for each agent and proposition, and empty cells for the answers."""

import csv
import io
import os
from pathlib import Path
from typing import Final

from cruxfinder.adapters.tables.column_names import COLUMNS, EXTRA
from cruxfinder.adapters.tables.csv_sheet import clip_text
from cruxfinder.adapters.tables.survey_topic import SurveyTopic
from cruxfinder.errors import BadInput

HOW: Final = (
    ("agent", "who answers; rows without a name are to be copied for each person"),
    ("top", "how likely the topic's claim is to you; once for each person is enough"),
    ("proposition", "what the row asks; leave it as it is"),
    ("credence", "how likely you think it true, or the answer yes"),
    ("top_if_true", "how likely the topic's claim would be if you learned: true"),
    ("top_if_false", "how likely the topic's claim would be if you learned: false"),
)
NUMBERS: Final = "Chances are numbers from 0 to 1 or percentages (70%). Skip a row by leaving it empty."


def form(topic: SurveyTopic, separator: str = ",") -> str:
    """The form as text. Without agents the rows stand once, with nobody's name."""
    sheet = io.StringIO()
    writer = csv.writer(sheet, delimiter=separator, lineterminator="\n")
    writer.writerow((*COLUMNS, *EXTRA))
    for agent in topic.agents or ("",):
        for asked in topic.propositions:
            writer.writerow((agent, "", asked.text, "", "", "", topic.topic, asked.yes_means, asked.no_means))
    return sheet.getvalue()


def write(path: str, text: str) -> None:
    """Write a form to a new file: one that exists may be filled in already."""
    try:
        # Spreadsheets tell UTF-8 by its mark; a form in plain ASCII needs none.
        with Path(path).open("x", encoding="utf-8" if text.isascii() else "utf-8-sig", newline="") as file:
            file.write(text)
    except FileExistsError:
        raise BadInput(f"{clip_text(path)} exists already; choose another name") from None
    except OSError as error:
        raise BadInput(f"{clip_text(path)} cannot be written: {os.strerror(error.errno or 0)}") from None
    except ValueError:
        raise BadInput(f"{clip_text(path)} is not a path") from None
