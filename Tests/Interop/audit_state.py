"""What may come next in an audit log, and what has come."""

import copy
import hashlib
import json

from audit_lines import Item, digest


class State:
    """What may come next."""

    def __init__(self, key=None, vault=None):
        self.key, self.vault = key, vault
        self.begun, self.pending = False, None
        self.seq, self.head = 0, digest(bytes.fromhex(vault)) if vault else None
        self.batch, self.opened, self.since, self.window = 0, 1, 0, hashlib.blake2b(digest_size=32)
        self.unproven = None
        self.last_line = None
        self.seals = []
        self.beginnings = [(0, self.head, 0, self.window.copy())]
        self.counts = {"lines": 0, "batches": 0, "checkpoints": 0}

    def copy(self):
        other = copy.copy(self)
        other.window = self.window and self.window.copy()
        other.seals, other.beginnings = list(self.seals), list(self.beginnings)
        other.counts = dict(self.counts)
        return other

    @staticmethod
    def behind(line: Item, state):
        """The state behind a line whose surroundings are not known."""
        other = State(state.key, state.vault)
        other.begun, other.seq, other.head = True, line.seq, line.digest
        other.batch = other.opened = other.since = other.window = None
        other.beginnings = []
        return other

    @property
    def closed(self) -> bool:
        return self.pending is None and self.opened is not None and self.opened > self.seq

    def ours(self, item: Item) -> bool:
        return self.key in (None, item.key) and self.vault in (None, item.vault)

    def fits(self, item: Item) -> bool:
        if not item.whole:
            return False
        if item.kind == "line":
            if self.pending:
                return False
            if not self.begun:
                return self.beginning(item) is not None
            return item.seq == self.seq + 1 and self.head in (None, item.prev)
        if item.kind == "seal":
            return (self.begun and not self.closed and item.last == self.seq
                    and item.head == self.head and self.opened in (None, item.first)
                    and (self.batch is None or self.batch + 1 == item.batch))
        if item.kind == "checkpoint":
            if not self.begun:
                return (self.pending is None and item.seq > self.seq and self.ours(item)
                        and item.signed)
            return (self.closed and item.seq == self.seq and item.head == self.head
                    and self.batch in (None, item.batch) and self.since in (None, item.since)
                    and self.ours(item)
                    and (self.unproven is None
                         or self.unproven[0] == digest(bytes.fromhex(item.vault)))
                    and (self.window is None or self.window.hexdigest() == item.log)
                    and item.signed)
        if item.kind == "pruned":
            closing = self.pending
            return (not self.begun and closing is not None and item.seq == closing.seq
                    and item.since == self.seq and item.batch == closing.batch
                    and item.head == closing.head and self.ours(item)
                    and item.log == digest(closing.octets + b"\n") and item.signed)
        return False

    def beginning(self, item: Item):
        for start in reversed(self.beginnings):
            if start[0] == item.seq - 1 and start[1] in (None, item.prev):
                return start
        return None

    def begin(self, start):
        self.seq, self.head, self.batch = start[:3]
        self.opened, self.since, self.window = start[0] + 1, start[0], start[3].copy()

    def advance(self, item: Item):
        if item.kind == "line":
            if not self.begun:
                self.begin(self.beginning(item))
                if self.head is None:
                    self.unproven = (item.prev, item)
                self.begun = True
            self.beginnings = [start for start in self.beginnings if start[0] >= item.seq]
            self.seq, self.head, self.last_line = item.seq, item.digest, item
            self.cover(item)
            self.counts["lines"] += 1
            self.counts.setdefault("first", {"seq": item.seq, "time": json.loads(item.time)})
            self.counts["last"] = {"seq": item.seq, "time": json.loads(item.time)}
        elif item.kind == "seal":
            self.batch, self.opened = item.batch, self.seq + 1
            self.seals.append(item)
            self.cover(item)
            self.counts["batches"] += 1
        elif item.kind == "checkpoint":
            self.key, self.vault = item.key, item.vault
            if not self.begun:
                self.pending = item
                return
            self.unproven, self.since, self.seals = None, item.seq, []
            self.window = hashlib.blake2b(digest_size=32)
            self.cover(item)
            self.counts["checkpoints"] += 1
            self.counts["checkpoint"] = item.seq
        elif item.kind == "pruned":
            window = hashlib.blake2b(self.pending.octets + b"\n", digest_size=32)
            self.pending = None
            self.beginnings[0] = (0, digest(bytes.fromhex(self.vault)), 0,
                                  self.beginnings[0][3])
            start = (item.seq, item.head, item.batch, window)
            self.beginnings.append(start)
            self.begin(start)
            self.counts["pruned"] = item.seq

    def cover(self, item: Item):
        if self.window:
            self.window.update(item.octets + b"\n")

    @property
    def contradicts_record(self) -> bool:
        return (self.begun and bool(self.beginnings) and self.beginnings[0][0] == self.seq
                and self.beginnings[0][1] != self.head)


def follows(state: State, items) -> bool:
    for item in items:
        if not state.fits(item):
            return False
        state.advance(item)
    return True
