"""Command and answer APDUs, both phases.

Builders take every value, so that fault tests can write what a reader never would.
"""

from typing import List, Optional, Tuple

from . import tlv

AUTH0, LOAD_CERT, AUTH1, EXCHANGE = 0x80, 0xD1, 0x81, 0xC9
CONTROL_FLOW = 0x3C
SELECT, ENVELOPE, GET_RESPONSE = 0xA4, 0xC3, 0xC0
NAMES = {AUTH0: "AUTH0", LOAD_CERT: "LOAD CERT", AUTH1: "AUTH1", EXCHANGE: "EXCHANGE",
         CONTROL_FLOW: "CONTROL FLOW", SELECT: "SELECT", ENVELOPE: "ENVELOPE",
         GET_RESPONSE: "GET RESPONSE"}
INTERINDUSTRY = {SELECT, ENVELOPE, GET_RESPONSE}    # class 00; the others have class 80
CHAINING = 0x10

EXPEDITED_AID = bytes.fromhex("A000000909ACCE5501")
STEP_UP_AID = bytes.fromhex("A000000909ACCE5502")

SUCCESS = b"\x90\x00"
ANSWER_LIMIT = 254      # octets of data in one answer
WHOLE_LIMIT = 32768     # octets of data in an answer in parts; more than any document

AUTH0_LAYOUT = [
    tlv.Field(0x41, 1), tlv.Field(0x42, 1), tlv.Field(0x5C, 2), tlv.Field(0x87, 65),
    tlv.Field(0x4C, 16), tlv.Field(0x4D, 32), tlv.Field(0xB1, None, required=False)]
AUTH1_LAYOUT = [
    tlv.Field(0x41, 1), tlv.Field(0x9E, 64), tlv.Field(0x90, None, required=False)]
CONTROL_FLOW_LAYOUT = [
    tlv.Field(0x41, 1), tlv.Field(0x42, 1), tlv.Field(0x43, None, required=False)]


class APDUError(ValueError):
    """An APDU is not in the form it should have."""


def class_of(ins: int) -> int:
    return 0x00 if ins in INTERINDUSTRY else 0x80


def apdu(ins: int, data: bytes, cla: Optional[int] = None, p1: Optional[int] = None, p2: int = 0,
         le: bool = True) -> bytes:
    """Short form: at most 255 octets of data. What is left out is what belongs to `ins`."""
    if len(data) > 255:
        raise APDUError(f"{len(data)} octets do not fit a short command")
    cla = class_of(ins) if cla is None else cla
    p1 = (0x04 if ins == SELECT else 0x00) if p1 is None else p1
    body = bytes([len(data)]) + data if data else b""
    return bytes([cla, ins, p1, p2]) + body + (b"\x00" if le else b"")


def chained(ins: int, data: bytes, le: bool = True, size: int = 255) -> List[bytes]:
    """As many commands as `data` needs; all but the last have the chaining bit."""
    parts = [data[i:i + size] for i in range(0, len(data), size)] or [b""]
    more = class_of(ins) | CHAINING
    commands = [apdu(ins, part, cla=more, le=le) for part in parts[:-1]]
    return commands + [apdu(ins, parts[-1], le=le)]


def auth0_fields(flags: bytes, version: bytes, ephemeral: bytes, transaction: bytes,
                 reader_identifier: bytes, extension: bytes = b"") -> tlv.Pairs:
    """`extension` is the value of tag B1, left out when empty."""
    fields = [(0x41, flags[:1]), (0x42, flags[1:]), (0x5C, version), (0x87, ephemeral),
              (0x4C, transaction), (0x4D, reader_identifier)]
    return fields + ([(0xB1, extension)] if extension else [])


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
