/// What a presentation over BLE is for.
public enum PresentationIntent: String, Hashable, Sendable, CaseIterable {
  /// Open the lock, by remote keyless entry.
  case unsecure
  /// Close the lock, by remote keyless entry.
  case secure
  /// Have the credential accepted, and ask for nothing: requests follow, or ranging.
  case approach

  /// The value of the RKE request (section 12).
  var octet: UInt8 { self == .secure ? 0 : 1 }

  /// The state that the reader reports when it has done so.
  var status: LockStatus { self == .secure ? .secured : .unsecured }
}
