"""What a reader advertises, 31 octets, with the dynamic tag that only its own users can check."""

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

UWB, BLE_ONLY = 0x80, 0x40


def dynamic_tag(resolving_key: bytes, address: bytes, expiry: bytes) -> bytes:
    """AES-128 of one block; `address` has its most significant octet first."""
    encryptor = Cipher(algorithms.AES(resolving_key), modes.ECB()).encryptor()
    return encryptor.update(bytes(6) + address + expiry)[:7]


def advertising_data(reader_identifier: bytes, resolving_key: bytes, address: bytes,
                     expiry: bytes, flags: int = BLE_ONLY, power: int = 0) -> bytes:
    return (bytes.fromhex("0201061B16F2FF") + bytes([flags, power & 0xFF])
            + reader_identifier[:8] + reader_identifier[16:18] + expiry + b"\x00"
            + dynamic_tag(resolving_key, address, expiry))
