import AliroEngine

/// What is to happen in a transaction.
package struct MeetingPlan: Hashable, Sendable {
  /// How the two talk.
  package enum Transport: Sendable {
    case ble, nfc
  }

  let transport: Transport
  /// Whether the lock opens, instead of locking.
  let unsecures: Bool
  /// Whether the lock wants to see the access document (step-up).
  let asksForDocument: Bool

  var action: LockAction { unsecures ? .unsecure : .secure }

  /// Makes a plan.
  ///
  /// - Parameters:
  ///   - transport: how the two talk.
  ///   - unsecures: whether the lock opens, instead of locking.
  ///   - asksForDocument: whether the lock wants to see the access document.
  package init(transport: Transport, unsecures: Bool, asksForDocument: Bool) {
    self.transport = transport
    self.unsecures = unsecures
    self.asksForDocument = asksForDocument
  }

  /// What the lock says, in its order; the fast form spares most of it.
  func stages(isFast: Bool, hasCertificate: Bool) -> [Stage] {
    var stages: [Stage] = transport == .nfc ? [.select, .auth0] : [.auth0]
    if !isFast {
      if hasCertificate { stages.append(.loadCertificate) }
      stages.append(.auth1)
      if asksForDocument {
        // Over BLE there is nothing to select.
        stages += transport == .nfc ? [.selectStepUp, .envelope] : [.envelope]
      }
    }
    return stages + (transport == .nfc ? [.report] : [.completed, .status])
  }
}
