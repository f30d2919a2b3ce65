"""Attempts to make `presentation.sign` sign what it must not, and `presentation.match` match.

`SIGN_FAULTS` and `MATCH_FAULTS` hold (name, attempt, codes): an attempt is a function of a bench
that makes the call, and must end in an error with one of the codes, or for a match in no match.
"""

from datetime import datetime, timedelta, timezone
from typing import Optional

from aliro_reader import advertisement, certificate, crypto
from door import Door
from faults import flip
from vault_client import base64_text, octets_of

PARAMETER = frozenset({"invalid_params"})
UNTRUSTED = frozenset({"reader_untrusted"})
SIGN_FAULTS: list = []
MATCH_FAULTS: list = []
P = 2**256 - 2**224 + 2**192 + 2**96 - 1


class SignCall:
    """What a gateway with a stack of its own would send, with everything changeable."""

    def __init__(self, bench, door: Optional[Door] = None, namespace: Optional[str] = None):
        self.bench, self.door = bench, door or bench.door
        self.namespace = namespace or bench.namespace
        self.device, self.reader = crypto.new_key(), crypto.new_key()
        self.facts = crypto.Transaction(
            group_key=crypto.point_of(self.door.trusted),
            reader_identifier=self.door.reader_identifier,
            reader_ephemeral=crypto.point_of(self.reader),
            device_ephemeral=crypto.point_of(self.device),
            transaction_identifier=crypto.random_octets(16), flags=b"\x00\x01")

    def sign_by_reader(self, key=None, usage: bytes = crypto.READER_USAGE, **changes) -> bytes:
        facts = crypto.Transaction(**{**self.facts.__dict__, **changes})
        return crypto.sign_raw(key or self.door.trusted, facts.transcript(usage))

    def parameters(self, reader_signature: Optional[bytes] = None, **changes) -> dict:
        values = {"reader_identifier": self.facts.reader_identifier,
                  "device_ephemeral_key": self.facts.device_ephemeral,
                  "reader_ephemeral_key": self.facts.reader_ephemeral,
                  "transaction_identifier": self.facts.transaction_identifier,
                  "reader_signature": self.sign_by_reader() if reader_signature is None
                  else reader_signature, **changes}
        return {"namespace": self.namespace,
                **{name: base64_text(value) for name, value in values.items() if value is not None}}

    def call(self, parameters: Optional[dict] = None, **changes) -> dict:
        return self.bench.vault.call(
            "presentation.sign", self.parameters(**changes) if parameters is None else parameters)

    def check(self, result: dict, credential: bytes) -> bytes:
        """The signature verifies over the device transcript made here, and over nothing else."""
        signature = octets_of(result["signature"])
        crypto.verify_raw(credential, self.facts.transcript(crypto.DEVICE_USAGE), signature)
        try:
            crypto.verify_raw(credential, self.facts.transcript(crypto.READER_USAGE), signature)
        except crypto.CryptoError:
            return signature
        raise AssertionError("one signature verifies over two messages")


def _attempt(name: str, codes=UNTRUSTED):
    def register(run):
        SIGN_FAULTS.append((f"sign: {name}", run, frozenset(codes)))
        return run
    return register


def _parameter(name: str, codes=PARAMETER, **changes) -> None:
    """`changes` are of the parameters' octets; the reader's signature is over the good ones."""
    def run(bench):
        call = SignCall(bench)
        current = {"reader_identifier": call.facts.reader_identifier,
                   "device_ephemeral_key": call.facts.device_ephemeral,
                   "reader_ephemeral_key": call.facts.reader_ephemeral,
                   "transaction_identifier": call.facts.transaction_identifier,
                   "reader_signature": call.sign_by_reader()}
        return call.call(**{key: change(current[key]) for key, change in changes.items()})
    _attempt(name, codes)(run)


def mirror(point: bytes) -> bytes:
    """The other point with the same x: transcripts hold x alone."""
    return point[:33] + (P - int.from_bytes(point[33:], "big")).to_bytes(32, "big")


