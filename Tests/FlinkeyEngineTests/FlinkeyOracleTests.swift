import EngineTestSupport
import Foundation
import Testing

@testable import FlinkeyEngine

/// Names, commands and feedback made at random, put to a reader that shares no code with the engine
/// (`Tests/Interop/flinkey_oracle.py`).
@Suite struct FlinkeyOracleTests {
  struct Command: Encodable {
    let unlockBox: Bool
    let unlockCar: Bool
    let lockBox: Bool
    let lockCar: Bool
    let status: Bool
    let readNFC: Bool
    let milliseconds: UInt64
  }

  struct Feedback: Encodable {
    let octets: String
    let box: String?
  }

  struct Task: Encodable {
    var names: [String] = []
    var commands: [Command] = []
    var feedback: [Feedback] = []
  }

  struct Verdict: Decodable {
    struct Name: Decodable {
      let box: String?
      let lock: String?
    }
    struct Feedback: Decodable, Equatable {
      var open: Bool?
      var unlocked: Bool?
      var battery: Int?
      var charging: Bool?
      var charger: Bool?
      var tags: [String]?
    }
    let names: [Name]
    let commands: [String]
    let feedback: [Feedback?]
  }

  @Test func `names of boxes are taken and converted alike`() throws {
    var generator = FixedGenerator(state: 1)
    var task = Task()
    for round in 0..<3000 {
      let octets = generator.octets(4)
      let box = octets.map { String(format: "%02X", $0) }.joined(separator: "-")
      let lock = Data([4, 0] + octets).base64EncodedString()
      var name = Array((round % 2 == 0 ? box : lock).utf8)
      // Half of them are spoiled in a place.
      if round % 4 > 1 {
        let place = Int.random(in: name.indices, using: &generator)
        let other = UInt8.random(in: 32...126, using: &generator)
        switch round % 3 {
        case 0: name[place] = other
        case 1: name.insert(other, at: place)
        default: name.remove(at: place)
        }
      }
      task.names.append(String(decoding: name, as: UTF8.self))
    }
    let verdicts = try oracle(task).names
    try #require(verdicts.count == task.names.count)
    for (name, verdict) in zip(task.names, verdicts) {
      #expect((try? FlinkeyBoxID(name).physicalLockID) == verdict.box, "\(name)")
      #expect((try? FlinkeyBoxID(physicalLockID: name).description) == verdict.lock, "\(name)")
    }
    #expect(verdicts.count { $0.box != nil } > 700 && verdicts.count { $0.lock != nil } > 700)
  }

  @Test func `commands are made alike`() throws {
    var generator = FixedGenerator(state: 2)
    var task = Task()
    var mine: [String] = []
    for _ in 0..<1000 {
      let action = FlinkeyBoxAction.allCases.randomElement(using: &generator) ?? .status
      let readsNFC = Bool.random(using: &generator)
      let milliseconds = generator.next() >> UInt64.random(in: 0...63, using: &generator)
      mine.append(action.commandData(readingNFC: readsNFC, atMilliseconds: milliseconds).hex)
      task.commands.append(
        Command(
          unlockBox: action == .unlockCarUnlockBox,
          unlockCar: action == .unlockCarUnlockBox || action == .unlockCarLockBox,
          lockBox: action == .unlockCarLockBox || action == .lockCarLockBox,
          lockCar: action == .lockCarLockBox, status: action != .readNFC,
          readNFC: readsNFC || action == .readNFC, milliseconds: milliseconds))
    }
    #expect(try oracle(task).commands == mine)
  }

  @Test func `feedback is read alike`() throws {
    var generator = FixedGenerator(state: 3)
    var task = Task()
    for _ in 0..<4000 {
      let octets = Self.randomFeedback(&generator)
      let box = ["C1-00-00-01", "C3-00-00-01", nil].randomElement(using: &generator) ?? nil
      task.feedback.append(Feedback(octets: octets.hex, box: box))
    }
    let verdicts = try oracle(task).feedback
    try #require(verdicts.count == task.feedback.count)
    for (one, verdict) in zip(task.feedback, verdicts) {
      let found = try? feedback(octets(one.octets), from: one.box)
      let mine = found.map {
        Verdict.Feedback(
          open: $0.isDrawerOpen, unlocked: $0.isDrawerUnlocked, battery: $0.batteryHundredths,
          charging: $0.isCharging, charger: $0.isChargerConnected,
          tags: one.octets.count == 20 ? nil : $0.nfcTags)
      }
      #expect(mine == verdict, "\(one)")
    }
    let taken = verdicts.count { $0 != nil }
    #expect(taken > 1000 && taken < 3000)
    #expect(verdicts.contains { $0?.tags?.count == 3 })
  }

  /// Ten octets, groups most of which are in order, or anything.
  private static func randomFeedback(_ generator: inout FixedGenerator) -> [UInt8] {
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: return generator.octets(10)
    case 1: return generator.octets(Int.random(in: 0...24, using: &generator))
    default:
      var octets = generator.octets(2)
      for _ in 0..<Int.random(in: 0...4, using: &generator) {
        let number = UInt8.random(in: 0...4, using: &generator)
        var payload = generator.octets(Int.random(in: 0...5, using: &generator))
        if number == 1, Int.random(in: 0..<8, using: &generator) > 0 {
          payload = generator.octets(3)
        }
        if number == 3 {
          payload = (0..<Int.random(in: 0...3, using: &generator)).flatMap { _ -> [UInt8] in
            let count = UInt8.random(in: 0...15, using: &generator)
            return [count | 0xF0 & generator.octets(1)[0]] + generator.octets(Int(count))
          }
        }
        octets += [number, UInt8(payload.count)] + payload
      }
      if Int.random(in: 0..<6, using: &generator) == 0 {
        let place = Int.random(in: octets.indices, using: &generator)
        octets[place] = UInt8.random(in: 0...255, using: &generator)
      }
      return octets
    }
  }

  private func oracle(_ task: Task) throws -> Verdict {
    try PythonOracle("flinkey_oracle").ask(task)
  }
}
