import AliroEngine
import VaultCrypto
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
    if let document = try? RevocationDocument(octets) {
      require((try? AccessDocument(octets)) == nil, "a document is of one type")
      require((try? RevocationDocument(octets + [0])) == nil, "nothing may follow")
      require(document.entryCount <= octets.count, "every entry takes an octet")
    }
    guard let document = try? AccessDocument(octets) else { return }
    require((try? AccessDocument(octets)) == document, "reading changes nothing")
    require((try? AccessDocument(octets + [0])) == nil, "nothing may follow")
  }

  /// Stored passes: what is read is written back alike, whatever validation says of it.
  static let aliroPass = FuzzTarget("aliro-pass", words: ["LKTP\u{1}", "LKTP\u{2}"]) { input in
    guard let pass = try? TokenUnlockPass(encoded: input) else { return }
    require(pass.encoded == copy(input), "canonical")
    guard let valid = try? pass.validate(for: CountingSigner.key.publicKey) else { return }
    require(valid.trust.count == pass.readerGroups.count, "every group is trusted")
    require(valid.isIssuerVerified == (pass.credentialIssuerKey != nil), "issuers verify documents")
    let over = Timestamp(clamping: valid.document.validUntil.seconds + 1)
    let ended = AliroError.pass(field: "access_document", flaw: .expired)
    require(valid.hopelessness(at: over) == ended || over == .latest, "it ends")
  }
}
