"""Loads `Tests/Vectors/aliro-vectors.json` for the tests."""

import json
from pathlib import Path

from aliro_reader import crypto
from aliro_reader.reader import Reader, ReaderConfig
from simulated_device import DeviceConfig, SimulatedDevice

PATH = Path(__file__).resolve().parent.parent / "Vectors" / "aliro-vectors.json"
VECTORS = json.loads(PATH.read_text())


def octets(text: str) -> bytes:
    return bytes.fromhex(text)


def private(name: str) -> crypto.PrivateKey:
    return crypto.key_from_scalar(octets(VECTORS["privateKeys"][name]))


def public(name: str) -> bytes:
    return octets(VECTORS["publicKeys"][name])


def transaction(vector: dict) -> crypto.Transaction:
    """The derivation inputs of one recorded transaction."""
    given = {name: octets(value) for name, value in vector["input"].items()}
    extension = vector.get("hkdfInfo", "")[64:]
    return crypto.Transaction(
        group_key=given["readerGroupKey"], reader_identifier=given["readerIdentifier"],
        reader_ephemeral=crypto.point_of(crypto.key_from_scalar(given["readerEphemeralPrivate"])),
        device_ephemeral=crypto.point_of(crypto.key_from_scalar(given["deviceEphemeralPrivate"])),
        transaction_identifier=given["transactionIdentifier"], flags=given["flags"],
        interface=given["interfaceByte"][0], proprietary=given["proprietaryInformation"],
        command_extension=octets(extension))


SIGNED = octets(VECTORS["accessDocument"]["credentialSignedTimestamp"]).decode("ascii")
CASES = {
    # transaction number: what the recorded run needs besides its inputs
    0: dict(signing="readerGroup", variant="direct", identification="key", revocation=None,
            policy=1),
    2: dict(signing="readerCertified", variant="loadcert", identification="slot",
            revocation="2026-02-01T00:00:00Z", policy=2),
}


def vector_pair(number: int, alter=None, **changes) -> tuple:
    """A reader and a device that replay transaction `number` octet for octet."""
    vector, case = VECTORS["transactions"][number], CASES[number]
    given = {name: octets(value) for name, value in vector["input"].items()}
    certificate = octets(VECTORS["certificates"][0]["compressed"])
    reader = ReaderConfig(
        reader_identifier=given["readerIdentifier"], group_key=given["readerGroupKey"],
        signing_key=private(case["signing"]), credential=public("credential"),
        variant=case["variant"], certificate=certificate, policy=case["policy"],
        identification=case["identification"], signed_time=SIGNED,
        revocation_time=case["revocation"], deterministic=True,
        ephemeral=crypto.key_from_scalar(given["readerEphemeralPrivate"]),
        transaction_identifier=given["transactionIdentifier"])
    for name, value in changes.items():
        setattr(reader, name, value)
    device = DeviceConfig(
        credential=private("credential"),
        groups={given["readerIdentifier"][:16]: given["readerGroupKey"]},
        signed_time=SIGNED, revocation_time=case["revocation"], deterministic=True,
        ephemeral=crypto.key_from_scalar(given["deviceEphemeralPrivate"]))
    if alter:
        device.alter = alter
    return Reader(reader), SimulatedDevice(device)


def pump(reader: Reader, device: SimulatedDevice) -> list:
    """Carries messages to and fro until both are silent; returns all of them in order."""
    exchanged, to_reader = [], device.open()
    while to_reader:
        message = to_reader.pop(0)
        exchanged.append(message)
        for reply in reader.receive(message):
            exchanged.append(reply)
            to_reader.extend(device.receive(reply))
    return exchanged
