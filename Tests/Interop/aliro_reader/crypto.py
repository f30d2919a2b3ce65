"""Aliro's key agreement, key derivation, transcripts and AES-GCM channels.

HKDF and the X9.63 derivation are written out over `hashlib` and `hmac`, so that
nothing here leans on a library's reading of them; P-256 and AES come from
`cryptography`.
"""

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Optional

from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import (
    decode_dss_signature,
    encode_dss_signature,
)
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

READER_USAGE = bytes.fromhex("415D9569")
DEVICE_USAGE = bytes.fromhex("4E887B4C")
INTERFACE_NFC = 0x5E
INTERFACE_BLE = 0xC3
DEFAULT_A5 = bytes.fromhex("A508800200005C020100")

VOLATILE = b"Volatile****"
VOLATILE_FAST = b"VolatileFast"
PERSISTENT = b"Persistent**"

TO_DEVICE = bytes(8)
TO_READER = bytes(7) + b"\x01"

PrivateKey = ec.EllipticCurvePrivateKey


class CryptoError(ValueError):
    """A key, signature or tag is not acceptable."""


# --- P-256 ------------------------------------------------------------------

def new_key() -> PrivateKey:
    return ec.generate_private_key(ec.SECP256R1())


def key_from_scalar(scalar: bytes) -> PrivateKey:
    return ec.derive_private_key(int.from_bytes(scalar, "big"), ec.SECP256R1())


def point_of(key: PrivateKey) -> bytes:
    """`04 || x || y`, 65 octets."""
    return key.public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def load_point(point: bytes) -> ec.EllipticCurvePublicKey:
    """A public key from exactly the uncompressed form; other forms are refused."""
    if len(point) != 65 or point[0] != 0x04:
        raise CryptoError("a public key is 65 octets and starts with 04")
    try:
        return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    except ValueError as error:
        raise CryptoError("the public key is not a point of P-256") from error


def x_of(point: bytes) -> bytes:
    """The x coordinate, 32 octets, leading zeros kept."""
    load_point(point)
    return point[1:33]


def sign_raw(key: PrivateKey, message: bytes, deterministic: bool = False) -> bytes:
    """ECDSA P-256 SHA-256 as `r || s`; deterministic follows RFC 6979 as the vectors do."""
    algorithm = ec.ECDSA(hashes.SHA256(), deterministic_signing=deterministic)
    r, s = decode_dss_signature(key.sign(message, algorithm))
    return r.to_bytes(32, "big") + s.to_bytes(32, "big")


