"""From the command line to an open channel: finding the reader and agreeing with it."""

import argparse
import contextlib
from typing import Callable, Iterator, Optional, Tuple

from . import bluez
from .channel import ANY_ADDRESS, Channel, open_l2cap
from .outcome import Exit, Failure
from .relay import Opening, Tell
from .vault import Fields, Vault, base64_text

OpenChannel = Callable[..., Channel]
Reached = Iterator[Tuple[Channel, Opening]]


@contextlib.contextmanager
def known_reader(given: argparse.Namespace, _: Vault, tell: Tell,
                 open_channel: OpenChannel = open_l2cap) -> Reached:
    """The channel when the command line says everything about the reader."""
    version = bluez.common_version(given.versions)
    channel = open_channel(given.address, given.address_type, given.spsm,
                           (ANY_ADDRESS, "public"), given.reader_timeout)
    tell("connected", address=given.address, versions=given.versions.hex(), spsm=given.spsm)
    yield channel, Opening(given.namespace, given.intent, given.versions, version,
                           given.user_confirmed, given.request)


@contextlib.contextmanager
def reader_in_range(given: argparse.Namespace, vault: Vault, tell: Tell,
                    system_bus: Callable[[], bluez.Call] = bluez.system_bus,
                    open_channel: OpenChannel = open_l2cap) -> Reached:
    """Finds the reader and agrees on a version with it; disconnects from it in the end."""
    radio = bluez.Radio(system_bus(), given.adapter)
    local = radio.local_address()
    tell("scanning", seconds=given.scan)
    reader, namespace = radio.find(Wanted(given, vault, tell), given.scan)
    try:
        record = radio.connect(reader, given.reader_timeout)
        version = bluez.common_version(record.versions)
        radio.select(reader, version)
        channel = open_channel(reader.address, reader.address_type, record.spsm, local,
                               given.reader_timeout)
        tell("connected", address=reader.address, versions=record.versions.hex(),
             spsm=record.spsm)
        yield channel, Opening(namespace, given.intent, record.versions, version,
                               given.user_confirmed, given.request)
    finally:
        with contextlib.suppress(Failure):    # the link may be gone already
            radio.disconnect(reader)


class Wanted:
    """Tells whose reader a sighting is: the namespace to present, or None."""

    def __init__(self, given: argparse.Namespace, vault: Vault, tell: Tell):
        self._given = given
        self._vault = vault
        self._tell = tell

    def __call__(self, sighting: bluez.Sighting) -> Optional[str]:
        if self._given.address is not None:
            return self._given.namespace if sighting.address == self._given.address else None
        if sighting.advertisement is None:
            return None
        answer = self._match(sighting)
        matches = [Fields("presentation.match", one) for one in answer.take("matches", list)]
        if not matches or not answer.take("connectable", bool):
            return None
        verified = [match for match in matches if match.take("verified", bool)]
        names = sorted({match.take("namespace", str) for match in verified or matches})
        if len(names) > 1:
            raise Failure(Exit.CONFLICT, f"reader {sighting.address} belongs to more than one "
                                         f"namespace, say which: {', '.join(names[:8])}")
        proof = "its group's resolving key" if verified else "the beginning of its group alone"
        self._tell("matched", address=sighting.address, namespace=names[0], proof=proof)
        return names[0]

    def _match(self, sighting: bluez.Sighting) -> Fields:
        address = bytes.fromhex(sighting.address.replace(":", ""))
        return Fields("presentation.match", self._vault.call(
            "presentation.match", advertisement=base64_text(sighting.advertisement),
            address=base64_text(address), namespace=self._given.namespace))
