"""Faults of EXCHANGE: its channel, its tags, the mailbox and atomic sessions."""

from aliro_reader import commands, crypto, exchange, tlv
from door import Door, mailbox_settings
from faults import BLE, NFC, PROTOCOL, fault, flip

NOTHING = b"\x98\x00"       # the shortest good EXCHANGE: asks for the ranging key
LAST, MORE = (0x8C, b"\x00"), (0x8C, b"\x01")
READ, WRITE, SET = exchange.read(0, 4), exchange.write(0, b"x"), exchange.fill(0, 4, 1)


def _after_auth1(name: str, act, words: str, at: str = "EXCHANGE", **more) -> None:
    def run(bench):
        session = bench.session().accepted()
        return session, act(session)
    fault(name, at, words, PROTOCOL, after_auth1=True, **more)(run)


def _sealed(session, sealed: bytes):
    return session.command("EXCHANGE", commands.EXCHANGE, sealed)


def _channel(**changes):
    def act(session):
        for name, value in changes.items():
            setattr(session.channel.outgoing, name, value)
        return session.exchange(NOTHING)
    return act


def _replay(session):
    sealed = session.channel.seal(b"")
    session.good(_sealed(session, sealed))
    return _sealed(session, sealed)


def _wrong_key(key):
    def act(session):
        session.channel.outgoing.key = key(session)
        return session.exchange(NOTHING)
    return act


def _register_channel() -> None:
    seal = lambda s: s.channel.seal(NOTHING)  # noqa: E731  (the table reads best so)
    _after_auth1("EXCHANGE with a tag that does not verify",
                 lambda s: _sealed(s, flip(seal(s), -1)), "6982")
    _after_auth1("EXCHANGE with a spoiled ciphertext",
                 lambda s: _sealed(s, flip(seal(s), 0)), "6982")
    _after_auth1("EXCHANGE without its tag", lambda s: _sealed(s, seal(s)[:-16]), "6982 6701")
    _after_auth1("EXCHANGE of 15 octets", lambda s: _sealed(s, bytes(15)), "6982 6701")
    _after_auth1("EXCHANGE without data", lambda s: _sealed(s, b""), "6982 6701")
    _after_auth1("EXCHANGE in clear", lambda s: _sealed(s, NOTHING), "6982 6701")
    _after_auth1("EXCHANGE with an octet behind", lambda s: _sealed(s, seal(s) + b"\x00"), "6982")
    _after_auth1("EXCHANGE at counter 2", _channel(counter=2), "6982")
    _after_auth1("EXCHANGE at counter 0", _channel(counter=0), "6982")
    _after_auth1("EXCHANGE in the device's direction",
                 _channel(direction=crypto.TO_READER), "6982")
    _after_auth1("EXCHANGE under the device's key",
                 _wrong_key(lambda s: s.keys.expedited_device), "6982")
    _after_auth1("EXCHANGE under the BLE key", _wrong_key(lambda s: s.keys.ble), "6982")
    _after_auth1("EXCHANGE under the step-up key",
                 _wrong_key(lambda s: s.step_up.outgoing.key), "6982")
    _after_auth1("EXCHANGE sent twice", _replay, "6982")


def _plaintext(name: str, plaintext: bytes, words: str = "6701", **more) -> None:
    _after_auth1(f"EXCHANGE {name}", lambda s: s.exchange(plaintext), words, **more)


def _mailbox(name: str, *pairs, words: str = "6701") -> None:
    _plaintext(f"mailbox {name}", tlv.encode(0xBA, tlv.encode_all(pairs)), words)


def _register_tags() -> None:
    box = tlv.encode(0xBA, tlv.encode_all([LAST, READ]))
    _plaintext("that is no TLV", b"\xBA\x05\x8C")
    _plaintext("cut short behind a tag", NOTHING + b"\xBA")
    _plaintext("with an indefinite length", b"\xBA\x80\x00\x00")
    _plaintext("with mailbox commands twice", box + box)
    _plaintext("with mailbox commands behind the ranging key", NOTHING + box)
    _plaintext("that asks twice for the ranging key", NOTHING + NOTHING)
    _plaintext("that asks for the ranging key with a value", b"\x98\x01\x00")
    _plaintext("that updates a document", b"\x81\x01\x00")
    _plaintext("with a reader status, over BLE", b"\x97\x02\x01\x01", transports=BLE)
    for length in (0, 1, 3):
        _plaintext(f"with a reader status of {length} octets",
                   tlv.encode(0x97, bytes(length)), transports=NFC)
    _plaintext("with a reader status twice", b"\x97\x02\x01\x01" * 2, transports=NFC)
    _plaintext("with a status in front of the mailbox", b"\x97\x02\x01\x01" + box, transports=NFC)
    _plaintext("with a notice of 251 octets", tlv.encode(0xAE, tlv.encode(0xB5, bytes(248))))
    _plaintext("with a notice that is no TLV", b"\xAE\x02\x82\x05")
    _plaintext("with a reader error of one octet", b"\xAE\x03\x82\x01\x00")

    def again(session):
        session.good(session.exchange(NOTHING))
        return session.exchange(NOTHING)
    _after_auth1("EXCHANGE that asks for the ranging key a second time", again, "6701")


