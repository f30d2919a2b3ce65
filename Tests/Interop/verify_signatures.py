#!/usr/bin/env python3
"""Verifies many ECDSA P-256 SHA-256 signatures from standard input.

Each line: `format message_hex point_hex signature_hex`, single spaces; `-` stands for an
empty message. `raw` is `r || s`, always 64 octets; `der` is strict DER. Stops at the
first bad line.
"""

import sys
from functools import lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import (
    decode_dss_signature,
    encode_dss_signature,
)

ALGORITHM = ec.ECDSA(hashes.SHA256())


class Bad(Exception):
    """The line does not hold a good signature."""


@lru_cache(maxsize=4096)   # runs use few keys; decoding a point costs as much as hashing
def public_key(point_hex: str) -> ec.EllipticCurvePublicKey:
    point = bytes.fromhex(point_hex)
    if len(point) != 65 or point[0] != 4:
        raise Bad("the point is not 65 octets starting with 04")
    return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)


def as_der(kind: str, signature: bytes) -> bytes:
    if kind == "raw":
        if len(signature) != 64:
            raise Bad(f"a raw signature has {len(signature)} octets instead of 64")
        return encode_dss_signature(
            int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big"))
    if kind == "der":
        # Re-encoding must give the same octets, or it was BER, padded or negative.
        if encode_dss_signature(*decode_dss_signature(signature)) != signature:
            raise Bad("the signature is not strict DER")
        return signature
    raise Bad(f"unknown format {kind!r}")


def verify(line: str) -> None:
    fields = line.rstrip("\n").split(" ")
    if len(fields) != 4:
        raise Bad(f"{len(fields)} fields instead of 4")
    kind, message, point, signature = fields
    octets = b"" if message == "-" else bytes.fromhex(message)
    public_key(point).verify(as_der(kind, bytes.fromhex(signature)), octets, ALGORITHM)


def main() -> int:
    count = 0
    for line in sys.stdin:
        try:
            verify(line)
        except InvalidSignature:
            print(f"line {count + 1}: the signature does not verify", file=sys.stderr)
            return 1
        except (Bad, ValueError, OverflowError) as error:
            print(f"line {count + 1}: {error}", file=sys.stderr)
            return 1
        count += 1
    print(f"{count} signatures verified")
    # An empty input is a broken pipe in the caller, not a success.
    return 0 if count else 1


if __name__ == "__main__":
    sys.exit(main())
