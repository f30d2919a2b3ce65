"""The mailbox and step-up of a running vault: what is kept, what is shown, and what is not."""

import sys
import unittest
from pathlib import Path

import cbor2

sys.path.insert(0, str(Path(__file__).resolve().parent))

from aliro_reader import crypto, exchange, step_up, tlv  # noqa: E402
from bench import ELEMENTS, WANTED, OnBench, take_socket_arguments  # noqa: E402
from door import Door, mailbox_settings  # noqa: E402

TRANSPORTS = ("ble", "nfc")
SUCCESS = b"\x00\x02\x00\x00"


def box(*operations, more: bool = False) -> bytes:
    return tlv.encode_all(exchange.Plan(list(operations), more=more).fields())


class Services(OnBench):
    def with_mailbox(self, size: int, transport: str = "ble"):
        """A new namespace's session behind AUTH1, and a maker of further ones."""
        door = Door()
        namespace, credential = self.bench.stored(door, mailbox=mailbox_settings(size))
        return lambda: self.bench.session(
            namespace, credential, door, transport=transport).accepted()


class Mailbox(Services):
    def test_what_is_written_is_read_in_later_transactions(self):
        for transport in TRANSPORTS:
            plans = [
                exchange.Plan([exchange.read(0, 64)]),
                exchange.Plan([exchange.write(0, crypto.random_octets(8)), exchange.read(0, 8),
                               exchange.fill(60, 4, 0x5A)]),
                exchange.Plan([exchange.read(0, 64), exchange.read(0, 0), exchange.read(63, 1)])]
            for exchanges in (plans, [exchange.Plan([exchange.read(0, 64)])]):
                reader = self.bench.reader(transport=transport, exchanges=exchanges)
                self.bench.run_good(reader)

    def test_an_atomic_session_is_applied_as_one(self):
        for transport in TRANSPORTS:
            make = self.with_mailbox(32, transport)
            session = make()
            session.exchanged(box(exchange.write(0, b"one"), more=True))
            session.exchanged(box(exchange.fill(8, 4, 0x77), more=True))
            other = make()
            self.assertEqual(other.exchanged(box(exchange.read(0, 12)))[2:14], bytes(12))
            session.exchanged(box(exchange.write(4, b"two")))
            shown = make().exchanged(box(exchange.read(0, 12)))[2:14]
            self.assertEqual(shown, b"one\x00two\x00\x77\x77\x77\x77")

    def test_an_atomic_session_cut_short_leaves_nothing(self):
        make = self.with_mailbox(32)
        ends = (lambda s: s.load_cert(), lambda s: s.exchange(b"\xBA\x05"), lambda s: s.vault.call(
            "presentation.close", {"presentation": s.presentation}), lambda s: None)
        for end in ends:
            session = make()
            session.exchanged(box(exchange.write(0, b"lost"), more=True))
            end(session)
            self.assertEqual(make().exchanged(box(exchange.read(0, 4)))[2:6], bytes(4))

    def test_ranges_are_checked_before_anything_is_done(self):
        make = self.with_mailbox(32)
        session = make()
        outside = [exchange.read(32, 1), exchange.read(0, 33), exchange.read(0xFFFF, 0xFFFF),
                   exchange.write(31, b"xy"), exchange.write(0xFFFF, b"x"),
                   exchange.fill(32, 1, 1), exchange.fill(1, 32, 1),
                   exchange.fill(0xFFFF, 0xFFFF, 1)]
        for operation in outside:
            with self.subTest(operation):
                plaintext = session.exchanged(box(
                    exchange.write(0, b"changed"), exchange.read(0, 4), operation))
                exchange.parse_answer(plaintext, [], out_of_range=True)
                self.assertEqual(session.exchanged(box(exchange.read(0, 7)))[2:9], bytes(7))
        self.assertEqual(session.exchanged(box(exchange.read(31, 1))), b"\x00\x01\x00" + SUCCESS)

    def test_the_largest_mailbox_and_the_largest_answer(self):
        for transport in TRANSPORTS:
            make = self.with_mailbox(4096, transport)
            session = make()
            contents = crypto.random_octets(4096)
            for offset in range(0, 4096, 1024):
                session.exchanged(box(exchange.write(offset, contents[offset:offset + 1024])))
            self.assertEqual(session.exchanged(box(exchange.read(0, 4096)))[2:-4], contents)
            # Four such reads are more than one answer may hold, with their lengths.
            whole = session.exchanged(box(*[exchange.read(0, 4096)] * 4))
            exchange.parse_answer(whole, [], out_of_range=True)

    def test_other_fields_are_taken(self):
        descriptor = tlv.encode(0xB5, bytes.fromhex("04030000018001AA8101BB"))
        for notice in (b"\x82\x02\x00\x25", descriptor, b"\x9F\x01\x01\x55"):
            session = self.bench.session().accepted()
            plain = session.exchanged(tlv.encode(0xAE, notice) + b"\xAA\x01\x00")
            self.assertEqual(plain, SUCCESS)


