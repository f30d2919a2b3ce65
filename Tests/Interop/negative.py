"""Faults made by rule: every field of every command and structure the good reader sends, spoiled.

A good reader runs against the vault, with one stage of what it sends changed on its way
(`ReaderConfig.alter`). The vault must refuse, at that command or at the first one where the
change can show; a reader that could not use an answer goes on with its own keys, and must be
refused then. `negative_tables` says which stages there are and what each spoiling must meet.
"""

from typing import Callable, Dict, Iterator, Tuple

from aliro_reader import ReaderError, commands, exchange, tlv
from fault_session import Answer, FaultSession
from faults import flip
from presenting import ranging_answer

PROBE = "with keys that differ"
Changes = Iterator[Tuple[str, Callable]]


class Run(FaultSession):
    """A session in which a good reader speaks, with one stage of it spoiled."""

    def drive(self, reader) -> Answer:
        self._sent, self._asked = 0, False
        self.reader = reader
        answer = self._send_all(reader.start())
        queue = list(self.opening.messages) + (answer.messages if answer else [])
        while not (answer and answer.refused):
            if not queue:
                if answer is None or answer.state != "accepted" or self._asked:
                    raise AssertionError("the whole run went well: nothing was spoiled")
                self._asked = True
                answer = self.request("initiate_ranging" if reader.config.ranging else "unsecure")
            else:
                try:
                    replies = reader.receive(queue.pop(0))
                except ReaderError:
                    return self._probe()
                sent = self._send_all(replies)
                if sent is None:
                    continue
                answer = sent
            queue += answer.messages
        return answer

    def _send_all(self, messages):
        answer = None
        for message in messages:
            name = self.reader.sent[self._sent][0]
            self._sent += 1
            answer = self.send(name, message)
            if not answer.refused and not self.spoiled:
                self.leaks.clear()      # what answers a good message is right
            for ranging in answer.ranging:
                more = self.request(**ranging_answer(ranging))
                answer.messages += more.messages
            if answer.refused:
                break
        return answer

    def _probe(self) -> Answer:
        """The reader goes on as if it had understood: no key of its may fit."""
        reader = self.reader
        if reader.link is None:
            raise AssertionError("the reader stopped before it had keys")
        if reader.over_ble:
            self.link = reader.link
            return self.send(PROBE, self.completed_message())
        plan = exchange.Plan(status=b"\x01\x01")
        return self.command(PROBE, commands.EXCHANGE, reader.channel.seal(
            tlv.encode_all(plan.fields())))


def spoil(bench, stage: str, change: Callable, occurrence: int = 1, **options) -> tuple:
    """Runs with the given occurrence of `stage` changed; returns session and last answer."""
    holder: Dict[str, Run] = {}
    seen = [0]

    def alter(where, value):
        if where != stage:
            return value
        seen[0] += 1
        if seen[0] != occurrence:
            return value
        if "session" in holder:
            holder["session"].spoiled = True
        return change(value)

    transport = options.get("transport", bench.transport)
    run = Run(bench.vault, bench.namespace, bench.door, bench.credential, transport=transport,
              selects=False, intent=options.get("intent", "unsecure"),
              reader_identifier=options.get("reader_identifier"))
    bench.track(run)
    run.spoiled = False
    holder["session"] = run
    reader = bench.reader(alter=alter, **options)
    run.spoiled = seen[0] >= occurrence     # SELECT is written before the first message
    answer = run.drive(reader)
    if not seen[0] >= occurrence:
        raise AssertionError(f"the run never reached {stage}")
    return run, answer


# --- what can be done to a value ------------------------------------------------------------------

def list_changes(tags: list, optional=frozenset()) -> Changes:
    """Of a list of TLV fields with these tags: what is wrong whatever the values."""
    def edit(action):
        return lambda pairs: [pair for place, pair in enumerate(pairs)
                              for pair in action(place, pair, pairs)]

    for index, tag in enumerate(tags):
        def only(change, index=index):
            return edit(lambda place, pair, _: change(pair) if place == index else [pair])
        name = f"tag {tag:02X}"
        if tag not in optional:
            yield f"{name} missing", only(lambda pair: [])
            yield f"{name} written as AA", only(lambda pair: [(0xAA, pair[1])])
        yield f"{name} twice", only(lambda pair: [pair, pair])
        yield f"{name} of one octet less", only(lambda pair: [(pair[0], pair[1][:-1])])
        yield f"{name} of one octet more", only(lambda pair: [(pair[0], pair[1] + b"\x00")])
        yield f"{name} empty", only(lambda pair: [(pair[0], b"")])
        if index + 1 < len(tags):
            yield f"tags {tag:02X} and {tags[index + 1]:02X} exchanged", _exchange(index)


