"""Box names, box commands and box feedback of flinkey, from the protocol notes alone.

Reads one JSON object from standard input:
  {"names": [text], "commands": [{"unlockBox", "unlockCar", "lockBox", "lockCar", "status", "readNFC",
   "milliseconds"}], "feedback": [{"octets": hex, "box": text or absent}]}
and writes
  {"names": [{"box": lock ID or null, "lock": box ID or null}], "commands": [hex],
   "feedback": [object or null]}
where each name is read as a box ID and as a physical lock ID. Works with regular expressions and with
numbers as polynomials; shares no code and no structure with the vault.
"""

import base64
import json
import re
import struct
import sys

BOX = re.compile(r"([0-9A-F]{2})-([0-9A-F]{2})-([0-9A-F]{2})-([0-9A-F]{2})", re.ASCII)
BITS = "lockBox unlockBox lockCar unlockCar status readNFC".split()


def lock_of(box):
    found = BOX.fullmatch(box)
    if not found:
        return None
    return base64.b64encode(struct.pack("<H", 4) + bytes.fromhex("".join(found.groups()))).decode()


def box_of(lock):
    if not re.fullmatch(r"[A-Za-z0-9+/]{8}", lock, re.ASCII):
        return None
    count, octets = struct.unpack("<H4s", base64.b64decode(lock, validate=True))
    return octets.hex("-").upper() if count == 4 else None


def check(octets):
    """The rest of the octets, as a polynomial times x^8, divided by x^8+x^4+x^3+x^2+1."""
    number = int.from_bytes(octets, "big") << 8
    while number.bit_length() > 8:
        number ^= 0x11D << (number.bit_length() - 9)
    return number


def command(case):
    bits = sum(1 << place for place, name in enumerate(BITS) if case[name])
    rest = struct.pack("<BHQB3x", 16, 1, case["milliseconds"], bits)
    return (bytes([check(rest)]) + rest).hex()


def compact(octets, box):
    battery = None
    if box is not None and not box.startswith("C1"):
        battery = round((octets[6] >> 2) / 63 * 100, 2)
    return {"open": bool(octets[6] & 1), "unlocked": octets[1] > 127,
            "battery": None if battery is None else round(battery * 100)}


def groups(octets):
    """The groups, or nothing when they do not fill the octets."""
    found = []
    while octets:
        if len(octets) < 2 or len(octets) < 2 + octets[1]:
            return None
        found.append((octets[0], octets[2:2 + octets[1]]))
        octets = octets[2 + octets[1]:]
    return found


def tags(payload):
    found = []
    places = 0
    while payload:
        count = payload[0] % 16
        if len(payload) < 1 + count or places == 3:
            return None
        found.append(payload[1:1 + count].hex().upper())
        payload = payload[1 + count:]
        places += 1
    return [uid for uid in found if uid]


def grouped(octets):
    if len(octets) < 5:
        return None
    found = groups(octets[2:])
    if found is None:
        return None
    known = [group for group in found if group[0] in (1, 3)]
    if not known or len({number for number, _ in known}) != len(known):
        return None
    answer = {"tags": []}
    for number, payload in known:
        if number == 3:
            answer["tags"] = tags(payload)
            if answer["tags"] is None:
                return None
            continue
        if len(payload) != 3:
            return None
        first, second, third = (f"{octet:08b}" for octet in payload)
        answer |= {"battery": int(first[1:], 2) * 100, "charging": first[0] == "1",
                   "charger": second[0] == "1", "open": third[0] == "1",
                   "unlocked": third[1] == "1"}
    return answer


def feedback(case):
    octets = bytes.fromhex(case["octets"])
    if len(octets) == 10:
        return compact(octets, case.get("box"))
    return grouped(octets)


def main():
    task = json.load(sys.stdin)
    json.dump({"names": [{"box": lock_of(name), "lock": box_of(name)} for name in task["names"]],
               "commands": [command(case) for case in task["commands"]],
               "feedback": [feedback(case) for case in task["feedback"]]}, sys.stdout)


if __name__ == "__main__":
    main()
