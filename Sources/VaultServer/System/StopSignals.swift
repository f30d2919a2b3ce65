import CVaultSystem
import Glibc

/// Turns SIGTERM and SIGINT into an event to wait for, and SIGHUP into nothing.
///
/// It is made before any other thread is started, as a thread that does not block the signals would
/// be killed by them.
package struct StopSignals: Sendable {
  let descriptor: OwnedDescriptor

  /// Blocks the signals in the calling thread, and in all that it starts from now on.
  ///
  /// - Throws: ``ServerError/system(call:errno:)``.
  package init() throws(ServerError) {
    let number = vault_open_signals()
    guard number >= 0 else { throw .system(call: "signalfd", errno: -number) }
    descriptor = OwnedDescriptor(number)
  }

  /// Takes the signals that have come; tells whether one asks to stop.
  func take() -> Bool {
    while true {
      let signal = vault_take_signal(descriptor.number)
      guard signal > 0 else { return false }
      if signal == SIGTERM || signal == SIGINT { return true }
    }
  }
}
