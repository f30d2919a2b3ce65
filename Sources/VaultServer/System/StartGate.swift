import CVaultSystem
import Synchronization

/// Where the server waits until each I/O thread has said whether it could start.
final class StartGate: Sendable {
  private let failure = Mutex<ServerError?>(nil)
  private let bell: OwnedDescriptor

  init() throws(ServerError) {
    let number = vault_bell_open(1)
    guard number >= 0 else { throw .system(call: "eventfd", errno: -number) }
    bell = OwnedDescriptor(number)
  }

  /// Says how one thread has started; each thread calls it once.
  func report(_ error: ServerError? = nil) {
    if let error { failure.withLock { $0 = $0 ?? error } }
    vault_bell_ring(bell.number)
  }

  /// Waits for the reports of so many threads.
  ///
  /// - Throws: the first error that was reported.
  func wait(for count: Int) throws(ServerError) {
    for _ in 0..<count { vault_bell_wait(bell.number) }
    if let error = failure.withLock({ $0 }) { throw error }
  }
}
