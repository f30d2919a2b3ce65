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
