"""Named faults of the reader's side, and how a vault must refuse each of them.

Status words follow section 14 of the protocol notes; where the notes leave a choice, all of it is
listed. A fault is a function of a bench (see `bench`) that returns the answer to judge and the
session it belongs to. Unless it says otherwise, it is tried over BLE and over NFC.
"""

from dataclasses import dataclass
from typing import Callable, FrozenSet, List, Optional, Tuple

from aliro_reader import commands, crypto, tlv

UNTRUSTED = frozenset({"reader_untrusted"})
PROTOCOL = frozenset({"protocol_error"})
# A frame that is no message at all may be refused as a parameter, before the session.
FRAME = frozenset({"protocol_error", "invalid_params", "too_large"})
CERTIFICATE = frozenset({"protocol_error", "reader_untrusted"})


BOTH, BLE, NFC = ("ble", "nfc"), ("ble",), ("nfc",)


@dataclass(frozen=True)
class Fault:
    name: str
    run: Callable
    at: FrozenSet[str]              # the command that must be the one refused
    status_words: FrozenSet[str]    # empty: no answer APDU is expected
    codes: FrozenSet[str]
    after_auth1: bool = False       # AUTH1 was rightly answered before the fault
    may_be_error: bool = False      # a JSON-RPC error is as good as a failed session
    transports: Tuple[str, ...] = BOTH
    may_live: bool = False          # whether the session lives on is left open
    # The session lives on: this must work after the refusal. None: the session is dead.
    proceed: Optional[Callable] = None


FAULTS: List[Fault] = []


def fault(name: str, at: str, status_words: str, codes: FrozenSet[str], **more):
    """Registers a fault; `at` is one label or several with `|`, `status_words` one or several."""
    places = frozenset(at.split("|"))

    def register(run: Callable) -> Callable:
        FAULTS.append(Fault(name, run, places, frozenset(status_words.split()), codes, **more))
        return run
    return register


def flip(octets: bytes, index: int, bit: int = 1) -> bytes:
    spoiled = bytearray(octets)
    spoiled[index] ^= bit
    return bytes(spoiled)


# --- AUTH1: the reader's signature ----------------------------------------------------------

def _auth1(name: str, act: Callable, words: str = "6982", codes=UNTRUSTED) -> None:
    def run(bench):
        session = bench.session().begin()
        return session, act(session)
    fault(name, "AUTH1", words, codes)(run)


def _register_signatures() -> None:
    _auth1("reader signature with a flipped bit",
           lambda s: s.auth1(signature=flip(s.signature(), 10)))
    _auth1("reader signature by another key", lambda s: s.auth1(key=crypto.new_key()))
    _auth1("reader signature with r = 0",
           lambda s: s.auth1(signature=bytes(32) + s.signature()[32:]))
    _auth1("reader signature with s = 0",
           lambda s: s.auth1(signature=s.signature()[:32] + bytes(32)))
    _auth1("reader signature with r above the group order",
           lambda s: s.auth1(signature=b"\xFF" * 32 + s.signature()[32:]))
    _auth1("reader signs the device's usage constant",
           lambda s: s.auth1(usage=crypto.DEVICE_USAGE))
    _auth1("reader signs another reader identifier",
           lambda s: s.auth1(reader_identifier=s.reader_identifier[:16] + bytes(16)))
    _auth1("reader signs another transaction identifier",
           lambda s: s.auth1(transaction_identifier=bytes(16)))
    _auth1("reader signs the ephemeral keys the wrong way round",
           lambda s: s.auth1(device_ephemeral=s.transaction.reader_ephemeral,
                             reader_ephemeral=s.transaction.device_ephemeral))
    _auth1("certified key signs but no certificate was sent",
           lambda s: s.auth1(key=s.door.certified))
    _auth1("signature is missing", lambda s: s.auth1(data=b"\x41\x01\x01"), "6701", PROTOCOL)
    _auth1("identification is missing",
           lambda s: s.auth1(data=tlv.encode(0x9E, s.signature())), "6701", PROTOCOL)
    _auth1("AUTH1 tags out of order", lambda s: s.auth1(
        data=tlv.encode(0x9E, s.signature()) + b"\x41\x01\x01"), "6701", PROTOCOL)
    _auth1("signature twice", lambda s: s.auth1(
        data=b"\x41\x01\x01" + tlv.encode(0x9E, s.signature()) * 2), "6701", PROTOCOL)
    _auth1("signature of 63 octets",
           lambda s: s.auth1(signature=s.signature()[:63]), "6701", PROTOCOL)
    _auth1("identification of two octets", lambda s: s.auth1(
        data=b"\x41\x02\x01\x00" + tlv.encode(0x9E, s.signature())), "6701", PROTOCOL)
    _auth1("AUTH1 without data", lambda s: s.auth1(data=b""), "6701", PROTOCOL)
    _auth1("AUTH1 TLV cut short", lambda s: s.auth1(
        data=b"\x41\x01\x01\x9E\x40" + s.signature()[:32]), "6701", PROTOCOL)


