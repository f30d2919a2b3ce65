"""Everything of the radio but the radio: BlueZ by a stand-in, addresses, the way to a channel."""

import argparse
import errno
import socket
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from relay_bench import ReaderEnd, VaultEnd  # noqa: E402
from vault_client import base64_text  # noqa: E402

from ble_relay import bluez, channel  # noqa: E402
from ble_relay.outcome import Exit, Failure  # noqa: E402
from ble_relay.reach import known_reader, reader_in_range  # noqa: E402

ADDRESS = "C0:FF:EE:00:00:01"
PATH = "/org/bluez/hci0/dev_C0_FF_EE_00_00_01"
DATA = bytes(range(24))
ADVERTISEMENT = bytes.fromhex("0201061b16f2ff") + DATA


class FakeBlueZ:
    """The objects of a bus, and a note of each call. `record` is what the reader says."""

    def __init__(self, record: bytes = bytes.fromhex("00800201000100")):
        self.calls = []
        self.fail = {}
        self.record = record
        self.now = 0.0
        self.after = []    # changes to the objects, one for each pause
        self.objects = {
            "/org/bluez/hci0": {bluez.ADAPTER: {"Address": "00:11:22:33:44:55"}},
            "/org/bluez/hci1/dev_AA": {bluez.DEVICE: self.device()},
            PATH: {bluez.DEVICE: self.device()},
            PATH + "/service1/char1": {bluez.CHARACTERISTIC: {
                "UUID": bluez.READER_CHARACTERISTIC.upper()}},
            PATH + "/service1/char2": {bluez.CHARACTERISTIC: {
                "UUID": bluez.DEVICE_CHARACTERISTIC}}}

    @staticmethod
    def device(**changes) -> dict:
        return {"Address": ADDRESS, "AddressType": "random", "RSSI": -60,
                "ServicesResolved": True, "ServiceData": {bluez.SERVICE: DATA}, **changes}

    def call(self, path, interface, method, signature, arguments):
        if method == "GetManagedObjects":
            return self.objects
        self.calls.append((method, path, signature, arguments))
        if method in self.fail:
            raise self.fail[method]
        return self.record if method == "ReadValue" else None

    def names(self) -> list:
        return [method for method, *_ in self.calls]

    def clock(self) -> float:
        return self.now

    def pause(self, seconds: float) -> None:
        self.now += seconds
        if self.after:
            self.after.pop(0)()

    def radio(self) -> bluez.Radio:
        return bluez.Radio(self.call, "hci0", self.clock, self.pause)


class Expecting(unittest.TestCase):
    def fails(self, exit: Exit, action, *arguments) -> str:
        with self.assertRaises(Failure) as caught:
            action(*arguments)
        self.assertEqual(caught.exception.ending.exit, exit)
        return caught.exception.ending.text


class Finding(Expecting):
    def setUp(self):
        self.bus = FakeBlueZ()

    def put(self, **changes):
        self.bus.objects[PATH][bluez.DEVICE] = self.bus.device(**changes)

    def seen(self, seconds: float = 1.0) -> list:
        seen = []
        self.fails(Exit.UNREACHED, self.bus.radio().find, lambda s: seen.append(s), seconds)
        return seen

    def test_the_advertisement_is_as_it_was_on_air(self):
        self.assertEqual(self.seen(), [bluez.Sighting(PATH, ADDRESS, "random", ADVERTISEMENT)])
        self.assertEqual(self.bus.names(), ["SetDiscoveryFilter", "StartDiscovery",
                                            "StopDiscovery"])

    def test_flags_are_the_readers_own_where_bluez_tells_them(self):
        self.put(AdvertisingFlags=b"\x1a")
        self.assertEqual(self.seen()[0].advertisement[:3].hex(), "02011a")

    def test_what_was_not_heard_now_or_is_no_aliro_has_no_advertisement(self):
        for changes in ({"ServiceData": {}}, {"ServiceData": {bluez.SERVICE: DATA[1:]}},
                        {"ServiceData": {bluez.SERVICE.replace("2", "3"): DATA}}):
            self.put(**changes)
            self.assertIsNone(self.seen()[0].advertisement)
        self.put()
        del self.bus.objects[PATH][bluez.DEVICE]["RSSI"]
        self.assertIsNone(self.seen()[0].advertisement)

    def test_a_changed_advertisement_is_shown_again(self):
        other = {bluez.SERVICE: DATA[::-1]}
        self.bus.after = [lambda: self.put(RSSI=-70), lambda: self.put(ServiceData=other)]
        self.assertEqual([s.advertisement[7:] for s in self.seen()], [DATA, DATA[::-1]])

    def test_scanning_ends_whatever_happens(self):
        failure = Failure(Exit.CONFLICT, "two")
        self.bus.fail["StopDiscovery"] = Failure(Exit.UNREACHED, "no discovery")

        def refuse(_):
            raise failure

        self.fails(Exit.CONFLICT, self.bus.radio().find, refuse, 1.0)
        self.assertEqual(self.bus.names()[-1], "StopDiscovery")

    def test_no_such_adapter(self):
        radio = bluez.Radio(self.bus.call, "hci7")
        self.fails(Exit.UNAVAILABLE, radio.local_address)
        self.assertEqual(self.bus.radio().local_address(), ("00:11:22:33:44:55", "public"))


