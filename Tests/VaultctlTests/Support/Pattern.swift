import Glibc

/// Expected output in which `<any>` stands for a few characters that differ from run to run.
enum Pattern {
  private static let forRoot = "<root>"

  static func matches(_ expected: String, _ seen: String) -> Bool {
    let (expected, seen) = (lines(expected), lines(seen))
    guard expected.count == seen.count else {
      print(
        "expected:\n\(expected.joined(separator: "\n"))\nseen:\n\(seen.joined(separator: "\n"))")
      return false
    }
    let isSame = zip(expected, seen).allSatisfy(line)
    if !isSame {
      print(
        "expected:\n\(expected.joined(separator: "\n"))\nseen:\n\(seen.joined(separator: "\n"))")
    }
    return isSame
  }

  private static func lines(_ text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false).compactMap { line in
      guard line.hasPrefix(forRoot) else { return line }
      return geteuid() == 0 ? line.dropFirst(forRoot.count) : nil
    }
  }

  private static func line(_ expected: Substring, _ seen: Substring) -> Bool {
    let parts = expected.split(separator: "<any>", omittingEmptySubsequences: false)
    guard parts.count > 1 else { return expected == seen }
    var rest = seen
    for (index, part) in parts.enumerated() {
      if index == 0 {
        guard rest.hasPrefix(part) else { return false }
        rest = rest.dropFirst(part.count)
      } else if index == parts.count - 1 {
        return rest.hasSuffix(part) && rest.count > part.count
      } else {
        guard let found = rest.dropFirst().firstRange(of: part) else { return false }
        rest = rest[found.upperBound...]
      }
    }
    return rest.isEmpty
  }
}
