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
import copy
import hashlib
import json
import re
import sys
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

TIME = r'"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"'
NUMBER = rb"([1-9][0-9]{0,15})"
LINE = re.compile(
    rb'\{"seq":%s,"time":(%s)[^{}]*,"prev":"([0-9a-f]{64})"\}' % (NUMBER, TIME.encode()))
SEAL = re.compile(
    rb'\{"batch":%s,"first":%s,"last":%s,"head":"([0-9a-f]{64})","mac":"[0-9a-f]{64}"\}'
    % (NUMBER, NUMBER, NUMBER))
STATEMENT = (
    rb'(\{"%s":([1-9][0-9]{0,15}),"since":(0|[1-9][0-9]{0,15}),"time":(%s),'
    rb'"vault":"([0-9a-f]{32})","batch":([1-9][0-9]{0,15}),"head":"([0-9a-f]{64})",'
    rb'"%s":"([0-9a-f]{64})","key":"([0-9a-f]{64})"),"signature":"([0-9a-f]{128})"\}')
CHECKPOINT = re.compile(STATEMENT % (b"checkpoint", TIME.encode(), b"log"))
RECORD = re.compile(STATEMENT % (b"pruned", TIME.encode(), b"checkpoint_digest"))
LONGEST = 64 << 10
MOST = 1 << 53


def digest(octets: bytes) -> str:
    return hashlib.blake2b(octets, digest_size=32).hexdigest()


def similar(one: str, other) -> bool:
    """One digest with a few digits changed, rather than two."""
    return other is not None and sum(a == b for a, b in zip(one, other)) >= 32


def is_time(text: bytes) -> bool:
    year, month, day, hour, minute, second = (int(n) for n in re.findall(rb"[0-9]+", text))
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    days = [31, 29 if leap else 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return (1 <= month <= 12 and 1 <= day <= days[month - 1] and hour < 24 and minute < 60
            and second < 60)


class Item:
    """One line of the text, whatever it is."""

    def __init__(self, file: int, line: int, octets: bytes, whole: bool):
        self.file, self.line, self.octets, self.whole = file, line, octets, whole
        self.kind = "other"
        if len(octets) > LONGEST:
            return
        if found := LINE.fullmatch(octets):
            self.seq, self.time, self.prev = int(found[1]), found[2].decode(), found[3].decode()
            if self.seq <= MOST and is_time(found[2]):
                self.kind = "line"
        elif found := SEAL.fullmatch(octets):
            self.batch, self.first, self.last = (int(found[n]) for n in (1, 2, 3))
            self.head = found[4].decode()
            if max(self.batch, self.first, self.last) <= MOST:
                self.kind = "seal"
        else:
            for kind, form in (("checkpoint", CHECKPOINT), ("pruned", RECORD)):
                if found := form.fullmatch(octets):
                    self.statement(kind, found)

    def statement(self, kind: str, found):
        self.seq, self.since, self.batch = int(found[2]), int(found[3]), int(found[6])
        self.vault, self.head, self.log = (found[n].decode() for n in (5, 7, 8))
        self.key = found[9].decode()
        if not is_time(found[4]) or max(self.seq, self.since, self.batch) > MOST:
            return
        self.kind = kind
        context = {"checkpoint": b"latchkey audit checkpoint\n",
                   "pruned": b"latchkey audit prune\n"}[kind]
        try:
            key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(self.key))
            key.verify(bytes.fromhex(found[10].decode()), context + found[1])
            self.signed = True
        except (InvalidSignature, ValueError):
            self.signed = False

    @property
    def digest(self) -> str:
        return digest(self.octets)

    @property
    def resembles_checkpoint(self) -> bool:
        prefix = b'{"checkpoint":'
        return sum(a == b for a, b in zip(self.octets, prefix)) >= len(prefix) - 4


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


def follows(state: State, items) -> bool:
    for item in items:
        if not state.fits(item):
            return False
        state.advance(item)
    return True


