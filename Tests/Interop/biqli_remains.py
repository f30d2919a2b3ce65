#!/usr/bin/env python3
"""After a reset nothing of a sealed state is left in any file, nor after another marker.

Takes the data directory of a running vault as `--data DIR`. The sealed records are read from the database
itself, before; a piece of each is looked for afterwards, when the vault says that erasures are done.
"""

import argparse
import sqlite3
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from biqli_life import APP, FIELDS, LINKS, TOKENS  # noqa: E402
from vault_client import VaultClient, base64_text  # noqa: E402

PIECE = 24


def sealed(data):
    """All sealed states, as the database has them now."""
    database = sqlite3.connect(f"file:{data}/vault.db?mode=ro", uri=True)
    try:
        return [row[0] for row in database.execute("SELECT box FROM record WHERE kind = 6")]
    finally:
        database.close()


def places(data, boxes):
    """Which files have a piece of which box in them."""
    found = set()
    for file in Path(data).rglob("*"):
        if file.is_file():
            octets = file.read_bytes()
            for number, box in enumerate(boxes):
                pieces = (box[start:start + PIECE] for start in range(0, len(box) - PIECE, PIECE))
                found |= {(file.name, number) for piece in pieces if piece in octets}
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for option in ("data", "client-socket", "admin-socket"):
        parser.add_argument(f"--{option}", required=True)
    arguments = parser.parse_args()
    problems = []
    with VaultClient(arguments.client_socket) as vault:
        for name, ending in (("remains/reset", "reset"), ("remains/marker", "open")):
            space = {"namespace": name}
            first = {**space, "app_id": APP, "marker": base64_text(bytes(16))}
            vault.call("namespace.create", space)
            vault.call("biqli.open", first)
            boxes = []
            for link, token in zip(LINKS, TOKENS):
                vault.call("biqli.capture", {**space, "link": link})
                vault.call("biqli.capture", {**space, "token": token})
                vault.call("biqli.begin", {**space, **FIELDS})
                boxes += sealed(arguments.data)
            if len({number for _, number in places(arguments.data, boxes)}) < 2:
                problems.append("no state is found before: the search proves nothing")
            if ending == "reset":
                vault.call("biqli.reset", space)
            else:
                vault.call("biqli.open", {**first, "marker": base64_text(bytes(15) + b"x")})
            deadline = time.monotonic() + 60
            while vault.call("status")["erasure_pending"] and time.monotonic() < deadline:
                time.sleep(0.05)
            for file, number in sorted(places(arguments.data, boxes)):
                problems.append(f"{name}: state {number} of {len(boxes)} is in {file}")
            vault.call("biqli.reset", space)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
