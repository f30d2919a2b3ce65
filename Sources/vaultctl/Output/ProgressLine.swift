import Glibc

/// One line on a terminal that tells how far something has come; nothing at all elsewhere.
struct ProgressLine: ~Copyable {
  private static let width = 30
  /// How many octets make it worth a line.
  private static let least: Int64 = 8 << 20

  private let what: String
  private let isShown: Bool
  private var shown = ""

  /// Starts.
  ///
  /// - Parameters:
  ///   - what: what is being done.
  ///   - isQuiet: whether a program reads along.
  init(_ what: String, isQuiet: Bool) {
    self.what = what
    isShown = !isQuiet && isatty(STDERR_FILENO) == 1
  }

  /// Tells of octets that are done, of as many as there are if that is known.
  mutating func show(_ done: Int64, of total: Int64? = nil) {
    guard isShown, total ?? done >= Self.least else { return }
    var line = "\(what) \(done >> 20) MiB"
    if let total, total > 0 {
      let share = Self.share(done, of: total)
      let filled = share * Self.width / 100
      let bar =
        String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
      line = "\(what) [\(bar)] \(share) %"
    }
    guard line != shown else { return }
    shown = line
    write("\r\(line)\u{1B}[K")
  }

  /// How much of a total is done, in per cent; of a total that is as large as can be as well.
  static func share(_ done: Int64, of total: Int64) -> Int {
    Int(Double(min(max(done, 0), total)) / Double(total) * 100)
  }

  /// Takes the line away.
  mutating func end() {
    guard !shown.isEmpty else { return }
    shown = ""
    write("\r\u{1B}[K")
  }

  deinit { if !shown.isEmpty { write("\r\u{1B}[K") } }

  private func write(_ text: String) {
    try? StandardStream.write(Array(text.utf8), to: STDERR_FILENO)
  }
}
