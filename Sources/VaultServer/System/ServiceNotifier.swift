import CVaultSystem
import Glibc

/// Tells systemd how the service is doing (sd_notify(3), without its library).
package struct ServiceNotifier: Sendable {
  private let address: String?

  /// Notifies whom `NOTIFY_SOCKET` names, and removes the variable, so that no child speaks for
  /// the daemon.
  ///
  /// To be called before there are other threads.
  package init() {
    address = unsafe getenv("NOTIFY_SOCKET").map { unsafe String(cString: $0) }
    unsafe unsetenv("NOTIFY_SOCKET")
  }

  /// Notifies a socket by its path, or nobody.
  package init(address: String?) {
    self.address = address
  }

  /// Says that requests are served.
  package func ready() {
    send("READY=1")
  }

  /// Says that the service is ending.
  package func stopping() {
    send("STOPPING=1")
  }

  private func send(_ state: String) {
    guard let address, address.hasPrefix("/") || address.hasPrefix("@") else { return }
    // A supervisor that cannot be told does not keep the service from working.
    _ = unsafe vault_notify(address, state)
  }
}
