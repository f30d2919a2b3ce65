public import WireCoding

/// The parameters of `noke.store`: a pair for a lock, and when it may be used.
public struct NokeStoreParams: VaultParams {
  enum Member: String, MemberName {
    case namespace, mac, offlineKey = "offline_key", unlockCommand = "unlock_command", environment,
      notBefore = "not_before", notAfter = "not_after", schedule
  }

  static let table = MemberTable<Member> { member in
    switch member {
    case .namespace: .required(.namespace)
    case .mac: .required(.lockAddress)
    case .offlineKey: .required(.secretHex(16))
    case .unlockCommand: .required(.secretHex(20))
    case .environment: .required(.choice(LockEnvironment.allCases.map(\.rawValue)))
    case .notBefore: .optional(.timestamp)
    case .notAfter: .optional(.timestamp)
    case .schedule: .optional(.object(WeeklySchedule.table.fields))
    }
  }

  /// The namespace.
  public var namespace: NamespaceName
  /// The lock's address, 12 hexadecimal digits or six pairs of them with colons.
  public var mac: String
  /// The offline key.
  public var offlineKey: SecretBox
  /// The unlock command.
  public var unlockCommand: SecretBox
  /// Which world the pair belongs to.
  public var environment: LockEnvironment
  /// The first second of the grant.
  public var notBefore: Timestamp?
  /// The last second of the grant.
  public var notAfter: Timestamp?
  /// The times of the week.
  public var schedule: WeeklySchedule?

  /// Makes the parameters.
  ///
  /// - Parameters:
  ///   - namespace: the namespace.
  ///   - mac: the lock's address, 12 hexadecimal digits or six pairs of them with colons.
  ///   - offlineKey: the offline key.
  ///   - unlockCommand: the unlock command.
  ///   - environment: which world the pair belongs to.
  ///   - notBefore: the first second of the grant.
  ///   - notAfter: the last second of the grant.
  ///   - schedule: the times of the week.
  public init(
    namespace: NamespaceName, mac: String, offlineKey: SecretBox, unlockCommand: SecretBox,
    environment: LockEnvironment, notBefore: Timestamp? = nil, notAfter: Timestamp? = nil,
    schedule: WeeklySchedule? = nil
  ) {
    self.namespace = namespace
    self.mac = mac
    self.offlineKey = offlineKey
    self.unlockCommand = unlockCommand
    self.environment = environment
    self.notBefore = notBefore
    self.notAfter = notAfter
    self.schedule = schedule
  }

  /// Reads the object that comes next.
  ///
  /// - Parameter reader: stands before the object, then after it.
  /// - Throws: ``VaultAPIError`` with the path of the parameter at fault.
  public init(from reader: inout JSONReader) throws(VaultAPIError) {
    var namespace: NamespaceName?
    var mac: String?
    var offlineKey: SecretBox?
    var unlockCommand: SecretBox?
    var environment: LockEnvironment?
    var notBefore: Timestamp?
    var notAfter: Timestamp?
    var schedule: WeeklySchedule?
    var object = try ObjectDecoder(Self.table, &reader)
    while let member = try object.next(&reader) {
      switch member {
      case .namespace: namespace = try object.namespace(&reader)
      case .mac: mac = try object.lockAddress(&reader)
      case .offlineKey: offlineKey = try object.secretHex(&reader)
      case .unlockCommand: unlockCommand = try object.secretHex(&reader)
      case .environment: environment = try object.choice(&reader)
      case .notBefore: notBefore = try object.timestamp(&reader)
      case .notAfter: notAfter = try object.timestamp(&reader)
      case .schedule: schedule = try object.nested(&reader, WeeklySchedule.init(from:))
      }
    }
    self.namespace = try object.required(namespace, .namespace)
    self.mac = try object.required(mac, .mac)
    self.offlineKey = try object.required(offlineKey, .offlineKey)
    self.unlockCommand = try object.required(unlockCommand, .unlockCommand)
    self.environment = try object.required(environment, .environment)
    self.notBefore = notBefore
    self.notAfter = notAfter
    self.schedule = schedule
  }

  /// Writes the object.
  ///
  /// - Parameter writer: receives it.
  public func encode<Writer: JSONWriting & ~Copyable>(into writer: inout Writer) {
    writer.beginObject()
    writer.name("namespace")
    writer.string(namespace.rawValue)
    writer.name("mac")
    writer.string(mac)
    writer.member("offline_key", hex: offlineKey.bytes)
    writer.member("unlock_command", hex: unlockCommand.bytes)
    writer.name("environment")
    writer.string(environment.rawValue)
    writer.optional("not_before", notBefore?.description)
    writer.optional("not_after", notAfter?.description)
    if let schedule {
      writer.name("schedule")
      schedule.encode(into: &writer)
    }
    writer.endObject()
  }
}
