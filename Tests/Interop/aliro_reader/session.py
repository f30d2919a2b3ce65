"""What may come behind the keys: EXCHANGE, and step-up."""

import cbor2

from . import commands, crypto, exchange as exchanges, step_up as steps, tlv


def exchange(reader, plan: exchanges.Plan):
    mailbox = tlv.encode_all(reader.alter("mailbox fields", plan.mailbox_fields()))
    fields = reader.alter("EXCHANGE fields", plan.fields(mailbox))
    plaintext = reader.alter("EXCHANGE plaintext", tlv.encode_all(fields))
    sealed = reader.alter("EXCHANGE sealed", reader.channel.seal(plaintext))
    data, octets = yield from reader.transmit(
        "exchange-answer", f"EXCHANGE ({_words(plan)}, encrypted)", commands.EXCHANGE, sealed)
    found = exchanges.check_answer(reader.channel.open(data), plan, reader.config.mailbox)
    reader.transcript.received("EXCHANGE answer (encrypted)", octets, f"9000, {found}")


def _words(plan: exchanges.Plan) -> str:
    names = {exchanges.READ: "read", exchanges.WRITE: "write", exchanges.SET: "set"}
    words = [names[tag] for tag, _ in plan.operations]
    words += ["more to come"] if plan.more else []
    words += ["notice"] if plan.notice is not None else []
    words += ["reader status"] if plan.status is not None else []
    words += ["ranging key"] if plan.ursk else []
    return ", ".join(words) or "nothing"


def step_up(reader):
    """Asks for documents on a channel of its own, which later EXCHANGE commands share."""
    request = reader.config.step_up
    if not reader.over_ble and request.selects:
        data, octets = yield from reader.transmit(
            "step-up-select-answer", "SELECT (step-up phase)", commands.SELECT,
            commands.STEP_UP_AID)
        _check_step_up_fci(data)
        reader.transcript.received("SELECT answer", octets, "9000, the step-up application")
    reader.channel = reader.alter("step-up channel", crypto.Channel.for_reader(
        *crypto.step_up_keys(reader.keys.step_up)))
    data, octets = yield from reader.transmit(
        "envelope-answer", f"ENVELOPE (asks for {', '.join(request.wanted)}, encrypted)",
        commands.ENVELOPE, _envelope(reader, request))
    response = reader.channel.open(steps.unwrap(data))
    reader.documents = steps.check_response(response, request, reader.config.credential)
    shown = ", ".join(f"{kind}: {len(items)} elements" for kind, items in reader.documents.items())
    reader.transcript.received(
        "ENVELOPE answer (encrypted)", octets,
        f"9000, decrypted, signatures and digests good ({shown or 'no document'})")
    for plan in request.exchanges:
        yield from exchange(reader, plan)


def _check_step_up_fci(data: bytes) -> None:
    fields = tlv.decode_layout(tlv.decode_single(data, 0x6F), [
        tlv.Field(0x84, len(commands.STEP_UP_AID)), tlv.Field(0xA5, None)])
    inner = tlv.decode_layout(fields[0xA5], [
        tlv.Field(0x80, 2), tlv.Field(0x7F66, 8, required=False),
        tlv.Field(0xB3, None, required=False)])
    if fields[0x84] != commands.STEP_UP_AID or inner[0x80] != b"\x00\x00":
        raise steps.StepUpError("the device does not name the step-up application")


def _envelope(reader, request: steps.Request) -> bytes:
    alter = reader.alter
    requests = [cbor2.dumps(alter("ItemsRequest", steps.items_request(kind, names)))
                for kind, names in request.wanted.items()]
    octets = alter("DeviceRequest octets", cbor2.dumps(
        alter("DeviceRequest", steps.device_request(requests))))
    sealed = alter("ENVELOPE sealed", reader.channel.seal(octets))
    wrapper = alter("ENVELOPE wrapper", cbor2.dumps(alter("ENVELOPE map", {steps.DATA: sealed})))
    return tlv.encode_all(alter("ENVELOPE fields", [(0x53, wrapper)]))
