#!/usr/bin/env python3
"""Answers conformance cases with the Python package: a request a line in, an answer a line out.

usage: answer.py --jsonl

The protocol is that of the shared conformance cases (RUNNER.md there). What the package cannot do
yet is answered with "unsupported".
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bindings" / "python"))

import overpasskit

Request = dict[str, Any]

# What the decoders read.
INPUT_FORMATS = {"json", "xml", "xml.gz"}


class UnsupportedError(Exception):
    """The package cannot do this yet."""


def convert(request: Request) -> dict[str, Any]:
    """An answer as a FeatureCollection.

    Cases whose expectation is laid out as osmtogeojson does (nested or flat) follow its rules;
    all others (osm2geojson, areas, linework, layers) the package's own, nested.
    """
    layout = request.get("profile")
    options = request.get("options", {})
    profile = "osmtogeojson" if layout in ("nested", "flat") else "default"
    points = "all" if options.get("filter_used_refs") is False else "auto"
    features = decoded(request).features(
        profile,
        points,
        uninteresting_tags=merged(overpasskit.uninteresting_tags, profile, options, "tags"),
        area_rules=merged(overpasskit.area_rules, profile, options, "keys"),
    )
    collection: dict[str, Any] = json.loads(
        features.to_geojson("flat" if layout == "flat" else "nested")
    )
    return collection


def merged(
    rules_of: Callable[[str], dict[str, Any]], profile: str, options: dict[str, Any], part: str
) -> dict[str, Any] | None:
    """The profile's rules with those of a case merged over them, as osmtogeojson does."""
    given = options.get("uninterestingTags" if part == "tags" else "polygonFeatures")
    if given is None:
        return None
    rules = rules_of(profile)
    return {**rules, part: {**rules[part], **given}}


def parse(request: Request) -> dict[str, Any]:
    """The elements of an answer in Overpass JSON form."""
    return {"elements": [element_form(element) for element in decoded(request).elements]}


def element_form(element: overpasskit.Element) -> dict[str, Any]:
    form: dict[str, Any] = {"type": element.type, "id": element.id, **element.meta}
    if element.lat is not None:
        form |= {"lat": element.lat, "lon": element.lon}
    if element.nodes:
        form["nodes"] = list(element.nodes)
    if element.members:
        form["members"] = [member_form(member) for member in element.members]
    if element.center is not None:
        form["center"] = point_form(element.center)
    if element.bounds is not None:
        west, south, east, north = element.bounds
        form["bounds"] = {"minlat": south, "minlon": west, "maxlat": north, "maxlon": east}
    if element.geometry is not None:
        form["geometry"] = [point_form(each) for each in element.geometry]
    if element.shape is not None:
        form["geometry"] = json.loads(json.dumps(element.shape.__geo_interface__))
    form["tags"] = element.tags
    return form


def member_form(member: overpasskit.Member) -> dict[str, Any]:
    form: dict[str, Any] = {"type": member.type, "ref": member.ref, "role": member.role}
    if member.lat is not None:
        form |= {"lat": member.lat, "lon": member.lon}
    elif member.geometry is not None:
        form["geometry"] = [point_form(each) for each in member.geometry]
    return form


def point_form(position: overpasskit.Position | None) -> dict[str, float] | None:
    return None if position is None else {"lat": position.lat, "lon": position.lon}


def classify_response(request: Request) -> dict[str, Any]:
    """What a reply of a server means."""
    reply = overpasskit.classify(
        Path(request["input_file"]).read_bytes(),
        status=request.get("http_status"),
        content_type=request.get("content_type"),
    )
    form: dict[str, Any] = {"category": reply.category}
    form["messages"] = [message.text for message in reply.messages]
    for message in reply.messages:
        if message.megabytes is not None:
            form.setdefault("memory_mb", message.megabytes)
        if message.seconds is not None:
            form.setdefault("timed_out_after_s", message.seconds)
    return form


