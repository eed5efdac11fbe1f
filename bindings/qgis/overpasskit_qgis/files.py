"""Files that are named where an answer or a server is wanted. Knows nothing of QGIS."""

from __future__ import annotations

import os

from .overpasskit import ClientError, FileError

_DATA = (".pbf", ".o5m", ".o5c")


def refuse_data(path: str) -> None:
    """Refuses files of OSM data that are no answers.

    Raises
    ------
    ClientError
        For a file of data in a binary format.
    """
    if path.lower().endswith(_DATA):
        name = os.path.basename(path)
        raise ClientError(
            f"{name} is a file of OSM data, not an answer of a server: queries cannot be run on "
            "local data yet. Convert it to XML, for example with osmium-tool: "
            f"osmium cat {name} -o data.osm"
        )


def is_file(endpoint: str) -> bool:
    """Whether a file is meant, not the name or URL of a server.

    >>> is_file("main"), is_file("https://example.org/api.json"), is_file("area.osm.pbf")
    (False, False, True)
    """
    if "://" in endpoint:
        return False
    return os.path.isfile(endpoint) or os.sep in endpoint or endpoint.lower().endswith(_DATA)


def query_text(path: str) -> str:
    """The text of a query in a file.

    Raises
    ------
    FileError
        When there is no such file, or it is no text in UTF-8.
    """
    try:
        with open(path, encoding="utf-8-sig") as file:
            return file.read()
    except UnicodeDecodeError:
        raise FileError(f"{path} is no text in UTF-8") from None
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from None
