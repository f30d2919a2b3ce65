import WireCoding

/// What a reader is told of a credential beside who it is: its bitmap, and when its documents were
/// signed (sections 4 and 6).
struct CredentialReport {
  private let bitmap: [UInt8]
  private let credentialTime: [UInt8]?
  private let revocationTime: [UInt8]?

  /// Reports on a credential as it stands.
  init(
    of credential: UsableCredential, memory: any PresentationMemory, over interface: Interface
  ) throws(Failure) {
    let contents = try computing { credential.mailbox == nil ? nil : try memory.mailbox() }
    let bits = SignalingBitmap(of: credential, contents: contents, over: interface).rawValue
    bitmap = [UInt8(bits >> 8), UInt8(bits & 0xFF)]
    credentialTime = credential.documents.access.map { Self.text($0.signed) }
    revocationTime = credential.documents.revocationSigned.map { Self.text($0) }
  }

  /// A report on nothing, of the same shape.
  init() {
    bitmap = [0, 0]
    credentialTime = nil
    revocationTime = nil
  }

  /// The end of AUTH1's answer; absent times are left out.
  func append(to writer: inout TLVWriter) throws(TLVError) {
    try writer.append(0x5E, bitmap)
    if let credentialTime { try writer.append(0x91, credentialTime) }
    if let revocationTime { try writer.append(0x92, revocationTime) }
  }

  /// What the cryptogram of AUTH0 encrypts: 48 octets, absent times as zeros.
  var cryptogramPlaintext: [UInt8] {
    let absent = [UInt8](repeating: 0, count: 20)
    return [0x5E, 0x02] + bitmap + [0x91, 0x14] + (credentialTime ?? absent) + [0x92, 0x14]
      + (revocationTime ?? absent)
  }

  private static func text(_ time: Timestamp) -> [UInt8] {
    var text: [UInt8] = []
    time.append(to: &text)
    return text
  }
}
