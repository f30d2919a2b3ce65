"""Finding a reader and agreeing with it, through BlueZ over D-Bus (section 12).

Everything here goes through one function, `call`, so that all but that function runs in tests.
"""

import contextlib
import time
from typing import Callable, Iterator, NamedTuple, Optional, Tuple, TypeVar

from .outcome import Exit, Failure

# call(path, interface, method, signature, arguments): the answer, `ay` as bytes.
Call = Callable[..., object]
Found = TypeVar("Found")

SERVICE = "0000fff2-0000-1000-8000-00805f9b34fb"
READER_CHARACTERISTIC = "d3b5a130-9e23-4b3a-8be4-6b1ee5f980a3"
DEVICE_CHARACTERISTIC = "bd4b9502-3f54-11ec-b919-0242ac120005"
SERVICE_DATA_OCTETS = 24
OUR_VERSIONS = (b"\x01\x00",)    # best first
LOOK_EVERY = 0.25    # seconds

ADAPTER = "org.bluez.Adapter1"
DEVICE = "org.bluez.Device1"
CHARACTERISTIC = "org.bluez.GattCharacteristic1"


class Sighting(NamedTuple):
    """A reader that the adapter knows of."""

    path: str
    address: str
    address_type: str                # public | random
    advertisement: Optional[bytes]   # all 31 octets, None when it was not heard just now


class ReaderRecord(NamedTuple):
    """What the reader's characteristic says."""

    spsm: int
    versions: bytes     # the list, octet for octet: the vault derives keys from it

    @classmethod
    def parse(cls, octets: bytes) -> "ReaderRecord":
        """SPSM 2, length 1, versions; what follows is features, of no use here (section 15.12)."""
        length = octets[2] if len(octets) > 2 else 0
        versions = octets[3:3 + length]
        if length == 0 or length % 2 or len(versions) != length:
            raise Failure(Exit.UNREACHED, "the reader's characteristic is malformed: "
                                          f"{octets.hex() or 'empty'}")
        spsm = int.from_bytes(octets[:2], "big")
        if not 0x01 <= spsm <= 0xFF:
            raise Failure(Exit.UNREACHED, f"the reader names no SPSM of LE: {spsm:04x}")
        return cls(spsm, versions)


def common_version(versions: bytes) -> bytes:
    offered = [versions[at:at + 2] for at in range(0, len(versions), 2)]
    for version in OUR_VERSIONS:
        if version in offered:
            return version
    raise Failure(Exit.UNREACHED, f"no protocol version in common: the reader has {versions.hex()}")


