"""Which line of an audit log is to blame where no other reading of it fits."""

from audit_lines import digest, similar
from audit_state import State


class Blame:
    """The rules for each kind of line; `Diagnosis` has the log and what comes before them."""

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
