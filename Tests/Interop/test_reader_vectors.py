"""The reader package against the recorded vectors, octet for octet."""

import hashlib
import sys
import unittest
from datetime import datetime, timezone
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import cbor2  # noqa: E402

from aliro_reader import (  # noqa: E402
    advertisement, answers, ble, certificate, commands, crypto, document, tlv)
from vectors import (  # noqa: E402
    SIGNED, VECTORS, octets, private, public, transaction)


class Keys(unittest.TestCase):
    def test_private_keys_are_hashes_of_their_names_and_match_the_points(self):
        for name, scalar in VECTORS["privateKeys"].items():
            with self.subTest(name):
                digest = hashlib.sha256(f"aliro-vector/{name}".encode()).hexdigest()
                self.assertEqual(scalar, digest)
                self.assertEqual(crypto.point_of(private(name)), public(name))

    def test_key_slots(self):
        for entry in VECTORS["keySlots"]:
            self.assertEqual(crypto.key_slot(octets(entry["publicKey"])).hex(), entry["keySlot"])

    def test_usage_constants(self):
        constants = VECTORS["constants"]
        self.assertEqual(crypto.READER_USAGE.hex(), constants["readerUsage"])
        self.assertEqual(crypto.DEVICE_USAGE.hex(), constants["deviceUsage"])


class Derivations(unittest.TestCase):
    def test_standard_transactions(self):
        for vector in VECTORS["transactions"]:
            if "kdh" in vector:
                with self.subTest(vector["name"]):
                    self.check_standard(vector)

    def check_standard(self, vector):
        facts = transaction(vector)
        own = crypto.key_from_scalar(octets(vector["input"]["readerEphemeralPrivate"]))
        z = crypto.agree(own, facts.device_ephemeral)
        kdh = crypto.x963(z, facts.transaction_identifier)
        keys = crypto.volatile_keys(kdh, facts)
        step_up = crypto.step_up_keys(keys.step_up)
        credential = public("credential")
        derived = {
            "sharedSecretZ": z, "kdh": kdh, "hkdfInfo": facts.info(),
            "saltVolatile": facts.salt(crypto.VOLATILE),
            "okm": crypto.hkdf(kdh, facts.salt(crypto.VOLATILE), facts.info(), 160),
            "expeditedSKReader": keys.expedited_reader,
            "expeditedSKDevice": keys.expedited_device, "stepUpSK": keys.step_up,
            "bleSK": keys.ble, "ursk": keys.ursk,
            "saltPersistent": facts.salt(crypto.PERSISTENT, credential),
            "kPersistent": crypto.persistent_key(kdh, facts, credential),
            "stepUpSKReader": step_up[0], "stepUpSKDevice": step_up[1],
            "readerTBS": facts.transcript(crypto.READER_USAGE),
            "deviceTBS": facts.transcript(crypto.DEVICE_USAGE)}
        for name, value in derived.items():
            self.assertEqual(value.hex(), vector[name], name)
        self.check_answers(vector, facts, keys)

    def check_answers(self, vector, facts, keys):
        signing = octets(vector["input"]["readerSigningKey"])
        crypto.verify_raw(signing, facts.transcript(crypto.READER_USAGE),
                          octets(vector["readerSignature"]))
        plaintext = octets(vector["auth1ResponsePlaintext"])
        channel = crypto.HalfChannel(keys.expedited_device, crypto.TO_READER)
        self.assertEqual(channel.seal(plaintext) + commands.SUCCESS,
                         octets(vector["auth1Response"]))
        found = dict(tlv.decode_all(plaintext))
        times = [found[tag].decode() if tag in found else None for tag in (0x91, 0x92)]
        identification = "key" if 0x5A in found else "slot"
        answers.check_auth1(plaintext, facts, answers.Expected(
            public("credential"), identification, *times))

    def test_fast_transaction(self):
        vector = VECTORS["transactions"][1]
        facts, credential = transaction(vector), public("credential")
        block = crypto.fast_block(octets(vector["input"]["kPersistent"]), facts, credential)
        names = ["cryptogramSK", "expeditedSKReader", "expeditedSKDevice", "bleSK", "ursk"]
        for name, value in zip(names, block):
            self.assertEqual(value.hex(), vector[name], name)
        self.assertEqual(facts.salt(crypto.VOLATILE_FAST, credential).hex(),
                         vector["saltVolatileFast"])
        sealed = crypto.seal_cryptogram(block[0], octets(vector["cryptogramPlaintext"]))
        self.assertEqual(sealed.hex(), vector["cryptogram"])
        self.assertEqual(crypto.open_cryptogram(block[0], sealed).hex(),
                         vector["cryptogramPlaintext"])
        self.assertIsNone(crypto.open_cryptogram(block[1], sealed))

    def test_exchange_messages_and_their_counters(self):
        for vector in VECTORS["transactions"][:2]:
            with self.subTest(vector["name"]):
                counters = vector["exchangeCounters"]
                sides = (("expeditedSKReader", crypto.TO_DEVICE, "command", "Command"),
                         ("expeditedSKDevice", crypto.TO_READER, "response", "Response"))
                sealed = {}
                for key, direction, counter, name in sides:
                    channel = crypto.HalfChannel(octets(vector[key]), direction)
                    channel.counter = counters[counter]
                    # The second run does not repeat the answer's plaintext: plain success.
                    plaintext = vector.get(f"exchange{name}Plaintext", "00020000")
                    sealed[name] = channel.seal(octets(plaintext))
                command = commands.apdu(commands.EXCHANGE, sealed["Command"])
                self.assertEqual(command.hex(), vector["exchangeCommand"])
                self.assertEqual((sealed["Response"] + commands.SUCCESS).hex(),
                                 vector["exchangeResponse"])


