import WireCoding

/// A schedule of access data (section 13): a time from start to end, or parts of it that recur.
struct AccessSchedule: Hashable, Sendable {
  /// How it recurs.
  enum Repetition: Hashable, Sendable {
    /// It does not: it holds from start to end.
    case never
    case known(AccessRecurrence)
    /// In a form that is not read here; an older one packs it in a byte string.
    case unknown
  }

  /// How far a local clock can be ahead of UTC and behind it, in seconds.
  private static let clockAhead: Int64 = 14 * 3600
  private static let clockBehind: Int64 = 12 * 3600

  let start: Timestamp
  /// `nil` when it does not end.
  let end: Timestamp?
  let repetition: Repetition
  /// Whether the times are UTC; else they are what the clock at the door shows.
  let isUTC: Bool

  /// Reads `{ 0: start, ? 1: end, ? 2: recurrence, ? 3: flags }`, times as #6.1.
  init?(_ item: CBORItem) {
    guard let start = item[0].flatMap(Self.time) else { return nil }
    self.start = start
    end = item[1].flatMap(Self.time)
    guard (item[1] == nil) == (end == nil) else { return nil }
    repetition =
      if let recurrence = item[2] {
        AccessRecurrence(recurrence).map { .known($0) } ?? .unknown
      } else { .never }
    guard let flags = item[3].map(\.unsigned) ?? 0 else { return nil }
    isUTC = flags & 1 != 0
  }

  private static func time(_ item: CBORItem) -> Timestamp? {
    item.tagged(1)?.integer.map { Timestamp(clamping: $0) }
  }

  /// Whether it may hold at some time between two; where the door is, and so what its local time is,
  /// the vault does not know.
  func mayHold(from first: Timestamp, until last: Timestamp) -> Bool {
    let end = end ?? .latest
    let (ahead, behind) = isUTC ? (0, 0) : (Self.clockAhead, Self.clockBehind)
    return start <= end && start.seconds - ahead <= last.seconds
      && first.seconds <= end.seconds + behind
  }

  /// The schedule in plain words.
  var words: String {
    let zone = isUTC ? "UTC" : "local time"
    let period = "from \(start.minute)" + (end.map { " until \($0.minute)" } ?? " on")
    return switch repetition {
    case .never: "\(period) \(zone)"
    case .known(let recurrence): "\(recurrence.words(startingAt: start)) \(zone), \(period)"
    case .unknown: "at times in a form that this vault does not read, \(period) \(zone)"
    }
  }
}

extension Timestamp {
  /// `2026-01-31 08:30`, with seconds where there are any.
  fileprivate var minute: String { "\(description.prefix(10)) \(timeOfDay)" }

  /// `08:30`, with seconds where there are any.
  var timeOfDay: String {
    let time = description.dropFirst(11).dropLast()
    return String(time.hasSuffix(":00") ? time.dropLast(3) : time)
  }
}