def parse_status(request: Request) -> dict[str, Any]:
    slots = overpasskit.read_slots(Path(request["input_file"]).read_text(encoding="utf-8"))
    return {
        "free_slots": slots.free,
        "rate_limit": slots.rate_limit,
        "cooldown_s": slots.wait_seconds,
        "announced_endpoint": slots.announced_endpoint,
        "running": list(slots.running),
        "running_count": len(slots.running),
        "waiting": [slot.time for slot in slots.waiting],
    }


def area_id(request: Request) -> dict[str, Any]:
    given = json.loads(Path(request["input_file"]).read_bytes())
    return {"area_id": overpasskit.area_id(given["type"], given["id"])}


def is_area(request: Request) -> dict[str, Any]:
    given = json.loads(Path(request["input_file"]).read_bytes())
    line = given.get("geometry")
    closed = not line or line[0] == line[-1]
    return {"is_area": closed and overpasskit.is_area(given.get("tags") or {})}


def wizard(request: Request) -> dict[str, Any]:
    given = json.loads(Path(request["input_file"]).read_bytes())
    presets = (given.get("presets") or {}).values()
    return {"ql": overpasskit.wizard(given["search"], [preset(each) for each in presets])}


# The kinds of geometry of iD's presets, and the element types that can have them.
GEOMETRY_TYPES = {
    "point": ["node"],
    "vertex": ["node"],
    "line": ["way"],
    "area": ["way", "relation"],
    "relation": ["relation"],
}


def preset(given: dict[str, Any]) -> overpasskit.Preset:
    types = {each for kind in given["geometry"] for each in GEOMETRY_TYPES.get(kind, [])}
    return overpasskit.Preset(
        given["name"], given["tags"], terms=given.get("terms", []), types=sorted(types)
    )


def expand_shortcuts(request: Request) -> dict[str, Any]:
    given = json.loads(Path(request["input_file"]).read_bytes())
    if set(given) - {"query", "bbox_swne", "center_latlon"}:
        raise UnsupportedError("options of shortcuts")
    south, west, north, east = given.get("bbox_swne") or [math.nan] * 4
    lat, lon = given.get("center_latlon") or [math.nan] * 2
    query = overpasskit.expand_macros(
        given["query"],
        bbox=overpasskit.Bounds(west, south, east, north),
        center=overpasskit.Position(lon, lat),
        remove_unknown=True,
    )
    return {"query": query}


def decoded(request: Request) -> overpasskit.Response:
    if request["input_format"] not in INPUT_FORMATS:
        raise UnsupportedError(request["input_format"])
    return overpasskit.load(request["input_file"])


OPERATIONS = {
    "convert": convert,
    "parse": parse,
    "classify_response": classify_response,
    "parse_status": parse_status,
    "area_id": area_id,
    "is_area": is_area,
    "wizard": wizard,
    "expand_shortcuts": expand_shortcuts,
}


def answer(request: Request) -> dict[str, Any]:
    """Does what a request asks for; the result goes into its output file."""
    reply: dict[str, Any] = {"id": request.get("id")}
    try:
        operation = OPERATIONS.get(request.get("op", ""))
        if operation is None:
            raise UnsupportedError(str(request.get("op")))
        result = operation(request)
        text = json.dumps(result, ensure_ascii=False)
        Path(request["output_file"]).write_text(text, encoding="utf-8")
    except UnsupportedError as error:
        return reply | {"status": "unsupported", "message": str(error)}
    except overpasskit.OverpassKitError as error:
        return reply | {"status": "error", "category": "bad_input", "message": str(error)}
    return reply | {"status": "ok"}


def main() -> int:
    if sys.argv[1:] != ["--jsonl"]:
        print(__doc__, file=sys.stderr)
        return 2
    for line in sys.stdin.buffer:
        if line.strip():
            print(json.dumps(answer(json.loads(line))), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
