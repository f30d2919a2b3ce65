/// Whether a namespace can be used; the numbers are in the database.
package enum NamespaceState: Int64, Hashable, Sendable {
  /// In use.
  case active = 1
  /// Not usable until it is resumed.
  case suspended = 2
  /// Gone for good: the data key is erased and the name stays taken.
  case tombstone = 3
}
