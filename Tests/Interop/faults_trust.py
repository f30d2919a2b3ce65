"""Faults of trust: groups, certificates and the state of the pass."""

import time
from datetime import datetime, timedelta, timezone

from aliro_reader import certificate, commands, crypto
from aliro_reader.certificate import encode_compressed
from door import Door, usual_validity
from fault_session import Answer
from faults import BLE, CERTIFICATE, UNTRUSTED, fault, flip
from vault_client import VaultError


# --- groups -----------------------------------------------------------------------------------

@fault("a reader group the pass does not know", "AUTH1", "6982", UNTRUSTED)
def wrong_group(bench):
    session = bench.session()
    session.reader_identifier = flip(session.reader_identifier, 15)
    session.good(session.auth0())
    return session, session.auth1()


@fault("group and sub-identifier the wrong way round", "AUTH1", "6982", UNTRUSTED)
def swapped_identifier(bench):
    session = bench.session()
    session.reader_identifier = session.reader_identifier[16:] + session.reader_identifier[:16]
    session.good(session.auth0())
    return session, session.auth1()


# --- certificates -------------------------------------------------------------------------------

def _fields(made: certificate.ReaderCertificate) -> list:
    return [(0x80, made.serial), (0x81, made.issuer), (0x82, made.not_before),
            (0x83, made.not_after), (0x84, made.subject), (0x85, b"\x00" + made.public_key),
            (0x86, b"\x00" + made.signature)]


def _untrusted(name: str, make, key=None) -> None:
    """A certificate that decodes: LOAD CERT is answered 9000, AUTH1 refuses."""
    def loaded(bench):
        session = bench.session().begin()
        session.good(session.load_cert(make(session.door)))
        signer = session.door.certified if key is None else key(session.door)
        return session, session.auth1(key=signer)

    def carried(bench):
        session = bench.session().begin()
        signer = session.door.certified if key is None else key(session.door)
        return session, session.auth1(key=signer, certificate=make(session.door))

    fault(f"{name}, by LOAD CERT", "AUTH1", "6982", UNTRUSTED)(loaded)
    fault(f"{name}, inside AUTH1", "AUTH1", "6982", UNTRUSTED)(carried)


def _malformed(name: str, make) -> None:
    """A certificate that does not decode: the command that carries it fails."""
    def loaded(bench):
        session = bench.session().begin()
        return session, session.load_cert(make(session.door))

    def carried(bench):
        session = bench.session().begin()
        return session, session.auth1(
            key=session.door.certified, certificate=make(session.door))

    fault(f"{name}, by LOAD CERT", "LOAD CERT", "6400 6701", CERTIFICATE)(loaded)
    fault(f"{name}, inside AUTH1", "AUTH1", "6400 6701", CERTIFICATE)(carried)


def _rewritten(change, profile: bytes = b"\x00\x00", keep_defaults: bool = False):
    """A good certificate with its fields changed and signed as before."""
    def make(door: Door) -> bytes:
        made = certificate.parse(door.certificate())
        return encode_compressed(change(_fields(made)), profile, keep_defaults)
    return make


def _replace(tag: int, value):
    return lambda fields: [
        (t, value(v) if callable(value) else value) if t == tag else (t, v) for t, v in fields]


def _in_days(days: int) -> bytes:
    return certificate.utc_time(datetime.now(timezone.utc) + timedelta(days=days))


def _foreign(door: Door) -> bytes:
    return certificate.issue(
        crypto.new_key(), crypto.point_of(door.certified)).compressed()


def _register_certificates() -> None:
    _untrusted("certificate by a foreign CA", _foreign)
    _untrusted("certificate that has expired", lambda d: d.certificate(not_after=_in_days(-1)))
    _untrusted("certificate not yet valid", lambda d: d.certificate(not_before=_in_days(1)))
    _untrusted("certificate with a changed subject",
               _rewritten(_replace(0x84, b"Back door")))
    _untrusted("good certificate but the CA's own key signs", lambda d: d.certificate(),
               key=lambda d: d.trusted)
    _untrusted("good certificate but another key signs", lambda d: d.certificate(),
               key=lambda d: crypto.new_key())

    keep = lambda fields: fields  # noqa: E731  (the identity reads best in this table)
    _malformed("certificate of profile 0001", _rewritten(keep, profile=b"\x00\x01"))
    _malformed("certificate with an octet behind", lambda d: d.certificate() + b"\x00")
    _malformed("certificate cut short", lambda d: d.certificate()[:-1])
    _malformed("certificate key without its zero octet", _rewritten(
        _replace(0x85, lambda value: value[1:])))
    _malformed("certificate without a signature", _rewritten(lambda fields: fields[:-1]))
    _malformed("certificate without a key", _rewritten(
        lambda fields: fields[:5] + fields[6:]))
    _malformed("certificate with an issuer of 33 octets", _rewritten(
        _replace(0x81, b"i" * 33)))
    _malformed("certificate with a serial of 21 octets", _rewritten(
        _replace(0x80, b"\x01" * 21)))
    _malformed("certificate with a date of 15 characters", _rewritten(
        _replace(0x83, b"20490101000000Z")))
    _malformed("certificate fields out of order", _rewritten(
        lambda fields: [(0x84, b"Door"), (0x80, b"\x02")] + fields[5:]))
    _malformed("certificate with a field twice", _rewritten(
        lambda fields: fields[:6] + fields[5:]))
    _malformed("certificate that writes out its defaults", _rewritten(
        keep, keep_defaults=True))


