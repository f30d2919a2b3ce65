import AliroEngine
import WireCoding

extension FuzzTarget {
  /// BER-TLV: what is read is written back alike.
  static let tlv = FuzzTarget("tlv", words: ["A\u{1}\u{0}", "\u{7F}f", "\u{0}"]) { input in
    guard let elements = try? TLVReader.elements(in: input) else { return }
    var writer = TLVWriter()
    for element in elements {
      require(element.value.upperBound == element.encoding.upperBound, "a value ends its element")
      try? writer.append(element.tag, copy(input.extracting(element.value)))
    }
    require(writer.bytes == copy(input), "canonical")
  }

  /// Access documents, and CBOR with them: a document that is taken is taken again.
  static let aliroDocument = FuzzTarget("aliro-document", words: ["a1", "a2", "aliro-a"]) { input in
    let octets = copy(input)
    guard let document = try? AccessDocument(octets) else { return }
    require((try? AccessDocument(octets)) == document, "reading changes nothing")
    require((try? AccessDocument(octets + [0])) == nil, "nothing may follow")
  }

  /// Stored passes: what is read is written back alike, whatever validation says of it.
  static let aliroPass = FuzzTarget("aliro-pass", words: ["LKTP\u{1}"]) { input in
    guard let pass = try? TokenUnlockPass(encoded: input) else { return }
    require(pass.encoded == copy(input), "canonical")
    _ = try? pass.validate(for: AliroFuzzing.shared.signer.publicKey)
  }

  /// Reader certificates, as LOAD CERT brings them: none but the vectors' own is believed.
  static let aliroCertificate = FuzzTarget("aliro-certificate", words: ["issuer", "490101000000Z"])
  {
    input in
    guard input.count <= 1024 else { return }
    var session = AliroFuzzing.shared.session()
    let auth0 = AliroFuzzing.shared.auth0
    _ = session.receive(auth0.span, at: AliroFuzzing.moment, memory: AliroFuzzing.Memory())
    var words: Set<UInt16> = []
    for part in AliroFuzzing.parts(0xD1, copy(input)) {
      let step = session.receive(part.span, at: AliroFuzzing.moment, memory: AliroFuzzing.Memory())
      require(step.messages.count <= 1, "one answer a command")
      if let word = step.statusWord { words.insert(word) }
    }
    require(words.isSubset(of: [0x9000, 0x6400, 0x6701]), "no other status word")
    // The reader's signature is by the group's key, so no certificate may let it through.
    let auth1 = AliroFuzzing.shared.auth1
    let step = session.receive(auth1.span, at: AliroFuzzing.moment, memory: AliroFuzzing.Memory())
    require(step.state == .failed, "a certified key speaks for itself alone")
  }

  /// Whole sessions: messages with their length in two octets before each.
  static let aliroPresentation = FuzzTarget("aliro-presentation") { input in
    var session = AliroFuzzing.shared.session()
    var reader = ByteReader(input)
    var presented = 0
    while let count = try? reader.uint16(), let message = try? reader.bytes(Int(count)) {
      let before = session.state
      let step = session.receive(
        message.span, at: AliroFuzzing.moment, memory: AliroFuzzing.Memory())
      require(step.messages.count <= 1, "one answer a message")
      require(step.state == session.state, "the step tells the state")
      require(before != .failed || step.messages.isEmpty, "a failed session is silent")
      require((step.state == .failed) == (step.refusal != nil) || before == .finished, "a reason")
      presented += step.events.count { $0.kind == .credentialPresented }
    }
    require(presented <= 1, "the credential is presented once")
  }
}
