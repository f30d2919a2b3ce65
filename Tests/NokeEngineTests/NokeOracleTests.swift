import EngineTestSupport
import Foundation
import SecureMemory
import Testing
import VaultCrypto
import WireCoding

@testable import NokeEngine

/// Packets, fingerprints and grants made at random, put to a lock and a calendar that share no code
/// with the engine (`Tests/Interop/noke_oracle.py`).
@Suite struct NokeOracleTests {
  struct PacketCase: Encodable {
    let offlineKey: String
    let unlockCommand: String
    let session: String
    let time: Int64?
    let packet: String
    let fingerprintKey: String
  }

  struct GrantCase: Encodable {
    let notBefore: Int64?
    let notAfter: Int64?
    let windows: [String]
    let offset: Int
    let times: [Int64]
  }

  struct Task: Encodable {
    let packets: [PacketCase]
    let grants: [GrantCase]
  }

  struct Verdict: Decodable {
    struct Packet: Decodable {
      let opens: Bool
      let time: Int64?
      let fingerprint: String
    }
    struct Standing: Decodable, Equatable {
      let word: String
      let time: Int64?
    }
    let packets: [Packet]
    let grants: [[Standing]]
  }

  @Test func `a simulated lock opens for each packet`() throws {
    var generator = FixedGenerator(state: 5)
    var cases: [PacketCase] = []
    var fingerprints: [String] = []
    for round in 0..<400 {
      // Now and then with octets at the ends of their range, where sums run over.
      let key = round % 7 == 0 ? [UInt8](repeating: 255, count: 16) : generator.octets(16)
      let command = round % 5 == 0 ? [UInt8](repeating: 255, count: 20) : generator.octets(20)
      let session = generator.octets(20)
      let seconds = Int64.random(in: -1...1 << 34, using: &generator)
      let time = round % 2 == 0 ? Timestamp(seconds: seconds) : nil
      let pair = try pair(key.hex, command.hex)
      let packet = try NokePacket.make(
        pair: pair, session: NokeSession(session.hex), embedding: time)
      let fingerprintKey = generator.octets(32)
      fingerprints.append(
        try pair.fingerprint(key: MACKey(SecretBytes(copying: fingerprintKey.span))))
      cases.append(
        PacketCase(
          offlineKey: key.hex, unlockCommand: command.hex, session: session.hex,
          time: time?.seconds, packet: packet.description, fingerprintKey: fingerprintKey.hex))
    }
    let verdicts = try oracle(Task(packets: cases, grants: [])).packets
    try #require(verdicts.count == cases.count)
    for (index, verdict) in verdicts.enumerated() {
      #expect(verdict.opens, "\(cases[index])")
      #expect(verdict.time == cases[index].time.map { $0 & 0xFFFF_FFFF })
      #expect(verdict.fingerprint == fingerprints[index])
    }
  }

  @Test func `a calendar judges each grant alike`() throws {
    var generator = FixedGenerator(state: 6)
    var cases: [GrantCase] = []
    var standings: [[Verdict.Standing]] = []
    var seen: Set<String> = []
    for _ in 0..<300 {
      let validity = try grant(&generator)
      let times = times(of: validity, &generator)
      let mine = times.compactMap { Timestamp(seconds: $0) }
        .map { Self.words(validity.standing(at: $0)) }
      standings.append(mine)
      seen.formUnion(mine.map { $0.word + ($0.time == nil ? "" : " at") })
      cases.append(
        GrantCase(
          notBefore: validity.notBefore?.seconds, notAfter: validity.notAfter?.seconds,
          windows: validity.schedule?.windows.map(\.description) ?? [],
          offset: validity.schedule?.utcOffsetMinutes ?? 0, times: times))
      #expect(try decode(validity.encoded) == validity)
    }
    let verdicts = try oracle(Task(packets: [], grants: cases)).grants
    try #require(verdicts.count == cases.count)
    for (index, verdict) in verdicts.enumerated() {
      #expect(standings[index] == verdict, "\(cases[index])")
    }
    #expect(seen == ["allowed", "not_yet_valid at", "expired at", "outside", "outside at"])
  }

  private func decode(_ octets: [UInt8]) throws -> NokeValidity {
    try NokeValidity(encoded: octets.span)
  }

  private func grant(_ generator: inout FixedGenerator) throws -> NokeValidity {
    let start = Int64.random(in: -100_000_000...2_000_000_000, using: &generator)
    let hasSchedule = Int.random(in: 0..<5, using: &generator) > 0
    var windows: Set<NokeWindow> = []
    while windows.count < Int.random(in: 1...4, using: &generator) {
      let days = NokeWeekday.allCases.filter { _ in Bool.random(using: &generator) }
      let minutes = [0, 1, 59, 60, 719, 1380, 1439, 1440]
      let ends = [
        Int.random(in: 0...1440, using: &generator), minutes.randomElement(using: &generator) ?? 0,
      ].shuffled(using: &generator)
      if let window = NokeWindow(days: days, start: ends[0], end: ends[1]) {
        windows.insert(window)
      }
    }
    let schedule = try NokeSchedule(
      windows: Array(windows), utcOffsetMinutes: Int.random(in: -720...840, using: &generator))
    return try NokeValidity(
      notBefore: Bool.random(using: &generator) ? Timestamp(seconds: start) : nil,
      notAfter: Bool.random(using: &generator)
        ? Timestamp(seconds: start + Int64.random(in: 0...1_000_000, using: &generator)) : nil,
      schedule: hasSchedule ? schedule : nil)
  }

  /// Times around the limits of a grant, around the minutes of its windows, and others.
  private func times(
    of validity: NokeValidity, _ generator: inout FixedGenerator
  ) -> [Int64] {
    let end = validity.notAfter?.seconds ?? 1_700_000_000
    let base = validity.notBefore?.seconds ?? end - 500_000
    var times = (0..<20).map { _ in base + Int64.random(in: -100...1_200_000, using: &generator) }
    for limit in [validity.notBefore, validity.notAfter] {
      if let limit { times += [limit.seconds - 1, limit.seconds, limit.seconds + 1] }
    }
    for window in validity.schedule?.windows ?? [] {
      let offset = Int64(validity.schedule?.utcOffsetMinutes ?? 0) * 60
      let day = (base + Int64.random(in: 0...1_000_000, using: &generator)) / 86_400 * 86_400
      for minute in [window.start, window.end] {
        let at = day + Int64(minute) * 60 - offset
        times += [at - 1, at, at + 1]
      }
    }
    return times
  }

  private static func words(_ standing: NokeStanding) -> Verdict.Standing {
    switch standing {
    case .allowed: Verdict.Standing(word: "allowed", time: nil)
    case .notYetValid(let time): Verdict.Standing(word: "not_yet_valid", time: time.seconds)
    case .expired(let time): Verdict.Standing(word: "expired", time: time.seconds)
    case .outside(let next): Verdict.Standing(word: "outside", time: next?.seconds)
    }
  }

  private func oracle(_ task: Task) throws -> Verdict { try PythonOracle("noke_oracle").ask(task) }
}
