"""Loads `Tests/Vectors/aliro-vectors.json` for the tests."""

import json
from pathlib import Path

from aliro_reader import crypto, ending, exchange, step_up
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
EXTENSION = octets(VECTORS["transactions"][4]["hkdfInfo"])[34:]     # the value of tag B1

CASES = {
    # transaction number: what the recorded run needs besides its inputs
    0: dict(signing="readerGroup", exchanges=[exchange.Plan(ursk=True)], step_up=True,
            reader=dict(policy=1)),
    1: dict(signing="readerGroup", exchanges=[exchange.Plan(ursk=True)],
            reader=dict(policy=1, fast=True)),
    2: dict(signing="readerCertified", reader=dict(
        variant="loadcert", identification="slot", policy=2,
        revocation_time="2026-02-01T00:00:00Z")),
    3: dict(signing="readerGroup", reader=dict(transport="nfc", policy=1, signed_time=None)),
    4: dict(signing="readerGroup", reader=dict(
        policy=1, signed_time=None, extension=EXTENSION)),
}


def vector_pair(number: int, alter=None, **changes) -> tuple:
    """A reader and a device that replay transaction `number` octet for octet.

    `alter` spoils what the device sends; `changes` are of the reader's configuration.
    """
    vector, case = VECTORS["transactions"][number], CASES[number]
    given = {name: octets(value) for name, value in vector["input"].items()}
    reader = ReaderConfig(
        reader_identifier=given["readerIdentifier"], group_key=given["readerGroupKey"],
        signing_key=private(case["signing"]), credential=public("credential"),
        certificate=octets(VECTORS["certificates"][0]["compressed"]), signed_time=SIGNED,
        known_persistent_key=given.get("kPersistent"), deterministic=True,
        exchanges=list(case.get("exchanges", [])),
        ephemeral=crypto.key_from_scalar(given["readerEphemeralPrivate"]),
        transaction_identifier=given["transactionIdentifier"])
    if case.get("step_up"):
        reader.step_up = step_up.Request({"aliro-a": ["floor1"]}, public("credentialIssuer"))
    for name, value in {**case["reader"], **changes}.items():
        setattr(reader, name, value)
    return Reader(reader), SimulatedDevice(_device(given, reader, alter))


def _device(given: dict, reader: ReaderConfig, alter) -> DeviceConfig:
    documents = {"aliro-a": octets(VECTORS["accessDocument"]["document"])}
    device = DeviceConfig(
        credential=private("credential"), transport=reader.transport, intent=reader.intent,
        groups={given["readerIdentifier"][:16]: given["readerGroupKey"]},
        signed_time=reader.signed_time, revocation_time=reader.revocation_time,
        documents=documents, deterministic=True, versions=reader.versions,
        ephemeral=crypto.key_from_scalar(given["deviceEphemeralPrivate"]))
    if reader.known_persistent_key and "kPersistent" in given:
        device.persistent[given["readerIdentifier"]] = given["kPersistent"]
    if alter:
        device.alter = alter
    return device


def pump(reader: Reader, device: SimulatedDevice) -> list:
    """Carries messages to and fro until both are silent; returns all of them in order."""
    exchanged, to_reader = [], list(device.open())
    for message in reader.start():
        exchanged.append(message)
        to_reader += device.receive(message)
    while to_reader:
        message = to_reader.pop(0)
        exchanged.append(message)
        for reply in reader.receive(message):
            exchanged.append(reply)
            to_reader.extend(device.receive(reply))
            to_reader.extend(gateway(device))
    return exchanged


def gateway(device: SimulatedDevice) -> list:
    """What a gateway asks for in the approach flow: ranging when it can be had, else to open."""
    if device.config.intent != "approach" or device.state != "accepted":
        return []
    answers = {"m1": "m2", "m3": "m4"}
    messages = []
    for kind, _ in device.ranging:
        other = answers[kind]
        messages += device.request("ranging", (other, ending.ranging_payload(int(other[1]))))
    if not messages and not device.ready_for_ranging:
        messages = device.request("initiate_ranging" if device.ursk else "unsecure")
    return messages
