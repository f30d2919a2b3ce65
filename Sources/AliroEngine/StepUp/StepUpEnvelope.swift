import WireCoding

/// What ENVELOPE carries both ways: `53 <CBOR {"data": bstr}>` (section 11).
enum StepUpEnvelope {
  private static let tag: TLVTag = 0x53
  private static let key = "data"

  /// Takes the encrypted request out of a command's data.
  ///
  /// - Returns: ciphertext ‖ tag.
  /// - Throws: ``Failure`` when the data is not an envelope.
  static func sealedRequest(in data: [UInt8]) throws(Failure) -> [UInt8] {
    let value = try CommandFields(data, [.init(tag: tag, length: 0...0xFFFF)]).value(tag)
    guard let sealed = try? CBORDecoder.decode(value)[key]?.bytes else {
      throw .malformed("The reader's envelope does not hold encrypted data.")
    }
    return sealed
  }

  /// Puts an encrypted response into an envelope.
  static func encode(_ sealed: [UInt8]) -> [UInt8] {
    var item = CBORWriter()
    item.map(1)
    item.text(key)
    item.bytes(sealed)
    var writer = TLVWriter()
    // A response is never as long as an element can be: see DeviceResponse.sizeLimit.
    try? writer.append(tag, item.encoded)
    return writer.bytes
  }
}
