/// What a presentation over BLE is for.
public enum PresentationIntent: String, Hashable, Sendable, CaseIterable {
  /// Open the lock, by remote keyless entry.
  case unsecure
  /// Close the lock, by remote keyless entry.
  case secure
  /// Have the credential accepted, and ask for nothing: requests follow, or ranging.
  case approach

  /// What is asked of the lock as soon as the credential is accepted; `nil` when nothing is.
  var action: LockAction? {
    switch self {
    case .unsecure: .unsecure
    case .secure: .secure
    case .approach: nil
    }
  }

  /// The initiate message (section 12): 5 for the approach, 6 for RKE.
  var initiateMessage: BLEMessage {
    BLEMessage(
      protocolNumber: 2, id: self == .approach ? 5 : 6,
      payload: BLEAttributes.encode(0, ProprietaryInformation.encoded))
  }
}
