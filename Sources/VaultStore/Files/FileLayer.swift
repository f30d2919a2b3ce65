/// The few changes to the file system that happen outside the database; a protocol so that tests can
/// record, refuse and replay them.
package protocol FileLayer: Sendable {
  /// Makes a directory, which must not exist.
  func makeDirectory(_ path: String, mode: UInt32) throws(StoreError)
  /// Makes a file, which must not exist, with these octets, and waits until they are on the device.
  func writeNewFile(_ path: String, mode: UInt32, _ bytes: Span<UInt8>) throws(StoreError)
  /// Waits until a file's octets, or a directory's entries, are on the device.
  func synchronise(_ path: String) throws(StoreError)
  /// Renames a file or directory; an empty directory or a file at the target is replaced.
  func rename(_ path: String, to target: String) throws(StoreError)
  /// Gives a file a second name, which must not exist.
  func link(_ path: String, to target: String) throws(StoreError)
  /// Removes a file.
  func remove(_ path: String) throws(StoreError)
  /// Removes an empty directory.
  func removeDirectory(_ path: String) throws(StoreError)
}
