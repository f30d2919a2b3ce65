"""The simulated device's AUTH0, LOAD CERT and AUTH1."""

from datetime import datetime, timezone

from aliro_reader import answers, ble, certificate, commands, crypto, tlv
from simulated_rules import require, strictly


def auth0(device, data: bytes) -> bytes:
    config = device.config
    require(device.state == "awaiting_auth0", "AUTH0 comes once, and first", "6D00")
    found = tlv.decode_known(data, commands.AUTH0_LAYOUT)
    require(found[0x41][0] in (0, 1), "tag 41 says standard or fast", "6701")
    require(found[0x42][0] in (1, 2, 3), "tag 42 is a known policy", "6701")
    require(len(found.get(0xB1, b"")) <= 127, "a vendor extension has its limit", "6701")
    require(found[0x5C] == config.version, "the version is one that was offered", "6985")
    strictly(crypto.CryptoError, "the reader's key is a point of the curve", "6701",
             lambda: crypto.load_point(found[0x87]), lambda: None)
    require(found[0x42][0] != 3 or config.user_confirmed,
            "policy 03 needs a confirmation by the user", "6985", "forbidden")
    device.auth0_fields = found
    device.ephemeral = config.ephemeral or crypto.new_key()
    device.state = "awaiting_auth1"
    fields = [(0x86, crypto.point_of(device.ephemeral))]
    if found[0x41] == b"\x01":
        fields.append((0x9D, _cryptogram(device)))
    return tlv.encode_all(device.alter("auth0-fields", fields))


def _cryptogram(device) -> bytes:
    config, found = device.config, device.auth0_fields
    known = config.persistent.get(found[0x4D])
    trusted = config.groups.get(found[0x4D][:16])
    if known is None or trusted is None or config.pass_problem:
        # Channels under keys that nobody has: what follows does not tell this reader either.
        _take_keys(device, *(crypto.random_octets(32) for _ in range(3)))
        return crypto.random_octets(64)
    credential = crypto.point_of(config.credential)
    block = crypto.fast_block(known, transaction(device, trusted), credential)
    _take_keys(device, *block[1:4])
    device.events = [{"event": "credential_presented"}]
    device.state = "awaiting_completion"
    plaintext = tlv.encode_all(device.alter("cryptogram-fields", [
        (0x5E, bitmap(device))] + [(tag, time.encode() if time else answers.NO_TIME)
                                   for tag, time in times(config)]))
    return device.alter("cryptogram", crypto.seal_cryptogram(block[0], plaintext))


def load_cert(device, data: bytes) -> bytes:
    require(_may_authenticate(device) and not device.certificate_loaded,
            "LOAD CERT comes once, between AUTH0 and AUTH1", "6D00")
    device.certificate_loaded = True
    take_certificate(device, data)
    return device.alter("certificate-data", b"")


def _may_authenticate(device) -> bool:
    """After AUTH0 and before AUTH1; a keyed AUTH0 does not rule AUTH1 out."""
    return device.ephemeral is not None and not device.standard


def take_certificate(device, data: bytes) -> None:
    device.certificate = strictly(
        certificate.CertificateError, "a certificate decodes", "6400",
        lambda: certificate.parse(data), lambda: None)
    trusted = device.config.groups.get(device.auth0_fields[0x4D][:16])
    try:
        if trusted and device.certificate:
            device.certificate.verify(trusted, datetime.now(timezone.utc))
    except certificate.CertificateError:
        device.certificate_bad = True


def auth1(device, data: bytes) -> bytes:
    config = device.config
    require(_may_authenticate(device), "AUTH1 comes once, after AUTH0", "6D00")
    found = tlv.decode_known(data, commands.AUTH1_LAYOUT)
    require(found[0x41][0] in (0, 1), "tag 41 asks for key or slot", "6701")
    if 0x90 in found:
        require(not device.certificate_loaded, "there is one certificate", "6701")
        take_certificate(device, found[0x90])
    require(config.pass_problem is None, "there is a usable pass", "6982",
            config.pass_problem or "")
    trusted = config.groups.get(device.auth0_fields[0x4D][:16])
    require(trusted is not None, "the group is one of the pass", "6982", "reader_untrusted")
    trusted = trusted or next(iter(config.groups.values()), crypto.point_of(config.credential))
    require(not device.certificate_bad, "the certificate is by the group's CA and in its dates",
            "6982", "reader_untrusted")
    facts = transaction(device, trusted)
    signer = device.certificate.public_key if device.certificate else trusted
    strictly(crypto.CryptoError, "the reader's signature verifies", "6982",
             lambda: crypto.verify_raw(
                 signer, facts.transcript(crypto.READER_USAGE), found[0x9E]),
             lambda: None, "reader_untrusted")
    device.events = [{"event": "reader_authenticated"}, {"event": "credential_presented"}]
    device.state, device.standard = "awaiting_completion", True
    return _answer(device, facts, found[0x41] == b"\x01")


def transaction(device, trusted: bytes) -> crypto.Transaction:
    fields = device.auth0_fields
    return crypto.Transaction(
        group_key=trusted, reader_identifier=fields[0x4D], reader_ephemeral=fields[0x87],
        device_ephemeral=crypto.point_of(device.ephemeral),
        transaction_identifier=fields[0x4C], flags=fields[0x41] + fields[0x42],
        version=fields[0x5C], proprietary=device.config.proprietary,
        interface=crypto.INTERFACE_BLE if device.over_ble else crypto.INTERFACE_NFC,
        command_extension=tlv.encode(0xB1, fields[0xB1]) if 0xB1 in fields else b"")


def _answer(device, facts: crypto.Transaction, by_key: bool) -> bytes:
    config, alter = device.config, device.alter
    kdh = facts.kdh(device.ephemeral, facts.reader_ephemeral)
    keys = crypto.volatile_keys(kdh, facts)
    point = crypto.point_of(config.credential)
    message = alter("transcript", facts.transcript(crypto.DEVICE_USAGE))
    signature = crypto.sign_raw(config.credential, message, config.deterministic)
    fields = [(0x5A, point) if by_key else (0x4E, crypto.key_slot(point)),
              (0x9E, signature), (0x5E, bitmap(device))]
    fields += [(tag, time.encode()) for tag, time in times(config) if time]
    plaintext = alter("auth1-plaintext", tlv.encode_all(alter("auth1-fields", fields)))
    _take_keys(device, keys.expedited_reader, keys.expedited_device, keys.ble)
    device.step_up_keys = crypto.step_up_keys(keys.step_up)
    config.persistent[facts.reader_identifier] = crypto.persistent_key(kdh, facts, point)
    return alter("auth1-sealed", device.channel.seal(plaintext))


def _take_keys(device, reader: bytes, own: bytes, ble_key: bytes) -> None:
    config = device.config
    device.channel = device.alter("channel", crypto.Channel.for_device(reader, own))
    if device.over_ble:
        device.link = device.alter("link", ble.SecureLink.for_device(
            crypto.ble_keys(ble_key, config.versions, config.version)))


def times(config) -> list:
    return [(0x91, config.signed_time), (0x92, config.revocation_time)]


def bitmap(device) -> bytes:
    config, mailbox = device.config, device.config.mailbox
    document = bool(config.signed_time or config.revocation_time)
    bits = [bool(config.signed_time), bool(config.revocation_time),
            document and not device.over_ble]
    if mailbox is not None:
        bits += [any(mailbox.contents), mailbox.readable, mailbox.writable]
        bits += [False] * 4 + [mailbox.in_step_up]
    return sum(bit << place for place, bit in enumerate(bits)).to_bytes(2, "big")
