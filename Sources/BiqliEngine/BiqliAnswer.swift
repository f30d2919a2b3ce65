import WireCoding

/// What the service answered to a request, taken apart: the result, which may be kept, and the receipt,
/// which may not.
///
/// Members called `attributionReceipt` are left out of the result wherever they stand, whether or not
/// the service would put them there. Names that are not known stay in it.
package struct BiqliAnswer: Sendable {
  /// The receipt as it is found.
  private struct Found {
    var receipt: BiqliReceipt?
    /// Whether it is of another type, and neither a text nor null.
    var isMistyped = false
  }

  /// The name of the receipt.
  private static let receiptName = "attributionReceipt"
  private static let receiptOctets = Array(receiptName.utf8)

  /// The answer without any receipt.
  package let result: BiqliResult
  /// The receipt, if there is one.
  package let receipt: BiqliReceipt?

  /// Reads an answer.
  ///
  /// - Parameters:
  ///   - text: the response body, JSON in UTF-8 of at most 65,536 octets, in memory that is the caller's
  ///     to wipe.
  ///   - field: the parameter's name, for the error.
  /// - Throws: ``BiqliError/parameter(_:due:)``, for a member that does not fit with the path to it, such
  ///   as `result.open.matchedBy`; or ``BiqliError/memoryExhausted``.
  package init(_ text: Span<UInt8>, field: String = "result") throws(BiqliError) {
    guard text.count <= BiqliResult.maximumCount else {
      throw .parameter(field, due: "at most \(BiqliResult.maximumCount) octets")
    }
    var found = Found()
    var json: [UInt8] = []
    do throws(WireCodingError) {
      var reader = JSONReader(text)
      try Self.copyObject(&reader, text, to: &json, isWhole: true, &found)
      try reader.finish()
    } catch {
      if case .secretMemory = error { throw .memoryExhausted }
      throw .parameter(field, due: "the JSON object of a response, no name twice in an object")
    }
    guard !found.isMistyped else {
      throw .parameter("\(field).\(Self.receiptName)", due: "a text")
    }
    let isMatch = try BiqliAnswerShape.check(json, field)
    self.result = BiqliResult(json: json, isMatch: isMatch)
    self.receipt = found.receipt
  }

  /// Copies an object without white space and without receipts; that of the whole answer is kept aside.
  private static func copyObject(
    _ reader: inout JSONReader, _ text: Span<UInt8>, to output: inout [UInt8],
    isWhole: Bool = false, _ found: inout Found
  ) throws(WireCodingError) {
    try reader.beginObject()
    output.append(UInt8(ascii: "{"))
    var names: Set<[UInt8]> = []
    var isFirst = true
    while let token = try reader.nextName() {
      let name = reader.octets(token)
      guard names.insert(name).inserted else { throw .json(.duplicateName, offset: token.start) }
      guard name != receiptOctets else {
        let type = try reader.peek()
        if isWhole, type == .string {
          found.receipt = BiqliReceipt(try reader.secretText(try reader.stringToken()))
        } else {
          found.isMistyped = isWhole && type != .null || found.isMistyped
          try reader.skipValue()
        }
        continue
      }
      if !isFirst { output.append(UInt8(ascii: ",")) }
      isFirst = false
      output.append(UInt8(ascii: "\""))
      append(reader.raw(token), to: &output)
      output += [UInt8(ascii: "\""), UInt8(ascii: ":")]
      try copyValue(&reader, text, to: &output)
    }
    output.append(UInt8(ascii: "}"))
  }

  private static func copyValue(
    _ reader: inout JSONReader, _ text: Span<UInt8>, to output: inout [UInt8]
  ) throws(WireCodingError) {
    // Recursion is bounded by the depth at which the reader refuses to go on.
    switch try reader.peek() {
    case .object:
      var none = Found()
      try copyObject(&reader, text, to: &output, &none)
    case .array:
      try reader.beginArray()
      output.append(UInt8(ascii: "["))
      var isFirst = true
      while try reader.nextElement() {
        if !isFirst { output.append(UInt8(ascii: ",")) }
        isFirst = false
        try copyValue(&reader, text, to: &output)
      }
      output.append(UInt8(ascii: "]"))
    case .string, .number, .boolean, .null:
      // As it came: `metadata` may hold numbers that are no integers of this vault.
      let start = reader.offset
      try reader.skipValue()
      append(text.extracting(start..<reader.offset), to: &output)
    }
  }

  private static func append(_ octets: Span<UInt8>, to output: inout [UInt8]) {
    for index in octets.indices { output.append(octets[index]) }
  }
}
