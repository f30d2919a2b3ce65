"""Whole runs of the reader and the simulated device against the recorded ones, octet for octet."""

import sys
import unittest
from pathlib import Path

import cbor2

sys.path.insert(0, str(Path(__file__).resolve().parent))

from aliro_reader import ble, commands, crypto, exchange, selection, step_up, tlv  # noqa: E402
from vectors import (  # noqa: E402
    CASES, VECTORS, octets, public, pump, vector_pair)

STEP_UP = VECTORS["stepUp"]


def in_parts(data: bytes) -> list:
    """The answers that carry `data` when each holds at most 254 octets."""
    answers = []
    while len(data) > commands.ANSWER_LIMIT:
        part, data = data[:commands.ANSWER_LIMIT], data[commands.ANSWER_LIMIT:]
        answers.append(part + bytes([0x61, len(data) % 256]))
    return answers + [data + commands.SUCCESS]


class Runs(unittest.TestCase):
    def test_every_recorded_transaction(self):
        for number in CASES:
            with self.subTest(VECTORS["transactions"][number]["name"]):
                self.check_run(number)

    def check_run(self, number):
        vector = VECTORS["transactions"][number]
        reader, device = vector_pair(number)
        shown = [message.hex() for message in pump(reader, device)]
        self.assertTrue(reader.finished)
        self.assertEqual(device.state, "finished")
        expected = self.expected(number, vector)
        self.assertEqual(shown[:len(expected)], expected)
        kept = vector.get("kPersistent") or vector["input"]["kPersistent"]
        self.assertEqual(reader.persistent_key.hex(), kept)

    def expected(self, number, vector):
        nfc = vector["transport"] == "nfc"
        command = bytes if nfc else ble.command
        answer = bytes if nfc else ble.answer
        expected = []
        if not nfc:
            frames = VECTORS["transactions"][0]["bleFrames"]
            expected.append(octets(frames["initiateAccessProtocolRKE"]))
        for name in ("select", "auth0", "loadCert", "auth1", "exchange"):
            if f"{name}Command" in vector and CASES[number].get(
                    "exchanges" if name == "exchange" else "signing"):
                expected += [command(octets(vector[f"{name}Command"])),
                             answer(octets(vector[f"{name}Response"]))]
        if CASES[number].get("step_up"):
            expected.append(command(octets(STEP_UP["envelopeCommand"])))
            parts = in_parts(octets(STEP_UP["envelopeResponseUnchained"])[:-2])
            for part in parts:
                expected += [answer(part), command(bytes.fromhex("00C0000000"))]
            expected.pop()
        # The last recorded message of the first run belongs to the approach flow.
        expected += [octets(message["wire"]) for message in vector.get("bleMessages", [])[:2]]
        return [message.hex() for message in expected]

    def test_the_approach_flow_seals_its_messages_as_recorded(self):
        vector = VECTORS["transactions"][0]
        reader, device = vector_pair(0, intent="approach", step_up=None, exchanges=[])
        exchanged = pump(reader, device)
        self.assertTrue(reader.finished)
        self.assertEqual(exchanged[0].hex(), vector["bleFrames"]["initiateAccessProtocol"])
        # The third recorded message follows an RKE request at counter 1.
        link = ble.SecureLink.for_device(
            (octets(vector["bleSKReader"]), octets(vector["bleSKDevice"])))
        link.seal(2, 4, b"\x00\x01\x01")
        self.assertEqual(link.seal(2, 1, ble.attribute(0, b"")).hex(),
                         vector["bleMessages"][2]["wire"])


class Selection(unittest.TestCase):
    def test_recorded_answer_to_select(self):
        vector = VECTORS["transactions"][3]
        made = commands.apdu(commands.SELECT, commands.EXPEDITED_AID)
        self.assertEqual(made.hex(), vector["selectCommand"])
        data, word = commands.split_answer(octets(vector["selectResponse"]))
        self.assertEqual(word, commands.SUCCESS)
        proprietary = selection.parse_fci(data, commands.EXPEDITED_AID)
        self.assertEqual(proprietary.hex(), vector["input"]["proprietaryInformation"])
        self.assertEqual(selection.encode_fci(commands.EXPEDITED_AID, proprietary), data)


