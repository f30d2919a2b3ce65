/// What a lock answers: 20 octets, of which the first says whom they are for.
package enum NokeResponse: Hashable, Sendable {
  /// `0x50`: for the Core API alone, and encrypted for it.
  case forServer
  /// `0x51`: for the app, in clear.
  case result(NokeResult)
  /// `0x52`: defined for the lock, and never sent by one.
  case forLock
  /// Another first octet.
  case unknown(UInt8)

  /// How many octets a response has.
  package static let count = 20

  /// Reads a response.
  ///
  /// - Parameters:
  ///   - text: exactly 40 hexadecimal digits of either case.
  ///   - field: the parameter's name, for the error.
  /// - Throws: ``NokeError/parameter(_:due:)``.
  package init(_ text: String, field: String = "response") throws(NokeError) {
    let octets = try NokeText.octets(text, count: Self.count, field: field)
    self =
      switch octets[0] {
      case 0x50: .forServer
      case 0x51: .result(NokeResult(octets))
      case 0x52: .forLock
      default: .unknown(octets[0])
      }
  }

  /// What the lock said, as a word of the interface: that of its result, or whom else it is for.
  package var word: String {
    switch self {
    case .forServer: "for_server"
    case .result(let result): result.word
    case .forLock: "for_lock"
    case .unknown: "unknown"
    }
  }
}
