import WireCoding

/// The members that a response must have, or may have, and their types.
enum BiqliAnswerShape {
  private indirect enum Kind: Sendable {
    case text, boolean, anything
    case word([String])
    case object([Member])
    /// An object of any names whose values are texts.
    case texts
  }

  private struct Member: Sendable {
    let name: String
    let kind: Kind
    /// Whether it may be null or not there.
    let isOptional: Bool

    init(_ name: String, _ kind: Kind, isOptional: Bool = false) {
      self.name = name
      self.kind = kind
      self.isOptional = isOptional
    }
  }

  private static let noMatch = "none"
  private static let members = [
    Member(
      "open",
      .object([
        Member("id", .text), Member("firstOpen", .boolean),
        Member(
          "matchedBy",
          .word([
            "exact_app_link", "exact_install_referrer", "exact_handoff", "probabilistic", noMatch,
          ])),
        Member("confidence", .word(["exact", "probabilistic", "none"])),
      ])),
    Member("click", .object([Member("id", .text)]), isOptional: true),
    Member(
      "link", .object([Member("id", .text), Member("shortUrl", .text), Member("route", .text)]),
      isOptional: true),
    Member(
      "attribution",
      .object([
        Member("referralCode", .text, isOptional: true),
        Member("metadata", .anything, isOptional: true),
        Member("dynamic", .texts, isOptional: true),
      ]), isOptional: true),
    Member("requestId", .text),
  ]

  /// Checks an answer, whose syntax and names are in order.
  ///
  /// - Parameters:
  ///   - json: the answer.
  ///   - field: the parameter's name, for the error.
  /// - Returns: whether it is a match.
  /// - Throws: ``BiqliError/parameter(_:due:)`` with the path to what does not fit.
  static func check(_ json: [UInt8], _ field: String) throws(BiqliError) -> Bool {
    var reader = JSONReader(json.span)
    var words: [String: String] = [:]
    try check(&reader, members, field, &words)
    return words["\(field).open.matchedBy"] != noMatch
  }

  private static func check(
    _ reader: inout JSONReader, _ members: [Member], _ path: String, _ words: inout [String: String]
  ) throws(BiqliError) {
    var seen: Set<String> = []
    try read(&reader, path, "an object") { reader throws(WireCodingError) in
      try reader.beginObject()
    }
    while let token = try read(
      &reader, path, "an object", { reader throws(WireCodingError) in try reader.nextName() })
    {
      let name = reader.text(token)
      let inner = "\(path).\(name)"
      guard let member = members.first(where: { $0.name == name }) else {
        // Another name than those that are known may say anything.
        try read(&reader, path, "an object") { reader throws(WireCodingError) in
          try reader.skipValue()
        }
        continue
      }
      let isNull = try read(&reader, inner, "a value") { reader throws(WireCodingError) in
        try reader.peek() == .null
      }
      if isNull, member.isOptional {
        try read(&reader, inner, "null") { reader throws(WireCodingError) in try reader.null() }
        continue
      }
      seen.insert(name)
      try check(&reader, member.kind, inner, &words)
    }
    for member in members where !member.isOptional && !seen.contains(member.name) {
      throw .parameter("\(path).\(member.name)", due: "a value")
    }
  }

  private static func check(
    _ reader: inout JSONReader, _ kind: Kind, _ path: String, _ words: inout [String: String]
  ) throws(BiqliError) {
    switch kind {
    case .text:
      _ = try read(&reader, path, "a text") { reader throws(WireCodingError) in
        try reader.stringToken()
      }
    case .boolean:
      _ = try read(&reader, path, "true or false") { reader throws(WireCodingError) in
        try reader.boolean()
      }
    case .anything:
      try read(&reader, path, "a value") { reader throws(WireCodingError) in try reader.skipValue()
      }
    case .word(let known):
      let due = "one of \(known.joined(separator: ", "))"
      let token = try read(&reader, path, due) { reader throws(WireCodingError) in
        try reader.stringToken()
      }
      guard let word = known.first(where: { reader.matches(token, Array($0.utf8)) }) else {
        throw .parameter(path, due: due)
      }
      words[path] = word
    case .object(let members): try check(&reader, members, path, &words)
    case .texts:
      try read(&reader, path, "an object of texts") { reader throws(WireCodingError) in
        try reader.beginObject()
        while try reader.nextName() != nil { _ = try reader.stringToken() }
      }
    }
  }

  private static func read<Value>(
    _ reader: inout JSONReader, _ path: String, _ due: String,
    _ body: (inout JSONReader) throws(WireCodingError) -> Value
  ) throws(BiqliError) -> Value {
    do throws(WireCodingError) {
      return try body(&reader)
    } catch {
      throw .parameter(path, due: due)
    }
  }
}
