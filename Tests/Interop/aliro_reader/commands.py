"""Command and answer APDUs of the expedited phase.

Builders take every value, so that fault tests can write what a reader never would.
"""

from typing import List, Tuple

from . import tlv

AUTH0, LOAD_CERT, AUTH1, EXCHANGE = 0x80, 0xD1, 0x81, 0xC9
CONTROL_FLOW = 0x3C

SUCCESS = b"\x90\x00"

AUTH0_LAYOUT = [
    tlv.Field(0x41, 1), tlv.Field(0x42, 1), tlv.Field(0x5C, 2), tlv.Field(0x87, 65),
    tlv.Field(0x4C, 16), tlv.Field(0x4D, 32), tlv.Field(0xB1, None, required=False)]
AUTH1_LAYOUT = [
    tlv.Field(0x41, 1), tlv.Field(0x9E, 64), tlv.Field(0x90, None, required=False)]


class APDUError(ValueError):
    """An APDU is not in the form it should have."""


def apdu(ins: int, data: bytes, cla: int = 0x80, p1: int = 0, p2: int = 0,
         le: bool = True) -> bytes:
    """Short form: at most 255 octets of data."""
    if len(data) > 255:
        raise APDUError(f"{len(data)} octets do not fit a short command")
    body = bytes([len(data)]) + data if data else b""
    return bytes([cla, ins, p1, p2]) + body + (b"\x00" if le else b"")


def chained(ins: int, data: bytes, le: bool = True, size: int = 255) -> List[bytes]:
    """As many commands as `data` needs; all but the last have the chaining bit."""
    parts = [data[i:i + size] for i in range(0, len(data), size)] or [b""]
    commands = [apdu(ins, part, cla=0x90, le=le) for part in parts[:-1]]
    return commands + [apdu(ins, parts[-1], le=le)]


def auth0_fields(flags: bytes, version: bytes, ephemeral: bytes, transaction: bytes,
                 reader_identifier: bytes) -> tlv.Pairs:
    return [(0x41, flags[:1]), (0x42, flags[1:]), (0x5C, version), (0x87, ephemeral),
            (0x4C, transaction), (0x4D, reader_identifier)]


def auth1_fields(identification: str, signature: bytes, certificate: bytes = b"") -> tlv.Pairs:
    wanted = b"\x01" if identification == "key" else b"\x00"
    fields = [(0x41, wanted), (0x9E, signature)]
    return fields + ([(0x90, certificate)] if certificate else [])


def split_answer(answer: bytes) -> Tuple[bytes, bytes]:
    """Data and status word."""
    if len(answer) < 2:
        raise APDUError("an answer without a status word")
    return answer[:-2], answer[-2:]


def split_command(command: bytes) -> Tuple[int, int, int, int, bytes]:
    """CLA, INS, P1, P2 and data of a short command, with or without Le."""
    if len(command) < 4:
        raise APDUError("shorter than a command header")
    cla, ins, p1, p2 = command[:4]
    rest = command[4:]
    if len(rest) <= 1:
        return cla, ins, p1, p2, b""
    data = rest[1:1 + rest[0]]
    if rest[0] == 0 or len(data) != rest[0] or len(rest) - 1 - len(data) > 1:
        raise APDUError("Lc does not fit the octets that follow")
    return cla, ins, p1, p2, data
