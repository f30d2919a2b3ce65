"""Reads a vault's database from the description of its formats alone.

Usage: ledger_oracle.py vault.db <key-file secret, 64 hex digits>

Opens a key-file slot, derives the subkeys, checks every code and digest from the state row down to
the last record header, decrypts every record and the policy, and prints what it found as JSON. Uses
hashlib, sqlite3 and the cryptography package; shares no code with the vault.
"""

import hashlib
import json
import sqlite3
import struct
import sys

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.kdf.hkdf import HKDF


def field(data):
    return struct.pack(">I", len(data)) + data


def integer(value):
    return struct.pack(">q", value)


def text(value):
    return field(value.encode())


def optional(value):
    return b"\x00" if value is None else b"\x01" + field(value)


def blake2b(message, key=b""):
    return hashlib.blake2b(message, key=key, digest_size=32).digest()


def subkey(master, number):
    """libsodium's crypto_kdf with the context "latchkey"."""
    return hashlib.blake2b(
        b"", key=master, digest_size=32, salt=struct.pack("<Q", number) + bytes(8),
        person=b"latchkey" + bytes(8)).digest()


def hchacha20(key, nonce):
    state = list(struct.unpack("<16I", b"expand 32-byte k" + key + nonce))

    def rotate(value, count):
        return ((value << count) | (value >> (32 - count))) & 0xFFFFFFFF

    def quarter(a, b, c, d):
        for x, y, z, count in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            state[x] = (state[x] + state[y]) & 0xFFFFFFFF
            state[z] = rotate(state[z] ^ state[x], count)

    for _ in range(10):
        quarter(0, 4, 8, 12)
        quarter(1, 5, 9, 13)
        quarter(2, 6, 10, 14)
        quarter(3, 7, 11, 15)
        quarter(0, 5, 10, 15)
        quarter(1, 6, 11, 12)
        quarter(2, 7, 8, 13)
        quarter(3, 4, 9, 14)
    return struct.pack("<8I", *(state[:4] + state[12:]))


def open_box(key, nonce, box, data):
    """XChaCha20-Poly1305."""
    cipher = ChaCha20Poly1305(hchacha20(key, nonce[:16]))
    return cipher.decrypt(bytes(4) + nonce[16:], box, data)


def open_slot(body, secret):
    assert body[-36:-32] == struct.pack(">I", 32) and blake2b(body[:-36]) == body[-32:]
    fields, offset = [], 0
    for kind in ["f", "i", "i", "f", "f", "i", "i", "i", "f"]:
        if kind == "i":
            fields.append(struct.unpack_from(">q", body, offset)[0])
            offset += 8
        else:
            count = struct.unpack_from(">I", body, offset)[0]
            fields.append(body[offset + 4:offset + 4 + count])
            offset += 4 + count
    label, version, kind, vault_id, _, _, operations, memory, salt = fields
    assert label == b"latchkey slot" and version == 1 and len(salt) == 16
    if kind != 2:
        return None
    assert operations == 0 and memory == 0
    key = HKDF(hashes.SHA256(), 32, salt, b"latchkey key-file slot 1").derive(secret)
    header, rest = body[:offset], body[offset:-36]
    assert len(rest) == 4 + 24 + 4 + 48
    try:
        return open_box(key, rest[4:28], rest[32:], header), vault_id
    except Exception:
        return None