class Agreeing(Expecting):
    def test_the_readers_record(self):
        for text, spsm, versions in (("00800201000100", 0x80, "0100"),
                                     ("008004010000090101", 0x80, "01000009"),
                                     ("0081020100", 0x81, "0100")):
            record = bluez.ReaderRecord.parse(bytes.fromhex(text))
            self.assertEqual(record, (spsm, bytes.fromhex(versions)))

    def test_records_that_are_none(self):
        for text in ("", "00", "0080", "008000", "00800101", "0080030100ff", "00800401",
                     "0000020100", "0100020100", "8000020100"):
            with self.subTest(text):
                self.fails(Exit.UNREACHED, bluez.ReaderRecord.parse, bytes.fromhex(text))

    def test_the_common_version(self):
        self.assertEqual(bluez.common_version(bytes.fromhex("00090100")), b"\x01\x00")
        # 0100 across two versions is neither of them.
        self.fails(Exit.UNREACHED, bluez.common_version, bytes.fromhex("00010009"))

    def test_services_may_take_a_while(self):
        bus = FakeBlueZ()
        properties = bus.objects[PATH][bluez.DEVICE]
        properties["ServicesResolved"] = False
        reader = bluez.Sighting(PATH, ADDRESS, "random", None)
        self.fails(Exit.UNREACHED, bus.radio().connect, reader, 1.0)
        bus.after = [lambda: None, lambda: properties.update(ServicesResolved=True)]
        self.assertEqual(bus.radio().connect(reader, 1.0), (0x80, b"\x01\x00"))

    def test_a_device_without_the_characteristic(self):
        bus = FakeBlueZ()
        bus.objects = {path: value for path, value in bus.objects.items() if "char" not in path}
        reader = bluez.Sighting(PATH, ADDRESS, "random", None)
        self.fails(Exit.UNREACHED, bus.radio().connect, reader, 1.0)


