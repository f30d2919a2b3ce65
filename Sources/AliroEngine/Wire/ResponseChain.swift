/// What is left of an answer that goes out in parts (section 2, response chaining).
struct ResponseChain: Sendable {
  private var rest: ArraySlice<UInt8>
  private let statusWord: StatusWord

  /// Begins with a whole answer.
  init(_ data: [UInt8], _ statusWord: StatusWord) {
    rest = data[...]
    self.statusWord = statusWord
  }

  var isEmpty: Bool { rest.isEmpty }

  /// Takes the next part.
  ///
  /// - Parameter count: how many octets the reader wants; as many as go into one answer when it does
  ///   not say.
  /// - Returns: the part, with the status word that goes with it.
  mutating func next(_ count: Int? = nil) -> ResponseAPDU {
    let part = Array(rest.prefix(min(count ?? .max, ResponseAPDU.dataLimit)))
    rest = rest.dropFirst(part.count)
    return rest.isEmpty
      ? ResponseAPDU(part, statusWord) : ResponseAPDU(part, remaining: rest.count)
  }
}