@fault("certificate key not on the curve", "LOAD CERT|AUTH1", "6400 6701 6982", CERTIFICATE)
def bad_certificate_key(bench):
    session = bench.session().begin()
    point = flip(crypto.point_of(session.door.certified), 64)
    made = certificate.ReaderCertificate(public_key=point).signed_by(session.door.trusted)
    answer = session.load_cert(made.compressed())
    return session, answer if answer.refused else session.auth1(key=session.door.certified)


@fault("a second LOAD CERT", "LOAD CERT", "6D00",
       frozenset({"protocol_error"}))
def second_certificate(bench):
    session = bench.session().begin()
    session.good(session.load_cert())
    return session, session.load_cert()


@fault("a certificate by LOAD CERT and one inside AUTH1", "AUTH1", "6701 6D00 6400 6982",
       CERTIFICATE)
def certificate_both_ways(bench):
    session = bench.session().begin()
    session.good(session.load_cert())
    return session, session.auth1(
        key=session.door.certified, certificate=session.door.certificate())


@fault("an empty LOAD CERT", "LOAD CERT", "6400 6701", CERTIFICATE)
def empty_certificate(bench):
    session = bench.session().begin()
    return session, session.apdu("LOAD CERT", commands.apdu(commands.LOAD_CERT, b""))


_register_certificates()


# --- the pass ----------------------------------------------------------------------------------

def _present(bench, namespace: str, credential: bytes, door: Door):
    session = bench.session(namespace=namespace, credential=credential, door=door)
    session.good(session.auth0())
    return session, session.auth1()


@fault("no pass was ever stored", "AUTH1", "6982", frozenset({"pass_missing"}))
def no_pass(bench):
    namespace, credential = bench.fresh_namespace()
    return _present(bench, namespace, credential, Door())


@fault("the pass was replaced by one for another group", "AUTH1", "6982", UNTRUSTED)
def replaced_pass(bench):
    namespace, credential = bench.fresh_namespace()
    former, door = Door(), Door()
    bench.store(namespace, former.unlock_pass(credential, *usual_validity()))
    bench.store(namespace, door.unlock_pass(credential, *usual_validity()))
    return _present(bench, namespace, credential, former)


@fault("the pass has expired since it was stored", "AUTH1", "6982", frozenset({"expired"}),
       transports=BLE)     # one wait is enough
def expired_pass(bench):
    namespace, credential = bench.fresh_namespace()
    door, now = Door(), datetime.now(timezone.utc).replace(microsecond=0)
    end = now + timedelta(seconds=2)
    bench.store(namespace, door.unlock_pass(credential, now - timedelta(days=1), end))
    # The vault's clock is the real one here, so there is nothing to do but wait for it.
    time.sleep(max(0.0, (end - datetime.now(timezone.utc)).total_seconds()) + 1.2)
    return _present(bench, namespace, credential, door)


def _store_then_present(bench, valid_from: datetime, valid_until: datetime):
    """A vault may refuse such a pass when it is stored, or when it is used."""
    namespace, credential = bench.fresh_namespace()
    door = Door()
    try:
        bench.store(namespace, door.unlock_pass(credential, valid_from, valid_until))
    except VaultError as error:
        return None, Answer("STORE", code=error.code, is_error=True)
    return _present(bench, namespace, credential, door)


@fault("a pass that is not valid yet", "STORE|AUTH1", "6982", frozenset({"not_yet_valid"}),
       may_be_error=True)
def early_pass(bench):
    now = datetime.now(timezone.utc)
    return _store_then_present(bench, now + timedelta(days=1), now + timedelta(days=2))


@fault("a pass that had expired before it was stored", "STORE|AUTH1", "6982",
       frozenset({"expired"}), may_be_error=True)
def late_pass(bench):
    now = datetime.now(timezone.utc)
    return _store_then_present(bench, now - timedelta(days=2), now - timedelta(days=1))
