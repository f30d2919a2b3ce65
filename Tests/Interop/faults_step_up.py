"""Faults of step-up: when ENVELOPE comes, its channel and structure, and answers in parts."""

import cbor2

from aliro_reader import commands, crypto, step_up, tlv
from faults import NFC, PROTOCOL, fault, flip

REQUEST = step_up.device_request([cbor2.dumps(step_up.items_request("aliro-a", ["floor1"]))])
GOOD = cbor2.dumps(REQUEST)


def _envelope(name: str, act, words: str, at: str = "ENVELOPE", **more) -> None:
    def run(bench):
        session = bench.session().stepped_up()
        return session, act(session)
    fault(name, at, words, PROTOCOL, after_auth1=True, **more)(run)


def _data(session, data: bytes):
    return session.command("ENVELOPE", commands.ENVELOPE, data)


def _sealed(session, sealed: bytes):
    return _data(session, step_up.wrap(sealed))


def _channel(**changes):
    def act(session):
        for name, value in changes.items():
            setattr(session.step_up.outgoing, name, value)
        return session.envelope(GOOD)
    return act


def _replay(session):
    sealed = session.step_up.seal(GOOD)
    session.whole(_sealed(session, sealed))
    return _sealed(session, sealed)


def _by_expedited_keys(session):
    session.step_up = session.channel
    return session.envelope(GOOD)


def _register_channel() -> None:
    seal = lambda s: s.step_up.seal(GOOD)  # noqa: E731  (the table reads best so)
    _envelope("ENVELOPE with a tag that does not verify",
              lambda s: _sealed(s, flip(seal(s), -1)), "6982")
    _envelope("ENVELOPE with a spoiled ciphertext",
              lambda s: _sealed(s, flip(seal(s), 0)), "6982")
    _envelope("ENVELOPE without its tag", lambda s: _sealed(s, seal(s)[:-16]), "6982 6701")
    _envelope("ENVELOPE with empty session data", lambda s: _sealed(s, b""), "6982 6701")
    _envelope("ENVELOPE in clear", lambda s: _sealed(s, GOOD), "6982")
    _envelope("ENVELOPE at counter 2", _channel(counter=2), "6982")
    _envelope("ENVELOPE at counter 0", _channel(counter=0), "6982")
    _envelope("ENVELOPE in the device's direction", _channel(direction=crypto.TO_READER), "6982")
    _envelope("ENVELOPE under another key", _channel(key=bytes(32)), "6982")
    _envelope("ENVELOPE on the expedited channel", _by_expedited_keys, "6982")
    _envelope("ENVELOPE sent twice", _replay, "6982")


def _register_structure() -> None:
    def wrapped(name: str, change, words: str = "6701") -> None:
        _envelope(f"ENVELOPE {name}", lambda s: _data(s, change(s.step_up.seal(GOOD))), words)

    def cbor(value):
        return lambda sealed: tlv.encode(0x53, cbor2.dumps(value(sealed)))

    wrapped("without data", lambda sealed: b"")
    wrapped("under tag 54", lambda sealed: b"\x54" + step_up.wrap(sealed)[1:])
    wrapped("with an octet behind", lambda sealed: step_up.wrap(sealed) + b"\x00")
    wrapped("cut short", lambda sealed: step_up.wrap(sealed)[:-1])
    wrapped("twice in one", lambda sealed: step_up.wrap(sealed) * 2)
    wrapped("without the map", lambda sealed: tlv.encode(0x53, sealed))
    wrapped("with an octet behind its map",
            lambda sealed: tlv.encode(0x53, cbor2.dumps({"data": sealed}) + b"\x00"))
    wrapped("that is not CBOR", lambda sealed: tlv.encode(0x53, b"\xFF"))
    wrapped("with an empty map", cbor(lambda sealed: {}))
    wrapped("with another key in its map", cbor(lambda sealed: {"date": sealed}))
    wrapped("with a number as key", cbor(lambda sealed: {1: sealed}))
    wrapped("with a text in its map", cbor(lambda sealed: {"data": "text"}))
    wrapped("with a list in place of the map", cbor(lambda sealed: ["data", sealed]))
    wrapped("with a map of indefinite length",
            lambda sealed: tlv.encode(0x53, b"\xBF" + cbor2.dumps({"data": sealed})[1:] + b"\xFF"))


def _register_order() -> None:
    for name, prepare in (("before AUTH0", lambda s: None), ("before AUTH1", lambda s: s.begin())):
        def run(bench, prepare=prepare):
            session = bench.session()
            prepare(session)
            return session, _sealed(session, bytes(40))
        fault(f"ENVELOPE {name}", "ENVELOPE", "6D00", PROTOCOL)(run)

    @fault("ENVELOPE before its application is selected", "ENVELOPE", "6D00 6985", PROTOCOL,
           after_auth1=True, transports=NFC)
    def not_selected(bench):
        session = bench.session().accepted()
        return session, session.envelope(GOOD)

    @fault("ENVELOPE behind a fast AUTH0, which makes no step-up key", "ENVELOPE", "6D00", PROTOCOL)
    def fast(bench):
        session = bench.fast_session()
        return session, _sealed(session, bytes(40))

    def later(name: str, at: str, act, words: str) -> None:
        def after(session):
            session.enveloped(GOOD)
            return act(session)
        _envelope(name, after, words, at)

    later("AUTH1 behind ENVELOPE", "AUTH1", lambda s: s.auth1(), "6D00")
    later("LOAD CERT behind ENVELOPE", "LOAD CERT", lambda s: s.load_cert(), "6D00")
    later("AUTH0 behind ENVELOPE", "AUTH0", lambda s: s.auth0(), "6D00")
    later("EXCHANGE behind ENVELOPE, on the expedited channel", "EXCHANGE",
          lambda s: s.exchange(b"\x98\x00"), "6982")


def _register_parts() -> None:
    _envelope("GET RESPONSE with nothing to fetch", lambda s: s.get_response(),
              "6D00 6985 6701 6A86 6A88", "GET RESPONSE")

    def parts(name: str, act, words: str, at: str = "GET RESPONSE") -> None:
        def begun(session):
            answer = session.good(session.envelope(GOOD))
            if not answer.status_word.startswith("61"):
                raise AssertionError("the answer is too short to come in parts")
            return act(session)
        _envelope(name, begun, words, at)

    def get(session, **changes):
        data = changes.pop("data", b"")
        return session.apdu("GET RESPONSE", commands.apdu(commands.GET_RESPONSE, data, **changes))

    parts("GET RESPONSE with P1 = 01", lambda s: get(s, p1=1), "6A86 6B00")
    parts("GET RESPONSE with P2 = 01", lambda s: get(s, p2=1), "6A86 6B00")
    parts("GET RESPONSE with class 80", lambda s: get(s, cla=0x80), "6800 6E00 6D00")
    parts("GET RESPONSE with data", lambda s: get(s, data=b"\x00"), "6701 6700")

    def too_often(session):
        for _ in range(64):
            answer = session.get_response()
            if answer.refused or not answer.status_word.startswith("61"):
                break
        return session.get_response()
    parts("GET RESPONSE once more than there is", too_often, "6D00 6985 6701 6A86 6A88")

    def dropped(session):
        session.good(session.exchange(b"", session.step_up))
        return session.get_response()
    parts("GET RESPONSE behind another command, which drops what is left", dropped,
          "6D00 6985 6701 6A86 6A88")


_register_channel()
_register_structure()
_register_order()
_register_parts()
