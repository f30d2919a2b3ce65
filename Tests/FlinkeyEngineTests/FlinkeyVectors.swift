import Foundation
import Testing

@testable import FlinkeyEngine

/// The published vectors; those that the vendor's own tests have as well agree with them.
struct FlinkeyVectors: Decodable {
  struct BoxID: Decodable, Sendable {
    let boxId: String
    let physicalLockId: String
  }

  struct Invalid: Decodable, Sendable {
    let value: String
  }

  struct Check: Decodable, Sendable {
    let inputHex: String
    let crc: String
  }

  struct Command: Decodable, Sendable {
    let flags: Set<String>
    let timestampMillis: UInt64
    let commandHex: String
    let commandBase64: String
  }

  struct CompactFeedback: Decodable, Sendable {
    let feedbackHex: String
    let state: String
    let boxId: String?
    let batteryPercent: Double?
  }

  struct GroupedFeedback: Decodable, Sendable, CustomTestStringConvertible {
    struct Result: Decodable, Sendable {
      let batteryPercent: Int
      let charging: Bool
      let chargerConnected: Bool
      let drawerOpen: Bool
      let drawerUnlocked: Bool
      let nfcTags: [String]
    }

    let name: String
    let feedbackHex: String
    let result: Result?

    var testDescription: String { name }
  }

  var boxIdVectors: [BoxID] = []
  var invalidBoxIds: [Invalid] = []
  var invalidPhysicalLockIds: [Invalid] = []
  var crc8Vectors: [Check] = []
  var boxCommandVectors: [Command] = []
  var tenByteFeedbackVectors: [CompactFeedback] = []
  var groupedFeedbackVectors: [GroupedFeedback] = []

  static let all: FlinkeyVectors = {
    let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Vectors/flinkey-vectors.json")
    guard let data = try? Data(contentsOf: path),
      let vectors = try? JSONDecoder().decode(FlinkeyVectors.self, from: data)
    else {
      Issue.record("The vectors cannot be read.")
      return FlinkeyVectors()
    }
    return vectors
  }()
}

/// Hexadecimal text of the tests' own.
func octets(_ text: String) -> [UInt8] {
  let digits = text.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count - 1, by: 2).map {
    UInt8(digits[$0] << 4 | digits[$0 + 1])
  }
}

extension [UInt8] {
  var hex: String { map { String(format: "%02x", $0) }.joined() }
}

/// Reads feedback; views cannot be handed on inside `#expect`.
func feedback(_ octets: [UInt8], from box: String? = nil) throws -> FlinkeyFeedback {
  let box = try box.map { try FlinkeyBoxID($0) }
  return try FlinkeyFeedback(octets.span, from: box)
}

/// SplitMix64: the same numbers at every run.
struct FixedGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func octets(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
  }
}
