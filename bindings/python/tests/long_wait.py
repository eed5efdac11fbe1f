"""A program that asks a server which had too many queries. Prints what happened as JSON.

Half a minute passes meanwhile, so `test_client_waits.py` runs it beside its other tests.
"""

from __future__ import annotations

import json
import sys
import time

from overpasskit import Client, FetchProgress


def main(url: str) -> None:
    told: list[FetchProgress] = []
    start = time.monotonic()
    with Client("opk-tests/1.0 (tests@example.org)", endpoints=url) as client:
        response = client.fetch("[out:json];node(1);out;", progress=told.append)
    waits = [each for each in told if each.phase == "waiting" and each.wait_reason == "rate_limit"]
    print(
        json.dumps(
            {
                "seconds": time.monotonic() - start,
                "longest": max(each.wait_seconds for each in waits),
                "shortest": min(each.wait_seconds for each in waits),
                "told": len(waits),
                "errors": sorted({each.last_error or "" for each in waits}),
                "elements": len(response.elements),
                "attempts": [each.status_name for each in response.source.attempts]
                if response.source
                else [],
            }
        )
    )


if __name__ == "__main__":
    main(sys.argv[1])