def _exchange(index: int) -> Callable:
    return lambda pairs: (list(pairs[:index]) + [pairs[index + 1], pairs[index]]
                          + list(pairs[index + 2:]))


def value(tag: int, change: Callable) -> Callable:
    return lambda pairs: [(t, change(v)) if t == tag else (t, v) for t, v in pairs]


def flips(length: int, step: int) -> Changes:
    """One bit in every `step`th octet, and in the last."""
    for index in sorted({*range(0, length, step), length - 1}):
        yield f"octet {index}", lambda octets, index=index: flip(octets, index)


def apdu_changes(with_data: bool = True) -> Iterator[Tuple[str, str, Callable]]:
    """Of an APDU: (name, status words, change)."""
    yield "class A0", "6800 6E00", lambda a: b"\xA0" + a[1:]
    yield "class FF", "6800 6E00", lambda a: b"\xFF" + a[1:]
    yield "class of the other kind", "6800 6E00 6D00", lambda a: flip(a, 0, 0x80)
    yield "instruction 55", "6D00 6800", lambda a: a[:1] + b"\x55" + a[2:]
    for place, name in ((2, "P1"), (3, "P2")):
        for bit in (0x01, 0x80):
            yield (f"{name} bit {bit:02X}", "6A86 6B00",
                   lambda a, place=place, bit=bit: flip(a, place, bit))
    yield "header cut short", "6701 6700", lambda a: a[:3]
    if with_data:
        yield "Lc one less", "6701 6700", lambda a: a[:4] + bytes([a[4] - 1]) + a[5:]
        # With Le, the data takes it in, and is then wrong in itself.
        yield ("Lc one more", "6701 6700 6982 6400",
               lambda a: a[:4] + bytes([a[4] + 1]) + a[5:])
        yield "Lc two more", "6701 6700", lambda a: a[:4] + bytes([a[4] + 2]) + a[5:]
        yield "an octet behind", "6701 6700", lambda a: a + b"\x00"
        yield "cut in the middle", "6701 6700", lambda a: a[:len(a) // 2]



def frame_changes() -> Changes:
    yield "protocol 7", lambda m: b"\x07" + m[1:]
    yield "protocol bit", lambda m: flip(m, 0, 4)
    yield "the id of an answer", lambda m: flip(m, 1)
    yield "id FF", lambda m: m[:1] + b"\xFF" + m[2:]
    yield "length one more", lambda m: m[:2] + (len(m) - 3).to_bytes(2, "big") + m[4:]
    yield "length one less", lambda m: m[:2] + (len(m) - 5).to_bytes(2, "big") + m[4:]
    yield "cut short", lambda m: m[:-1]
    yield "an octet behind", lambda m: m + b"\x00"
    yield "header alone", lambda m: m[:4]
    yield "empty", lambda m: b""


def sealed_changes(length: int) -> Changes:
    yield from flips(length, max(1, length // 3))
    yield "tag cut off", lambda octets: octets[:-16]
    yield "one octet less", lambda octets: octets[:-1]
    yield "one octet more", lambda octets: octets + b"\x00"
    yield "empty", lambda octets: b""
    yield "turned round", lambda octets: octets[::-1]


def channel_changes() -> Changes:
    def outgoing(**changes):
        def change(channel):
            for name, new in changes.items():
                setattr(channel.outgoing, name, new)
            return channel
        return change

    yield "counter 2", outgoing(counter=2)
    yield "counter 0", outgoing(counter=0)
    yield "counter FFFE", outgoing(counter=0xFFFE)
    yield "direction", outgoing(direction=bytes(7) + b"\x01")
    yield "key", outgoing(key=bytes(32))
