/// How often something may be called: a bucket of tokens that fills up by itself.
package struct CallRate: Hashable, Sendable, CustomStringConvertible {
  /// The most of either number.
  package static let maximum = 1_000_000

  /// The calls a second in the long run, 1–1,000,000.
  package let perSecond: Int
  /// The calls that may come at once after a rest, 1–1,000,000.
  package let burst: Int

  /// Makes a rate; `nil` when a number is out of its bounds.
  ///
  /// - Parameters:
  ///   - perSecond: the calls a second.
  ///   - burst: the calls at once; as many as in a second when left out.
  package init?(perSecond: Int, burst: Int? = nil) {
    let burst = burst ?? perSecond
    guard (1...Self.maximum).contains(perSecond), (1...Self.maximum).contains(burst) else {
      return nil
    }
    self.perSecond = perSecond
    self.burst = burst
  }

  /// As it is written in a policy: `50 burst 100`.
  package var description: String { "\(perSecond) burst \(burst)" }
}