def main(path, secret):
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    rows = lambda query, *values: database.execute(query, values).fetchall()
    opened = [open_slot(body, secret) for _, body in rows("SELECT * FROM slot ORDER BY slot")]
    master, slot_vault = next(found for found in opened if found)
    wrap, state_key, _, _, index, name_hash, policy_key, lookup = [
        subkey(master, n) for n in range(1, 9)]

    ((_, vault_id, instance, version, created, check),) = rows("SELECT * FROM vault")
    identity = field(vault_id) + field(instance) + integer(version) + integer(created)
    assert slot_vault == vault_id and version == 1
    assert check == blake2b(text("latchkey vault") + identity, state_key)

    ((_, index_version, epoch, seq, head, floor, root, slot_set, next_slot, policy_revision,
      policy_digest, pending, mac, groups_indexed),) = rows("SELECT * FROM state")
    assert mac == blake2b(
        text("latchkey state") + identity + integer(index_version) + integer(epoch) + integer(seq)
        + field(head) + integer(floor) + field(root) + field(slot_set) + integer(next_slot)
        + integer(policy_revision) + field(policy_digest) + integer(pending)
        + (integer(1) if groups_indexed else b""), state_key)
    assert slot_set == b"".join(
        struct.pack(">I", slot)
        + blake2b(text("latchkey slot digest") + integer(slot) + field(body), state_key)
        for slot, body in rows("SELECT * FROM slot ORDER BY slot"))

    ((_, revision, nonce, box),) = rows("SELECT * FROM policy")
    assert revision == policy_revision and policy_digest == blake2b(
        text("latchkey policy digest") + integer(revision) + field(nonce) + field(box), state_key)
    policy = open_box(
        policy_key, nonce, box,
        text("latchkey policy") + integer(1) + field(vault_id) + integer(revision))

    pages = rows("SELECT page, used, digests FROM index_page ORDER BY page")
    assert [page for page, _, _ in pages] == list(range(1024))
    page_digests = [
        blake2b(text("latchkey page") + integer(page) + integer(used) + field(digests), index)
        for page, used, digests in pages]
    groups = rows("SELECT number, digests FROM index_group ORDER BY number")
    assert [digests for _, digests in groups] == [
        b"".join(page_digests[32 * group:32 * group + 32]) for group in range(32)]
    assert root == b"".join(
        blake2b(text("latchkey group") + integer(group) + field(digests), index)
        for group, digests in groups)

    buckets = {}
    for row in rows("SELECT * FROM namespace ORDER BY bucket, name"):
        buckets.setdefault(row[0], []).append(row)
    for page, used, digests in pages:
        expected = iter([digests[at:at + 32] for at in range(0, len(digests), 32)])
        for bit in range(64):
            members = buckets.get(64 * page + bit, [])
            assert bool(members) == bool(used >> bit & 1)
            if members:
                message = text("latchkey bucket") + integer(64 * page + bit) + integer(len(members))
                for row in members:
                    message += integer(row[0]) + text(row[1]) + field(row[2])
                    message += b"".join(integer(value) for value in row[3:12])
                    message += field(row[12]) + optional(row[13]) + optional(row[14])
                assert next(expected) == blake2b(message, index)
        assert next(expected, None) is None

    namespaces = {}
    for members in buckets.values():
        for row in members:
            bucket, name, identifier, generation, state = row[:5]
            hashed = blake2b(text("latchkey name") + text(name), name_hash)
            assert bucket == hashed[0] << 8 | hashed[1]
            records = rows(
                "SELECT kind, record_id, revision, nonce, box FROM record WHERE namespace_id = ?"
                " ORDER BY kind, record_id", identifier)
            assert row[12] == blake2b(
                text("latchkey records") + field(identifier) + integer(len(records))
                + b"".join(
                    integer(kind) + text(record) + integer(revision) + field(nonce)
                    for kind, record, revision, nonce, _ in records), index)
            contents = {}
            if records:
                key = open_box(
                    wrap, row[13], row[14],
                    text("latchkey data key") + integer(1) + field(vault_id) + field(identifier))
                for kind, record, revision, nonce, box in records:
                    contents[f"{kind}/{record}/{revision}"] = open_box(
                        key, nonce, box,
                        text("latchkey record") + integer(1) + field(vault_id) + field(identifier)
                        + integer(kind) + text(record) + integer(revision)).decode()
            namespaces[name] = {"state": state, "generation": generation, "records": contents}

    print(json.dumps(
        {"vault_id": vault_id.hex(), "seq": seq, "policy": policy.decode(),
         "slots": [body is not None for body in opened], "namespaces": namespaces},
        sort_keys=True))


main(sys.argv[1], bytes.fromhex(sys.argv[2]))
