import CVaultSystem
import Glibc

/// A thread of the daemon's own, named for the tools that show threads: it may block in the kernel,
/// which the cooperative pool must not.
@safe package final class WorkerThread: Sendable {
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private let thread: pthread_t

  /// Starts a thread.
  ///
  /// - Parameters:
  ///   - name: what tools show, at most 15 bytes.
  ///   - run: what it does.
  /// - Throws: ``VaultError`` `busy` when the kernel gives no thread.
  package init(name: String, _ run: @escaping @Sendable () -> Void) throws(VaultError) {
    let body = unsafe Unmanaged.passRetained(
      Body {
        unsafe vault_name_thread(name)
        run()
      })
    var thread = pthread_t()
    let result = unsafe pthread_create(
      &thread, nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, body.toOpaque())
    guard result == 0 else {
      unsafe body.release()
      throw VaultError(.busy, "the kernel gives no more threads", retry: true)
    }
    self.thread = thread
  }

  /// Lets the thread end by itself; instead of ``join()``.
  func detach() {
    pthread_detach(thread)
  }

  /// Waits until the thread has returned; to be called once.
  package func join() {
    pthread_join(thread, nil)
  }
}
