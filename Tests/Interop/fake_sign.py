"""The toy vault's calls that run no session: signing for gateways, and advertisements."""

from datetime import datetime, timezone

from aliro_reader import advertisement, certificate, crypto
from simulated_rules import BROKEN, IGNORED
from vault_client import base64_text, octets_of


class Refusal(Exception):
    def __init__(self, code: str, number: int = -32011):
        super().__init__(code)
        self.code, self.number = code, number


def require(condition: bool, rule: str, code: str) -> None:
    if condition:
        return
    BROKEN.add(rule)
    if rule not in IGNORED:
        raise Refusal(code)


SIZES = {"reader_identifier": 32, "device_ephemeral_key": 65, "reader_ephemeral_key": 65,
         "transaction_identifier": 16, "reader_signature": 64}


def sign(entry: dict, params: dict) -> dict:
    given = {name: octets_of(params[name]) for name in SIZES}
    require(all(len(given[name]) == size for name, size in SIZES.items()),
            "sign: parameters have their lengths", "invalid_params")
    require(set(params) <= set(SIZES) | {"namespace", "certificate"},
            "sign: there are no other parameters", "invalid_params")
    for name in ("device_ephemeral_key", "reader_ephemeral_key"):
        good = _on_curve(given[name])
        require(good, "sign: keys are on the curve", "invalid_params")
        if not good:    # a weak vault that makes something of it all the same
            given[name] = crypto.point_of(crypto.new_key())
    require(given["device_ephemeral_key"][:33] != given["reader_ephemeral_key"][:33],
            "sign: the ephemeral keys differ", "invalid_params")
    trusted = entry.get("groups", {}).get(given["reader_identifier"][:16])
    require(trusted is not None, "sign: the group is one of the pass", "reader_untrusted")
    trusted = trusted or next(iter(entry["groups"].values()))
    facts = crypto.Transaction(
        group_key=trusted, reader_identifier=given["reader_identifier"],
        reader_ephemeral=given["reader_ephemeral_key"],
        device_ephemeral=given["device_ephemeral_key"],
        transaction_identifier=given["transaction_identifier"], flags=b"\x00\x01")
    signer = _signer(params, trusted)
    require(_verifies(signer, facts.transcript(crypto.READER_USAGE), given["reader_signature"]),
            "sign: the reader's signature verifies", "reader_untrusted")
    transcript = facts.transcript(crypto.DEVICE_USAGE)
    signed = entry.setdefault("transcripts", set())
    require(transcript not in signed, "sign: one transcript is signed once", "conflict")
    signed.add(transcript)
    return {"signature": base64_text(crypto.sign_raw(entry["key"], transcript)), "format": "raw",
            "key_version": 1, "seq": 1}


def _on_curve(point: bytes) -> bool:
    try:
        crypto.load_point(point)
    except crypto.CryptoError:
        return False
    return True


def _verifies(point: bytes, message: bytes, signature: bytes) -> bool:
    try:
        crypto.verify_raw(point, message, signature)
    except crypto.CryptoError:
        return False
    return True


def _signer(params: dict, trusted: bytes) -> bytes:
    if "certificate" not in params:
        return trusted
    try:
        parsed = certificate.parse(octets_of(params["certificate"]))
    except certificate.CertificateError as error:
        raise Refusal("reader_untrusted") from error
    try:
        parsed.verify(trusted, datetime.now(timezone.utc))
    except certificate.CertificateError:
        require(False, "sign: the certificate is by the group's CA and in its dates",
                "reader_untrusted")
    return parsed.public_key


def match(namespaces: dict, params: dict) -> dict:
    octets, address = octets_of(params["advertisement"]), octets_of(params["address"])
    require(len(octets) == 31 and len(address) == 6, "match: lengths", "invalid_params")
    require(octets[:7] == bytes.fromhex("0201061B16F2FF") and octets[23] == 0,
            "match: it is an advertisement of a reader", "invalid_params")
    matches = []
    for name, entry in namespaces.items():
        for group in entry.get("groups", {}):
            key = entry["resolving"].get(group)
            if group[:8] != octets[9:17] or params.get("namespace", name) != name:
                continue
            try:
                require(key is None or advertisement.dynamic_tag(
                    key, address, octets[19:23]) == octets[24:31],
                    "match: the dynamic tag agrees", "not_found")
            except Refusal:
                continue
            matches.append({"namespace": name, "reader_group": base64_text(group),
                            "verified": key is not None})
    connectable = bool(octets[7] & 0xC0) and octets[7] & 7 == 0
    return {"connectable": connectable, "matches": matches[:64], "more": len(matches) > 64}
