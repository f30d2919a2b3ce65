import CVaultSystem
import Glibc

/// A plain thread: the I/O threads block in the kernel, which the cooperative pool must not.
struct PosixThread: Sendable {
  private final class Work: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }

  private let handle: pthread_t

  /// Starts a thread.
  ///
  /// - Parameters:
  ///   - name: what tools show, at most 15 bytes.
  ///   - body: what it does.
  /// - Throws: ``ServerError/system(call:errno:)`` when the kernel has no more threads.
  init(name: String, _ body: @escaping @Sendable () -> Void) throws(ServerError) {
    var made = pthread_t()
    let work = unsafe Unmanaged.passRetained(Work(name: name, body: body))
    let failure = unsafe pthread_create(
      &made, nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        let work = unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue()
        unsafe vault_name_thread(work.name)
        work.body()
        return nil
      }, work.toOpaque())
    guard failure == 0 else {
      unsafe work.release()
      throw .system(call: "pthread_create", errno: failure)
    }
    handle = made
  }

  /// Waits until the thread has ended; called once.
  func join() {
    pthread_join(handle, nil)
  }
}
