"""The lines of an audit log, as latchkey-audit(5) describes them."""

import hashlib
import re

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


def segment_number(name: str):
    """The number in the name of a segment, which has one form."""
    found = re.fullmatch(r"([0-9]{10,16})\.jsonl", name)
    number = int(found[1]) if found else 0
    return number if 0 < number <= MOST and name == f"{number:010d}.jsonl" else None
