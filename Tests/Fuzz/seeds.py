"""Writes the first inputs of all harnesses, from the project's fixtures and the files in seeds/.

    seeds.py FOLDER

With OPK_SHARED set, the queries and answers of the shared cases are added.
"""

import bz2
import gzip
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
LONGEST = 4096
MARKUP = [
    b"</script><script>x</script>",
    b"<!--\nhttps://a.org/{z}/{x}/{y}.png\n-->",
    b"#aabbcc\nhttps://a.org/{quadkey}\n\"'><img src=x>",
    b"</style></title></svg>]]>",
]


HEADS = [
    b"Retry-After: 5\nContent-Type: text/html",
    b"Location: ../b/interpreter\nContent-Length: 100",
    b"Content-Type: application/json\nRetry-After: Sun, 06 Nov 2094 08:49:37 GMT",
]


def parts(name):
    return [part.encode() for part in (HERE / "seeds" / name).read_text().split("\n----\n")]


def shared(pattern):
    root = os.environ.get("OPK_SHARED")
    if not root:
        return []
    files = sorted(pathlib.Path(root, "cases").glob(pattern))
    return [path.read_bytes() for path in files if path.stat().st_size < LONGEST]


def main(folder):
    json = [path.read_bytes() for path in sorted((HERE.parent / "Fixtures").rglob("*.json"))]
    json += shared("oracle/*/answer.json")
    xml = parts("answers.xml.txt") + shared("oracle/*/answer.xml")
    csv = parts("tables.csv.txt") + shared("oracle/*/answer.csv")
    pages = parts("pages.txt")
    packed = [pack(text) for text in (json[0], xml[0]) for pack in (gzip.compress, bz2.compress)]
    # The first byte of most inputs chooses options.
    inputs = {
        "decode_json": [b"\0" + text for text in json] + [b"\1" + text for text in json],
        "decode_xml": [b"\0" + text for text in xml] + [b"\1" + text for text in xml],
        "decode_any": [b"\0" + text for text in json[:2] + xml[:2] + pages + packed],
        "write": [b"\0" + text for text in json + xml],
        "combine": [
            bytes([k & 255, 0]) + b"\x1e".join(texts)
            for k, texts in enumerate(zip(json + xml, xml + json, strict=True))
        ],
        "client": [
            bytes([k & 3]) + b"\x1e".join(bytes([status, 17]) + head + b"\n\n" + body
                                          for status, head, body in zip(range(k, k + 3), HEADS, texts))
            for k, texts in enumerate(zip(json[:6] + pages, pages + xml, json, strict=False))
        ] + [b"\0https://a.example:8080/api/?key=1"],
        "decode_csv": [b"\0" + layout + text for text in csv for layout in (b"\0", b"\1", b"\x18")],
        "query_ql": parts("queries.ql.txt") + shared("oracle/*/query.ql"),
        "query_xml": parts("queries.xml.txt") + shared("oracle/*/query.xml"),
        "query_text": [b"\0" + text for text in parts("macros.txt")],
        "maps": [bytes([k]) + text for k, text in enumerate(MARKUP + json[:4])],
        "geometry": [bytes((7 * i * i + 3 * i * k) & 255 for i in range(200)) for k in range(16)],
    }
    for harness, texts in inputs.items():
        target = pathlib.Path(folder, harness)
        target.mkdir(parents=True, exist_ok=True)
        for number, text in enumerate(texts):
            (target / f"{number:03}").write_bytes(text)


main(sys.argv[1])