def _register_mailbox() -> None:
    _mailbox("commands without 8C", READ)
    _mailbox("commands with 8C behind", READ, LAST)
    _mailbox("commands with 8C twice", LAST, LAST, READ)
    _mailbox("commands with 8C = 02", (0x8C, b"\x02"), READ)
    _mailbox("commands with 8C of two octets", (0x8C, b"\x00\x00"), READ)
    _mailbox("commands with an empty 8C", (0x8C, b""), READ)
    _mailbox("commands that are empty")
    for length in (0, 3, 5):
        _mailbox(f"read of {length} octets", LAST, (exchange.READ, bytes(length)))
    for length in (0, 1):
        _mailbox(f"write of {length} octets", LAST, (exchange.WRITE, bytes(length)))
    for length in (0, 4, 6):
        _mailbox(f"set of {length} octets", LAST, (exchange.SET, bytes(length)))
    _plaintext("mailbox commands cut short", b"\xBA\x05\x8C\x01\x00\x87\x04")


def _permission(name: str, operation, **settings) -> None:
    def run(bench):
        door = Door()
        namespace, credential = bench.stored(door, mailbox=mailbox_settings(**settings))
        session = bench.session(namespace, credential, door).accepted()
        return session, session.exchange(
            tlv.encode(0xBA, tlv.encode_all([LAST, operation])))
    fault(f"EXCHANGE {name}", "EXCHANGE", "6701", PROTOCOL, after_auth1=True)(run)


@fault("EXCHANGE reads a mailbox there is not", "EXCHANGE", "6701", PROTOCOL, after_auth1=True)
def no_mailbox(bench):
    door = Door()
    namespace, credential = bench.stored(door)
    session = bench.session(namespace, credential, door).accepted()
    return session, session.exchange(tlv.encode(0xBA, tlv.encode_all([LAST, READ])))


@fault("EXCHANGE in step-up with a mailbox that is not for it", "EXCHANGE", "6701", PROTOCOL,
       after_auth1=True)
def not_in_step_up(bench):
    door = Door()
    namespace, credential = bench.stored(door, mailbox=mailbox_settings(step_up=False))
    session = bench.session(namespace, credential, door).stepped_up()
    session.enveloped(bench.device_request())
    return session, session.exchange(
        tlv.encode(0xBA, tlv.encode_all([LAST, READ])), session.step_up)


def _interrupted(name: str, act, words: str = "6900", at: str = "EXCHANGE", **more) -> None:
    def opened(session):
        session.good(session.exchange(tlv.encode(0xBA, tlv.encode_all([MORE, WRITE]))))
        return act(session)
    _after_auth1(f"atomic session interrupted by {name}", opened, words, at, **more)


def _register_atomic() -> None:
    _interrupted("AUTH0", lambda s: s.auth0(), at="AUTH0")
    _interrupted("AUTH1", lambda s: s.auth1(), at="AUTH1")
    _interrupted("LOAD CERT", lambda s: s.load_cert(), at="LOAD CERT")
    _interrupted("ENVELOPE", lambda s: s.envelope(b"\xA0"), at="ENVELOPE")
    _interrupted("CONTROL FLOW", lambda s: s.apdu("CONTROL FLOW", commands.apdu(
        commands.CONTROL_FLOW, bytes.fromhex("410100420100"))), "6900 9000", at="CONTROL FLOW")
    _interrupted("SELECT of step-up", lambda s: s.apdu("SELECT", commands.apdu(
        commands.SELECT, commands.STEP_UP_AID)), at="SELECT", transports=NFC)
    _interrupted("an EXCHANGE whose tag does not verify",
                 lambda s: _sealed(s, flip(s.channel.seal(NOTHING), -1)), "6982")


_register_channel()
_register_tags()
_register_mailbox()
_permission("reads a mailbox that may not be read", READ, readable=False)
_permission("writes a mailbox that may not be written", WRITE, writable=False)
_permission("sets a mailbox that may not be written", SET, writable=False)
_register_atomic()


def _too_early(name: str, prepare) -> None:
    def run(bench):
        session = bench.session()
        prepare(session)
        return session, session.apdu("EXCHANGE", commands.apdu(commands.EXCHANGE, bytes(18)))
    fault(name, "EXCHANGE", "6D00", PROTOCOL)(run)


_too_early("EXCHANGE behind LOAD CERT", lambda s: s.begin().good(s.load_cert()))
