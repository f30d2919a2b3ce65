"""The relay between a vault and a reader that do everything wrong, and once all right."""

import errno
import json
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from relay_bench import OPENING, ROOT, Bench, FakeSocket, opened, step  # noqa: E402
from vault_client import base64_text  # noqa: E402

from ble_relay import vault as wire  # noqa: E402
from ble_relay.channel import Channel  # noqa: E402
from ble_relay.outcome import Ending, Exit, Failure  # noqa: E402
from ble_relay.vault import Vault  # noqa: E402

GRANTED = {"event": "access_granted", "detail": "unsecured"}
CLOSED = {"state": "closed", "seq": 9}
SCHEMA = json.loads((ROOT / "Schema" / "vault.openrpc.json").read_text())


class Pump(unittest.TestCase):
    def setUp(self):
        self.new_bench()

    def new_bench(self, **options):
        self.bench = Bench(**options)
        self.addCleanup(self.bench.close)

    def answer(self, *results):
        self.bench.vault_end.answer(*results)

    def check(self, ending, exit, heard, calls):
        """How it ended, what the reader heard, and what the vault was asked after the opening."""
        self.assertEqual(ending.exit, exit, ending.text)
        self.assertEqual(self.bench.reader.heard(), heard)
        made = self.bench.vault_end.calls()
        self.assertEqual([method.split(".")[1] for method, _ in made], ["open"] + calls)
        return made

    def test_a_whole_run(self):
        self.answer(opened(b"one", b"two"), step(b"four", state="awaiting_status"),
                    step(state="finished", events=["status", GRANTED]), CLOSED)
        self.bench.reader.say(b"three", b"five")
        ending = self.bench.run()
        made = self.check(ending, Exit.GRANTED, [b"one", b"two", b"four"],
                          ["exchange", "exchange", "close"])
        self.assertEqual(ending.text, "access granted: unsecured")
        self.assertEqual(made[0][1], {
            "namespace": "demo/front-door", "transport": "ble", "intent": "unsecure",
            "reader_versions": base64_text(b"\x01\x00"), "version": base64_text(b"\x01\x00")})
        self.assertEqual([params.get("message") for _, params in made[1:]],
                         [base64_text(b"three"), base64_text(b"five"), None])
        self.assertTrue(all(params["presentation"] == "ab" * 16 for _, params in made[1:]))
        self.assertEqual([name for name, _ in self.bench.told],
                         ["opened", "sent", "sent", "received", "sent", "received", "event",
                          "event"])

    def test_short_and_longest_messages_pass_as_they_are(self):
        longest = bytes(range(256)) * 16
        self.answer(opened(longest), step(b"\x00"), step(state="finished", events=[GRANTED]),
                    CLOSED)
        self.bench.reader.say(b"\xFF", longest)
        made = self.check(self.bench.run(), Exit.GRANTED, [longest, b"\x00"],
                          ["exchange", "exchange", "close"])
        self.assertEqual([params["message"] for _, params in made[1:3]],
                         [base64_text(b"\xFF"), base64_text(longest)])

    def test_an_oversize_message_never_reaches_the_vault(self):
        self.answer(opened(b"one"), CLOSED)
        self.bench.reader.say(bytes(4097))
        self.check(self.bench.run(), Exit.REFUSED, [b"one"], ["close"])

    def test_a_reader_that_goes_away(self):
        self.answer(opened(b"one"), step(b"two"), CLOSED)
        self.bench.reader.say(b"three")
        self.bench.reader.connection.close()
        self.assertEqual(self.bench.run().exit, Exit.UNDECIDED)
        self.assertEqual(self.bench.vault_end.calls()[-1][0], "presentation.close")

    def test_a_reader_that_goes_away_in_order(self):
        self.answer(opened(b"one"), step(b"two"), CLOSED)
        self.bench.reader.say(b"three")
        self.bench.reader.connection.shutdown(1)
        self.check(self.bench.run(), Exit.UNDECIDED, [b"one", b"two"], ["exchange", "close"])

    def test_a_silent_reader_is_left_without_a_word(self):
        self.answer(opened(b"one", timeout_ms=20), CLOSED)
        self.check(self.bench.run(), Exit.SILENT, [b"one"], ["close"])

    def test_the_patience_of_the_gateway_where_the_vault_names_no_time(self):
        self.bench.patience = 0.02
        self.answer(opened(b"one"), CLOSED)
        self.check(self.bench.run(), Exit.SILENT, [b"one"], ["close"])

    def test_each_step_sets_the_time_anew(self):
        channel = FakeSocket(recv=[b"busy", b"auth0", TimeoutError()], send=[3, 3])
        self.answer(opened(b"one", timeout_ms=2500), step(events=["busy"], timeout_ms=0),
                    step(b"two", state="awaiting_auth1"), CLOSED)
        self.bench.patience = 7.0
        self.assertEqual(self.bench.run(Channel(channel)).exit, Exit.SILENT)
        # send, receive, receive, send, receive; no wait at all would be another kind of socket
        self.assertEqual(channel.timeouts, [7.0, 2.5, 0.001, 7.0, 7.0])
        self.assertTrue(channel.closed)

    def test_disconnect_comes_after_the_messages(self):
        self.answer(opened(b"one"), step(b"two", disconnect=True), CLOSED)
        self.bench.reader.say(b"x", b"y")
        self.check(self.bench.run(), Exit.UNDECIDED, [b"one", b"two"], ["exchange", "close"])

    def test_an_approach_asks_once_the_reader_has_accepted(self):
        self.answer(opened(b"one"), step(state="accepted"), step(b"two", state="accepted"),
                    step(state="finished", events=[GRANTED]), CLOSED)
        self.bench.reader.say(b"x", b"y")
        ending = self.bench.run(opening=OPENING._replace(intent="approach", request="secure"))
        made = self.check(ending, Exit.GRANTED, [b"one", b"two"],
                          ["exchange", "request", "exchange", "close"])
        self.assertEqual(made[2][1], {"presentation": "ab" * 16, "request": "secure"})

    def test_an_approach_without_a_request_waits(self):
        self.answer(opened(b"one"), step(state="accepted"),
                    step(state="finished", events=[GRANTED]), CLOSED)
        self.bench.reader.say(b"x", b"y")
        self.check(self.bench.run(), Exit.GRANTED, [b"one"], ["exchange", "exchange", "close"])

    def test_a_refusal_is_answered_to_the_reader_and_told(self):
        refusal = {"code": "reader_untrusted", "message": "wrong certificate"}
        self.answer(opened(b"one"), step(b"\x69\x82", state="failed", events=["failed"],
                                         refusal=refusal, status_word="6982"), CLOSED)
        self.bench.reader.say(b"x")
        ending = self.bench.run()
        self.check(ending, Exit.REFUSED, [b"one", b"\x69\x82"], ["exchange", "close"])
        self.assertEqual(ending.text, "wrong certificate")
        self.assertIn(("refusal", {**refusal, "status_word": "6982"}), self.bench.told)

    def test_a_refusal_at_once_does_not_trouble_the_reader(self):
        self.answer(opened(b"one", refusal={"code": "expired", "message": "past"}), CLOSED)
        self.check(self.bench.run(), Exit.CONFLICT, [], ["close"])

    def test_a_denial_and_its_reason(self):
        denied = {"event": "access_denied", "detail": "key expired"}
        self.answer(opened(b"one"), step(state="finished", events=[denied]), CLOSED)
        self.bench.reader.say(b"x")
        ending = self.bench.run()
        self.check(ending, Exit.DENIED, [b"one"], ["exchange", "close"])
        self.assertEqual(ending.text, "access denied: key expired")

    def test_an_end_without_a_decision(self):
        self.answer(opened(b"one"), step(state="finished", events=["status"]), CLOSED)
        self.bench.reader.say(b"x")
        self.check(self.bench.run(), Exit.UNDECIDED, [b"one"], ["exchange", "close"])

    def test_what_was_granted_stays_granted(self):
        self.answer(opened(b"one"), step(events=[GRANTED]))
        self.bench.vault_end.hang_up()
        self.bench.reader.say(b"x", b"y")
        self.check(self.bench.run(), Exit.GRANTED, [b"one"], ["exchange", "exchange"])

    def test_ranging_messages_are_told_and_dropped(self):
        self.answer(opened(b"one"), step(ranging=[{"message": "m2", "payload": "AA=="}],
                                         disconnect=True), CLOSED)
        self.bench.reader.say(b"x")
        self.check(self.bench.run(), Exit.UNDECIDED, [b"one"], ["exchange", "close"])
        self.assertIn(("ranging", {"message": "m2"}), self.bench.told)

    def test_a_vault_that_goes_away(self):
        self.bench.vault_end.hang_up()
        self.check(self.bench.run(), Exit.UNAVAILABLE, [], [])
        self.new_bench()
        self.answer(opened(b"one"))
        self.bench.vault_end.hang_up()
        self.bench.reader.say(b"x")
        self.check(self.bench.run(), Exit.UNAVAILABLE, [b"one"], ["exchange"])

    def test_a_vault_that_does_not_answer(self):
        self.new_bench(vault_timeout=0.02)
        self.answer(opened(b"one"))
        self.bench.reader.say(b"x")
        self.check(self.bench.run(), Exit.TRY_AGAIN, [b"one"], ["exchange"])

    def test_an_error_of_the_vault(self):
        self.answer("sealed")
        ending = self.bench.run()
        self.check(ending, Exit.UNAVAILABLE, [], [])
        self.assertEqual(ending.text, "presentation.open: no (sealed)")
        self.new_bench()
        self.answer(opened(b"one"), "not_found", "not_found")
        self.bench.reader.say(b"x")
        self.check(self.bench.run(), Exit.NOT_FOUND, [b"one"], ["exchange", "close"])

    def test_an_interruption_closes_both(self):
        channel = FakeSocket(recv=[KeyboardInterrupt()], send=[3])
        self.answer(opened(b"one"), CLOSED)
        self.assertRaises(KeyboardInterrupt, self.bench.run, Channel(channel))
        self.assertTrue(channel.closed)
        self.assertEqual(self.bench.vault_end.calls()[-1][0], "presentation.close")


