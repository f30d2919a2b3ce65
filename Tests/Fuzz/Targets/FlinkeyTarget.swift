import FlinkeyEngine
import SecureMemory

extension FuzzTarget {
  /// flinkey: the name of a box has one text of either kind; feedback tells no more than it has octets
  /// for; an IdToken ends in a year of four digits.
  static let flinkey = FuzzTarget(
    "flinkey",
    words: [
      "C1", "-", "BAD", "AAAA", "=", "\u{1}\u{3}", "\u{3}\u{0}", "\u{3}\u{5}\u{4}", "eyJleHAiOj",
      ".",
    ]
  ) { input in
    if let token = try? SecretBytes(copying: input), let end = try? FlinkeyIDToken.expiry(of: token)
    {
      require((0..<253_402_300_800).contains(end), "an end")
    }
    let box = try? FlinkeyBoxID("C3-00-00-00")
    if let feedback = try? FlinkeyFeedback(input, from: box) {
      let isCompact = input.count == FlinkeyFeedback.compactCount
      require(feedback.batteryHundredths.map { (0...12_700).contains($0) } ?? true, "a percentage")
      require((feedback.isCharging == nil) || !isCompact, "only groups tell of charging")
      require(feedback.nfcTags.count <= FlinkeyFeedback.maximumTags, "three tags at most")
      let digits = feedback.nfcTags.reduce(0) { $0 + $1.utf8.count }
      require(
        digits <= 2 * input.count && feedback.nfcTags.allSatisfy { !$0.isEmpty }, "the octets")
    } else {
      require(input.count != FlinkeyFeedback.compactCount, "any ten octets are feedback")
    }
    guard let text = String(validating: copy(input), as: UTF8.self) else { return }
    if let box = try? FlinkeyBoxID(text) {
      require(box.description == text, "a box ID has one text")
      let same = try? FlinkeyBoxID(physicalLockID: box.physicalLockID)
      require(same == box, "a lock ID leads back")
    }
    if let box = try? FlinkeyBoxID(physicalLockID: text) {
      require(box.physicalLockID == text, "a lock ID has one text")
    }
  }
}
