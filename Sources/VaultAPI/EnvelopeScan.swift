import WireCoding

/// One pass over a request line.
///
/// A value that does not fit is remembered and the line read on, because the answer is to carry the
/// `id` even when it comes last; only text that is no JSON ends the pass.
struct EnvelopeScan {
  private enum Member: String, MemberName {
    case jsonrpc, id, method, params
  }

  private static let table = MemberTable<Member> { _ in .optional(.namespace) }
  private static let methods = VaultMethod.allCases
  private static let methodNames = JSONNameTable(methods.map(\.rawValue))

  private(set) var id: RequestID?
  private(set) var method: VaultMethod?
  private var request: VaultRequest?
  private var seen: UInt32 = 0
  /// Where parameters stand that came before their method.
  private var params: JSONMark?
  private var envelopeFault: RPCError?
  private var methodFault: RPCError?
  private var paramsFault: RPCError?

  mutating func run(_ line: Span<UInt8>) throws(RPCError) -> RequestEnvelope {
    var reader = JSONReader(line)
    do throws(WireCodingError) {
      try scan(&reader)
      try reader.finish()
    } catch {
      throw Self.error(error)
    }
    if seen & 1 == 0 { note("jsonrpc must be \"2.0\"", "jsonrpc") }
    if seen & 2 == 0 { note("id is required: notifications are not served", "id") }
    if seen & 4 == 0 { note("method is required", "method") }
    if let fault = envelopeFault ?? methodFault ?? paramsFault { throw fault }
    // Without a fault, both are there.
    guard let id, let method else { throw RPCError(.invalidRequest) }
    if let request { return RequestEnvelope(id: id, request: request) }
    return RequestEnvelope(id: id, request: try lateParams(method, line))
  }

  private mutating func scan(_ reader: inout JSONReader) throws(WireCodingError) {
    let start = reader.mark
    let kind = try reader.peek()
    if kind == .array {
      envelopeFault = RPCError(
        .unsupported, message: "Batches are not served; send one request a line.")
      // An array is skipped for its syntax; all members count as seen, to leave the fault as it is.
      seen = 15
      return try reader.skipValue()
    }
    if kind != .object {
      // One octet told the kind; a word that only begins like `null` is no JSON at all.
      try reader.skipValue()
      try reader.finish()
      reader.move(to: start)
    }
    try reader.beginObject()
    while let name = try reader.nextName() {
      guard let index = Self.table.index(of: name, in: reader) else {
        let shown = name.shown(in: reader)
        note("\(shown) is not a member of a request", shown)
        try reader.skipValue()
        continue
      }
      let isRepeated = seen & 1 << UInt32(index) != 0
      seen |= 1 << UInt32(index)
      guard !isRepeated else {
        let name = Self.table.fields[index].name
        note("\(name) is given twice", name)
        // Which of two ids is meant nobody knows.
        if index == 1 { id = nil }
        try reader.skipValue()
        continue
      }
      switch Self.table.member(index) {
      case .jsonrpc: try readVersion(&reader)
      case .id: try readID(&reader)
      case .method: try readMethod(&reader)
      case .params: try readParams(&reader)
      }
    }
  }

  private mutating func readVersion(_ reader: inout JSONReader) throws(WireCodingError) {
    guard try reader.peek() == .string else {
      note("jsonrpc must be \"2.0\"", "jsonrpc")
      return try reader.skipValue()
    }
    let version: [UInt8] = [UInt8(ascii: "2"), UInt8(ascii: "."), UInt8(ascii: "0")]
    if !reader.matches(try reader.stringToken(), version) {
      note("jsonrpc must be \"2.0\"", "jsonrpc")
    }
  }

  private mutating func readID(_ reader: inout JSONReader) throws(WireCodingError) {
    let start = reader.mark
    switch try reader.peek() {
    case .string:
      let token = try reader.stringToken()
      if token.decodedCount >= 1, token.decodedCount <= VaultLimits.idOctets {
        id = .string(reader.text(token))
        return
      }
    case .number:
      do throws(WireCodingError) {
        id = .number(try reader.integer())
        return
      } catch {
        reader.move(to: start)
        try reader.skipValue()
      }
    default:
      try reader.skipValue()
    }
    note("id must be a string of 1 to 64 octets or an integer within ±2^53", "id")
  }

  private mutating func readMethod(_ reader: inout JSONReader) throws(WireCodingError) {
    guard try reader.peek() == .string else {
      note("method must be a string", "method")
      return try reader.skipValue()
    }
    let token = try reader.stringToken()
    if let index = Self.methodNames.index(of: token, in: reader) {
      method = Self.methods[index]
      return
    }
    methodFault = RPCError(
      .methodNotFound, message: "There is no method \(token.shown(in: reader)).", field: "method")
  }

  private mutating func readParams(_ reader: inout JSONReader) throws(WireCodingError) {
    let start = reader.mark
    guard let method else {
      params = start
      return try reader.skipValue()
    }
    do throws(VaultAPIError) {
      request = try VaultRequest(method, from: &reader)
    } catch {
      paramsFault = RPCError(error)
      // Goes over the value once more, so that text which is no JSON is told as such.
      reader.move(to: start)
      try reader.skipValue()
    }
  }

  /// Decodes parameters which stand before their method, or stands in for absent ones.
  private func lateParams(
    _ method: VaultMethod, _ line: Span<UInt8>
  ) throws(RPCError) -> VaultRequest {
    do throws(VaultAPIError) {
      guard let params else {
        let none: [UInt8] = [UInt8(ascii: "{"), UInt8(ascii: "}")]
        var reader = JSONReader(none.span)
        return try VaultRequest(method, from: &reader)
      }
      var reader = JSONReader(line)
      reader.move(to: params)
      return try VaultRequest(method, from: &reader)
    } catch {
      throw RPCError(error)
    }
  }

  /// Remembers the first fault of the envelope.
  private mutating func note(_ words: String, _ field: String) {
    envelopeFault = envelopeFault ?? RPCError(.invalidRequest, message: words + ".", field: field)
  }

  private static func error(_ error: WireCodingError) -> RPCError {
    guard case .json(let fault, let offset) = error else { return RPCError(.parseError) }
    guard fault.isSyntax else {
      return RPCError(.invalidRequest, message: "The line is not an object: \(fault.words).")
    }
    return RPCError(VaultAPIError.syntax(fault, offset: offset))
  }
}