class ChannelTrouble(unittest.TestCase):
    def exit_of_send(self, result) -> Exit:
        with self.assertRaises(Failure) as caught:
            Channel(FakeSocket(send=[result])).send(b"four", 1.0)
        return caught.exception.ending.exit

    def test_sending(self):
        self.assertEqual(self.exit_of_send(TimeoutError()), Exit.SILENT)
        self.assertEqual(self.exit_of_send(OSError(errno.EMSGSIZE, "long")), Exit.UNDECIDED)
        self.assertEqual(self.exit_of_send(BrokenPipeError()), Exit.UNDECIDED)
        self.assertEqual(self.exit_of_send(3), Exit.UNDECIDED)

    def test_receiving(self):
        for result in (ConnectionResetError(), OSError(errno.ENETDOWN, "down"), b""):
            with self.assertRaises(Failure) as caught:
                Channel(FakeSocket(recv=[result])).receive(1.0)
            self.assertEqual(caught.exception.ending.exit, Exit.UNDECIDED)


class Lines(unittest.TestCase):
    """What comes from the vault's socket, in pieces and in ruins."""

    ANSWER = b'{"jsonrpc":"2.0","id":"1","result":{"text":"\xc3\xa4"}}\n'

    def test_an_answer_in_single_octets(self):
        pieces = [self.ANSWER[at:at + 1] for at in range(len(self.ANSWER))]
        vault = Vault(FakeSocket(recv=pieces))
        self.assertEqual(vault.call("x"), {"text": "ä"})

    def test_two_answers_at_once(self):
        vault = Vault(FakeSocket(recv=[self.ANSWER + self.ANSWER.replace(b'"1"', b'"2"')]))
        self.assertEqual(vault.call("x"), vault.call("x"))

    def test_an_endless_line(self):
        connection = FakeSocket(recv=iter(lambda: bytes(1 << 16), None))
        self.check_mismatch(connection)
        self.assertTrue(connection.closed)

    def check_mismatch(self, connection):
        with self.assertRaises(Failure) as caught:
            wire.Step.read("x", Vault(connection).call("x"))
        self.assertEqual(caught.exception.ending.exit, Exit.MISMATCH, caught.exception)

    def test_lines_that_are_no_answer(self):
        envelope = b'{"jsonrpc":"2.0","id":"1",%s}'
        good = b'"result":' + json.dumps(step(b"one")).encode()
        self.assertEqual(wire.Step.read("x", Vault(FakeSocket(
            recv=[envelope % good + b"\n"])).call("x")).messages, [b"one"])
        for line in (b"", b"\xff\xfe", b"{", b"[]", b"null", b"7", b'"x"', b"[" * 100_000,
                     b"9" * 5000, "{}".encode("utf-16"), self.ANSWER.strip()[:-1],
                     envelope.replace(b"2.0", b"1.0") % good,
                     envelope.replace(b'"1"', b'"2"') % good,
                     envelope.replace(b'"1"', b'1') % good,
                     envelope % b'"result":[]', envelope % b'"error":{}',
                     envelope % b'"error":"sealed"', envelope % b'"error":{"data":{}}',
                     envelope % b'"error":{"message":"x","data":{"code":7}}',
                     envelope % b'"other":1'):
            with self.subTest(line[:60]):
                self.check_mismatch(FakeSocket(recv=[line + b"\n"]))

    def test_results_that_are_no_step(self):
        for change in ({"messages": None}, {"messages": ["AA?=="]}, {"messages": ["ä"]},
                       {"messages": [7]}, {"messages": [""]},
                       {"messages": [base64_text(bytes(4097))]},
                       {"messages": "AA=="}, {"state": 7}, {"state": None}, {"events": {}},
                       {"events": ["x"]}, {"events": [{}]},
                       {"events": [{"event": "x", "detail": 1}]}, {"refusal": None},
                       {"refusal": {"code": "sealed"}}, {"status_word": 6982},
                       {"timeout_ms": -1}, {"timeout_ms": True}, {"timeout_ms": 2.5},
                       {"timeout_ms": None}, {"disconnect": 1},
                       {"disconnect": None}, {"ranging": [{}]}):
            with self.subTest(change), self.assertRaises(Failure) as caught:
                wire.Step.read("x", {**step(b"one"), **change})
            self.assertEqual(caught.exception.ending.exit, Exit.MISMATCH)

    def test_a_very_long_time_is_an_hour(self):
        self.assertEqual(wire.Step.read("x", step(timeout_ms=2 ** 53)).timeout, 3600)

    def test_each_word_of_the_schema_has_its_exit(self):
        words = SCHEMA["components"]["schemas"]["ErrorData"]["properties"]["code"]["enum"]
        unknown = [word for word in words if Ending.of(word, "").exit == Exit.MISMATCH]
        self.assertEqual(set(unknown) - {"parse_error", "invalid_request", "method_not_found",
                                         "unsupported", "wrong_secret"}, set())


if __name__ == "__main__":
    unittest.main()
