import NokeEngine
import SecureMemory
import WireCoding

extension FuzzTarget {
  /// Nokē: what is read as an address, session, response, window, pair or stored grant reads the same
  /// when it is written again, and nothing else is read.
  static let noke = FuzzTarget(
    "noke",
    words: [
      ":", "00", "FF", "mon", ",sun", " 22:00-06:00", "24:00", "-", "5160", "51600000009b", "5164",
      "\u{1}\u{7}",
    ]
  ) { input in
    NokeChecks.checkPair(input)
    NokeChecks.checkGrant(input)
    guard let text = String(validating: copy(input), as: UTF8.self) else { return }
    if let address = try? NokeMAC(text) {
      let same = try? NokeMAC(address.description)
      require(same == address, "an address is written as it is read")
      require([12, 17].contains(text.utf8.count), "the length of an address")
    }
    if let session = try? NokeSession(text) {
      require(session.description == text.lowercased(), "a session is its digits")
      require((0...65_535).contains(session.batteryMillivolts), "two octets of voltage")
    }
    if case .result(let result)? = try? NokeResponse(text) {
      require(text.hasPrefix("51") && !result.word.isEmpty, "a result is for the app")
    }
    if let window = try? NokeWindow(text) {
      require(window.description == text, "a window has one text")
    }
  }
}

private enum NokeChecks {
  /// The input is the digits of an offline key and of an unlock command.
  static func checkPair(_ input: Span<UInt8>) {
    let split = min(32, input.count)
    let (key, command) = (input.extracting(..<split), input.extracting(split...))
    let digits = copy(input)
    let areDigits =
      digits.count == 72 && (try? Hex.decode(digits.span, acceptingUpperCase: true)) != nil
    do throws(NokeError) {
      let pair = try NokePair(offlineKeyDigits: key, unlockCommandDigits: command)
      require(areDigits, "a pair is 72 digits")
      let session = try NokeSession(String(repeating: "a5", count: 20))
      let packet = try NokePacket.make(pair: pair, session: session, embedding: nil)
      let header = String(decoding: digits[32..<40], as: UTF8.self).lowercased()
      require(packet.description.hasPrefix(header), "the header travels in clear")
    } catch {
      guard case .parameter(let name, _) = error else { return require(false, "a field is named") }
      require(
        !areDigits && ["offline_key", "unlock_command"].contains(name), "a field of the call")
    }
  }

  /// The input is the stored form of a grant.
  static func checkGrant(_ input: Span<UInt8>) {
    guard let validity = try? NokeValidity(encoded: input) else { return }
    require(validity.encoded == copy(input), "one form for each grant")
    for time in [.earliest, validity.notBefore, validity.notAfter, .latest].compactMap(\.self) {
      switch validity.standing(at: time) {
      case .allowed: break
      case .notYetValid(let first): require(time < first, "it begins later")
      case .expired(let last): require(time > last, "it has ended")
      case .outside(let next): require(next.map { $0 > time } ?? true, "the next window is to come")
      }
    }
  }
}
