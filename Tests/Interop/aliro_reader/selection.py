"""The proprietary information of a device: the `A5` TLV, and the FCI that carries it over NFC.

The `A5` octets go into every key-derivation salt, so they are kept as they came.
"""

from . import tlv

TYPE = b"\x00\x00"
VENDOR_LIMIT = 127


class SelectionError(ValueError):
    """The device describes itself in a way that is not agreed."""


def offered_versions(proprietary: bytes) -> list:
    """The versions listed in a whole `A5` TLV, best first; empty when it lists none."""
    fields = tlv.decode_layout(tlv.decode_single(proprietary, 0xA5), [
        tlv.Field(0x80, 2), tlv.Field(0x5C, None, required=False),
        tlv.Field(0x7F66, 8, required=False), tlv.Field(0xB3, None, required=False)])
    if fields[0x80] != TYPE:
        raise SelectionError("the type in the A5 information is not 0000")
    if len(fields.get(0xB3, b"")) > VENDOR_LIMIT:
        raise SelectionError("the vendor part of the A5 information is too long")
    versions = fields.get(0x5C)
    if versions is not None and (not versions or len(versions) % 2):
        raise SelectionError("the version list is empty or of odd length")
    return [versions[i:i + 2] for i in range(0, len(versions or b""), 2)]


def require_version(proprietary: bytes, version: bytes) -> None:
    if version not in offered_versions(proprietary):
        raise SelectionError(f"version {version.hex()} is not offered")


def encode_fci(aid: bytes, proprietary: bytes) -> bytes:
    return tlv.encode(0x6F, tlv.encode(0x84, aid) + proprietary)


def parse_fci(answer: bytes, aid: bytes) -> bytes:
    """The `A5` TLV, whole, out of the answer to SELECT."""
    fields = tlv.decode_layout(tlv.decode_single(answer, 0x6F), [
        tlv.Field(0x84, len(aid)), tlv.Field(0xA5, None)])
    if fields[0x84] != aid:
        raise SelectionError("the device names another application than the one selected")
    return tlv.encode(0xA5, fields[0xA5])
