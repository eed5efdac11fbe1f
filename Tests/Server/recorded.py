"""Replies that were recorded, for `OverpassServer`: from bug reports and from a genuine server.

All come from the shared folder beside the project, or from what OPK_SHARED names.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from overpass_server import INTERPRETER, STATUS, OverpassServer, Reply, Request
from server_messages import EMPTY_ANSWER

ROOT = Path(__file__).resolve().parents[2]
CASES = Path(os.environ.get("OPK_SHARED", ROOT.parent / "shared")) / "cases"
HAS_CASES = (CASES / "bugs.md").is_file()

CONTENT_TYPES = {".json": "application/json", ".xml": "application/osm3s+xml", ".csv": "text/csv"}


@dataclass(frozen=True)
class Block:
    """A fenced block of bugs.md."""

    number: str
    #: `http` or `text`
    kind: str
    text: str


def bug_blocks() -> list[Block]:
    """All blocks of bugs.md that show what a server sends."""
    text = (CASES / "bugs.md").read_text(encoding="utf-8")
    blocks = []
    for report in re.split(r"(?m)^### (?=B\d+)", text)[1:]:
        for kind, block in re.findall(r"(?ms)^```(http|text)\n(.*?)\n```", report):
            blocks.append(Block(report[:4], kind, block))
    return blocks


def play_bug(number: str, *servers: OverpassServer) -> None:
    """Has servers answer as a bug report tells, once; most reports know only one server."""
    if number in SITUATIONS:
        SITUATIONS[number](servers)
        return
    found = False
    for block in bug_blocks():
        if block.number == number:
            path, reply = reply_of(block)
            servers[0].answers([reply], path)
            found = True
    if not found:
        raise LookupError(f"{number} shows nothing that a server sends")


def reply_of(block: Block) -> tuple[str, Reply]:
    """The path and the reply of a block that is no prose."""
    if block.kind == "http":
        return INTERPRETER, _message(block.text.encode("utf-8"))
    if block.text.startswith("Connected as:"):
        return STATUS, Reply.text(block.text + "\n")
    body = re.sub(
        rb"<byte ([0-9A-F]{2})>",
        lambda match: bytes.fromhex(match[1].decode()),
        block.text.encode("utf-8"),
    )
    return INTERPRETER, Reply.json(body)


def _message(raw: bytes) -> Reply:
    """A whole reply. Programs behind a server leave the status out, or write it as a header."""
    match = re.match(rb"(?s)(.*?)\r?\n\r?\n(.*)", raw)
    if match is None:
        raise ValueError(f"no end of a head: {raw[:80]!r}")
    lines = match[1].decode("utf-8").splitlines()
    reply = Reply(body=match[2])
    if lines[0].startswith("HTTP/"):
        _, status, reply.reason = lines.pop(0).split(" ", 2)
        reply.status = int(status)
    for line in lines:
        name, _, value = line.partition(":")
        if name == "Status":
            status, _, reply.reason = value.strip().partition(" ")
            reply.status = int(status)
        # The server says how long a body is, or the program said so for another method.
        elif name.lower() != "content-length":
            reply.headers[name] = value.strip()
    return reply


def _status_is_refused(servers: Sequence[OverpassServer]) -> None:
    servers[0].answers([Reply(refuse=True)] * 4, STATUS)
    servers[0].answers([Reply.json()])


def _agents_are_refused(servers: Sequence[OverpassServer]) -> None:
    def answer(request: Request) -> Reply:
        agent = request.headers.get("user-agent", "")
        return Reply(406) if not agent or agent.startswith("CFNetwork/") else Reply.json()

    servers[0].answers_by(answer)


def _mirror_works(servers: Sequence[OverpassServer]) -> None:
    first, second = servers
    first.answers([Reply.html(504, "<html><body>Gateway Timeout</body></html>")])
    second.answers([Reply.json(EMPTY_ANSWER)])


#: What reports tell in prose.
SITUATIONS: dict[str, Callable[[Sequence[OverpassServer]], None]] = {
    "B035": _status_is_refused,
    "B037": _agents_are_refused,
    "B038": _mirror_works,
}


@dataclass(frozen=True)
class Recorded:
    """A query and what the genuine server replied."""

    name: str
    query: str
    reply: Reply


def oracle_answers() -> list[Recorded]:
    """The answers in oracle/, as the server would send them."""
    found = []
    for folder in sorted((CASES / "oracle").iterdir()):
        query = next((q for q in (folder / "query.ql", folder / "query.xml") if q.exists()), None)
        if query is None:
            continue
        web = folder / "http.txt"
        answer = next((a for e in CONTENT_TYPES if (a := folder / f"answer{e}").exists()), None)
        if web.exists():
            reply = _message(web.read_bytes())
        elif answer is not None:
            kind = CONTENT_TYPES[answer.suffix]
            reply = Reply(200, {"Content-Type": kind}, answer.read_bytes())
        else:
            continue
        found.append(Recorded(folder.name, query.read_text(encoding="utf-8"), reply))
    return found


def oracle_exchanges() -> list[Recorded]:
    """The replies in oracle-http/; the query is the line of the request and its body."""
    found = []
    for path in sorted((CASES / "oracle-http").glob("*.txt")):
        match = re.match(rb"### request: (.*)\n### body: (.*)\n(?s:(.*))", path.read_bytes())
        if match is None:
            raise ValueError(f"{path.name} has another form")
        line, body, raw = match.groups()
        request = f"{line.decode()}\n{body.decode()}".strip()
        found.append(Recorded(path.stem, request, _message(raw)))
    return found
