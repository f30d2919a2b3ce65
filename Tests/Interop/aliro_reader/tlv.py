"""BER-TLV as Aliro uses it: one- or two-octet tags, shortest definite lengths.

The decoder takes canonical form only. An oracle that reads more than it has to
would accept an answer that a stricter door controller refuses.
"""

from typing import Iterable, List, NamedTuple, Optional, Sequence, Tuple


class TLVError(ValueError):
    """The octets are not the TLV structure that was promised."""


class Field(NamedTuple):
    """One place in a fixed layout; `length` None means any length."""

    tag: int
    length: Optional[int]
    required: bool = True


Pairs = List[Tuple[int, bytes]]


def encode_length(length: int) -> bytes:
    """Shortest form: `00`-`7F`, `81 nn`, `82 nn nn`."""
    if length < 0x80:
        return bytes([length])
    if length < 0x100:
        return bytes([0x81, length])
    if length < 0x10000:
        return b"\x82" + length.to_bytes(2, "big")
    raise TLVError(f"{length} octets do not fit a two-octet length")


def encode(tag: int, value: bytes) -> bytes:
    """One element; the tag is written in as many octets as it needs."""
    width = 2 if tag > 0xFF else 1
    return tag.to_bytes(width, "big") + encode_length(len(value)) + value


def encode_all(pairs: Iterable[Tuple[int, bytes]]) -> bytes:
    return b"".join(encode(tag, value) for tag, value in pairs)


def read_one(octets: bytes, offset: int = 0) -> Tuple[int, bytes, int]:
    """The element at `offset`: tag, value, and the offset just behind it."""
    tag, offset = _read_tag(octets, offset)
    length, offset = _read_length(octets, offset, tag)
    end = offset + length
    if end > len(octets):
        raise TLVError(f"tag {tag:02X} wants {length} octets, {len(octets) - offset} are left")
    return tag, octets[offset:end], end


def decode_all(octets: bytes) -> Pairs:
    """All elements, in order, with nothing left over."""
    pairs: Pairs = []
    offset = 0
    while offset < len(octets):
        tag, value, offset = read_one(octets, offset)
        pairs.append((tag, value))
    return pairs


def decode_single(octets: bytes, tag: int) -> bytes:
    """The value of the only element, which must carry `tag`."""
    found, value, end = read_one(octets)
    if found != tag:
        raise TLVError(f"tag {found:02X} where {tag:02X} belongs")
    if end != len(octets):
        raise TLVError(f"{len(octets) - end} octets behind tag {tag:02X}")
    return value


def decode_layout(octets: bytes, layout: Sequence[Field]) -> dict:
    """Elements in exactly the order of `layout`; nothing unknown, nothing twice.

    Returns {tag: value} with optional absent tags left out.
    """
    pairs = decode_all(octets)
    found = {}
    for field in layout:
        if pairs and pairs[0][0] == field.tag:
            found[field.tag] = pairs.pop(0)[1]
            _check_length(field, found[field.tag])
        elif field.required:
            got = f"tag {pairs[0][0]:02X}" if pairs else "the end"
            raise TLVError(f"{got} where tag {field.tag:02X} belongs")
    if pairs:
        raise TLVError(f"tag {pairs[0][0]:02X} is unknown, repeated or out of order")
    return found


def decode_known(octets: bytes, layout: Sequence[Field]) -> dict:
    """Like `decode_layout`, but unknown tags are skipped (the device's rule)."""
    known = {field.tag for field in layout}
    kept = [(tag, value) for tag, value in decode_all(octets) if tag in known]
    return decode_layout(encode_all(kept), layout)


def _check_length(field: Field, value: bytes) -> None:
    if field.length is not None and len(value) != field.length:
        raise TLVError(f"tag {field.tag:02X} has {len(value)} octets instead of {field.length}")


def _read_tag(octets: bytes, offset: int) -> Tuple[int, int]:
    first = _octet(octets, offset, "tag")
    if first & 0x1F != 0x1F:
        return first, offset + 1
    second = _octet(octets, offset + 1, "second tag octet")
    if second & 0x80:
        raise TLVError("tags of more than two octets are not used")
    return first << 8 | second, offset + 2


def _read_length(octets: bytes, offset: int, tag: int) -> Tuple[int, int]:
    first = _octet(octets, offset, f"length of tag {tag:02X}")
    if first < 0x80:
        return first, offset + 1
    width = first & 0x7F
    if width not in (1, 2) or offset + 1 + width > len(octets):
        raise TLVError(f"length of tag {tag:02X} is cut short or in a form not used here")
    length = int.from_bytes(octets[offset + 1:offset + 1 + width], "big")
    if encode_length(length) != octets[offset:offset + 1 + width]:
        raise TLVError(f"length of tag {tag:02X} is longer than it need be")
    return length, offset + 1 + width


def _octet(octets: bytes, offset: int, what: str) -> int:
    if offset >= len(octets):
        raise TLVError(f"ends before the {what}")
    return octets[offset]
