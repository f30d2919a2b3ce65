"""Faults of selection, of chained commands, and of time and order around them."""

from aliro_reader import ble, commands, tlv
from faults import BLE, NFC, PROTOCOL, fault, flip


def _select(name: str, octets: bytes, words: str, alive: bool = True, **options) -> None:
    def run(bench):
        session = bench.session(selects=options.get("selects", True))
        return session, session.apdu("SELECT", octets)

    def proceed(session):
        session.select()
        session.begin()
    codes = frozenset({""}) if alive else PROTOCOL
    fault(name, "SELECT", words, codes, transports=NFC, proceed=proceed if alive else None)(run)


def _register_select() -> None:
    def apdu(aid: bytes = commands.EXPEDITED_AID, **changes) -> bytes:
        return commands.apdu(commands.SELECT, aid, **changes)

    for first in (True, False):
        when = "first" if not first else "again"
        more = {"selects": first}
        _select(f"SELECT of another application, {when}", apdu(bytes.fromhex(
            "A000000909ACCE5503")), "6A82", **more)
        _select(f"SELECT of a shorter name, {when}", apdu(commands.EXPEDITED_AID[:8]),
                "6A82", **more)
        _select(f"SELECT of a longer name, {when}", apdu(commands.EXPEDITED_AID + b"\x00"),
                "6A82", **more)
        _select(f"SELECT with P1 = 00, {when}", apdu(p1=0), "6A86 6B00", **more)
        _select(f"SELECT with P2 = 0C, {when}", apdu(p2=0x0C), "6A86 6B00", **more)
        _select(f"SELECT with class 80, {when}", apdu(cla=0x80), "6800 6E00 6D00", False, **more)
        _select(f"SELECT with Lc too large, {when}", flip(apdu(), 4, 0x20), "6701 6700", False,
                **more)
    for index in range(9):
        _select(f"SELECT with octet {index} of the name spoiled",
                apdu(flip(commands.EXPEDITED_AID, index, 0x40)), "6A82")
    _select("SELECT of nothing", apdu(b""), "6A82 6701 6700")


# A step-up application that cannot be used yet may be called absent or out of order.
@fault("SELECT of step-up before AUTH1", "SELECT", "6A82 6D00 6985", PROTOCOL | {""},
       transports=NFC, may_live=True)
def early_step_up(bench):
    session = bench.session().begin()
    return session, session.apdu("SELECT", commands.apdu(commands.SELECT, commands.STEP_UP_AID))


@fault("SELECT over BLE, where there is none", "SELECT", "6D00 6A82 6800", PROTOCOL | {""},
       transports=BLE, may_live=True)
def select_over_ble(bench):
    session = bench.session()
    return session, session.apdu("SELECT", commands.apdu(
        commands.SELECT, commands.EXPEDITED_AID))


def _unselected(name: str, at: str, octets: bytes, words: str) -> None:
    def run(bench):
        session = bench.session(selects=False)
        return session, session.apdu(at, octets)
    fault(name, at, words, PROTOCOL, transports=NFC)(run)


def _register_unselected() -> None:
    _unselected("AUTH0 before SELECT", "AUTH0", commands.apdu(commands.AUTH0, bytes(8)), "6D00")
    _unselected("AUTH1 before SELECT", "AUTH1", commands.apdu(commands.AUTH1, bytes(8)), "6D00")
    _unselected("LOAD CERT before SELECT", "LOAD CERT",
                commands.apdu(commands.LOAD_CERT, bytes(8)), "6D00")
    _unselected("EXCHANGE before SELECT", "EXCHANGE",
                commands.apdu(commands.EXCHANGE, bytes(18)), "6D00")
    _unselected("ENVELOPE before SELECT", "ENVELOPE",
                commands.apdu(commands.ENVELOPE, bytes(18)), "6D00")
    _unselected("a BLE message in place of an APDU", "APDU",
                ble.command(commands.apdu(commands.SELECT, commands.EXPEDITED_AID)),
                "6701 6700 6800 6E00 6D00 6A86 6A82")


def _reselected(name: str, at: str, act, words: str = "6D00") -> None:
    """A new SELECT starts anew: what was there before may not be used."""
    def run(bench):
        session = bench.session().accepted()
        session.select()
        return session, act(session)
    fault(f"behind a new SELECT: {name}", at, words, PROTOCOL, after_auth1=True,
          transports=NFC)(run)


