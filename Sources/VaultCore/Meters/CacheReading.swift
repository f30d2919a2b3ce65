/// How full a cache is, and how often it was of use.
package struct CacheReading: Hashable, Sendable {
  /// What it holds.
  package let entries: Int
  /// Look-ups that found something, since the start.
  package let hits: UInt64
  /// Look-ups that did not.
  package let misses: UInt64
}
