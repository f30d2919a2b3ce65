import SecureMemory
import Testing
import VaultAPI
import WireCoding

@Suite struct SecretParameterTests {
  @Test func `undoes escapes on the way into guarded memory`() throws {
    let line = Sample.line(
      .unseal, #"{"passphrase":"a\"\\\/\n\u00e9\ud83d\ude00é","slot":3}"#)
    guard case .unseal(let params) = try Sample.decode(line).request else {
      Issue.record("another method")
      return
    }
    #expect(params.slot == 3)
    #expect(params.key == nil)
    let expected = Array("a\"\\/\né😀é".utf8)
    let passphrase = try #require(params.passphrase)
    #expect(passphrase.bytes.isEqual(to: try SecretBytes(copying: expected.span)))
  }

  @Test func `reads a key whose solidus is escaped`() throws {
    let octets = [UInt8](repeating: 0xFF, count: 32)
    let text = Base64.encode(octets.span).replacing("/", with: "\\/")
    let line = Sample.line(.unseal, #"{"key":"\#(text)"}"#)
    guard case .unseal(let params) = try Sample.decode(line).request else {
      Issue.record("another method")
      return
    }
    let key = try #require(params.key)
    #expect(key.bytes.isEqual(to: try SecretBytes(copying: octets.span)))
  }

  @Test func `an error never repeats a secret`() {
    let secret = String(repeating: "hunter2", count: 200)
    for params in [#"{"passphrase":"\#(secret)"}"#, #"{"key":"\#(secret)"}"#] {
      let error = Sample.error(Sample.line(.unseal, params))
      #expect(error?.code == .invalidParams)
      #expect(error?.message.contains("hunter2") == false)
    }
    // A secret mistaken for a name is longer than what is repeated, or not printable.
    let name = Sample.error(Sample.line(.unseal, #"{"\#(secret)":1}"#))
    #expect(name?.field == "?")
    let key = Sample.error(Sample.line(.passStore, pass(resolvingKey: "\"\(secret)\"")))
    #expect(key?.field == "pass.reader_groups[0].group_resolving_key")
    #expect(
      key?.message
        == "pass.reader_groups[0].group_resolving_key must be 16 octets in canonical base64.")
  }

  @Test func `a written line reads back as the same secrets`() throws {
    let text = Array("quote \" back \\ tab \t é 😀".utf8)
    let octets = Array(0..<32 as Range<UInt8>)
    let requests: [VaultRequest] = [
      .unseal(UnsealParams(passphrase: SecretBox(try SecretBytes(copying: text.span)))),
      .unseal(UnsealParams(key: SecretBox(try SecretBytes(copying: octets.span)), slot: 0)),
    ]
    for request in requests {
      let line = try RequestLine.encodeSecret(RequestEnvelope(id: .string("q"), request: request))
      let decoded = try line.withBytes { octets throws(RequestRefusal) in
        try RequestEnvelope.decode(octets)
      }
      guard case .unseal(let sent) = request, case .unseal(let read) = decoded.request else {
        Issue.record("another method")
        return
      }
      #expect(sent.slot == read.slot)
      #expect(same(sent.passphrase, read.passphrase))
      #expect(same(sent.key, read.key))
    }
  }

  @Test func `a line takes the guarded memory it needs, and no more than it may`() throws {
    let text = [UInt8](repeating: 1, count: VaultLimits.passphraseOctets)
    let params = SlotAddParams(
      label: "x", passphrase: SecretBox(try SecretBytes(copying: text.span)))
    let envelope = RequestEnvelope(
      id: .string(String(repeating: "\"", count: 64)), request: .slotAdd(params))
    let count = try RequestLine.encodeSecret(envelope).count
    #expect(try RequestLine.encodeSecret(envelope, capacity: count).count == count)
    #expect(throws: WireCodingError.bufferFull(capacity: count - 1)) {
      _ = try RequestLine.encodeSecret(envelope, capacity: count - 1).count
    }
  }

  @Test func `the key that resolves a reader group goes into guarded memory`() throws {
    let octets = Array(0..<16 as Range<UInt8>)
    let text = Base64.encode(octets.span)
    for more in ["\"\(text)\"", "\"\\u0041\(text.dropFirst())\""] {
      let line = Sample.line(.passStore, pass(resolvingKey: more))
      guard case .passStore(let params) = try Sample.decode(line).request else {
        Issue.record("another method")
        return
      }
      let key = try #require(params.pass.readerGroups.first?.groupResolvingKey)
      #expect(key.bytes.isEqual(to: try SecretBytes(copying: octets.span)))
      let request = RequestEnvelope(id: .number(7), request: .passStore(params))
      #expect(RequestLine.encode(request) == nil)
      let again = try RequestLine.encodeSecret(request).withBytes { bytes throws(RequestRefusal) in
        try RequestEnvelope.decode(bytes)
      }
      guard case .passStore(let read) = again.request else {
        Issue.record("another method")
        return
      }
      #expect(same(read.pass.readerGroups.first?.groupResolvingKey, key))
    }
  }

  /// The parameters of a pass with one group.
  private func pass(resolvingKey: String) -> String {
    let group =
      #"{"reader_group_id":"\#(Sample.base64(16))","issuer_ca_public_key":"\#(Sample.base64(65))""#
      + #","issuer_ca_certificate_der":"AA==","group_resolving_key":\#(resolvingKey)}"#
    return #"{"namespace":"a","pass":{"access_document":"AA==","reader_groups":[\#(group)]}}"#
  }

  private func same(_ left: SecretBox?, _ right: SecretBox?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return left.bytes.isEqual(to: right.bytes)
  }
}
