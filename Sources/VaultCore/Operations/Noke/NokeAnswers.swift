package import NokeEngine
package import WireCoding

/// A pair that is to be kept for a lock.
package struct NokeGrant: Sendable {
  /// The lock.
  package let mac: NokeMAC
  /// The secrets.
  package let pair: SharedNokePair
  /// Which world they belong to.
  package let environment: NokeEnvironment
  /// When they may be used.
  package let validity: NokeValidity

  /// Makes a grant.
  package init(
    mac: NokeMAC, pair: SharedNokePair, environment: NokeEnvironment,
    validity: NokeValidity = .always
  ) {
    self.mac = mac
    self.pair = pair
    self.environment = environment
    self.validity = validity
  }
}

/// What became of a pair that was stored.
package struct NokeStored: Sendable {
  /// Its number among the lock's pairs, from 1.
  package let generation: Int64
  /// Whether it is active or pending.
  package let role: NokeRole
  /// Whether it was active or pending already; its limits are those of the call.
  package let isKnown: Bool
  /// What tells it apart, 32 hexadecimal digits.
  package let fingerprint: String
}

/// A packet for one session of one lock.
package struct NokeUnlocking: Sendable {
  /// The packet.
  package let packet: NokePacket
  /// The vault's time when it was first made.
  package let time: Timestamp
  /// Whether that time is in it.
  package let isEmbedded: Bool
  /// What the session tells of the battery, in millivolts.
  package let batteryMillivolts: Int
  /// The number of the pair.
  package let generation: Int64
  /// What that pair is now.
  package let role: NokeRole
  /// Whether the packet is one that was made before.
  package let isRepeated: Bool
}

/// What became of a report.
package struct NokeReported: Sendable {
  /// The number of the pair that had made the packet.
  package let generation: Int64
  /// Whether that pair became the active one by this report.
  package let isPromoted: Bool
  /// Whether the lock has refused that pair, and not answered success to it since.
  package let isStale: Bool
}

/// The numbers of a lock's pairs after one has taken another's place.
package struct NokeRotated: Sendable {
  /// The active one.
  package let active: Int64
  /// The pending one.
  package let pending: Int64?
  /// The former ones, the last one first.
  package let former: [Int64]

  init(_ record: NokeRecord) {
    active = record.active.number
    pending = record.pending?.number
    former = record.former.map(\.number)
  }
}

/// What is known of one pair; nothing of it is secret.
package struct NokePairDescription: Sendable {
  /// Its number, from 1.
  package let generation: Int64
  /// What it is.
  package let role: NokeRole
  /// What tells it apart, 32 hexadecimal digits.
  package let fingerprint: String
  /// When it was stored, Unix seconds.
  package let stored: Int64
  /// Since when it is former, Unix seconds.
  package let retired: Int64?
  /// When it may be used.
  package let validity: NokeValidity
  /// Whether the lock has refused it, and not answered success to it since.
  package let isStale: Bool
  /// In how many sessions the lock has answered success since it is active.
  package let successes: Int64
  /// Why it cannot be used now, `nil` when it can.
  package let refusal: VaultError.Code?
}

/// What is known of a lock.
package struct NokeDescription: Sendable {
  /// Its address.
  package let mac: NokeMAC
  /// Which world its pairs belong to.
  package let environment: NokeEnvironment
  /// Its pairs: the active one, the pending one, the former ones.
  package let pairs: [NokePairDescription]
}
