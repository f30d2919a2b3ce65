"""The expedited phase: selection or initiation, AUTH0, LOAD CERT, AUTH1."""

from . import answers, ble, certificate, commands, crypto, selection, tlv


def begin(reader):
    """Takes the device's A5 information and sees that it offers the version."""
    config = reader.config
    if reader.over_ble:
        octets = yield from reader.wait("initiate", [])
        message = ble.decode(octets)
        approach = config.intent == "approach"
        reader.expect(message, ble.NOTIFICATION, ble.INITIATE if approach else ble.INITIATE_RKE)
        reader.proprietary = ble.single_attribute(message.payload, 0, len(message.payload) - 2)
        name = message.name
    else:
        data, octets = yield from reader.transmit(
            "select-answer", "SELECT (expedited phase)", commands.SELECT,
            commands.EXPEDITED_AID)
        reader.proprietary = selection.parse_fci(data, commands.EXPEDITED_AID)
        name = "SELECT answer"
    selection.require_version(reader.proprietary, config.version)
    reader.transcript.received(
        name, octets, f"protocol version {config.version.hex()} is offered")


def auth0(reader):
    config = reader.config
    flags = bytes([int(config.fast), config.policy])
    fields = reader.alter("AUTH0 fields", commands.auth0_fields(
        flags, config.version, crypto.point_of(config.ephemeral),
        config.transaction_identifier, config.reader_identifier, config.extension))
    what = "AUTH0" + (" fast" if config.fast else "") + " (reader key, nonce, reader identifier)"
    data, octets = yield from reader.transmit(
        "auth0-answer", what, commands.AUTH0, tlv.encode_all(fields))
    answer = answers.parse_auth0(data, config.fast)
    reader.transaction = crypto.Transaction(
        group_key=config.group_key, reader_identifier=config.reader_identifier,
        reader_ephemeral=crypto.point_of(config.ephemeral),
        device_ephemeral=answer.device_ephemeral,
        transaction_identifier=config.transaction_identifier, flags=flags,
        version=config.version, proprietary=reader.proprietary,
        interface=crypto.INTERFACE_BLE if reader.over_ble else crypto.INTERFACE_NFC,
        command_extension=tlv.encode(0xB1, config.extension) if config.extension else b"",
        answer_extension=answer.extension)
    if answer.device_ephemeral == reader.transaction.reader_ephemeral:
        raise answers.AnswerError("the device sent the reader's own ephemeral key back")
    reader.transcript.received("AUTH0 answer", octets, "9000, the device key is on the curve"
                               + _take_cryptogram(reader, answer))


def _take_cryptogram(reader, answer: answers.Auth0Answer) -> str:
    config = reader.config
    if not config.fast:
        return ""
    if config.known_persistent_key is None:
        return ", 64 octets in place of a cryptogram"
    cryptogram, *keys = crypto.fast_block(
        config.known_persistent_key, reader.transaction, config.credential)
    plaintext = crypto.open_cryptogram(cryptogram, answer.cryptogram)
    if plaintext is None:
        return ", the cryptogram is not keyed"
    answers.check_cryptogram(plaintext, _expected(reader))
    reader.keyed, reader.persistent_key = True, config.known_persistent_key
    sk_reader, sk_device, ble_key, ursk = keys
    _take_keys(reader, crypto.SessionKeys(sk_reader, sk_device, b"", ble_key, ursk))
    return ", the cryptogram decrypts, bitmap and times right"


def load_cert(reader):
    compressed = reader.alter("certificate", reader.config.certificate)
    data, octets = yield from reader.transmit(
        "certificate-answer", "LOAD CERT (reader certificate)", commands.LOAD_CERT, compressed)
    if data:
        raise certificate.CertificateError("the answer to LOAD CERT holds data")
    reader.transcript.received("LOAD CERT answer", octets, "9000, no data")


def auth1(reader):
    config = reader.config
    transcript = reader.alter("transcript", reader.transaction.transcript(crypto.READER_USAGE))
    signature = crypto.sign_raw(config.signing_key, transcript, config.deterministic)
    carried = b""
    if config.variant == "auth1cert":
        carried = reader.alter("certificate", config.certificate)
    fields = reader.alter(
        "AUTH1 fields", commands.auth1_fields(config.identification, signature, carried))
    what = "AUTH1 (reader signature" + (", certificate)" if carried else ")")
    data, octets = yield from reader.transmit(
        "auth1-answer", what, commands.AUTH1, tlv.encode_all(fields))
    kdh = reader.transaction.kdh(config.ephemeral, reader.transaction.device_ephemeral)
    _take_keys(reader, crypto.volatile_keys(kdh, reader.transaction))
    answers.check_auth1(reader.channel.open(data), reader.transaction, _expected(reader))
    reader.persistent_key = crypto.persistent_key(kdh, reader.transaction, config.credential)
    reader.authenticated = True
    shown = "credential key" if config.identification == "key" else "key slot"
    reader.transcript.received(
        "AUTH1 answer (encrypted)", octets,
        f"9000, decrypted, {shown} known, device signature good, bitmap and times right")


def _take_keys(reader, keys: crypto.SessionKeys) -> None:
    """New keys mean new channels, with counters at 1."""
    reader.keys = keys
    reader.channel = reader.alter("expedited channel", crypto.Channel.for_reader(
        keys.expedited_reader, keys.expedited_device))
    reader.link = reader.alter("BLE channel", ble.SecureLink.for_reader(crypto.ble_keys(
        keys.ble, reader.config.versions, reader.config.version)))


def _expected(reader) -> answers.Expected:
    config = reader.config
    return answers.Expected(config.credential, config.identification, config.signed_time,
                            config.revocation_time, config.mailbox, not reader.over_ble)
