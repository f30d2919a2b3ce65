"""A Noke lock, and a calendar of grants, from the protocol notes alone.

Reads one JSON object from standard input:
  {"packets": [{"offlineKey", "unlockCommand", "session", "time", "packet", "fingerprintKey"}],
   "grants": [{"notBefore", "notAfter", "windows": [text], "offset", "times": [seconds]}]}
and writes
  {"packets": [{"opens", "time", "fingerprint"}], "grants": [[{"word", "time"}]]}

The lock undoes a packet with the forward cipher, which is all it has; grants are judged on a week of
10,080 minutes, each of which is allowed or not. Shares no code and no structure with the vault.
"""

import datetime
import hashlib
import json
import sys

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

WEEK = 7 * 24 * 60
DAYS = "mon tue wed thu fri sat sun".split()


class Lock:
    """A lock that knows the keys it was given, and shows one session at a time."""

    def __init__(self, offline_key, command):
        self.offline_key = offline_key
        self.command = command

    def connect(self, session):
        assert len(session) == 20
        self.key = bytes((a + b) % 256 for a, b in zip(self.offline_key, session))

    def write(self, packet):
        """The header and the body that a packet carries."""
        assert len(packet) == 20
        forward = Cipher(algorithms.AES(self.key), modes.ECB()).encryptor()
        return packet[:4], forward.update(packet[4:]) + forward.finalize()

    def opens(self, packet, timed):
        """Whether the packet carries the issued command, and the time in it, if any."""
        header, body = self.write(packet)
        issued = self.command[4:]
        if header != self.command[:4]:
            return False, None
        if not timed:
            return body == issued, None
        same = body[:2] == issued[:2] and body[6:15] == issued[6:15]
        return same and body[15] == sum(body[:15]) % 256, int.from_bytes(body[2:6], "little")


def judged_packet(case):
    offline_key = bytes.fromhex(case["offlineKey"])
    command = bytes.fromhex(case["unlockCommand"])
    lock = Lock(offline_key, command)
    lock.connect(bytes.fromhex(case["session"]))
    opens, time = lock.opens(bytes.fromhex(case["packet"]), case.get("time") is not None)
    digest = hashlib.blake2b(b"latchkey noke pair" + offline_key + command, digest_size=32,
                             key=bytes.fromhex(case["fingerprintKey"]))
    return {"opens": opens, "time": time, "fingerprint": digest.hexdigest()[:32]}


class Grant:
    def __init__(self, case):
        self.not_before = case.get("notBefore")
        self.not_after = case.get("notAfter")
        self.zone = datetime.timezone(datetime.timedelta(minutes=case["offset"]))
        self.has_schedule = bool(case["windows"])
        self.allowed = [False] * WEEK
        self.begins = [False] * WEEK
        for window in case["windows"]:
            days, times = window.split(" ")
            first, last = (int(time[:2]) * 60 + int(time[3:]) for time in times.split("-"))
            length = last - first if last > first else last - first + 24 * 60
            for day in days.split(","):
                start = DAYS.index(day) * 24 * 60 + first
                self.begins[start] = True
                for minute in range(start, start + length):
                    self.allowed[minute % WEEK] = True

    def minute(self, time):
        local = datetime.datetime.fromtimestamp(time, self.zone)
        return local.weekday() * 24 * 60 + local.hour * 60 + local.minute

    def standing(self, time):
        if self.not_before is not None and time < self.not_before:
            return "not_yet_valid", self.not_before
        if self.not_after is not None and time > self.not_after:
            return "expired", self.not_after
        if not self.has_schedule or self.allowed[self.minute(time)]:
            return "allowed", None
        wait = 1
        while not self.begins[(self.minute(time) + wait) % WEEK]:
            wait += 1
        start = time - time % 60 + wait * 60
        if self.not_after is not None and start > self.not_after:
            start = None
        return "outside", start


def main():
    task = json.load(sys.stdin)
    grants = []
    for case in task["grants"]:
        grant = Grant(case)
        standings = (grant.standing(time) for time in case["times"])
        grants.append([{"word": word, "time": time} for word, time in standings])
    json.dump({"packets": [judged_packet(case) for case in task["packets"]], "grants": grants},
              sys.stdout)


if __name__ == "__main__":
    main()
