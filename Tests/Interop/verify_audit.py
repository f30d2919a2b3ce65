#!/usr/bin/env python3
"""Checks an audit log with nothing but its text and, if it is known, the public checkpoint key.

Usage: verify_audit.py DIRECTORY|FILE [--key HEX] [--vault HEX] [--checkpoint FILE]
       verify_audit.py --cases

Written from latchkey-audit(5) alone. Prints one JSON object: the counts, and the first fault with
its kind, file, line and number; exits with 0 when there is none and with 1 when there is one. With
--cases each line of standard input is a log of its own, {"files": [[NAME, BASE64], ...], "key": HEX,
"checkpoint": TEXT}, and each line of the output what is to be said of it.

The MACs of batches need the vault's own key and are covered by the checkpoints.
"""

import argparse
import base64
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from audit_diagnosis import Diagnosis  # noqa: E402
from audit_lines import LONGEST, Item, segment_number  # noqa: E402
from audit_state import State  # noqa: E402


class Log:
    """A log, its prune records first, and what is wrong with it."""

    def __init__(self, files, key=None, vault=None, checkpoint=None):
        self.names = [name for name, _ in files]
        self.key, self.vault, self.checkpoint = key, vault, checkpoint
        self.items = []
        for file, (_, text) in enumerate(files):
            pieces = text.split(b"\n")
            whole = [True] * (len(pieces) - 1) + [False]
            for number, (piece, is_whole) in enumerate(zip(pieces, whole), 1):
                if not piece and not is_whole:
                    break
                self.items.append(Item(file, number, piece, is_whole))
                # A line that long is a fault at once, and nothing behind it is looked at.
                if len(piece) > LONGEST:
                    return

    def fault(self, kind, place, seq, last=None, since=None):
        def name(where):
            if isinstance(where, Item):
                return self.names[where.file], where.line
            return self.name(where)
        file, line = name(place)
        fault = {"kind": kind, "file": file, "line": line, "seq": seq}
        if last is not None:
            fault["last_seq"] = last
        if since is not None:
            file, line = name(since)
            fault["since"] = {"file": file, "line": line}
        return fault

    def name(self, index: int):
        """The place of the item with an index, which may be the one behind the last: right behind
        the item before it."""
        if index == 0:
            return (self.names[0] if self.names else "", 1)
        before = self.items[index - 1]
        return self.names[before.file], before.line + 1

    def known_vault(self):
        """As the first statement with the known key tells it."""
        for item in self.items:
            if self.key and item.kind in ("checkpoint", "pruned"):
                if item.key == self.key and item.signed:
                    return item.vault
        return None

    def insertion(self, state: State, index: int, anchor):
        """Whether a line that is not the one vouched for was put in before that one."""
        for later in range(index, len(self.items)):
            item = self.items[later]
            if not state.fits(item):
                return Diagnosis(self, state, later, anchor).inserted_before()
            if item.kind == "checkpoint":
                return None
            state.advance(item)
        return None

    def misnamed(self, item: Item) -> bool:
        """Whether a segment begins with another line than the one of its name, and is not counted
        from one, as an earlier release has done."""
        number = segment_number(self.names[item.file])
        count = sum(segment_number(name) is not None for name in self.names[:item.file + 1])
        return number not in (None, item.seq, count)

    def check(self):
        vault = self.vault or (self.checkpoint and self.checkpoint.vault) or self.known_vault()
        state = State(self.key or (self.checkpoint and self.checkpoint.key), vault)
        anchor, named = (state.copy(), 0), set()
        for index, item in enumerate(self.items):
            if not state.fits(item):
                return state, Diagnosis(self, state, index, anchor).fault()
            if item.kind == "line" and item.file not in named:
                named.add(item.file)
                if self.misnamed(item):
                    return state, self.fault("edited", item, item.seq)
            state.advance(item)
            if item.kind == "checkpoint":
                anchor = (state.copy(), index + 1)
            given = self.checkpoint
            if state.last_line and (
                    state.contradicts_record
                    or given and given.seq == state.seq and given.head != state.head):
                fault = self.insertion(state.copy(), index + 1, anchor)
                return state, fault or self.fault(
                    "edited", state.last_line, state.seq, since=anchor[1])
        if not state.closed:
            return state, self.fault("tail_lost", len(self.items), state.seq + 1)
        if self.checkpoint and self.checkpoint.seq > state.seq:
            return state, self.fault(
                "tail_lost", len(self.items), state.seq + 1, self.checkpoint.seq)
        return state, None


def read(path: Path):
    if not path.is_dir():
        return [(path.name, path.read_bytes())]
    names = [entry.name for entry in path.iterdir() if segment_number(entry.name)]
    names.sort(key=segment_number)
    if (path / "pruned.jsonl").exists():
        names.insert(0, "pruned.jsonl")
    return [(name, (path / name).read_bytes()) for name in names]


def verify(files, key=None, vault=None, checkpoint=None) -> dict:
    given = Item(0, 0, checkpoint.rstrip(b"\n"), True) if checkpoint else None
    if given and (given.kind != "checkpoint" or not given.signed or key not in (None, given.key)):
        raise ValueError("the checkpoint given is none of this key")
    state, fault = Log(files, key, vault, given).check()
    return {"ok": fault is None, **state.counts, **({"fault": fault} if fault else {})}


def cases():
    for line in sys.stdin:
        case = json.loads(line)
        files = [(name, base64.b64decode(text)) for name, text in case["files"]]
        checkpoint = case.get("checkpoint")
        found = verify(files, case.get("key"), None, checkpoint and checkpoint.encode())
        print(json.dumps(found), flush=True)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("log", type=Path, nargs="?")
    parser.add_argument("--key")
    parser.add_argument("--vault")
    parser.add_argument("--checkpoint", type=Path)
    parser.add_argument("--cases", action="store_true")
    arguments = parser.parse_args()
    if arguments.cases:
        cases()
        return 0
    checkpoint = arguments.checkpoint and arguments.checkpoint.read_bytes()
    found = verify(read(arguments.log), arguments.key, arguments.vault, checkpoint)
    print(json.dumps(found))
    return 0 if found["ok"] else 1


if __name__ == "__main__":
    sys.exit(main())
