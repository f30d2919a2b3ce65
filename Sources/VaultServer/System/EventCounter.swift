import CVaultSystem

/// An eventfd: what one thread waits on and any other rings.
///
/// It is watched edge-triggered, so that the waiting thread never has to read it back to zero.
struct EventCounter: Sendable {
  let descriptor: OwnedDescriptor

  init() throws(ServerError) {
    let number = vault_bell_open(0)
    guard number >= 0 else { throw .system(call: "eventfd", errno: -number) }
    descriptor = OwnedDescriptor(number)
  }

  /// Wakes the thread that waits.
  func ring() {
    vault_bell_ring(descriptor.number)
  }
}
