import Glibc

/// A file descriptor that is closed when its last owner lets go.
package final class OwnedDescriptor: Sendable {
  /// The number, valid as long as this object lives.
  package let number: Int32

  /// Takes over a descriptor that nobody else will close.
  package init(_ number: Int32) {
    self.number = number
  }

  deinit {
    close(number)
  }
}