def verify_raw(point: bytes, message: bytes, signature: bytes) -> None:
    """Raises unless `signature` is `r || s` over `message` by the key of `point`."""
    if len(signature) != 64:
        raise CryptoError(f"a raw signature is 64 octets, not {len(signature)}")
    der = encode_dss_signature(
        int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big"))
    verify_der(point, message, der)


def verify_der(point: bytes, message: bytes, signature: bytes) -> None:
    try:
        if encode_dss_signature(*decode_dss_signature(signature)) != signature:
            raise CryptoError("the signature is not strict DER")
        load_point(point).verify(signature, message, ec.ECDSA(hashes.SHA256()))
    except InvalidSignature as error:
        raise CryptoError("the signature does not verify") from error
    except ValueError as error:
        raise CryptoError(str(error) or "the signature is not DER") from error


def agree(key: PrivateKey, peer: bytes) -> bytes:
    """`Z`: the x coordinate of the shared point."""
    return key.exchange(ec.ECDH(), load_point(peer))


def key_slot(point: bytes) -> bytes:
    """First 8 octets of SHA-1 over the credential's 65-octet point."""
    return hashlib.sha1(point).digest()[:8]


# --- derivation ---------------------------------------------------------------

def x963(z: bytes, shared_info: bytes) -> bytes:
    """X9.63 KDF with SHA-256 for 32 octets, which is a single counter step."""
    return hashlib.sha256(z + b"\x00\x00\x00\x01" + shared_info).digest()


def hkdf(key: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    """HKDF-SHA256 (RFC 5869)."""
    prk = hmac.new(salt or bytes(32), key, hashlib.sha256).digest()
    block, output, counter = b"", b"", 1
    while len(output) < length:
        block = hmac.new(prk, block + info + bytes([counter]), hashlib.sha256).digest()
        output += block
        counter += 1
    return output[:length]


@dataclass(frozen=True)
class Transaction:
    """The public facts of one AUTH0: everything salts and transcripts are made of."""

    group_key: bytes            # the provisioned point, also when a certificate was used
    reader_identifier: bytes
    reader_ephemeral: bytes
    device_ephemeral: bytes
    transaction_identifier: bytes
    flags: bytes                # values of tags 41 and 42
    version: bytes = b"\x01\x00"
    interface: int = INTERFACE_BLE
    proprietary: bytes = DEFAULT_A5
    command_extension: bytes = b""   # whole B1 TLV
    answer_extension: bytes = b""    # whole B2 TLV

    def salt(self, word: bytes, credential: Optional[bytes] = None) -> bytes:
        """`credential` only for the two words that end in the credential's x coordinate."""
        if (word == VOLATILE) != (credential is None):
            raise CryptoError("only VolatileFast and Persistent salts hold the credential key")
        return (x_of(self.group_key) + word + self.reader_identifier
                + bytes([self.interface]) + b"\x5C\x02" + self.version
                + x_of(self.reader_ephemeral) + self.transaction_identifier + self.flags
                + self.proprietary + (x_of(credential) if credential else b""))

    def info(self) -> bytes:
        return x_of(self.device_ephemeral) + self.command_extension + self.answer_extension

    def transcript(self, usage: bytes) -> bytes:
        """The 126 octets that reader and device sign, each with its own usage."""
        return (b"\x4D\x20" + self.reader_identifier
                + b"\x86\x20" + x_of(self.device_ephemeral)
                + b"\x87\x20" + x_of(self.reader_ephemeral)
                + b"\x4C\x10" + self.transaction_identifier
                + b"\x93\x04" + usage)

    def kdh(self, own: PrivateKey, peer: bytes) -> bytes:
        return x963(agree(own, peer), self.transaction_identifier)


@dataclass(frozen=True)
class SessionKeys:
    """The 160 octets behind AUTH1, split."""

    expedited_reader: bytes
    expedited_device: bytes
    step_up: bytes
    ble: bytes
    ursk: bytes


def split5(okm: bytes) -> list:
    return [okm[i:i + 32] for i in range(0, 160, 32)]


def volatile_keys(kdh: bytes, transaction: Transaction) -> SessionKeys:
    return SessionKeys(*split5(hkdf(kdh, transaction.salt(VOLATILE), transaction.info(), 160)))


def fast_block(k_persistent: bytes, transaction: Transaction, credential: bytes) -> list:
    """CryptogramSK, ExpeditedSKReader, ExpeditedSKDevice, BleSK, URSK."""
    salt = transaction.salt(VOLATILE_FAST, credential)
    return split5(hkdf(k_persistent, salt, transaction.info(), 160))


def persistent_key(kdh: bytes, transaction: Transaction, credential: bytes) -> bytes:
    return hkdf(kdh, transaction.salt(PERSISTENT, credential), transaction.info(), 32)


def step_up_keys(step_up: bytes) -> tuple:
    return hkdf(step_up, b"", b"SKReader", 32), hkdf(step_up, b"", b"SKDevice", 32)


def ble_keys(ble: bytes, versions: bytes, selected: bytes) -> tuple:
    """Salt is the version list exactly as read over GATT, then the selected version."""
    salt = versions + selected
    return hkdf(ble, salt, b"BleSKReader", 32), hkdf(ble, salt, b"BleSKDevice", 32)


# --- channels -------------------------------------------------------------------

class HalfChannel:
    """One direction of an AES-256-GCM channel: its key, direction octets and counter."""

    def __init__(self, key: bytes, direction: bytes):
        self.key = key
        self.direction = direction
        self.counter = 1

    def _nonce(self) -> bytes:
        if self.counter >= 0xFFFF:
            raise CryptoError("the message counter is used up")
        nonce = self.direction + self.counter.to_bytes(4, "big")
        self.counter += 1
        return nonce

    def seal(self, plaintext: bytes, associated: bytes = b"") -> bytes:
        return AESGCM(self.key).encrypt(self._nonce(), plaintext, associated)

    def open(self, sealed: bytes, associated: bytes = b"") -> bytes:
        counter = self.counter
        if len(sealed) < 16:
            raise CryptoError("shorter than a tag")
        try:
            return AESGCM(self.key).decrypt(self._nonce(), sealed, associated)
        except InvalidTag as error:
            raise CryptoError(f"the GCM tag does not verify at counter {counter}") from error


class Channel:
    """Both directions of a channel of APDUs, as the reader or the device sees it."""

    def __init__(self, outgoing: HalfChannel, incoming: HalfChannel):
        self.outgoing = outgoing
        self.incoming = incoming

    @classmethod
    def for_reader(cls, reader: bytes, device: bytes) -> "Channel":
        return cls(HalfChannel(reader, TO_DEVICE), HalfChannel(device, TO_READER))

    @classmethod
    def for_device(cls, reader: bytes, device: bytes) -> "Channel":
        return cls(HalfChannel(device, TO_READER), HalfChannel(reader, TO_DEVICE))

    def seal(self, plaintext: bytes) -> bytes:
        return self.outgoing.seal(plaintext)

    def open(self, sealed: bytes) -> bytes:
        return self.incoming.open(sealed)


def seal_cryptogram(key: bytes, plaintext: bytes) -> bytes:
    """Fast cryptogram: a zero IV is right because the key is fresh each time."""
    return AESGCM(key).encrypt(bytes(12), plaintext, b"")


def open_cryptogram(key: bytes, sealed: bytes) -> Optional[bytes]:
    """None when the tag does not verify, which is how an unknown reader looks."""
    try:
        return AESGCM(key).decrypt(bytes(12), sealed, b"")
    except InvalidTag:
        return None


def random_octets(count: int) -> bytes:
    return secrets.token_bytes(count)
