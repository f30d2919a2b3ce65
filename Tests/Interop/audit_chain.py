#!/usr/bin/env python3
"""Follows the hash chain of an audit directory from its first line to its last.

Usage: audit_chain.py AUDIT_DIRECTORY VAULT_ID_HEX. Every line must be numbered one more than the
one before and name its BLAKE2b-256; each batch's closing line must name the lines it closes and
the digest of the last. Prints `N lines, M batches`. The MACs need a key and are not checked here.
"""

import hashlib
import json
import sys
from pathlib import Path


class Broken(Exception):
    """The chain does not hold; the text says where."""


def digest(octets: bytes) -> str:
    return hashlib.blake2b(octets, digest_size=32).hexdigest()


def follow(directory: Path, vault_id: bytes) -> tuple:
    head, sequence, batch, first = digest(vault_id), 0, 0, 1
    segments = sorted(directory.glob("*.jsonl"))
    if not segments:
        raise Broken("there is no segment")
    for segment in segments:
        text = segment.read_bytes()
        if not text.endswith(b"\n"):
            raise Broken(f"{segment.name} ends within a line")
        for line in text.splitlines():
            entry, place = json.loads(line), f"{segment.name}, after line {sequence}"
            if "batch" in entry:
                expected = (batch + 1, first, sequence, head)
                got = (entry["batch"], entry["first"], entry["last"], entry["head"])
                if got != expected or len(entry["mac"]) != 64:
                    raise Broken(f"{place}: closed as {got}, not {expected}")
                batch, first = batch + 1, sequence + 1
                continue
            if entry["seq"] != sequence + 1 or entry["prev"] != head:
                raise Broken(f"{place}: seq {entry['seq']}, prev {entry['prev']}")
            sequence, head = sequence + 1, digest(line)
    if first != sequence + 1:
        raise Broken("the last batch is not closed")
    return sequence, batch


def main() -> int:
    if len(sys.argv) != 3:
        print(__doc__.splitlines()[2], file=sys.stderr)
        return 64
    try:
        lines, batches = follow(Path(sys.argv[1]), bytes.fromhex(sys.argv[2]))
    except (Broken, ValueError, KeyError) as error:
        print(f"audit_chain: {error}", file=sys.stderr)
        return 1
    print(f"{lines} lines, {batches} batches")
    return 0


if __name__ == "__main__":
    sys.exit(main())