class Reaching(Expecting):
    """From the command line's options to an open channel."""

    MATCH = {"namespace": "office/door", "reader_group": "AA==", "verified": True}

    def setUp(self):
        self.bus, self.vault_end, self.reader = FakeBlueZ(), VaultEnd(), ReaderEnd()
        self.addCleanup(self.vault_end.close)
        self.addCleanup(self.reader.connection.close)
        self.addCleanup(self.reader.channel.close)
        self.opened = []

    def open_channel(self, *arguments):
        self.opened.append(arguments)
        return self.reader.channel

    def reach(self, matches=None, connectable=True, **options):
        given = argparse.Namespace(**{
            "adapter": "hci0", "scan": 0.001, "address": None, "namespace": None,
            "intent": "secure", "user_confirmed": None, "request": None, "reader_timeout": 5.0,
            **options})
        if matches is not None:
            self.vault_end.answer({"connectable": connectable, "matches": matches, "more": False})
        with reader_in_range(given, self.vault_end.vault, lambda *_, **__: None,
                             lambda: self.bus.call, self.open_channel) as (_, opening):
            return opening

    def test_the_whole_way(self):
        opening = self.reach([self.MATCH])
        self.assertEqual(opening, ("office/door", "secure", b"\x01\x00", b"\x01\x00", None, None))
        self.assertEqual(self.opened, [(ADDRESS, "random", 0x80,
                                        ("00:11:22:33:44:55", "public"), 5.0)])
        self.assertEqual(self.bus.names(), [
            "SetDiscoveryFilter", "StartDiscovery", "StopDiscovery", "Connect", "ReadValue",
            "WriteValue", "Disconnect"])
        written = self.bus.calls[5]
        self.assertEqual(written[1], PATH + "/service1/char2")
        self.assertEqual(written[3][0].hex(), "01000100")
        self.assertEqual(self.vault_end.calls(), [("presentation.match", {
            "advertisement": base64_text(ADVERTISEMENT),
            "address": base64_text(bytes.fromhex("C0FFEE000001"))})])

    def test_a_verified_match_goes_before_one_by_prefix(self):
        other = {**self.MATCH, "namespace": "a/door", "verified": False}
        self.assertEqual(self.reach([other, self.MATCH]).namespace, "office/door")

    def test_more_than_one_namespace_is_for_a_person_to_say(self):
        other = {**self.MATCH, "namespace": "a/door"}
        text = self.fails(Exit.CONFLICT, lambda: self.reach([self.MATCH, other]))
        self.assertIn("a/door, office/door", text)

    def test_a_reader_of_someone_else_or_that_wants_no_connection(self):
        self.fails(Exit.UNREACHED, lambda: self.reach([]))
        self.setUp()
        self.fails(Exit.UNREACHED, lambda: self.reach([self.MATCH], connectable=False))
        self.assertNotIn("Connect", self.bus.names())

    def test_a_vault_that_does_not_know_match_or_answers_oddly(self):
        self.vault_end.answer("method_not_found")
        self.fails(Exit.MISMATCH, lambda: self.reach())
        for match in ({}, {"namespace": 7, "verified": True}, {**self.MATCH, "verified": "yes"}):
            self.setUp()
            self.fails(Exit.MISMATCH, lambda: self.reach([match]))

    def test_a_reader_by_its_address_is_no_matter_for_the_vault(self):
        self.assertEqual(self.reach(address=ADDRESS, namespace="x").namespace, "x")
        self.assertEqual(self.vault_end.calls(), [])

    def test_the_link_goes_when_the_reader_is_none(self):
        for bus in (FakeBlueZ(b""), FakeBlueZ(bytes.fromhex("0080020009"))):
            self.setUp()
            self.bus = bus
            self.fails(Exit.UNREACHED, lambda: self.reach([self.MATCH]))
            self.assertEqual(bus.names()[-1], "Disconnect")
            self.assertEqual(self.opened, [])

    def test_a_reader_all_known(self):
        given = argparse.Namespace(
            address=ADDRESS, address_type="public", spsm=0x81, versions=bytes.fromhex("01000009"),
            namespace="x", intent="approach", user_confirmed=True, request="secure",
            reader_timeout=5.0)
        with known_reader(given, None, lambda *_, **__: None, self.open_channel) as (_, opening):
            self.assertEqual(opening, ("x", "approach", given.versions, b"\x01\x00", True,
                                       "secure"))
        self.assertEqual(self.opened, [(ADDRESS, "public", 0x81,
                                        (channel.ANY_ADDRESS, "public"), 5.0)])


class Addresses(Expecting):
    def test_the_kernels_structure(self):
        made = channel.l2cap_address("C0:FF:EE:00:00:01", "random", 0x0080)
        family = (31).to_bytes(2, sys.byteorder)
        self.assertEqual(made, family + bytes.fromhex("8000 010000eeffc0 0000 02 00"))
        self.assertEqual(channel.l2cap_address(channel.ANY_ADDRESS, "public", 0),
                         family + bytes.fromhex("0000 000000000000 0000 01 00"))

    def test_connecting_by_a_raw_address(self):
        """With Unix addresses, whose sockets have the same calls and boundaries."""
        with tempfile.TemporaryDirectory() as directory:
            path = f"{directory}/lock"
            address = socket.AF_UNIX.to_bytes(2, sys.byteorder) + path.encode() + b"\x00"
            with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as lock, \
                    socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as ours:
                with self.assertRaises(OSError) as caught:
                    channel.connect(ours, address, 1.0)
                self.assertEqual(caught.exception.errno, errno.ENOENT)
                channel.call_with_address("bind", lock, address)
                lock.listen()
                channel.connect(ours, address, 1.0)
                channel.Channel(ours).send(b"one", 1.0)
                with lock.accept()[0] as theirs:
                    self.assertEqual(theirs.recv(9), b"one")

    def test_a_connection_that_is_refused_later(self):
        with socket.socket() as other, socket.socket() as ours:
            other.bind(("127.0.0.1", 0))    # and does not listen
            port = other.getsockname()[1]
            address = socket.AF_INET.to_bytes(2, sys.byteorder) + port.to_bytes(2, "big") \
                + socket.inet_aton("127.0.0.1") + bytes(8)
            with self.assertRaises(OSError) as caught:
                channel.connect(ours, address, 5.0)
            self.assertEqual(caught.exception.errno, errno.ECONNREFUSED)


if __name__ == "__main__":
    unittest.main()
