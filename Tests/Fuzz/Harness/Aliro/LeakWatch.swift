import WireCoding

/// Looks for keys in whatever a session gives out.
struct LeakWatch {
  private var secrets: [[UInt8]] = []
  /// Which first octets secrets have, so that most places cost one look.
  private var first = [Bool](repeating: false, count: 256)

  /// Watches for more secrets of 32 octets each.
  mutating func watch(_ more: [[UInt8]]) {
    for secret in more where secret.count == 32 {
      secrets.append(secret)
      first[Int(secret[0])] = true
    }
  }

  func check(_ octets: [UInt8]) {
    guard octets.count >= 32 else { return }
    for place in 0...octets.count - 32 where first[Int(octets[place])] {
      let isSecret = secrets.contains { octets[place..<place + 32].elementsEqual($0) }
      require(!isSecret, "no key leaves the vault")
    }
  }

  /// Looks for keys in words, as octets and in hexadecimal.
  func check(_ text: String?) {
    guard let text else { return }
    check(Array(text.utf8))
    // No sentence has sixteen digits in a row.
    guard
      text.utf8.split(whereSeparator: { Hex.value($0, acceptingUpperCase: true) == nil }).contains(
        where: { $0.count > 15 })
    else { return }
    let digits = text.lowercased()
    require(!secrets.contains { digits.contains(Hex.encode($0.span)) }, "no key is written out")
  }
}
