/// One change on its way to the disk.
package enum DiskEvent: Hashable, Sendable {
  case create(String)
  case write(String, offset: Int, [UInt8])
  case truncate(String, size: Int)
  /// The octets of a file are on the device.
  case synchronise(String)
  case delete(String)
  case makeDirectory(String)
  case rename(String, to: String)
  case link(String, to: String)
  case removeDirectory(String)
  /// The entries of a directory are on the device.
  case synchroniseDirectory(String)
  /// A moment the test wants to find again, such as an answer that was given.
  case mark(String)

  /// Whether it makes earlier changes durable.
  package var isSync: Bool {
    switch self {
    case .synchronise, .synchroniseDirectory: true
    default: false
    }
  }

  /// Whether it needs room on the device.
  package var needsSpace: Bool {
    switch self {
    case .create, .write, .makeDirectory, .link: true
    default: false
    }
  }
}
