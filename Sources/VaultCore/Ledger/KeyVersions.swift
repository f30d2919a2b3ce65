/// The last key version given out per purpose, 0 for none; a version is never given out twice.
package struct KeyVersions: Hashable, Sendable {
  /// Purpose `presentation`.
  package var presentation: Int64 = 0
  /// Purpose `signing`.
  package var signing: Int64 = 0
  /// Purpose `issuer`.
  package var issuer: Int64 = 0
  /// Purpose `reader-ca`.
  package var readerCA: Int64 = 0

  /// Starts with no version given out.
  package init() {}

  init(_ list: [Int64]) {
    guard list.count == 4 else { return }
    (presentation, signing, issuer, readerCA) = (list[0], list[1], list[2], list[3])
  }

  var list: [Int64] { [presentation, signing, issuer, readerCA] }
}
