"""Faults of the fast transaction, of policy 03, and transactions that were heard before."""

from aliro_reader import commands, crypto, tlv
from faults import BLE, PROTOCOL, UNTRUSTED, fault, flip

FORBIDDEN = frozenset({"forbidden"})


def _keyed(name: str, at: str, act, words: str, codes=PROTOCOL, **more) -> None:
    def run(bench):
        session = bench.fast_session()
        return session, act(session)
    fault(f"fast: {name}", at, words, codes, **more)(run)


def _exchange(change):
    def act(session):
        change(session)
        return session.exchange(b"\x98\x00")
    return act


def _outgoing(kind: str, **changes):
    def act(session):
        for name, value in changes.items():
            setattr(getattr(session, kind).outgoing, name, value)
        return session.send("BLE", session.completed_message())
    return act


def _standard_keys(session):
    """The keys of AUTH1, which was never run."""
    kdh = session.transaction.kdh(session.ephemeral, session.transaction.device_ephemeral)
    session.take_keys(crypto.volatile_keys(kdh, session.transaction))


def _register_keyed() -> None:
    _keyed("EXCHANGE with a tag that does not verify", "EXCHANGE", lambda s: s.command(
        "EXCHANGE", commands.EXCHANGE, flip(s.channel.seal(b"\x98\x00"), -1)), "6982")
    _keyed("EXCHANGE at counter 2", "EXCHANGE",
           _exchange(lambda s: setattr(s.channel.outgoing, "counter", 2)), "6982")
    _keyed("EXCHANGE under the keys of a standard transaction", "EXCHANGE",
           _exchange(_standard_keys), "6982")
    _keyed("AUTH1 with a spoiled signature", "AUTH1",
           lambda s: s.auth1(signature=flip(s.signature(), 10)), "6982", UNTRUSTED)
    _keyed("a second AUTH0", "AUTH0", lambda s: s.auth0(), "6D00")

    def late_auth1(session):
        session.good(session.exchange(b""))
        return session.auth1(signature=flip(session.signature(), 10))
    _keyed("AUTH1 behind EXCHANGE, with a spoiled signature", "AUTH1", late_auth1,
           "6982 6D00", UNTRUSTED | PROTOCOL)

    def ble_only(name: str, act) -> None:
        _keyed(name, "BLE", act, "", may_be_error=True, transports=BLE)

    def standard(session):
        _standard_keys(session)
        return session.send("BLE", session.completed_message())

    ble_only("completion in clear", lambda s: s.send("BLE", bytes.fromhex("0203000400022000")))
    ble_only("completion at counter 2", _outgoing("link", counter=2))
    ble_only("completion under another key", _outgoing("link", key=bytes(32)))
    ble_only("completion under the keys of a standard transaction", standard)
    ble_only("completion with a spoiled tag",
             lambda s: s.send("BLE", flip(s.completed_message(), -1)))


def _same_public_part(second, first) -> None:
    """The AUTH0 of `first`, octet for octet."""
    second.ephemeral = first.ephemeral
    second.transaction_identifier = first.transaction_identifier


def _decoy(name: str, at: str, act, words: str, **more) -> None:
    """The reader is not known: no key of its may be used."""
    def run(bench):
        session = bench.session(
            reader_identifier=bench.door.group_identifier + crypto.random_octets(16))
        session.flags = b"\x01\x01"
        session.begin()
        block = crypto.fast_block(bytes(32), session.transaction, session.credential)
        session.take_keys(crypto.SessionKeys(block[1], block[2], b"", block[3], block[4]))
        return session, act(session)
    fault(f"fast, unknown reader: {name}", at, words, PROTOCOL, **more)(run)


_decoy("EXCHANGE", "EXCHANGE", lambda s: s.exchange(b"\x98\x00"), "6D00")
_decoy("ENVELOPE", "ENVELOPE", lambda s: s.command(
    "ENVELOPE", commands.ENVELOPE, bytes.fromhex("5307A1646461746140")), "6D00")
_decoy("completion", "BLE", lambda s: s.send("BLE", s.completed_message()), "",
       may_be_error=True, transports=BLE)


# --- policy 03 ---------------------------------------------------------------------------------

@fault("policy 03 and nobody confirmed", "AUTH0", "6985", FORBIDDEN)
def unconfirmed(bench):
    session = bench.session()
    return session, session.auth0(t42=b"\x03")


@fault("policy 03, confirmed, in a namespace that does not take it", "AUTH0", "6985", FORBIDDEN)
def not_allowed(bench):
    session = bench.session(user_confirmed=True)
    return session, session.auth0(t42=b"\x03")


@fault("policy 03 in a fast AUTH0", "AUTH0", "6985", FORBIDDEN)
def unconfirmed_fast(bench):
    session = bench.session()
    return session, session.auth0(t41=b"\x01", t42=b"\x03")


@fault("policy 03, allowed by the namespace, and nobody confirmed", "AUTH0", "6985", FORBIDDEN)
def allowed_but_not_confirmed(bench):
    session = bench.session(*bench.confirming())
    return session, session.auth0(t42=b"\x03")


for _policy in (0x00, 0x04, 0xFF):
    @fault(f"policy {_policy:02X}", "AUTH0", "6701 6985 6A80", PROTOCOL | FORBIDDEN)
    def unknown_policy(bench, policy=_policy):
        session = bench.session()
        return session, session.auth0(t42=bytes([policy]))


# --- replays ---------------------------------------------------------------------------------------

def _replayed(bench, transport: str):
    """What was heard of a transaction on a transport, said again."""
    first = bench.session(transport=transport).begin()
    signature = first.signature()
    first.good(first.auth1(signature=signature))
    second = bench.session()
    _same_public_part(second, first)
    second.begin()
    return second, second.auth1(signature=signature)


@fault("a whole transaction heard before", "AUTH1", "6982", UNTRUSTED)
def replayed(bench):
    return _replayed(bench, bench.transport)


@fault("an AUTH1 heard on the other transport", "AUTH1", "6982", UNTRUSTED)
def replayed_across(bench):
    return _replayed(bench, "nfc" if bench.transport == "ble" else "ble")


@fault("a fast transaction heard before", "EXCHANGE", "6982", PROTOCOL)
def replayed_fast(bench):
    first = bench.fast_session()
    sealed = first.channel.seal(b"")
    first.good(first.command("EXCHANGE", commands.EXCHANGE, sealed))
    second = bench.session(reader_identifier=first.reader_identifier)
    second.flags = b"\x01\x01"
    second.good(second.auth0(tlv.encode_all(first.auth0_pairs())))
    return second, second.command("EXCHANGE", commands.EXCHANGE, sealed)


_register_keyed()
