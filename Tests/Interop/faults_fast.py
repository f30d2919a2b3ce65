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

    ble_only("completion at counter 2", _outgoing("link", counter=2))
    ble_only("completion under another key", _outgoing("link", key=bytes(32)))
    ble_only("completion under the keys of a standard transaction", standard)
    ble_only("completion with a spoiled tag",
             lambda s: s.send("BLE", flip(s.completed_message(), -1)))


def _same_public_part(second, first) -> None:
    """The AUTH0 of `first`, octet for octet."""
    second.ephemeral = first.ephemeral
    second.transaction_identifier = first.transaction_identifier


def _unknown(bench, group: bool):
    """A session behind a fast AUTH0 of a reader, or of a whole group, that is not known."""
    first = crypto.random_octets(16) if group else bench.door.group_identifier
    session = bench.session(reader_identifier=first + crypto.random_octets(16))
    session.flags = b"\x01\x01"
    session.begin()
    block = crypto.fast_block(bytes(32), session.transaction, session.credential)
    session.take_keys(crypto.SessionKeys(block[1], block[2], b"", block[3], block[4]))
    return session


def _keyless(name: str, at: str, act, words: str, **more) -> None:
    """A reader without keys is refused in the same words, be it known or not."""
    def register(reader: str, begin) -> None:
        def run(bench):
            session = begin(bench)
            return session, act(session)
        fault(f"fast, {reader}: {name}", at, words, PROTOCOL, **more)(run)
    register("unknown reader", lambda bench: _unknown(bench, group=False))
    register("unknown group", lambda bench: _unknown(bench, group=True))
    register("known reader's identifier", lambda bench: bench.fast_session())


def _sent(ins: int, data: bytes, **more):
    name = commands.NAMES[ins]
    return lambda s: s.apdu(name, commands.apdu(ins, data, **more))


def _register_keyless() -> None:
    def chained(session):
        session.good(session.apdu("EXCHANGE part", commands.apdu(
            commands.EXCHANGE, b"\xFF", cla=0x90)))
        return session.apdu("EXCHANGE", commands.apdu(commands.EXCHANGE, bytes(17)))

    def other_key(session):
        session.channel.outgoing.key = bytes(32)
        return session.exchange(b"\x98\x00")
    for name, act in (("EXCHANGE", other_key), ("EXCHANGE of junk", _sent(
            commands.EXCHANGE, bytes(18))), ("EXCHANGE of nothing", _sent(
                commands.EXCHANGE, b"")), ("EXCHANGE in parts", chained)):
        _keyless(name, "EXCHANGE", act, "6982")
    _keyless("ENVELOPE", "ENVELOPE", _sent(
        commands.ENVELOPE, bytes.fromhex("5307A1646461746140")), "6D00")
    # Whether form or state comes first is open.
    _keyless("ENVELOPE of junk", "ENVELOPE", _sent(commands.ENVELOPE, bytes(18)), "6701 6D00")
    # Busy may come in clear: a reader that could make nothing of the cryptogram has no channel.
    _keyless("completion in clear", "BLE", lambda s: s.send(
        "BLE", bytes.fromhex("0203000400022000")), "", may_be_error=True, transports=BLE)


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
_register_keyless()
