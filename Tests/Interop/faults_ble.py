"""Faults of BLE messages: their framing before the session, their encryption in it."""

from aliro_reader import ble, crypto
from faults import BLE, FRAME, PROTOCOL, fault, flip


def _frame(name: str, make) -> None:
    """A message that is wrong before any APDU is looked at."""
    def run(bench):
        session = bench.session()
        return session, session.send("BLE", make(ble.command(b"\x80\x80\x00\x00")))
    fault(name, "BLE", "", FRAME, may_be_error=True, transports=BLE)(run)


def _sealed(name: str, make, open_versions: bytes = b"\x01\x00") -> None:
    """A message that is wrong after AUTH1; no RKE request may answer it."""
    def run(bench):
        session = bench.session(versions=open_versions).accepted()
        return session, session.send("BLE", make(session))
    fault(name, "BLE", "", PROTOCOL, after_auth1=True, may_be_error=True, transports=BLE)(run)


def _change_link(**changes):
    def make(session) -> bytes:
        for name, value in changes.items():
            setattr(session.link.outgoing, name, value)
        return session.completed_message()
    return make


def _associated_with_sealed_length(session) -> bytes:
    payload = bytes.fromhex("00022000")
    associated = ble.header(ble.NOTIFICATION, ble.COMPLETED, len(payload) + ble.TAG_OCTETS)
    sealed = session.link.outgoing.seal(payload, associated)
    return ble.Message(ble.NOTIFICATION, ble.COMPLETED, sealed).encode()


def _by_the_device_key(session) -> bytes:
    session.link.outgoing.key = session.link.incoming.key
    return session.completed_message()


def _register_frames() -> None:
    _frame("an empty message", lambda m: b"")
    _frame("a message of three octets", lambda m: m[:3])
    _frame("a message cut short", lambda m: m[:-1])
    _frame("a message with an octet behind", lambda m: m + b"\x00")
    _frame("a message of 4097 octets", lambda m: ble.command(bytes(4093)))
    _frame("an answer where a command belongs", lambda m: flip(m, 1))
    _frame("a message of an unknown protocol", lambda m: b"\x07" + m[1:])
    _frame("completion before AUTH0, in clear", lambda m: bytes.fromhex("0203000400022000"))
    _frame("status changed before AUTH0, in clear", lambda m: bytes.fromhex("0202000400020001"))
    _frame("M1 before AUTH0, in clear", lambda m: bytes.fromhex("01010003000101"))
    _frame("an RKE request from the reader", lambda m: bytes.fromhex("02040003000101"))
    _frame("an event that is no attribute", lambda m: bytes.fromhex("0200000100"))
    _frame("an event cut short", lambda m: bytes.fromhex("020000020101"))


def _register_sealed() -> None:
    _sealed("completion with a spoiled tag", lambda s: flip(s.completed_message(), -1))
    _sealed("completion with a spoiled ciphertext", lambda s: flip(s.completed_message(), 4))
    _sealed("completion in clear", lambda s: bytes.fromhex("0203000400022000"))
    _sealed("completion without payload", lambda s: bytes.fromhex("02030000"))
    _sealed("completion at counter 2", _change_link(counter=2))
    _sealed("completion at counter 0", _change_link(counter=0))
    _sealed("completion in the device's direction", _change_link(direction=crypto.TO_READER))
    _sealed("completion under the device's key", _by_the_device_key)
    _sealed("completion sealed under another message id", lambda s: flip(
        s.completed_message(ble.STATUS_CHANGED), 1))
    _sealed("completion with the sealed length as associated data",
            _associated_with_sealed_length)
    # The vault was told of two versions, the reader derives its keys from one.
    _sealed("a version list that is not the reader's", lambda s: s.completed_message(),
            open_versions=bytes.fromhex("01000009"))


@fault("completion sent twice", "BLE", "", PROTOCOL, after_auth1=True, may_be_error=True,
       transports=BLE)
def replayed(bench):
    session = bench.session().accepted()
    message = session.completed_message()
    session.good(session.send("COMPLETED", message))
    session.leaks.clear()   # the request that answered the first copy was right
    return session, session.send("BLE", message)


@fault("a second completion", "BLE", "", PROTOCOL, after_auth1=True, may_be_error=True,
       transports=BLE)
def completed_again(bench):
    session = bench.session().accepted()
    session.good(session.send("COMPLETED", session.completed_message()))
    session.leaks.clear()   # the request that answered the first one was right
    return session, session.send("BLE", session.completed_message())


@fault("status changed with a spoiled tag", "BLE", "", PROTOCOL, after_auth1=True,
       may_be_error=True, transports=BLE)
def spoiled_status(bench):
    session = bench.session().accepted()
    session.good(session.send("COMPLETED", session.completed_message()))
    session.leaks.clear()
    status = session.link.seal(ble.NOTIFICATION, ble.STATUS_CHANGED, bytes.fromhex("00020001"))
    return session, session.send("BLE", flip(status, -1))


_register_frames()
_register_sealed()
