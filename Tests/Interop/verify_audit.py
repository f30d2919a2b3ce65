#!/usr/bin/env python3
"""Follows the chain of an audit log with nothing but hashlib: lines, batches, numbers.

Usage: verify_audit.py DIRECTORY VAULT_ID_HEX
Prints the number of lines and batches; exits with 1 at the first thing that is wrong.
The MAC of a batch needs the vault's key and is not checked here.
"""

import hashlib
import json
import sys
from pathlib import Path


class Broken(Exception):
    """The log does not hold together; the text says where."""


def digest(octets: bytes) -> str:
    return hashlib.blake2b(octets, digest_size=32).hexdigest()


def verify(directory: Path, vault_id: bytes) -> tuple:
    head, sequence, batch, first = digest(vault_id), 0, 0, 1
    for segment in sorted(directory.glob("*.jsonl")):
        octets = segment.read_bytes()
        if octets and not octets.endswith(b"\n"):
            raise Broken(f"{segment.name}: the last line is torn")
        for number, line in enumerate(octets.splitlines(), 1):
            where = f"{segment.name}:{number}"
            entry = json.loads(line)
            if "batch" in entry:
                expected = {"batch": batch + 1, "first": first, "last": sequence, "head": head}
                if {name: entry[name] for name in expected} != expected:
                    raise Broken(f"{where}: {entry} closes what should be {expected}")
                if first > sequence or len(bytes.fromhex(entry["mac"])) != 32:
                    raise Broken(f"{where}: an empty batch, or no MAC")
                batch, first = batch + 1, sequence + 1
                continue
            if entry["seq"] != sequence + 1 or entry["prev"] != head:
                raise Broken(f"{where}: does not follow line {sequence}")
            if list(entry)[0] != "seq" or list(entry)[-1] != "prev":
                raise Broken(f"{where}: fields out of order")
            head, sequence = digest(line), entry["seq"]
    if first != sequence + 1:
        raise Broken(f"lines {first} to {sequence} are in no batch")
    return sequence, batch


def main() -> int:
    try:
        lines, batches = verify(Path(sys.argv[1]), bytes.fromhex(sys.argv[2]))
    except (Broken, KeyError, ValueError) as error:
        print(f"broken: {error}")
        return 1
    print(f"{lines} lines in {batches} batches")
    return 0


if __name__ == "__main__":
    sys.exit(main())
