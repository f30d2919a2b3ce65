"""Every named fault against a running vault: refused, where and how it should be.

Sockets come from LATCHKEY_CLIENT_SOCKET and LATCHKEY_ADMIN_SOCKET, or from
`--client-socket PATH --admin-socket PATH`.
"""

import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import faults_auth0  # noqa: E402,F401  (importing registers the faults)
import faults_ble  # noqa: E402,F401
import faults_exchange  # noqa: E402,F401
import faults_fast  # noqa: E402,F401
import faults_nfc  # noqa: E402,F401
import faults_step_up  # noqa: E402,F401
import faults_trust  # noqa: E402,F401
import negative_tables  # noqa: E402,F401
from bench import OnBench, take_socket_arguments  # noqa: E402
from faults import FAULTS  # noqa: E402


class Faults(OnBench):
    def test_every_fault_is_refused(self):
        names = [fault.name for fault in FAULTS]
        self.assertEqual(len(set(names)), len(names), "two faults share a name")
        for transport in ("ble", "nfc"):
            self.bench.transport = transport
            for fault in FAULTS:
                if transport in fault.transports:
                    with self.subTest(f"{fault.name}, over {transport}"):
                        self.check(fault, *fault.run(self.bench))

    def check(self, fault, session, answer):
        self.check_refusal(fault, answer)
        if session is not None:
            self.check_session(fault, session, answer)

    def check_refusal(self, fault, answer):
        self.assertTrue(answer.refused, f"not refused: {answer}")
        self.assertIn(answer.label, fault.at, str(answer))
        self.assertIn(answer.code, fault.codes, str(answer))
        if answer.is_error:
            self.assertTrue(fault.may_be_error, f"an error instead of a result: {answer}")
            return
        if not fault.may_live:
            self.assertEqual(answer.state == "failed", fault.proceed is None, str(answer))
        self.assertNotIn("access_granted", answer.events)
        if fault.status_words:
            self.assertIn(answer.status_word, fault.status_words, str(answer))
            self.assertEqual(answer.data, b"", "data beside an error status word")
        else:
            self.assertEqual(answer.messages, [], "a message answers a broken one")

    def check_session(self, fault, session, answer):
        self.assertEqual(session.leaks, [])
        self.assertEqual(session.auth1_answered, fault.after_auth1,
                         "AUTH1 was answered" if session.auth1_answered else "AUTH1 never ran")
        if answer.is_error:
            return
        if fault.proceed:
            fault.proceed(session)
        elif not fault.may_live:
            # A failed session stays failed, whatever comes next.
            again = session.auth0()
            self.assertTrue(again.is_error, str(again))
            self.assertEqual(again.code, "protocol_error", str(again))


if __name__ == "__main__":
    take_socket_arguments()
    unittest.main()
