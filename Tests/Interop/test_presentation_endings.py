"""How presentations end, and the approach flow with its ranging, against a running vault."""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from aliro_reader import ble, commands, crypto, exchange  # noqa: E402
from bench import take_socket_arguments  # noqa: E402
from presenting import Gateway, Silence  # noqa: E402
from simulated_services import STATUS_WORDS  # noqa: E402
from test_presentation_runs import Runs  # noqa: E402
from vault_client import base64_text  # noqa: E402


class Endings(Runs):
    def test_reader_status_over_nfc_in_words(self):
        for value, words in STATUS_WORDS.items():
            with self.subTest(words):
                session = self.bench.session(transport="nfc").accepted()
                answer = session.exchange(b"\x97\x02" + value.to_bytes(2, "big"))
                self.assertEqual(answer.status_word, "9000")
                self.assertEqual(session.channel.open(answer.data), b"\x00\x02\x00\x00")
                self.assertEqual(answer.state, "finished")
                granted = "access_granted" if value >> 8 == 1 else "access_denied"
                if words != "jammed":   # the reader said yes and the bolt did not
                    self.assertIn(granted, answer.events)
                else:
                    self.assertNotIn("access_denied", answer.events)
                self.assertIn(words, " ".join(answer.details))

    def test_a_door_that_did_not_move_is_not_a_grant(self):
        for status, event in ((1, "access_granted"), (0, "access_denied")):
            session = self.bench.session().accepted()
            session.good(session.send("COMPLETED", session.completed_message()))
            answer = session.send("STATUS", session.link.seal(
                ble.NOTIFICATION, ble.STATUS_CHANGED, bytes([0, 2, 0, status])))
            self.assertIn(event, answer.events)

    def test_odd_statuses_grant_nothing(self):
        """Whole attributes that are not the known ones: "unknown", never a grant."""
        odd = ["01020001", "000101", "", "0003000100", "00020005", "00020002", "0100"]
        for payload in odd:
            with self.subTest(payload):
                session = self.bench.session().accepted()
                session.good(session.send("COMPLETED", session.completed_message()))
                answer = self.status(session, payload)
                self.assertNotIn("access_granted", answer.events)
                if payload[:4] != "0002":
                    self.assertIn("unknown", " ".join(answer.details))

    def test_a_status_at_another_time_grants_nothing(self):
        for session in (self.bench.session().accepted(), self.bench.fast_session(),
                        self.bench.session(intent="approach").accepted()):
            answer = self.status(session, "00020001")
            self.assertNotIn("access_granted", answer.events)
            self.assertEqual(answer.messages, [])

    @staticmethod
    def status(session, payload):
        return session.send("STATUS", session.link.seal(
            ble.NOTIFICATION, ble.STATUS_CHANGED, bytes.fromhex(payload)))

    def test_control_flow_ends_the_session(self):
        for transport in ("ble", "nfc"):
            for data in ("410100420100", "410100420127", "410101420100430482020025"):
                session = self.bench.session(transport=transport).begin()
                answer = session.apdu("CONTROL FLOW", commands.apdu(
                    commands.CONTROL_FLOW, bytes.fromhex(data), le=False))
                self.assertEqual((answer.status_word, answer.data), ("9000", b""))
                after = session.auth1()
                self.assertTrue(after.refused, str(after))
                self.assertFalse(session.auth1_answered)


class Approach(Runs):
    def test_request_and_ranging(self):
        self.run_good(intent="approach")
        self.run_good(intent="approach", ranging=True, exchanges=[exchange.Plan(ursk=True)])
        known = self.run_good(fast=True).persistent_key
        self.run_good(intent="approach", ranging=True, exchanges=[exchange.Plan(ursk=True)],
                      fast=True, known_persistent_key=known)

    def test_secure_may_be_asked_for_too(self):
        session = self.accepted()
        answer = session.good(session.request("secure"))
        message = ble.decode(answer.messages[-1])
        self.assertEqual(session.link.open(message), b"\x00\x01\x00")

    def test_every_kind_of_ranging_message_is_carried(self):
        session = self.accepted(ursk=True)
        for message in session.good(session.request("initiate_ranging")).messages:
            session.link.open(ble.decode(message))
        kinds = ["m1", "m2", "m3", "m4", "suspend_request", "suspend_response", "resume_request",
                 "resume_response"]
        for number, kind in enumerate(kinds, 1):
            payload = crypto.random_octets(20)
            with self.subTest(kind):
                answer = session.good(session.send(
                    "UWB", session.link.seal(ble.UWB, number, payload)))
                self.assertEqual(
                    answer.ranging, [{"message": kind, "payload": base64_text(payload)}])
                answer = session.good(session.request(
                    "ranging", ranging={"message": kind, "payload": base64_text(payload)}))
                sent = ble.decode(answer.messages[-1])
                self.assertEqual((sent.protocol, sent.identifier), (ble.UWB, number))
                self.assertEqual(session.link.open(sent), payload)

    def accepted(self, ursk=False):
        session = self.bench.session(intent="approach").accepted()
        if ursk:
            session.exchanged(b"\x98\x00")
        answer = session.good(session.send("COMPLETED", session.completed_message()))
        self.assertEqual((answer.state, answer.messages), ("accepted", []))
        return session

    def test_requests_out_of_place_are_refused_without_a_message(self):
        early = self.bench.session(intent="approach").begin()
        without_ursk = self.accepted()
        for session, request in ((early, "unsecure"), (early, "initiate_ranging"),
                                 (without_ursk, "initiate_ranging")):
            answer = session.request(request)
            self.assertEqual((answer.code, answer.messages), ("protocol_error", []), str(answer))

    def test_ranging_that_was_not_set_up_is_answered_with_an_error(self):
        session = self.bench.session(intent="approach").accepted()
        answer = session.send("UWB", session.link.seal(ble.UWB, ble.M1, b"\x00\x01\x01"))
        self.assertEqual(answer.ranging, [])
        message = ble.decode(answer.messages[0])
        self.assertEqual(message.identifier, ble.EVENT)
        self.assertEqual(session.link.open(message), bytes.fromhex("010103"))

    def test_nothing_is_asked_for_without_a_request(self):
        gateway = Gateway(self.bench.vault, self.bench.namespace,
                          self.bench.reader(intent="approach"), Silence())
        gateway._ask = lambda: None
        gateway.run()
        self.assertEqual(gateway.state, "accepted")
        self.assertNotIn("access_granted", [event["event"] for event in gateway.events])


if __name__ == "__main__":
    take_socket_arguments()
    unittest.main()