class BLEMessages(unittest.TestCase):
    def test_keys_for_each_version_list(self):
        vector = VECTORS["transactions"][0]
        ble_sk = octets(vector["bleSK"])
        for versions, expected in (
                (b"\x01\x00", vector),
                (octets("01000009"), vector["bleKeysIfReaderListsVersions0100And0009"])):
            keys = crypto.ble_keys(ble_sk, versions, b"\x01\x00")
            self.assertEqual(keys[0].hex(), expected["bleSKReader"])
            self.assertEqual(keys[1].hex(), expected["bleSKDevice"])

    def test_encrypted_messages_both_ways(self):
        for vector in VECTORS["transactions"][:2]:
            keys = octets(vector["bleSKReader"]), octets(vector["bleSKDevice"])
            ends = {"reader-to-device": ble.SecureLink.for_reader(keys),
                    "device-to-reader": ble.SecureLink.for_device(keys)}
            opposite = {"reader-to-device": ends["device-to-reader"],
                        "device-to-reader": ends["reader-to-device"]}
            for entry in vector["bleMessages"]:
                with self.subTest(f"{vector['name']}: {entry['name']}"):
                    wire, payload = octets(entry["wire"]), octets(entry["payload"])
                    self.assertEqual(ends[entry["direction"]].outgoing.counter, entry["counter"])
                    sealed = ends[entry["direction"]].seal(wire[0], wire[1], payload)
                    self.assertEqual(sealed, wire)
                    opened = opposite[entry["direction"]].open(ble.decode(wire))
                    self.assertEqual(opened, payload)

    def test_frames(self):
        frames = VECTORS["transactions"][0]["bleFrames"]
        self.assertEqual(ble.Message(2, 5, ble.initiate_payload(crypto.DEFAULT_A5)).encode().hex(),
                         frames["initiateAccessProtocol"])
        for name, frame in frames.items():
            message = ble.decode(octets(frame))
            self.assertEqual(message.encode().hex(), frame, name)


class Certificates(unittest.TestCase):
    def test_good_certificates_rebuild_octet_for_octet(self):
        for entry in VECTORS["certificates"]:
            with self.subTest(entry["name"]):
                parsed = certificate.parse(octets(entry["compressed"]))
                issuer = octets(entry["issuerPublicKey"])
                self.assertEqual(parsed.tbs(issuer).hex(), entry["tbs"])
                self.assertEqual(parsed.x509(issuer).hex(), entry["x509"])
                self.assertEqual(parsed.compressed().hex(), entry["compressed"])
                self.check_fields(parsed, entry["fields"])

    def check_fields(self, parsed, fields):
        self.assertEqual(parsed.serial.hex(), fields["serial"])
        for name, value in (("issuer", parsed.issuer), ("subject", parsed.subject),
                            ("notBefore", parsed.not_before), ("notAfter", parsed.not_after)):
            self.assertEqual(value.decode(), fields[name])
        self.assertEqual(parsed.public_key.hex(), fields["publicKey"])
        self.assertEqual(parsed.signature.hex(), fields["signatureDER"])

    def test_signatures_and_dates(self):
        now = datetime(2026, 1, 15, tzinfo=timezone.utc)
        for entry in VECTORS["certificates"]:
            parsed, issuer = certificate.parse(octets(entry["compressed"])), octets(
                entry["issuerPublicKey"])
            with self.subTest(entry["name"]):
                if not entry["signatureValid"]:
                    self.assertRaises(certificate.CertificateError, parsed.verify, issuer)
                    continue
                parsed.verify(issuer)
                if entry["name"].startswith("expired"):
                    self.assertRaises(certificate.CertificateError, parsed.verify, issuer, now)
                else:
                    parsed.verify(issuer, now)

    def test_malformed_certificates_do_not_decode(self):
        for entry in VECTORS["certificatesMalformed"]:
            with self.subTest(entry["name"]):
                self.assertRaises(certificate.CertificateError, certificate.parse,
                                  octets(entry["compressed"]))

    def test_an_issued_certificate_is_read_by_another_x509_parser(self):
        from cryptography import x509
        issuer = private("readerIssuerCA")
        made = certificate.issue(issuer, public("readerCertified"), subject=b"Back door",
                                 serial=b"\xFE\x01")
        parsed = certificate.parse(made.compressed())
        self.assertEqual(parsed, made)
        full = x509.load_der_x509_certificate(made.x509(public("readerIssuerCA")))
        self.assertEqual(full.serial_number, 0xFE01)
        crypto.verify_der(public("readerIssuerCA"), full.tbs_certificate_bytes, full.signature)