class StepUp(Services):
    def test_documents_are_shown_as_they_were_issued(self):
        issued = {}
        for transport in TRANSPORTS:
            for late in (False, True) if transport == "ble" else (False,):
                request = self.bench.request(exchanges=[exchange.Plan([exchange.read(0, 16)])])
                reader = self.bench.reader(
                    transport=transport, step_up=request, step_up_late=late)
                self.bench.run_good(reader)
                self.assertEqual({kind: len(items) for kind, items in reader.documents.items()},
                                 {"aliro-a": 2, "aliro-r": 1})
                issued.setdefault("first", reader.documents)
                self.assertEqual(reader.documents, issued["first"])

    def test_only_what_is_asked_for_and_held(self):
        cases = [
            ({"aliro-a": ["floor2"]}, {"aliro-a": ["floor2"]}),
            ({"aliro-a": sorted(ELEMENTS)}, {"aliro-a": sorted(ELEMENTS)}),
            ({"aliro-r": ["revoked"]}, {"aliro-r": ["revoked"]}),
            ({"aliro-a": ["floor1", "cellar"]}, {"aliro-a": ["floor1"]}),
            ({"aliro-a": ["cellar"]}, {}), ({"aliro-x": ["floor1"]}, {}),
            ({"aliro-a": ["revoked"], "aliro-r": ["floor1"]}, {})]
        for transport in TRANSPORTS:
            for wanted, held in cases:
                with self.subTest(f"{transport} {wanted}"):
                    request = step_up.Request(wanted, crypto.point_of(self.bench.door.issuer), held)
                    self.bench.run_good(self.bench.reader(transport=transport, step_up=request))

    def test_no_revocation_document(self):
        door = Door()
        namespace, credential = self.bench.stored(door)
        session = self.bench.session(namespace, credential, door).stepped_up()
        items = cbor2.dumps(step_up.items_request("aliro-r", ["revoked"]))
        response = session.enveloped(cbor2.dumps(step_up.device_request([items])))
        self.assertEqual(response, {"1": "1.0", "2": [], "3": 0})

    def test_requests_that_are_none_show_nothing_and_leave_the_session(self):
        for transport in TRANSPORTS:
            session = self.bench.session(transport=transport).stepped_up()
            for name, octets, statuses in broken_requests():
                with self.subTest(f"{transport}, {name}"):
                    response = session.enveloped(octets)
                    self.assertEqual(response["2"], [])
                    self.assertIn(response["3"], statuses)
            good = session.enveloped(self.bench.device_request())
            self.assertEqual((good["3"], len(good["2"])), (0, 1))

    def test_a_request_in_many_parts(self):
        for transport in TRANSPORTS:
            reader = self.bench.reader(transport=transport, step_up=self.bench.request(), chunk=20)
            self.bench.run_good(reader)
            self.assertEqual(set(reader.documents), set(WANTED))

    def test_an_answer_in_parts_may_be_left(self):
        session = self.bench.session().stepped_up()
        self.assertTrue(session.envelope(self.bench.device_request()).status_word.startswith("61"))
        # The counter of the answer that was left has been used.
        session.step_up.incoming.counter += 1
        response = session.enveloped(self.bench.device_request())
        self.assertEqual(response["3"], 0)


def broken_requests() -> list:
    """(name, octets, statuses): every part of a DeviceRequest taken away or changed."""
    items = step_up.items_request("aliro-a", ["floor1"])
    good = step_up.device_request([cbor2.dumps(items)])
    invalid, none = {step_up.NOT_VALID}, {step_up.NOT_CBOR}

    def with_items(changed) -> dict:
        return step_up.device_request([cbor2.dumps(changed)])

    def entry(value) -> dict:
        return {"1": "1.0", "2": [value]}

    tagged = cbor2.CBORTag(24, cbor2.dumps(items))
    structures = {
        "no version": {"2": good["2"]}, "no requests": {"1": "1.0"},
        "a number as version": {**good, "1": 1}, "a version of another kind": {**good, "1": "2.0"},
        "requests that are no list": {**good, "2": {}}, "a text as requests": {**good, "2": "x"},
        "a request that is no map": entry(1), "a request without items": entry({}),
        "items without their tag": entry({"1": tagged.value}),
        "items under another tag": entry({"1": cbor2.CBORTag(1234, tagged.value)}),
        "items that are a map at once": entry({"1": cbor2.CBORTag(24, items)}),
        "items that are no CBOR": entry({"1": cbor2.CBORTag(24, b"\xFF")}),
        "items with an octet behind": entry({"1": cbor2.CBORTag(24, tagged.value + b"\x00")}),
        "items that are a list": with_items([1]), "items without a type": with_items(
            {"1": items["1"]}), "items without elements": with_items({"5": "aliro-a"}),
        "a number as type": with_items({**items, "5": 1}),
        "namespaces that are a list": with_items({**items, "1": []}),
        "a number as namespace": with_items({**items, "1": {1: {"floor1": False}}}),
        "elements that are a list": with_items({**items, "1": {"aliro-a": ["floor1"]}}),
        "a number as element": with_items({**items, "1": {"aliro-a": {1: False}}}),
        "a number as retention": with_items({**items, "1": {"aliro-a": {"floor1": 0}}}),
        "a list in place of the request": ["1.0", good["2"]], "a number": 7, "a text": "1.0"}
    whole = cbor2.dumps(good)
    octets = {"no octets": b"", "a break": b"\xFF", "cut short": whole[:-1],
              "an octet behind": whole + b"\x00", "cut in the middle": whole[:20],
              "a reserved length": b"\xBC" + whole[1:]}
    # Of items inside, a device may say that they are no CBOR or that the request is not valid.
    inner = {"items that are no CBOR", "items with an octet behind"}
    return [(name, cbor2.dumps(value), invalid | (none if name in inner else set()))
            for name, value in structures.items()] \
        + [(name, value, none) for name, value in octets.items()]


if __name__ == "__main__":
    take_socket_arguments()
    unittest.main()
