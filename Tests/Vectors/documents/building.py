"""Documents, requests and responses, made with cbor2 and python-cryptography alone."""

import datetime
import hashlib
import json
import pathlib

import cbor2
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.x509.oid import NameOID

HERE = pathlib.Path(__file__).parent
VECTORS = json.loads((HERE.parent / "aliro-vectors.json").read_text())
ISSUER = ec.derive_private_key(int(VECTORS["privateKeys"]["credentialIssuer"], 16), ec.SECP256R1())
DEVICE = bytes.fromhex(VECTORS["publicKeys"]["credential"])
HASH = ec.ECDSA(hashes.SHA256(), deterministic_signing=True)
Tag = cbor2.CBORTag
dumps = cbor2.dumps


def point(key):
    form = serialization.PublicFormat.UncompressedPoint
    return key.public_key().public_bytes(serialization.Encoding.X962, form)


def epoch(text):
    time = datetime.datetime.fromisoformat(text + "+00:00")
    return Tag(1, int(time.timestamp()))


def certificate():
    """What an issuer might name itself with; here it is self-signed and never trusted."""
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "issuer")])
    day = datetime.datetime(2026, 1, 1)
    made = x509.CertificateBuilder(
        name, name, ISSUER.public_key(), 1, day, day.replace(year=2030)
    ).sign(ISSUER, hashes.SHA256(), ecdsa_deterministic=True)
    return made.public_bytes(serialization.Encoding.DER)


def document(kind, name_spaces, header=None, device=True, valid=("2026-01-15", "2027-01-15"), mso=None):
    issued, digests, number = {}, {}, 0
    for name, elements in name_spaces.items():
        issued[name], digests[name] = [], {}
        for element, value in elements:
            number += 1
            random = hashlib.shake_256(b"%s %d" % (element.encode(), number)).digest(16)
            item = Tag(24, dumps({"1": number, "2": random, "3": element, "4": value}))
            digests[name][number] = hashlib.sha256(dumps(item)).digest()
            issued[name].append(item)
    content = {"1": "1.0", "2": "SHA-256", "3": digests}
    if device:
        content["4"] = {"1": {1: 2, -1: 1, -2: DEVICE[1:33], -3: DEVICE[33:]}}
    signed, until = (Tag(0, day + "T00:00:00Z") for day in valid)
    content |= {"5": kind, "6": {"1": signed, "2": signed, "3": until}, "7": True}
    content |= mso or {}
    payload = dumps(Tag(24, dumps(content)))
    protected = dumps({1: -7})
    covered = dumps(["Signature1", protected, b"", payload])
    r, s = decode_dss_signature(ISSUER.sign(covered, HASH))
    kid = hashlib.sha256(b"key-identifier" + point(ISSUER)).digest()[:8]
    sign1 = [protected, header or {4: kid}, payload, r.to_bytes(32, "big") + s.to_bytes(32, "big")]
    return {"1": {"1": issued, "2": sign1}, "5": kind}


def access(rules, schedules, identifier=b"user-0042", **more):
    data = {0: 0, 1: identifier, 2: rules, 3: schedules}
    return data | {int(key[1:]): value for key, value in more.items()}


def door(rules, schedules, **more):
    """A document with one element."""
    return document("aliro-a", {"aliro-a": [("door", access(rules, schedules, **more))]})


def schedule(start, end=None, recurrence=None, flags=None):
    entry = {0: epoch(start)}
    if end is not None:
        entry[1] = epoch(end)
    if recurrence is not None:
        entry[2] = recurrence
    if flags is not None:
        entry[3] = flags
    return entry


def request(*items, version="1.0"):
    inner = [{"1": Tag(24, dumps(item))} for item in items]
    return {"1": version, "2": inner}


def wants(kind, **elements):
    """Elements by namespace; a dash in a name is written as an underscore."""
    spaces = {name.replace("_", "-"): {e: False for e in es} for name, es in elements.items()}
    return {"1": spaces, "5": kind}


def response(*documents, status=0):
    return {"1": "1.0", "2": list(documents), "3": status}


def only(full, **elements):
    """A document with some of its items, by namespace and position."""
    spaces = {}
    for name, places in elements.items():
        name = name.replace("_", "-")
        spaces[name] = [full["1"]["1"][name][place] for place in places]
    return {"1": {"1": spaces, "2": full["1"]["2"]}, "5": full["5"]}
