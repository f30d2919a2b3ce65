import WireCoding

/// What ENVELOPE carries both ways: `53 <CBOR {"data": bstr}>` (section 11).
package enum StepUpEnvelope {
  private static let tag: TLVTag = 0x53
  private static let key = "data"

  /// Takes what is encrypted out of the data of a command or an answer.
  ///
  /// - Returns: ciphertext ‖ tag.
  /// - Throws: ``Failure`` when it is not an envelope.
  package static func sealed(in data: [UInt8]) throws(Failure) -> [UInt8] {
    let value = try CommandFields(data, [.init(tag: tag, length: 0...0xFFFF)]).value(tag)
    guard let sealed = try? CBORDecoder.decode(value)[key]?.bytes else {
      throw .malformed("The envelope does not hold encrypted data.")
    }
    return sealed
  }

  /// Puts an encrypted request or response into an envelope.
  package static func encode(_ sealed: [UInt8]) -> [UInt8] {
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
