/// Words for command lines that are shown to be typed.
enum ShellWord {
  /// A word as a POSIX shell takes it: as it is when that is safe, else in single quotes.
  static func quote(_ word: String) -> String {
    let isPlain =
      !word.isEmpty
      && word.utf8.allSatisfy { octet in
        switch octet {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
          UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "="),
          UInt8(ascii: "@"), UInt8(ascii: "+"), UInt8(ascii: ","):
          true
        default: false
        }
      }
    guard !isPlain else { return word }
    let inner = word.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + inner.joined(separator: "'\\''") + "'"
  }
}