class Diagnosis:
    """What happened where an item does not fit the ones before it."""

    def __init__(self, log, before, index, anchor):
        self.log, self.items, self.before = log, log.items, before
        self.index, self.item, self.anchor = index, log.items[index], anchor
        self.next = before.seq + 1

    def here(self, kind, seq, last=None):
        return self.log.fault(kind, self.item, seq, last)

    def since_anchor(self, kind, seq, last=None):
        return self.log.fault(kind, self.item, seq, last, since=self.anchor[1])

    def following(self):
        return self.items[self.index + 1] if self.index + 1 < len(self.items) else None

    def fault(self):
        if len(self.item.octets) > LONGEST:
            return self.here("edited", self.next)
        return (self.torn() or self.moved_back() or self.goes_on() or self.closing_is_surplus()
                or self.inserted_before() or getattr(self, "of_" + self.item.kind)())

    def torn(self):
        item = self.item
        if item.whole:
            return None
        if self.before.fits(Item(item.file, item.line, item.octets[:-1], True)):
            return self.here("edited", self.next)
        last = item.file == len(self.log.names) - 1
        return self.here("tail_lost" if last else "removed", self.next)

    def moved_back(self):
        if self.item.kind not in ("seal", "checkpoint", "pruned"):
            return None
        state = self.anchor[0].copy()
        for index in range(self.anchor[1], self.index):
            if state.fits(self.item) and self.fits_ahead(state.copy(), index):
                return self.log.fault("reordered", self.items[index], self.next)
            state.advance(self.items[index])
        return None

    def fits_ahead(self, state, index):
        for moved in range(self.index, min(self.index + 8, len(self.items))):
            if not state.fits(self.items[moved]):
                return False
            state.advance(self.items[moved])
            order = self.items[index:self.index] + self.items[moved + 1:moved + 2]
            end = state.copy()
            if follows(end, order) and (moved + 1 < len(self.items) or end.closed):
                return True
        return False

    def closing_is_surplus(self):
        if not self.before.pending:
            return None
        state = State(self.before.key, self.before.vault)
        for item in self.items[:self.index - 1]:
            state.advance(item)
        if not state.fits(self.item):
            return None
        return Diagnosis(self.log, state, self.index - 1, self.anchor).goes_on()

    def goes_on(self):
        candidates = {}
        for later in range(self.index + 1, len(self.items)):
            if self.before.fits(self.items[later]):
                candidates.setdefault(self.items[later].kind, later)
        for candidate in candidates.values():
            pursuit = self.pursue(candidate)
            if pursuit == "finds":
                return self.here("reordered", self.next)
            if pursuit and self.is_surplus(pursuit):
                before = pursuit == "end" and self.inserted_before(proven_only=True)
                return before or self.surplus(candidate)
        item = self.item
        ahead = (item.kind == "line" and item.seq > self.next
                 or item.kind == "seal" and item.last > self.before.seq)
        if (self.before.closed and item.whole and not ahead and self.following() is None
                and self.is_surplus("end")):
            return self.surplus(self.index + 1)
        return None

    def surplus(self, end):
        kind = "spliced" if self.is_piece(end) else "inserted"
        return self.here(kind, self.before.seq)

    def pursue(self, candidate):
        state = self.before.copy()
        state.advance(self.items[candidate])
        second = self.following()
        single = candidate == self.index + 1
        proven = self.items[candidate].kind == "checkpoint" and self.before.begun
        for later in [*self.items[candidate + 1:], None]:
            if state.fits(self.item) and (later is None or later.octets != self.item.octets):
                other = state.copy()
                other.advance(self.item)
                follower = later if single else second
                if follower is None or other.fits(follower):
                    return "finds"
            if later is None:
                return "proven" if proven else "end" if state.closed else None
            if not state.fits(later):
                return "proven" if proven else None
            proven = proven or later.kind == "checkpoint" and state.begun
            state.advance(later)
        return None

    def inserted_before(self, proven_only=False):
        """Lines that fit where they stand, and without which this one fits too."""
        item, found, state = self.item, None, self.anchor[0].copy()
        for index in range(self.anchor[1], self.index):
            passed = self.items[index]
            if state.fits(item) and self.leads_on(state.copy(), proven_only):
                found = self.log.fault("inserted", passed, state.seq)
            if (item.kind == passed.kind == "seal" and item.batch == passed.batch
                    and item.first == passed.first and passed.last < item.last):
                lines = [one for one in self.items[index:self.index] if one.kind != "seal"]
                whole = state.copy()
                if follows(whole, lines) and whole.fits(item) and self.leads_on(whole, proven_only):
                    return self.log.fault("inserted", passed, state.seq)
            state.advance(passed)
        return found

    def leads_on(self, state, proven_only):
        state.advance(self.item)
        behind = self.items[self.index + 1:]
        # A closing line with another MAC fits as well as the right one.
        weak = (not proven_only and self.item.kind != "seal" and bool(behind)
                and state.fits(behind[0]))
        proven = False
        for later in behind:
            if not state.fits(later):
                return proven or weak
            proven = proven or later.kind == "checkpoint" and state.begun
            state.advance(later)
        return proven or state.closed and not proven_only or weak

    def is_surplus(self, pursuit):
        item = self.item
        if item.kind in ("checkpoint", "pruned") and item.signed:
            return not self.before.ours(item) or any(
                other is not item and other.octets == item.octets for other in self.items)
        due = self.before.closed and not (
            self.before.begun and self.before.since == self.before.seq)
        if item.kind == "checkpoint":
            return pursuit == "proven" or not due
        if item.kind == "other":
            return pursuit == "proven" or not due or not item.resembles_checkpoint
        return True

    def is_piece(self, end):
        last = None
        for item in self.items[self.index:end]:
            if item.kind == "line":
                if last and (item.seq, item.prev) == (last.seq + 1, last.digest):
                    return True
                last = item
            elif item.kind == "seal":
                if last and (item.last, item.head) == (last.seq, last.digest):
                    return True
            elif item.kind != "other" and not self.before.ours(item) and item.signed:
                return True
        return False

    def of_other(self):
        return self.here("edited", self.next)

    def of_line(self):
        item, before = self.item, self.before
        if before.pending:
            return self.here("removed", before.seq)
        if item.prev == before.head or similar(item.prev, before.head):
            return self.here("edited", self.next)
        behind = self.following()
        intact = behind is None or State.behind(item, before).fits(behind)
        if item.seq > self.next and intact and not self.is_disowned():
            return self.here("removed", self.next, item.seq - 1)
        if item.seq == self.next and intact and not before.closed and before.last_line:
            return self.log.fault("edited", before.last_line, before.seq)
        return self.here("spliced", self.next)

    def is_disowned(self):
        state = State.behind(self.item, self.before)
        for later in self.items[self.index + 1:]:
            if later.kind == "checkpoint":
                return (self.before.ours(later) and later.signed
                        and (later.seq, later.head) != (state.seq, state.head))
            if not state.fits(later):
                return False
            state.advance(later)
        return False

    def place_behind(self, kind, attribute, seq):
        for index in range(self.anchor[1], self.index):
            item = self.items[index]
            if item.kind == kind and getattr(item, attribute) == seq:
                return index + 1
        return self.index

    def of_seal(self):
        item, before = self.item, self.before
        last = before.seq
        if item.last != last:
            if item.head == before.head:
                return self.here("edited", last)
            if item.last > last:
                return self.here("removed", self.next, item.last)
            return self.log.fault(
                "inserted", self.place_behind("line", "seq", item.last), item.last)
        if item.head != before.head:
            return self.of_other_head()
        number_fits = before.batch is None or before.batch + 1 == item.batch
        if number_fits or before.opened is None or item.first <= before.opened:
            return self.here("edited", last)
        moved = any(
            later.kind == "seal" and (later.first, later.last) == (before.opened, item.first - 1)
            for later in self.items[self.index + 1:])
        return self.log.fault(
            "reordered" if moved else "removed",
            self.place_behind("line", "seq", item.first - 1), item.first - 1)

    def of_other_head(self):
        item, before, behind = self.item, self.before, self.following()
        if similar(item.head, before.head):
            return self.here("edited", before.seq)
        witness = None
        if behind and behind.kind == "line" and behind.seq == self.next:
            witness = behind.prev
        if behind and behind.kind == "checkpoint" and behind.seq == before.seq:
            witness = behind.head
        if witness not in (None, item.head) or before.last_line is None:
            return self.here("spliced", before.seq)
        return self.log.fault("edited", before.last_line, before.seq)

    def of_checkpoint(self):
        item, before = self.item, self.before
        last = before.seq
        if not item.signed:
            return self.here("edited", last)
        if not before.ours(item):
            return self.here("spliced", last)
        if self.is_overruled():
            return self.here("spliced", last)
        if before.pending:
            return self.here("removed", last)
        if item.seq > last:
            return self.since_anchor("removed", self.next, item.seq)
        if not before.closed:
            same = (item.seq, item.head) == (before.seq, before.head)
            return self.here("removed" if same else "spliced", last)
        if item.seq < last:
            return self.since_anchor("inserted", item.seq)
        first = min(self.anchor[0].seq + 1, last)
        if before.unproven:
            prev, line = before.unproven
            expected = digest(bytes.fromhex(item.vault))
            if prev != expected:
                kind = "edited" if similar(prev, expected) else "spliced"
                return self.log.fault(kind, line, 1)
        if item.head != before.head:
            return self.since_anchor("edited", first, last)
        if before.batch is not None and before.batch != item.batch:
            kind = "removed" if before.batch < item.batch else "inserted"
            return self.since_anchor(kind, first, last)
        if before.since is not None and before.since != item.since:
            return self.of_other_checkpoint()
        if len(before.seals) == 1:
            return self.log.fault("edited", before.seals[0], last)
        return self.since_anchor("edited", first, last)

    def is_overruled(self):
        if (self.item.seq, self.item.head) == (self.before.seq, self.before.head):
            return False
        state = self.before.copy()
        for later in self.items[self.index + 1:]:
            if later.kind == "checkpoint" and self.before.ours(later) and later.signed:
                return (later.seq, later.head) == (state.seq, state.head)
            if not state.fits(later):
                return False
            state.advance(later)
        return False

    def of_other_checkpoint(self):
        item, before = self.item, self.before
        if item.since < before.since:
            return self.here("spliced", before.seq)
        for later in self.items[self.index + 1:]:
            if (later.kind == "checkpoint" and later.seq == item.since and before.ours(later)
                    and later.signed):
                return self.log.fault(
                    "reordered", self.place_behind("seal", "last", item.since), item.since)
        return self.log.fault(
            "removed", self.place_behind("seal", "last", item.since), item.since)

    def of_pruned(self):
        if not self.item.signed:
            return self.here("edited", self.before.seq)
        if not self.before.ours(self.item) or self.before.begun:
            return self.here("spliced", self.before.seq)
        return self.here("removed", self.before.seq)


def segment_number(name: str):
    """The number in the name of a segment, which has one form."""
    found = re.fullmatch(r"([0-9]{10,16})\.jsonl", name)
    number = int(found[1]) if found else 0
    return number if 0 < number <= MOST and name == f"{number:010d}.jsonl" else None


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
