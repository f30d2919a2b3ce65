import Foundation
import Testing
import VaultCrypto
import WireCoding

@testable import VaultCore

/// Logs whose chain somebody without the keys has made anew: what the checkpoints tell.
@Suite(.serialized) struct AuditVerifierForgeryTests {
  typealias Place = AuditFault.Place
  typealias Part = WrittenLog.Part
  let log: WrittenLog

  init() throws {
    log = try WrittenLog.sample()
  }

  /// What a forger does with the checkpoints.
  enum Forgery: CaseIterable {
    /// They stay.
    case leave
    /// They say what they should, under the signature of something else.
    case adapt
    /// They are signed with another key.
    case sign
    /// They are taken out.
    case drop
  }

  /// The parts with numbers, digests and closing lines that fit again.
  private func rechained(_ parts: [Part], _ forgery: Forgery) throws -> [Part] {
    var made: [Part] = []
    let start = try #require(parts.first { $0.kind == .line })
    let first = try #require(start.line)
    var chain = AuditChain(sequence: first.sequence - 1, head: first.previous)
    var batch = try #require(
      parts.compactMap { AuditBatchSeal(line: $0.text) }.first.map { $0.number - 1 })
    var opened = first.sequence
    let closing = try #require(parts.last { $0.kind == .closing })
    var window = BLAKE2bStream()
    window.update((closing.text + [10]).span)
    var since = first.sequence - 1
    let forger = try WrittenLog(vault: 77)
    for var part in parts {
      switch part.kind {
      case .line:
        let text = String(decoding: part.text, as: UTF8.self)
        let rest = text.drop { $0 != "," }.dropLast(66)
        let start = "{\"seq\":\(chain.sequence + 1)\(rest)"
        part.text = Array("\(start)\(Hex.encode(chain.head.span))\"}".utf8)
        let isFollowed = chain.follow(part.text.span)
        #expect(isFollowed)
      case .seal:
        var seal = try #require(AuditBatchSeal(line: part.text))
        batch += 1
        (seal.number, seal.first, seal.last, seal.head) = (
          batch, opened, chain.sequence, chain.head
        )
        opened = chain.sequence + 1
        part.text = seal.line.dropLast()
      case .checkpoint where forgery == .adapt || forgery == .sign:
        var checkpoint = try #require(AuditCheckpoint(line: part.text))
        if checkpoint.head != chain.head || forgery == .sign {
          checkpoint = try forger.forge(
            AuditPosition(epoch: batch, chain: chain), since: since, digest: window.digest(),
            as: checkpoint, signs: forgery == .sign)
        }
        since = chain.sequence
        window = BLAKE2bStream()
        part.text = checkpoint.line.dropLast()
      case .checkpoint where forgery == .drop: continue
      case .checkpoint, .closing, .record: break
      }
      if part.kind != .closing && part.kind != .record { window.update((part.text + [10]).span) }
      made.append(part)
    }
    return made
  }

  /// The names of the files by their first lines.
  private func renamed(_ parts: [Part]) -> [String] {
    log.files.enumerated().map { file, name in
      let first = parts.first { $0.file == file && $0.kind == .line }?.line
      return first.map { LogFileName.name(of: $0.sequence) } ?? name
    }
  }

  /// What is to be found after a change of part `index`.
  private func expectation(
    _ forgery: Forgery, _ kind: AuditFault.Kind, at index: Int, _ parts: [Part], _ files: [String]
  ) -> FaultCase.Expectation {
    let checkpoints = parts.indices.filter { parts[$0].kind == .checkpoint }
    let next = checkpoints.first { $0 >= index }
    func place(_ index: Int) -> Place { WrittenLog.place(index, in: parts, files) }
    // Right behind another one there can be none.
    let isDue = next.map { $0 > 0 && parts[$0 - 1].kind == .seal } ?? true
    switch forgery {
    case .leave: return next.map { .fault([kind], [place($0)]) } ?? .nothing
    case .adapt:
      return next.map { .fault([isDue ? .edited : .inserted], [place($0)]) } ?? .nothing
    case .sign: return .fault([.spliced], [place(checkpoints[0])])
    case .drop: return .nothing
    }
  }

  private func check(
    _ kind: AuditFault.Kind, _ change: (inout [Part], Int) throws -> Bool
  ) throws {
    var cases: [FaultCase] = []
    for index in log.parts.indices where log.parts[index].kind == .line {
      for forgery in Forgery.allCases {
        var parts = log.parts
        guard try change(&parts, index) else { continue }
        parts = try rechained(parts, forgery)
        let files = renamed(parts)
        let text = MemoryText(files, parts)
        cases.append(
          FaultCase(
            "\(kind) at \(index), checkpoints: \(forgery)", text, key: log.key,
            expectation(forgery, kind, at: index, parts, files)))
        if forgery == .sign {
          // Records of what was taken away name the key; without them nothing would.
          cases.append(
            FaultCase(
              "\(kind) at \(index), signed anew, no key", text, key: nil,
              expectation(forgery, kind, at: index, parts, files)))
        }
      }
    }
    #expect(cases.count > 30)
    try FaultCase.check(cases)
  }

  @Test func `an edited line shows at the next checkpoint`() throws {
    try check(.edited) { parts, index in
      let text = String(decoding: parts[index].text, as: UTF8.self)
      parts[index].text = Array(text.replacing("key.sign", with: "key.list").utf8)
      return true
    }
  }

  @Test func `a removed line shows at the next checkpoint`() throws {
    try check(.removed) { parts, index in
      // A batch needs a line.
      guard parts[index + 1].kind == .line || parts[index - 1].kind == .line else { return false }
      parts.remove(at: index)
      return parts.first { $0.kind == .line } == log.parts.first { $0.kind == .line }
    }
  }

  @Test func `an inserted line shows at the next checkpoint`() throws {
    try check(.inserted) { parts, index in
      parts.insert(parts[index], at: index + 1)
      return true
    }
  }

  @Test func `lines in another order show at the next checkpoint`() throws {
    try check(.edited) { parts, index in
      guard parts[index + 1].kind == .line, index != 4 else { return false }
      parts.swapAt(index, index + 1)
      return true
    }
  }

  @Test func `a removed batch shows at the next checkpoint`() throws {
    try check(.removed) { parts, index in
      let seal = parts[index...].firstIndex { $0.kind == .seal } ?? index
      // What is left must be able to fit.
      guard parts[index - 1].kind != .line, index > 4, seal + 1 < parts.count else { return false }
      parts.removeSubrange(index...seal)
      return true
    }
  }
}

extension WrittenLog {
  /// A statement with this log's key, or with a signature that is none.
  func forge(
    _ position: AuditPosition, since: Int64, digest: [UInt8], as other: AuditCheckpoint, signs: Bool
  ) throws -> AuditCheckpoint {
    var made = try AuditCheckpoint(
      position, since: since, digest: digest, vaultID: other.vaultID, at: other.time,
      by: keys.checkpoint)
    if !signs {
      made.key = other.key
      made.signature = other.signature
    }
    return made
  }
}
