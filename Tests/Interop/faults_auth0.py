"""Faults in the first command: its APDU, its TLV and its ephemeral key."""

from aliro_reader import commands, crypto, tlv
from faults import PROTOCOL, fault, flip

P = 2**256 - 2**224 + 2**192 + 2**96 - 1
B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B


def oversized_coordinate() -> bytes:
    """A point of the curve whose x is written as x + p, which still fits 32 octets."""
    for x in range(1, 1000):
        square = (x * x * x - 3 * x + B) % P
        y = pow(square, (P + 1) // 4, P)
        if y * y % P == square:
            return b"\x04" + (x + P).to_bytes(32, "big") + y.to_bytes(32, "big")
    raise AssertionError("half of all x have a point")


def _auth0(name: str, data, words: str = "6701", codes=PROTOCOL) -> None:
    def run(bench):
        session = bench.session()
        return session, session.auth0(data(session))
    fault(name, "AUTH0", words, codes)(run)


def _changed(**changes):
    return lambda session: tlv.encode_all(session.auth0_pairs(**changes))


def _pairs(change):
    return lambda session: tlv.encode_all(change(session.auth0_pairs()))


def _without(tag: int):
    return _pairs(lambda pairs: [pair for pair in pairs if pair[0] != tag])


def _swapped(one: int, other: int):
    def change(pairs):
        pairs[one], pairs[other] = pairs[other], pairs[one]
        return pairs
    return _pairs(change)


def _register_tlv() -> None:
    for tag in (0x41, 0x42, 0x5C, 0x87, 0x4C, 0x4D):
        _auth0(f"AUTH0 without tag {tag:02X}", _without(tag))
    _auth0("AUTH0 with tag 41 twice", _pairs(lambda pairs: pairs[:1] + pairs))
    _auth0("AUTH0 with tag 4D twice", _pairs(lambda pairs: pairs + pairs[-1:]))
    _auth0("AUTH0 with 4C and 87 exchanged", _swapped(3, 4))
    _auth0("AUTH0 with 41 and 42 exchanged", _swapped(0, 1))
    _auth0("AUTH0 with the reader identifier first", _swapped(0, 5))
    _auth0("AUTH0 with a tag 41 of two octets", _changed(t41=b"\x00\x00"))
    _auth0("AUTH0 with tag 41 = 02", _changed(t41=b"\x02"), "6701 6985 6A80")
    _auth0("AUTH0 with a version of one octet", _changed(t5C=b"\x01"))
    _auth0("AUTH0 with a transaction identifier of 15 octets", _changed(t4C=bytes(15)))
    _auth0("AUTH0 with a transaction identifier of 17 octets", _changed(t4C=bytes(17)))
    _auth0("AUTH0 with a reader identifier of 31 octets", _changed(t4D=bytes(31)))
    _auth0("AUTH0 cut short inside a value",
           lambda s: tlv.encode_all(s.auth0_pairs())[:-1])
    _auth0("AUTH0 cut short behind a tag",
           lambda s: tlv.encode_all(s.auth0_pairs()) + b"\xAA")
    _auth0("AUTH0 with an indefinite length",
           lambda s: b"\x41\x80\x00" + tlv.encode_all(s.auth0_pairs()[1:]))
    _auth0("AUTH0 without data", lambda s: b"")
    _auth0("AUTH0 with its key under tag 88", _pairs(
        lambda pairs: [(0x88 if tag == 0x87 else tag, value) for tag, value in pairs]))
    _auth0("AUTH0 asks for version 0001", _changed(t5C=b"\x00\x01"), "6985",
           frozenset({"protocol_error", "unsupported"}))
    _auth0("AUTH0 asks for version 0009", _changed(t5C=b"\x00\x09"), "6985",
           frozenset({"protocol_error", "unsupported"}))


def _register_points() -> None:
    def point(name: str, make) -> None:
        _auth0(f"reader key {name}",
               lambda s: tlv.encode_all(s.auth0_pairs(t87=make(crypto.point_of(s.ephemeral)))))

    point("not on the curve", lambda good: flip(good, 64))
    point("of zeros (0, 0)", lambda good: b"\x04" + bytes(64))
    point("at infinity", lambda good: b"\x00")
    point("at infinity, padded to 65 octets", lambda good: bytes(65))
    point("compressed", lambda good: bytes([2 + (good[64] & 1)]) + good[1:33])
    point("in the hybrid form", lambda good: bytes([6 + (good[64] & 1)]) + good[1:])
    point("with a first octet of 05", lambda good: b"\x05" + good[1:])
    point("without its first octet", lambda good: good[1:])
    point("with x written above p", lambda good: oversized_coordinate())


def _register_apdu() -> None:
    def raw(name: str, words: str, change) -> None:
        def run(bench):
            session = bench.session()
            data = tlv.encode_all(session.auth0_pairs())
            return session, session.apdu("AUTH0", change(data))
        fault(name, "AUTH0", words, PROTOCOL)(run)

    raw("AUTH0 with P1 = 01", "6A86 6B00", lambda d: commands.apdu(commands.AUTH0, d, p1=1))
    raw("AUTH0 with P2 = 01", "6A86 6B00", lambda d: commands.apdu(commands.AUTH0, d, p2=1))
    raw("AUTH0 with CLA A0", "6800 6E00", lambda d: commands.apdu(commands.AUTH0, d, cla=0xA0))
    raw("Lc larger than the data", "6701 6700",
        lambda d: flip(commands.apdu(commands.AUTH0, d), 4, 0x40))
    raw("Lc smaller than the data", "6701 6700",
        lambda d: flip(commands.apdu(commands.AUTH0, d), 4, 0x80))
    raw("an octet behind Le", "6701 6700",
        lambda d: commands.apdu(commands.AUTH0, d) + b"\x00")


_register_tlv()
_register_points()
_register_apdu()
