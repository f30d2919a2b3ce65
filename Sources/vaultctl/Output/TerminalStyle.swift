import Glibc

/// What the place the output goes to can show.
struct TerminalStyle: Equatable, Sendable {
  /// The columns to fit, `nil` when it is no terminal: a pipe gets everything.
  let width: Int?
  /// Whether headings are set in bold.
  let isBold: Bool

  /// A pipe or a file.
  static let plain = TerminalStyle(width: nil, isBold: false)

  /// Marks a heading.
  func strong(_ text: String) -> String {
    isBold ? "\u{1B}[1m\(text)\u{1B}[0m" : text
  }

  /// Looks at a descriptor.
  static func of(_ descriptor: Int32) -> TerminalStyle {
    guard isatty(descriptor) == 1 else { return .plain }
    var size = winsize()
    let isKnown = unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    // https://no-color.org asks that any value but none is heeded.
    let isDumb =
      Environment.variable("TERM") ?? "dumb" == "dumb"
      || !(Environment.variable("NO_COLOR") ?? "").isEmpty
    return TerminalStyle(width: isKnown ? Int(size.ws_col) : 80, isBold: !isDumb)
  }
}
