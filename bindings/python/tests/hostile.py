"""Texts that break writers which escape by another format's rules, or not at all."""

from __future__ import annotations

import random

FRAGMENTS = (
    "",
    "a",
    "Café",
    "=1+2",
    "+1",
    "-1",
    "@x",
    "\t",
    "\r",
    "\n",
    "\r\n",
    ",",
    ";",
    '"',
    '""',
    "'",
    "]]>",
    "<![CDATA[",
    "&amp;",
    "&",
    "<",
    ">",
    "\0",
    "\x08",
    "\x1b[31m",
    "\x1e",
    "\x7f",
    "\x85",
    "\u2028",
    "\u202e",
    "\ufeff",
    "\ufffe",
    "\uffff",
    "😀",
    "שלום",
    "\\",
    "\\n",
    "%00",
    "{",
    "tag:",
    " ",
)


def texts(seed: int, count: int) -> list[str]:
    """Some random texts, the same for the same seed."""
    dice = random.Random(seed)
    return ["".join(dice.choices(FRAGMENTS, k=dice.randint(1, 6))) for _ in range(count)]


def in_xml(text: str) -> str:
    """What an XML reader gives for a text: U+FFFD for what XML 1.0 does not have."""
    return "".join(
        "\ufffd" if (each < " " and each not in "\t\n\r") or each in "\ufffe\uffff" else each
        for each in text
    )


def in_cell(text: str) -> str:
    """What a reader of tables gives for a text, with U+FFFD for control characters."""
    return "".join(
        "\ufffd" if (each < " " and each not in "\t\n\r") or each == "\x7f" else each
        for each in text
    )
