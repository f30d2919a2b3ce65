#!/usr/bin/env python3
"""Writes oracle.json: answers of hashlib and python-cryptography that VaultCryptoTests compare with.

Inputs come from a counter through SHAKE-256, so that the file is the same each time.
"""

import hashlib
import json
import pathlib

from cryptography.hazmat.primitives.kdf.argon2 import Argon2id
from cryptography.hazmat.primitives.kdf.x963kdf import X963KDF
from cryptography.hazmat.primitives import hashes

counter = 0


def octets(count):
    global counter
    counter += 1
    return hashlib.shake_256(b"latchkey test %d" % counter).digest(count)


def blake2b(key_size):
    cases = []
    for size in [0, 1, 63, 64, 65, 127, 128, 129, 200, 255, 256, 257, 1000]:
        key, message = octets(key_size), octets(size)
        digest = hashlib.blake2b(message, digest_size=32, key=key).hexdigest()
        cases.append({"key": key.hex(), "message": message.hex(), "digest": digest})
    return cases


def subkeys():
    # libsodium's crypto_kdf: BLAKE2b with the number as salt and the context as personalisation.
    cases = []
    for _ in range(3):
        key = octets(32)
        for purpose in range(1, 9):
            subkey = hashlib.blake2b(
                key=key,
                digest_size=32,
                salt=purpose.to_bytes(8, "little") + bytes(8),
                person=b"latchkey" + bytes(8),
            ).hexdigest()
            cases.append({"key": key.hex(), "purpose": purpose, "subkey": subkey})
    return cases


def argon2id():
    cases = []
    for passphrase, passes, memory in [
        (b"", 1, 64),
        (b"correct horse battery staple", 3, 1024),
        ("schlüssel".encode(), 2, 512),
        (octets(200), 4, 256),
        (b"moderate", 3, 256 * 1024),
    ]:
        salt = octets(16)
        key = Argon2id(
            salt=salt, length=32, iterations=passes, lanes=1, memory_cost=memory
        ).derive(passphrase)
        cases.append(
            {
                "passphrase": passphrase.hex(),
                "salt": salt.hex(),
                "operations": passes,
                "memoryKiB": memory,
                "key": key.hex(),
            }
        )
    return cases


def x963():
    cases = []
    for secret_size, info_size, count in [(32, 0, 32), (32, 16, 32), (32, 16, 16), (32, 5, 100), (48, 80, 8160)]:
        secret, info = octets(secret_size), octets(info_size)
        key = X963KDF(algorithm=hashes.SHA256(), length=count, sharedinfo=info).derive(secret)
        cases.append({"secret": secret.hex(), "info": info.hex(), "key": key.hex()})
    return cases


def digests():
    cases = []
    for size in [0, 1, 55, 56, 64, 65, 1000, 100_000]:
        message = octets(size)
        cases.append(
            {
                "message": message.hex(),
                "sha256": hashlib.sha256(message).hexdigest(),
                "sha1": hashlib.sha1(message).hexdigest(),
            }
        )
    return cases


document = {
    "blake2b": blake2b(0),
    "keyedBLAKE2b": blake2b(32),
    "subkeys": subkeys(),
    "argon2id": argon2id(),
    "x963": x963(),
    "digests": digests(),
}
path = pathlib.Path(__file__).with_name("oracle.json")
path.write_text(json.dumps(document, indent=1) + "\n")