# --- APDU form and order ----------------------------------------------------------------------

def _cut_chain(session):
    data = tlv.encode_all(commands.auth1_fields("key", session.signature()))
    session.good(session.apdu("AUTH1 part", commands.apdu(commands.AUTH1, data[:30], cla=0x90)))
    return session.auth1()


def _register_form() -> None:
    _auth1("a chain cut short before a whole AUTH1", _cut_chain, "6701 6D00 6982",
           frozenset({"protocol_error", "reader_untrusted"}))
    _auth1("AUTH1 with P1 = 01", lambda s: s.apdu("AUTH1", commands.apdu(
        commands.AUTH1, tlv.encode_all(commands.auth1_fields("key", s.signature())), p1=1)),
        "6A86 6B00", PROTOCOL)

    def first(name: str, at: str, words: str, octets: bytes, **more) -> None:
        def run(bench):
            session = bench.session()
            return session, session.apdu(at, octets)
        fault(name, at, words, PROTOCOL, **more)(run)

    auth1 = tlv.encode_all(commands.auth1_fields("key", b"\x01" * 64))
    first("AUTH1 before AUTH0", "AUTH1", "6D00", commands.apdu(commands.AUTH1, auth1))
    first("LOAD CERT before AUTH0", "LOAD CERT", "6D00",
          commands.apdu(commands.LOAD_CERT, b"\x30\x00"))
    first("EXCHANGE before AUTH0", "EXCHANGE", "6D00",
          commands.apdu(commands.EXCHANGE, bytes(18)))
    first("unknown INS", "INS", "6D00 6800", commands.apdu(0x55, b"\x41\x01\x00"))
    first("unknown CLA", "CLA", "6800 6E00", commands.apdu(commands.AUTH0, b"", cla=0xA0))
    first("an APDU of three octets", "APDU", "6701 6700", b"\x80\x80\x00")
    # Over NFC the APDU is the whole message, and an empty one is no parameter.
    first("an empty APDU", "APDU", "6701 6700", b"", transports=BLE)

    @fault("EXCHANGE between AUTH0 and AUTH1", "EXCHANGE", "6D00", PROTOCOL)
    def exchange_early(bench):
        session = bench.session().begin()
        return session, session.apdu("EXCHANGE", commands.apdu(commands.EXCHANGE, bytes(18)))

    @fault("a second AUTH1", "AUTH1", "6D00", PROTOCOL, after_auth1=True)
    def second_auth1(bench):
        session = bench.session().accepted()
        return session, session.auth1()

    @fault("LOAD CERT after AUTH1", "LOAD CERT", "6D00", PROTOCOL, after_auth1=True)
    def certificate_late(bench):
        session = bench.session().accepted()
        return session, session.load_cert()


_register_signatures()
_register_form()