def _register_reselected() -> None:
    _reselected("EXCHANGE on the old channel", "EXCHANGE", lambda s: s.exchange(b"\x98\x00"))
    _reselected("AUTH1 of the old transaction", "AUTH1", lambda s: s.auth1())
    _reselected("LOAD CERT", "LOAD CERT", lambda s: s.load_cert())
    _reselected("ENVELOPE", "ENVELOPE", lambda s: s.envelope(b"\xA0"))


@fault("AUTH0 twice without a new SELECT", "AUTH0", "6D00", PROTOCOL)
def second_auth0(bench):
    session = bench.session().begin()
    return session, session.auth0()


@fault("AUTH0 behind AUTH1", "AUTH0", "6D00", PROTOCOL, after_auth1=True)
def auth0_late(bench):
    session = bench.session().accepted()
    return session, session.auth0()


# --- chained commands -----------------------------------------------------------------------------

@fault("a chain without an end", "AUTH1 part", "6701 6700 6A84 6D00 6883",
       PROTOCOL | {"too_large"})
def endless(bench):
    session = bench.session().begin()
    part = commands.apdu(commands.AUTH1, bytes(255), cla=0x90)
    for _ in range(300):
        answer = session.apdu("AUTH1 part", part)
        if answer.refused:
            break
    return session, answer


def _differing(name: str, at: str, words: str, codes=PROTOCOL, ins: int = commands.AUTH1,
               **header: int) -> None:
    """The first part of AUTH1, then the rest under another header."""
    def run(bench):
        session = bench.session().begin()
        data = tlv.encode_all(commands.auth1_fields("key", session.signature()))
        first = commands.apdu(commands.AUTH1, data[:30], cla=0x90)
        session.good(session.apdu("AUTH1 part", first))
        return session, session.apdu(at, commands.apdu(ins, data[30:], **header))
    fault(name, at, words, codes)(run)


for _name, _ins, _words in (("LOAD CERT", commands.LOAD_CERT, "6400 6701 6D00"),
                            ("EXCHANGE", commands.EXCHANGE, "6D00 6701"),
                            ("AUTH0", commands.AUTH0, "6D00 6701")):
    _differing(f"a chain of AUTH1 that goes on as {_name}", _name, _words,
               PROTOCOL | {"reader_untrusted"}, _ins)
_differing("a chain whose last part has another P1", "AUTH1", "6A86 6B00", p1=1)
_differing("a chain whose last part has another class", "AUTH1", "6800 6E00 6D00", cla=0xA0)


# --- CONTROL FLOW ---------------------------------------------------------------------------------

def _control(name: str, data: bytes) -> None:
    def run(bench):
        session = bench.session().begin()
        octets = commands.apdu(commands.CONTROL_FLOW, data, le=False)
        return session, session.apdu("CONTROL FLOW", octets)
    # The session ends in any case; a vault may say so without complaint.
    fault(f"CONTROL FLOW {name}", "CONTROL FLOW", "6701 9000", PROTOCOL)(run)


_control("without S1", bytes.fromhex("420100"))
_control("without S2", bytes.fromhex("410100"))
_control("with S1 of two octets", bytes.fromhex("41020000420100"))
_control("with S2 in front", bytes.fromhex("420100410100"))
_control("without data", b"")
_control("that is no TLV", b"\x41\x05")

_register_select()
_register_unselected()
_register_reselected()


# --- time and ranging over BLE ------------------------------------------------------------------

@fault("AUTH0 when its time is over", "AUTH0", "", PROTOCOL | {"expired"}, transports=BLE,
       may_be_error=True)
def too_late(bench):
    session = bench.session()
    session.wait(1.1)
    return session, session.auth0()


def _ranging(name: str, act) -> None:
    def run(bench):
        session = bench.session(intent="approach").accepted()
        return session, act(session)
    fault(name, "BLE", "", PROTOCOL, after_auth1=True, may_be_error=True, transports=BLE)(run)


def _initiated(session):
    session.good(session.exchange(b"\x98\x00"))
    session.good(session.send("COMPLETED", session.completed_message()))
    session.good(session.request("initiate_ranging"))
    return session


def _m1(session, change=lambda message: message):
    return session.send("BLE", change(session.link.seal(ble.UWB, ble.M1, b"\x00\x01\x01")))


_ranging("M1 in clear", lambda s: _initiated(s).send(
    "BLE", ble.Message(ble.UWB, ble.M1, b"\x00\x01\x01").encode()))
_ranging("M1 with a spoiled tag", lambda s: _m1(_initiated(s), lambda m: flip(m, -1)))
_ranging("M1 sealed as M3", lambda s: _m1(_initiated(s), lambda m: flip(m, 1, 2)))