class Radio:
    """One adapter, and the readers it hears."""

    def __init__(self, call: Call, adapter: str, clock: Callable[[], float] = time.monotonic,
                 pause: Callable[[float], None] = time.sleep):
        self._call = call
        self._adapter = f"/org/bluez/{adapter}"
        self._clock = clock
        self._pause = pause

    def local_address(self) -> Tuple[str, str]:
        """The adapter's address and its type."""
        properties = self._properties(self._adapter, ADAPTER)
        if not properties:
            name = self._adapter.rsplit("/", 1)[1]
            raise Failure(Exit.UNAVAILABLE, f"BlueZ has no adapter {name}")
        return str(properties["Address"]), str(properties.get("AddressType", "public"))

    def find(self, wanted: Callable[[Sighting], Optional[Found]],
             seconds: float) -> Tuple[Sighting, Found]:
        """Scans until `wanted` makes something of a sighting.

        A sighting is shown once, and again when its advertisement has changed.
        """
        shown = set()

        def look() -> Optional[Tuple[Sighting, Found]]:
            for sighting in self._sightings():
                if sighting in shown:
                    continue
                shown.add(sighting)
                found = wanted(sighting)
                if found is not None:
                    return sighting, found
            return None

        self._call(self._adapter, ADAPTER, "SetDiscoveryFilter", "a{sv}",
                   ({"Transport": "le", "DuplicateData": False},))
        self._call(self._adapter, ADAPTER, "StartDiscovery", "", ())
        try:
            return self._until(look, seconds, f"no reader was found in {seconds:g} s")
        finally:
            # Before connecting: not every controller does both at once.
            with contextlib.suppress(Failure):
                self._call(self._adapter, ADAPTER, "StopDiscovery", "", ())

    def connect(self, reader: Sighting, seconds: float) -> ReaderRecord:
        """Connects, and reads what the reader says of itself."""
        self._call(reader.path, DEVICE, "Connect", "", ())

        def resolved() -> Optional[bool]:
            return self._properties(reader.path, DEVICE).get("ServicesResolved") or None

        self._until(resolved, seconds, f"{reader.address} does not list its services")
        value = self._call(self._characteristic(reader, READER_CHARACTERISTIC), CHARACTERISTIC,
                           "ReadValue", "a{sv}", ({},))
        return ReaderRecord.parse(bytes(value))

    def select(self, reader: Sighting, version: bytes) -> None:
        """Writes the chosen version, and one octet of features: none (section 12)."""
        self._call(self._characteristic(reader, DEVICE_CHARACTERISTIC), CHARACTERISTIC,
                   "WriteValue", "aya{sv}", (version + b"\x01\x00", {"type": "request"}))

    def disconnect(self, reader: Sighting) -> None:
        self._call(reader.path, DEVICE, "Disconnect", "", ())

    # --- what BlueZ knows -----------------------------------------------------------

    def _objects(self) -> dict:
        return self._call("/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects", "", ())

    def _properties(self, path: str, interface: str) -> dict:
        return self._objects().get(path, {}).get(interface, {})

    def _sightings(self) -> Iterator[Sighting]:
        for path, interfaces in self._objects().items():
            properties = interfaces.get(DEVICE)
            if properties and path.startswith(self._adapter + "/"):
                yield Sighting(str(path), str(properties["Address"]),
                               str(properties.get("AddressType", "public")),
                               advertisement(properties))

    def _characteristic(self, reader: Sighting, uuid: str) -> str:
        for path, interfaces in self._objects().items():
            if path.startswith(reader.path + "/") \
                    and str(interfaces.get(CHARACTERISTIC, {}).get("UUID", "")).lower() == uuid:
                return path
        raise Failure(Exit.UNREACHED, f"{reader.address} has no characteristic {uuid}")

    def _until(self, look: Callable[[], Optional[Found]], seconds: float, text: str) -> Found:
        deadline = self._clock() + seconds
        while True:
            found = look()
            if found is not None:
                return found
            if self._clock() >= deadline:
                raise Failure(Exit.UNREACHED, text)
            self._pause(LOOK_EVERY)


def advertisement(properties: dict) -> Optional[bytes]:
    """The 31 octets as they were on air, put together again from BlueZ's parts of them.

    A signal strength is there only for what was heard in this scan: without it the service data
    may be from another day.
    """
    data = properties.get("ServiceData", {}).get(SERVICE)
    if data is None or "RSSI" not in properties or len(data) != SERVICE_DATA_OCTETS:
        return None
    flags = bytes(properties.get("AdvertisingFlags", b"")) or b"\x06"
    return b"\x02\x01" + flags[:1] + b"\x1b\x16\xf2\xff" + bytes(data)


def system_bus() -> Call:
    """BlueZ on the system bus, through Debian's `python3-dbus`.

    Discovery lasts as long as the connection that asked for it, which is why the command line
    tools that connect anew for each call do not serve.
    """
    try:
        import dbus
    except ImportError as error:
        raise Failure(Exit.UNAVAILABLE, "finding readers needs D-Bus for Python: install "
                                        "python3-dbus, and use Debian's own python3") from error
    try:
        bus = dbus.SystemBus()
    except dbus.DBusException as error:
        raise Failure(Exit.UNAVAILABLE, f"there is no system bus: {error}") from error

    def call(path: str, interface: str, method: str, signature: str, arguments: tuple) -> object:
        try:
            return bus.call_blocking("org.bluez", path, interface, method, signature, arguments,
                                     timeout=30.0, byte_arrays=True)
        except dbus.DBusException as error:
            name = error.get_dbus_name() or ""
            exit = Exit.UNREACHED if name.startswith("org.bluez.") else Exit.UNAVAILABLE
            raise Failure(exit, f"{interface}.{method}: {error}") from error

    return call