SIZES = {"reader_identifier": 32, "device_ephemeral_key": 65, "reader_ephemeral_key": 65,
         "transaction_identifier": 16, "reader_signature": 64}
for _name, _size in SIZES.items():
    _words = _name.replace("_", " ")
    _parameter(f"{_words} of one octet less", **{_name: lambda v: v[:-1]})
    _parameter(f"{_words} of one octet more", **{_name: lambda v: v + b"\x00"})
    _parameter(f"{_words} empty", **{_name: lambda v: b""})
    if "key" not in _name:
        for _index in (0, _size // 2, _size - 1):
            _parameter(f"{_words} with octet {_index} spoiled", UNTRUSTED,
                       **{_name: lambda v, index=_index: flip(v, index)})

    @_attempt(f"no {_words}", PARAMETER)
    def _without(bench, name=_name):
        call = SignCall(bench)
        parameters = call.parameters()
        del parameters[name]
        return call.call(parameters)

for _name in ("device_ephemeral_key", "reader_ephemeral_key"):
    _words = _name.replace("_", " ")
    _parameter(f"{_words} off the curve", **{_name: lambda v: flip(v, 64)})
    _parameter(f"{_words} of zeros", **{_name: lambda v: b"\x04" + bytes(64)})
    _parameter(f"{_words} compressed", **{_name: lambda v: bytes([2 + (v[64] & 1)]) + v[1:33]})
    _parameter(f"{_words} in the hybrid form",
               **{_name: lambda v: bytes([6 + (v[64] & 1)]) + v[1:]})
    _parameter(f"{_words} of another pair", UNTRUSTED,
               **{_name: lambda v: crypto.point_of(crypto.new_key())})


def _equal(name: str, change) -> None:
    @_attempt(name, PARAMETER)
    def run(bench):
        call = SignCall(bench)
        point = change(call.facts.reader_ephemeral)
        return call.call(device_ephemeral_key=point,
                         reader_signature=call.sign_by_reader(device_ephemeral=point))


_equal("equal ephemeral keys", lambda point: point)
_equal("ephemeral keys that are mirrors of each other", mirror)


@_attempt("the same transcript twice", {"conflict"})
def twice(bench):
    call = SignCall(bench)
    call.check(call.call(), bench.credential)
    return call.call()


@_attempt("the same transcript twice, by a certified key the second time", {"conflict"})
def twice_by_another(bench):
    call = SignCall(bench)
    call.check(call.call(), bench.credential)
    return call.call(certificate=bench.door.certificate(),
                     reader_signature=call.sign_by_reader(bench.door.certified))


@_attempt("the same transcript twice, with the mirror of the device's key", {"conflict"})
def twice_mirrored(bench):
    call = SignCall(bench)
    call.check(call.call(), bench.credential)
    return call.call(device_ephemeral_key=mirror(call.facts.device_ephemeral))


@_attempt("the reader signs the device's usage")
def device_usage(bench):
    call = SignCall(bench)
    return call.call(reader_signature=call.sign_by_reader(usage=crypto.DEVICE_USAGE))


@_attempt("the reader's signature is of the device transcript of another call")
def reflected(bench):
    first = SignCall(bench)
    signature = first.check(first.call(), bench.credential)
    return first.call(reader_signature=signature)


@_attempt("another key signs")
def another_key(bench):
    call = SignCall(bench)
    return call.call(reader_signature=call.sign_by_reader(crypto.new_key()))


@_attempt("r = 0")
def r_zero(bench):
    call = SignCall(bench)
    return call.call(reader_signature=bytes(32) + call.sign_by_reader()[32:])


@_attempt("a group the pass does not know", {"reader_untrusted", "pass_missing"})
def unknown_group(bench):
    return SignCall(bench, Door()).call()


@_attempt("no pass", {"pass_missing", "reader_untrusted"})
def no_pass(bench):
    namespace, _ = bench.fresh_namespace()
    return SignCall(bench, namespace=namespace).call()


@_attempt("a message of one's own choice", PARAMETER)
def message(bench):
    call = SignCall(bench)
    return call.call({**call.parameters(), "message": base64_text(b"pay 1000")})


@_attempt("a usage of one's own choice", PARAMETER)
def usage(bench):
    call = SignCall(bench)
    return call.call({**call.parameters(), "usage": base64_text(crypto.READER_USAGE)})


@_attempt("a transcript of one's own", PARAMETER)
def transcript(bench):
    call = SignCall(bench)
    return call.call({"namespace": call.namespace, "transcript": base64_text(
        call.facts.transcript(crypto.DEVICE_USAGE)), "reader_signature": base64_text(bytes(64))})


def _certified(name: str, make, codes=UNTRUSTED, key=lambda door: door.certified) -> None:
    @_attempt(f"certificate {name}", codes)
    def run(bench):
        call = SignCall(bench)
        return call.call(certificate=make(bench.door),
                         reader_signature=call.sign_by_reader(key(bench.door)))


def _in_days(days: int) -> bytes:
    return certificate.utc_time(datetime.now(timezone.utc) + timedelta(days=days))


MALFORMED = UNTRUSTED | PARAMETER
_certified("by a foreign CA", lambda door: certificate.issue(
    crypto.new_key(), crypto.point_of(door.certified)).compressed())
_certified("that has expired", lambda door: door.certificate(not_after=_in_days(-1)))
_certified("not yet valid", lambda door: door.certificate(not_before=_in_days(1)))
_certified("for another key than the one that signs", lambda door: door.certificate(),
           key=lambda door: door.trusted)
_certified("with an octet behind", lambda door: door.certificate() + b"\x00", MALFORMED)
_certified("cut short", lambda door: door.certificate()[:-1], MALFORMED)
_certified("that is empty", lambda door: b"", MALFORMED)
_certified("left out", lambda door: None)


# --- advertisements ----------------------------------------------------------------------------

ADDRESS, EXPIRY = bytes.fromhex("C0FFEE123456"), bytes.fromhex("7A4B8500")


def advertise(door: Door, **changes) -> bytes:
    return advertisement.advertising_data(
        door.reader_identifier, door.resolving_key, ADDRESS, EXPIRY, **changes)


def match(bench, octets: bytes, address: bytes = ADDRESS, **more) -> dict:
    return bench.vault.call("presentation.match", {
        "advertisement": base64_text(octets), "address": base64_text(address), **more})


def _unmatched(name: str, change, address: bytes = ADDRESS, codes=frozenset(), **more) -> None:
    """`codes` empty: it is an advertisement, which matches nothing here."""
    MATCH_FAULTS.append((f"match: {name}", lambda bench: match(
        bench, change(advertise(bench.door)), address, **more), frozenset(codes)))


for _index in range(24, 31):
    _unmatched(f"dynamic tag with octet {_index} spoiled", lambda a, index=_index: flip(a, index))
for _index in (9, 12, 16):
    _unmatched(f"group with octet {_index} spoiled", lambda a, index=_index: flip(a, index))
for _index in range(19, 23):
    _unmatched(f"expiry with octet {_index} spoiled", lambda a, index=_index: flip(a, index))
for _index in range(6):
    _unmatched(f"address with octet {_index} spoiled", lambda a: a, flip(ADDRESS, _index))
_unmatched("address with its octets turned round", lambda a: a, ADDRESS[::-1])
_unmatched("an advertisement of 30 octets", lambda a: a[:-1], codes=PARAMETER)
_unmatched("an advertisement of 32 octets", lambda a: a + b"\x00", codes=PARAMETER)
_unmatched("an address of 5 octets", lambda a: a, ADDRESS[:5], PARAMETER)
for _index in (3, 4, 5, 6):
    # Another service, or no service data at all: nothing that a reader advertises.
    _unmatched(f"header with octet {_index} spoiled", lambda a, index=_index: flip(a, index),
               codes=PARAMETER)
