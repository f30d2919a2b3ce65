#!/usr/bin/env python3
"""Looks for known secrets in all readable memory of a live process. Needs root.

Standard input: a JSON object of names and secrets in hex. Standard output: a JSON object
`{"scanned": octets, "hits": [{"name", "form", "address", "mapping", "flags"}]}`.

A secret counts as found when half of it is there: as octets in either byte order (big
numbers lie in memory backwards), as hex of either case, or as base64 at any of its three
alignments, alone or inside something longer.
"""

import base64
import json
import sys
from typing import Dict, Iterator, List, NamedTuple, Tuple

PIECE = 4 << 20
OVERLAP = 4096  # more than the longest form of a secret
SHORTEST = 16   # every form then holds a whole aligned word, see `Filter`


class Mapping(NamedTuple):
    start: int
    end: int
    permissions: str
    path: str
    flags: Tuple[str, ...]


def mappings(pid: int) -> List[Mapping]:
    found: List[Mapping] = []
    with open(f"/proc/{pid}/smaps", encoding="utf-8", errors="replace") as file:
        for line in file:
            fields = line.split()
            if fields[0] == "VmFlags:":
                found[-1] = found[-1]._replace(flags=tuple(fields[1:]))
            elif not fields[0].endswith(":"):
                start, end = (int(part, 16) for part in fields[0].split("-"))
                path = fields[5] if len(fields) > 5 else ""
                found.append(Mapping(start, end, fields[1], path, ()))
    return found


def parts(secret: bytes) -> List[bytes]:
    """The halves, so that a partly overwritten copy is still seen."""
    middle = len(secret) // 2
    if middle < SHORTEST:
        return [secret]
    return [secret[:middle], secret[middle:]]


def base64_forms(part: bytes) -> Iterator[bytes]:
    """What standard and URL base64 show of octets, wherever they begin within a group."""
    for shift in range(3):
        text = base64.b64encode(bytes(shift) + part)
        # The first group after the shift, and the last, depend on the neighbours.
        first = 4 if shift else 0
        last = (shift + len(part)) // 3 * 4
        yield text[first:last]
        yield text[first:last].replace(b"+", b"-").replace(b"/", b"_")


def needles(secrets: Dict[str, bytes]) -> Dict[bytes, Tuple[str, str]]:
    table: Dict[bytes, Tuple[str, str]] = {}
    for name, secret in secrets.items():
        if len(secret) < SHORTEST:
            raise SystemExit(f"memory_scan: {name} is too short to look for")
        for order, octets in (("", secret), ("reversed ", secret[::-1])):
            for part in parts(octets):
                table[part] = (name, f"{order}octets")
                table[part.hex().encode()] = (name, f"{order}hex")
                table[part.hex().upper().encode()] = (name, f"{order}hex")
                for text in base64_forms(part):
                    table[text] = (name, f"{order}base64")
    return table


class Filter:
    """Finds all needles in one pass over a piece, however many there are.

    Wherever a needle of 15 octets or more lies, one of its first eight windows of eight
    octets is an aligned word of the memory; so only aligned words need looking at.
    """

    def __init__(self, table: Dict[bytes, Tuple[str, str]]):
        self._needles: Dict[int, List[bytes]] = {}
        for needle in table:
            for at in range(8):
                word = int.from_bytes(needle[at:at + 8], sys.byteorder)
                self._needles.setdefault(word, []).append(needle)
        self._words = frozenset(self._needles)

    def search(self, piece: bytes) -> Iterator[Tuple[int, bytes]]:
        words = memoryview(piece)[:len(piece) // 8 * 8].cast("Q")
        candidates = {needle for word in self._words.intersection(words)
                      for needle in self._needles[word]}
        for needle in candidates:
            at = piece.find(needle)
            while at >= 0:
                yield at, needle
                at = piece.find(needle, at + 1)


def scan(pid: int, table: Dict[bytes, Tuple[str, str]]) -> dict:
    if max(map(len, table)) > OVERLAP:
        raise SystemExit("memory_scan: a secret is too long to look for")
    wanted_forms, nothing = Filter(table), bytes(PIECE + OVERLAP)
    hits, scanned = [], 0
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
        for mapping in mappings(pid):
            if not mapping.permissions.startswith("r") or mapping.path in ("[vvar]", "[vsyscall]"):
                continue
            # Pieces overlap, so that nothing hides on a border.
            for start in range(mapping.start, mapping.end, PIECE):
                memory.seek(start)
                try:
                    piece = memory.read(min(PIECE + OVERLAP, mapping.end - start))
                except OSError:
                    break   # a file mapped beyond its end: there is no memory behind it
                scanned += min(len(piece), PIECE)
                if piece == nothing[:len(piece)]:
                    continue
                for at, needle in wanted_forms.search(piece):
                    if at < PIECE:
                        name, form = table[needle]
                        hits.append({
                            "name": name, "form": form, "address": hex(start + at),
                            "mapping": f"{mapping.permissions} {mapping.path}".strip(),
                            "flags": list(mapping.flags)})
    return {"scanned": scanned, "hits": hits}


def main() -> int:
    if len(sys.argv) != 2:
        print(f"usage: {sys.argv[0]} PID < secrets.json", file=sys.stderr)
        return 64
    secrets = {name: bytes.fromhex(text) for name, text in json.load(sys.stdin).items()}
    if not secrets:
        print("memory_scan: nothing to look for", file=sys.stderr)
        return 65
    json.dump(scan(int(sys.argv[1]), needles(secrets)), sys.stdout)
    print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
