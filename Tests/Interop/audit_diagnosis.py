"""What happened to an audit log where a line does not fit the ones before it."""

from audit_blame import Blame
from audit_lines import LONGEST, Item
from audit_state import State, follows


class Diagnosis(Blame):
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
