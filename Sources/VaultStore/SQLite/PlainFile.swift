import CSQLite

/// A file opened through a VFS, read-only and outside any connection.
@safe struct PlainFile: ~Copyable {
  private let handle: latchkey_vfs_file

  init(path: String, isLog: Bool, vfs: String?) throws(StoreError) {
    var handle = unsafe latchkey_vfs_file()
    let code = unsafe latchkey_vfs_open(vfs, path, isLog ? 1 : 0, &handle)
    guard code == SQLITE_OK else { throw unsafe StoreError.last(code, nil) }
    unsafe self.handle = unsafe handle
  }

  deinit {
    unsafe latchkey_vfs_close(handle)
  }

  /// Reads exactly `count` bytes, `nil` when the file ends before.
  func read(_ count: Int, at offset: Int64) throws(StoreError) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    let code = unsafe bytes.withUnsafeMutableBytes { buffer in
      guard let base = buffer.baseAddress else { return SQLITE_OK }
      return unsafe latchkey_vfs_read(handle, base, Int32(clamping: count), offset)
    }
    if code == Int32(522) { return nil }  // SQLITE_IOERR_SHORT_READ
    guard code == SQLITE_OK else { throw unsafe StoreError.last(code, nil) }
    return bytes
  }
}