class AccessDocuments(unittest.TestCase):
    def test_recorded_document_is_reissued_octet_for_octet(self):
        vector = VECTORS["accessDocument"]
        item = cbor2.loads(octets(vector["issuerSignedItem"]))
        epoch = cbor2.CBORTag(1, 0x6955B900), cbor2.CBORTag(1, 0x6B36EC80)
        item["4"][3][0].update({0: epoch[0], 1: epoch[1]})
        issued = document.issue_access_document(
            public("credential"), private("credentialIssuer"),
            valid_from=datetime(2026, 1, 15, tzinfo=timezone.utc),
            valid_until=datetime(2027, 1, 15, tzinfo=timezone.utc),
            signed=datetime(2026, 1, 15, 8, 30, tzinfo=timezone.utc),
            random=item["2"], elements={"floor1": item["4"]}, deterministic=True)
        self.assertEqual(issued.hex(), vector["document"])

    def test_parts(self):
        vector = VECTORS["accessDocument"]
        item = octets(vector["issuerSignedItem"])
        self.assertEqual(document.item_digest(item).hex(), vector["digest"])
        self.assertEqual(document.issuer_kid(octets(vector["issuerPublicKey"])).hex(),
                         vector["kid"])
        self.assertEqual(document.signature_input(octets(vector["payload"])).hex(),
                         vector["sigStructure"])
        self.assertEqual(SIGNED, "2026-01-15T08:30:00Z")

    def test_recorded_document_checks_and_spoiled_ones_do_not(self):
        recorded = octets(VECTORS["accessDocument"]["document"])
        issuer, credential = public("credentialIssuer"), public("credential")
        document.check_access_document(recorded, issuer, credential)
        wrong = [(recorded, public("wrongReader"), credential),
                 (recorded, issuer, public("wrongReader")),
                 (recorded.replace(b"user-0042", b"user-0043"), issuer, credential),
                 (recorded[:-1], issuer, credential)]
        for arguments in wrong:
            self.assertRaises(document.DocumentError, document.check_access_document, *arguments)

    def test_a_revocation_document_has_no_device_key(self):
        issuer, key = public("credentialIssuer"), private("credentialIssuer")
        times = [datetime(year, 1, 15, tzinfo=timezone.utc) for year in (2026, 2027)]
        issued = document.issue_revocation_document(key, *times)
        mso = document.check_revocation_document(issued, issuer)
        self.assertNotIn("4", mso)
        self.assertRaises(document.DocumentError, document.check_access_document, issued, issuer,
                          public("credential"))


class Advertisements(unittest.TestCase):
    def test_recorded_advertisement(self):
        vector = VECTORS["advertisement"]
        key, address, expiry = (octets(vector[name]) for name in (
            "groupResolvingKey", "advertisingAddress", "expiryTimestamp"))
        self.assertEqual(advertisement.dynamic_tag(key, address, expiry).hex(),
                         vector["dynamicTag"])
        identifier = octets(VECTORS["transactions"][0]["input"]["readerIdentifier"])
        made = advertisement.advertising_data(
            identifier, key, address, expiry, octets(vector["flagsByte"])[0])
        self.assertEqual(made.hex(), vector["advertisingData"])


if __name__ == "__main__":
    unittest.main()
