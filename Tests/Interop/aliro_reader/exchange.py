"""EXCHANGE: its plaintext, and a model of the mailbox that says what the answer must be."""

from dataclasses import dataclass, field
from typing import List, Optional, Tuple

from . import tlv

SUCCESS = b"\x00\x00"
LAST, MORE = b"\x00", b"\x01"
READ, WRITE, SET = 0x87, 0x8A, 0x95

Operation = Tuple[int, bytes]


class ExchangeError(ValueError):
    """The answer to EXCHANGE is not what the commands ask for."""


def _two(number: int) -> bytes:
    return number.to_bytes(2, "big")


def read(offset: int, length: int) -> Operation:
    return READ, _two(offset) + _two(length)


def write(offset: int, data: bytes) -> Operation:
    return WRITE, _two(offset) + data


def fill(offset: int, length: int, value: int) -> Operation:
    return SET, _two(offset) + _two(length) + bytes([value])


def span(operation: Operation) -> Tuple[int, int]:
    """Offset and length of what an operation touches."""
    tag, value = operation
    length = len(value) - 2 if tag == WRITE else int.from_bytes(value[2:4], "big")
    return int.from_bytes(value[:2], "big"), length


@dataclass
class Plan:
    """One EXCHANGE command."""

    operations: List[Operation] = field(default_factory=list)
    more: bool = False                  # leaves the atomic session open
    ursk: bool = False                  # asks for the ranging key
    notice: Optional[bytes] = None      # value of tag AE
    status: Optional[bytes] = None      # value of tag 97
    out_of_range: bool = False          # the device must answer a result that is not success

    def mailbox_fields(self) -> tlv.Pairs:
        return [(0x8C, MORE if self.more else LAST)] + list(self.operations)

    def fields(self, mailbox: Optional[bytes] = None) -> tlv.Pairs:
        """`mailbox` is the value of tag BA when it is not the usual one."""
        fields = []
        if self.operations or self.more:
            inner = tlv.encode_all(self.mailbox_fields()) if mailbox is None else mailbox
            fields.append((0xBA, inner))
        if self.notice is not None:
            fields.append((0xAE, self.notice))
        if self.status is not None:
            fields.append((0x97, self.status))
        return fields + ([(0x98, b"")] if self.ursk else [])

    def reads(self) -> List[int]:
        return [span(operation)[1] for operation in self.operations if operation[0] == READ]


class Mailbox:
    """What a sound device's mailbox holds after the commands it was given."""

    def __init__(self, contents: bytes, readable: bool = True, writable: bool = True,
                 in_step_up: bool = True):
        self.contents = bytearray(contents)
        self.readable, self.writable, self.in_step_up = readable, writable, in_step_up
        self._held: List[Operation] = []

    def drop_held(self) -> None:
        """An atomic session that was cut short leaves nothing."""
        self._held = []

    def run(self, plan: Plan) -> List[bytes]:
        """What the reads of `plan` must show; keeps or applies its writes."""
        shown = [bytes(self.contents[o:o + n]) for o, n in map(span, (
            operation for operation in plan.operations if operation[0] == READ))]
        self._held += [operation for operation in plan.operations if operation[0] != READ]
        if not plan.more:
            for tag, value in self._held:
                offset, length = span((tag, value))
                new = value[2:] if tag == WRITE else value[4:] * length
                self.contents[offset:offset + length] = new
            self._held = []
        return shown


def parse_answer(plaintext: bytes, lengths: List[int], out_of_range: bool = False) -> List[bytes]:
    """The data of each read, in order; raises unless the result is the one expected."""
    shown, offset = [], 0
    for expected in ([] if out_of_range else lengths):
        length = int.from_bytes(plaintext[offset:offset + 2], "big")
        data = plaintext[offset + 2:offset + 2 + length]
        if length != expected or len(data) != length:
            raise ExchangeError(f"a read of {expected} octets is answered with {len(data)}")
        shown.append(data)
        offset += 2 + length
    result = plaintext[offset:]
    if len(result) != 4 or result[:2] != b"\x00\x02":
        raise ExchangeError(f"{result.hex()} where the result belongs")
    if (result[2:] == SUCCESS) == out_of_range:
        raise ExchangeError(f"the result is {result[2:].hex()}")
    return shown


def check_answer(plaintext: bytes, plan: Plan, mailbox: Optional[Mailbox]) -> str:
    """Compares with the model; returns what was found, in words."""
    shown = parse_answer(plaintext, plan.reads(), plan.out_of_range)
    if plan.out_of_range:
        return "decrypted, refused as out of range, nothing read"
    if mailbox is not None and mailbox.run(plan) != shown:
        raise ExchangeError("a read does not show what the mailbox must hold")
    return f"decrypted, success, {sum(map(len, shown))} octets read as they must be"
