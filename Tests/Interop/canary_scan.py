#!/usr/bin/env python3
"""Looks for canaries in files, and in what a vault has answered.

Usage: canary_scan.py TOLD [NAME=PATH...]. TOLD is what `canary_calls.py` has told; each PATH is a file, or a
directory of which all files are read. Prints a JSON object `{"scanned": octets, "places": N,
"seen": {kind: N}, "hits": [{"canary", "form", "place"}]}`: `seen` counts the canaries that were found
where their kind may be, `hits` are those found elsewhere.

A canary counts as found when half of it is there: as octets in either order, as hexadecimal digits of
either case, as base64 at any of its three alignments, or as JSON may escape it.
"""

import base64
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Dict, Iterator, List, NamedTuple, Tuple

sys.path.insert(0, str(Path(__file__).resolve().parent))

from canary import Canary, escaped  # noqa: E402
from memory_scan import SHORTEST, Filter, needles  # noqa: E402

# Where canaries that are no secrets may be, by the beginning of the place's name.
MAY_BE = {
    "secret": (),
    "echo": ("own ",),
    "namespace": ("",),
    "label": ("own ", "data/vault.db", "other slot.list"),
    "policy": ("own ", "other policy.get", "other policy.explain"),
    "group": ("own ", "other pass.info", "other presentation.match"),
    "request": ("own biqli.begin", "own biqli.open"),
    "result": ("own biqli.cached",),
    "receipt": ("own biqli.complete",),
    "portal": ("own flinkey.renew.begin",),
    "user": ("own flinkey.renew.begin", "data/vault.db"),
    "token": ("own flinkey.renew.begin", "own flinkey.renew.complete", "own flinkey.token"),
}


class Place(NamedTuple):
    name: str
    octets: bytes


def places(told: dict, arguments: List[str]) -> Iterator[Place]:
    for who in ("own", "other"):
        for method, lines in told[who].items():
            yield Place(f"{who} {method}", "\n".join(lines).encode())
    for argument in arguments:
        name, path = argument.split("=", 1)
        top = Path(path)
        if not top.exists():
            raise SystemExit(f"canary_scan: {path} is not there")
        for file in sorted(top.rglob("*")) if top.is_dir() else [top]:
            inner = file.relative_to(top)
            shown = name if file == top else f"{name}/{inner}"
            # Names of files are a place too.
            yield Place(f"{shown} (name)", shown.encode())
            if file.is_file():
                yield Place(shown, file.read_bytes())


class Needles:
    """All forms of all canaries; those too short for the quick search are looked for one by one."""

    def __init__(self, canaries: List[Canary]):
        by_name = {canary.name: canary for canary in canaries}
        if len(by_name) != len(canaries):
            raise SystemExit("canary_scan: two canaries have one name")
        self._table = dict(needles({
            name: canary.octets for name, canary in by_name.items()
            if len(canary.octets) >= SHORTEST}))
        for name, canary in by_name.items():
            for form in escaped(canary.octets):
                # Halves too, if they are long enough: six octets are a character.
                middle = len(form) // 12 * 6 if len(form) > 2 * SHORTEST else 0
                self._table |= {part: (name, "escaped") for part in (form[:middle], form[middle:])
                                if part}
        self._quick = Filter(self._table)
        self._slow: Dict[bytes, Tuple[str, str]] = {}
        for name, canary in by_name.items():
            if len(canary.octets) < SHORTEST:
                self._slow |= short_forms(name, canary.octets)

    def search(self, octets: bytes) -> Iterator[Tuple[str, str]]:
        for _, needle in self._quick.search(octets):
            yield self._table[needle]
        for needle, found in self._slow.items():
            if needle in octets:
                yield found


def short_forms(name: str, octets: bytes) -> Dict[bytes, Tuple[str, str]]:
    return {form: (name, "short") for order in (octets, octets[::-1]) for form in (
        order, order.hex().encode(), order.hex().upper().encode(), base64.b64encode(order))}


def scan(told: dict, arguments: List[str]) -> dict:
    canaries = [Canary(entry["name"], entry["kind"], bytes.fromhex(entry["octets"]))
                for entry in told["canaries"]]
    kinds = {canary.name: canary.kind for canary in canaries}
    table, scanned, number = Needles(canaries), 0, 0
    seen: Counter = Counter()
    hits = []
    for place in places(told, arguments):
        number, scanned = number + 1, scanned + len(place.octets)
        # The quick search looks at whole words.
        found = {name: form for name, form in table.search(place.octets + bytes(16))}
        for name, form in sorted(found.items()):
            if place.name.startswith(MAY_BE[kinds[name]]):
                seen[kinds[name]] += 1
            else:
                hits.append({"canary": name, "form": form, "place": place.name})
    return {"scanned": scanned, "places": number, "seen": seen, "hits": hits}


def main() -> int:
    if len(sys.argv) < 2:
        print(__doc__.splitlines()[2], file=sys.stderr)
        return 64
    told = json.loads(Path(sys.argv[1]).read_text())
    json.dump(scan(told, sys.argv[2:]), sys.stdout)
    print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
