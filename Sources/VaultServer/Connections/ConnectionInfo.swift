package import AccessPolicy

/// Names a connection for the life of the process; numbers are not used again.
package struct ConnectionID: Hashable, Sendable {
  /// The number, from 1.
  package let number: UInt64

  /// Makes an identifier; outside the listener only tests do.
  package init(number: UInt64) {
    self.number = number
  }
}

/// What is known of a connection from its start.
package struct ConnectionInfo: Hashable, Sendable {
  /// Its name.
  package let id: ConnectionID
  /// The socket it came in by.
  package let endpoint: Endpoint
  /// Who is at the other end.
  package let caller: Caller
  /// What the configuration gives that caller, whatever the policy says.
  package let standing: Standing

  /// Makes the description; outside the listener only tests do.
  package init(id: ConnectionID, endpoint: Endpoint, caller: Caller, standing: Standing) {
    self.id = id
    self.endpoint = endpoint
    self.caller = caller
    self.standing = standing
  }
}