class StepUp(unittest.TestCase):
    def channels(self):
        vector = VECTORS["transactions"][0]
        keys = octets(vector["stepUpSKReader"]), octets(vector["stepUpSKDevice"])
        return crypto.Channel.for_reader(*keys), crypto.Channel.for_device(*keys)

    def test_request_and_responses(self):
        reader, device = self.channels()
        request = octets(STEP_UP["deviceRequest"])
        items = step_up.items_request("aliro-a", ["floor1"])
        self.assertEqual(cbor2.dumps(step_up.device_request([cbor2.dumps(items)])), request)
        command = commands.apdu(commands.ENVELOPE, step_up.wrap(reader.seal(request)))
        self.assertEqual(command.hex(), STEP_UP["envelopeCommand"])
        for name, response in (("Unchained", "deviceResponse"),
                               ("NothingToShow", "deviceResponseNothingToShow")):
            with self.subTest(name):
                reader, device = self.channels()
                sealed = device.seal(octets(STEP_UP[response]))
                whole = step_up.wrap(sealed) + commands.SUCCESS
                self.assertEqual(whole.hex(), STEP_UP["envelopeResponse" + name])
                opened = reader.open(step_up.unwrap(whole[:-2]))
                self.assertEqual(opened.hex(), STEP_UP[response])

    def test_recorded_response_is_the_recorded_document(self):
        issuer, credential = public("credentialIssuer"), public("credential")
        request = step_up.Request({"aliro-a": ["floor1"]}, issuer)
        shown = step_up.check_response(octets(STEP_UP["deviceResponse"]), request, credential)
        self.assertEqual([item.hex() for item in shown["aliro-a"]],
                         [VECTORS["accessDocument"]["issuerSignedItem"]])
        self.assertRaises(step_up.StepUpError, step_up.check_response, octets(
            STEP_UP["deviceResponseNothingToShow"]), request, credential)
        nothing = step_up.Request({"aliro-a": ["floor2"]}, issuer, held={})
        self.assertEqual(step_up.check_response(octets(
            STEP_UP["deviceResponseNothingToShow"]), nothing, credential), {})


class Negatives(unittest.TestCase):
    def test_recorded_negatives_are_answered_as_expected(self):
        for entry in VECTORS["negative"]:
            if "exchangeCommandPlaintext" in entry:
                continue   # it needs a session: see the run below
            with self.subTest(entry["name"]):
                _, device = vector_pair(2 if "loadCertCommand" in entry else 0)
                word = self.play_negative(entry, device)
                if word == "9000":
                    self.assertTrue(entry["expectSW"].startswith("9000"), word)
                else:
                    self.assertIn(word, entry["expectSW"])

    @staticmethod
    def play_negative(entry, device):
        first = VECTORS["transactions"][2 if "loadCertCommand" in entry else 0]
        if entry.get("after") or "loadCertCommand" in entry:
            device.receive(ble.command(octets(first["auth0Command"])))
        if entry.get("after") == "first transaction AUTH1":
            device.receive(ble.command(octets(first["auth1Command"])))
        for name in ("auth0Command", "loadCertCommand", "auth1Command", "exchangeCommand"):
            if name in entry:
                device.receive(ble.command(octets(entry[name])))
                word = device.status_word.lower()
        return word

    def test_recorded_read_outside_the_mailbox(self):
        entry = next(e for e in VECTORS["negative"] if "exchangeCommandPlaintext" in e)
        inner = dict(tlv.decode_all(octets(entry["exchangeCommandPlaintext"])))
        plan = exchange.Plan(tlv.decode_all(inner[0xBA])[1:], out_of_range=True)
        self.assertEqual(tlv.encode_all(plan.fields()).hex(), entry["exchangeCommandPlaintext"])
        reader, device = vector_pair(0, exchanges=[plan], mailbox=exchange.Mailbox(bytes(64)))
        shown = []
        device.config.mailbox = reader.config.mailbox
        device.alter = lambda stage, value: shown.append(value.hex()) or value \
            if stage == "exchange-plaintext" else value
        pump(reader, device)
        self.assertTrue(reader.finished)
        self.assertEqual(shown, ["0002ffff"])


if __name__ == "__main__":
    unittest.main()
