import Foundation
import Testing

@testable import FlinkeyEngine

/// Names of boxes and the data of commands, against the published vectors.
@Suite struct FlinkeyBoxTests {
  private static let boxDue = FlinkeyError.parameter(
    "box_id", due: "four pairs of hexadecimal digits such as C1-08-F0-94")
  private static let lockDue = FlinkeyError.parameter(
    "physical_lock_id", due: "eight characters of base64 such as BADBCPCU")

  @Test func `there are vectors`() {
    let vectors = FlinkeyVectors.all
    #expect(vectors.boxIdVectors.count == 7 && vectors.invalidBoxIds.count == 9)
    #expect(vectors.invalidPhysicalLockIds.count == 6 && vectors.crc8Vectors.count == 7)
    #expect(vectors.boxCommandVectors.count == 21)
  }

  @Test(arguments: FlinkeyVectors.all.boxIdVectors)
  func `converts the name of the vector both ways`(vector: FlinkeyVectors.BoxID) throws {
    let box = try FlinkeyBoxID(vector.boxId)
    #expect(box.physicalLockID == vector.physicalLockId && box.description == vector.boxId)
    #expect(try FlinkeyBoxID(physicalLockID: vector.physicalLockId) == box)
  }

  @Test(arguments: FlinkeyVectors.all.invalidBoxIds)
  func `refuses the box ID that the vectors call invalid`(vector: FlinkeyVectors.Invalid) {
    #expect(throws: Self.boxDue) { _ = try FlinkeyBoxID(vector.value) }
  }

  @Test(arguments: FlinkeyVectors.all.invalidPhysicalLockIds)
  func `refuses the lock ID that the vectors call invalid`(vector: FlinkeyVectors.Invalid) {
    #expect(throws: Self.lockDue) { _ = try FlinkeyBoxID(physicalLockID: vector.value) }
  }

  @Test func `takes no other character in any place of either name`() throws {
    let (box, lock) = (Array("C1-08-F0-94".utf8), Array("BADBCPCU".utf8))
    for character in UInt8(0)...127 {
      for place in box.indices {
        var text = box
        text[place] = character
        let name = String(decoding: text, as: UTF8.self)
        let isGood = name.wholeMatch(of: /[0-9A-F]{2}(-[0-9A-F]{2}){3}/) != nil
        #expect((try? FlinkeyBoxID(name).description) == (isGood ? name : nil))
      }
      for place in lock.indices {
        var text = lock
        text[place] = character
        let name = String(decoding: text, as: UTF8.self)
        // Eight characters stand for six octets without a spare bit, so each good text is canonical.
        let decoded = Data(base64Encoded: name).map { Array($0) } ?? []
        let isGood = decoded.count == 6 && decoded.starts(with: [4, 0])
        #expect((try? FlinkeyBoxID(physicalLockID: name).physicalLockID) == (isGood ? name : nil))
      }
    }
    for text in ["C1-08-F0-9\u{664}", "Ｃ1-08-F0-94", "C1\u{2010}08-F0-94", "C1-08-F0-94\0"] {
      #expect(throws: Self.boxDue) { _ = try FlinkeyBoxID(text) }
    }
    for text in ["BADBCPC=", "BADBCP==", "BADBCPCU\n", "BADBCPCUAAAA", "BADBCP-_"] {
      #expect(throws: Self.lockDue) { _ = try FlinkeyBoxID(physicalLockID: text) }
    }
  }

  @Test func `names the field it was told`() {
    #expect(
      throws: FlinkeyError.parameter(
        "box", due: "four pairs of hexadecimal digits such as C1-08-F0-94")
    ) { _ = try FlinkeyBoxID("", field: "box") }
    #expect(
      throws: FlinkeyError.parameter("lock", due: "eight characters of base64 such as BADBCPCU")
    ) { _ = try FlinkeyBoxID(physicalLockID: "", field: "lock") }
  }

  @Test(arguments: FlinkeyVectors.all.crc8Vectors)
  func `computes the check octet of the vector`(vector: FlinkeyVectors.Check) {
    #expect([CRC8.code(octets(vector.inputHex))].hex == vector.crc)
  }

  @Test(arguments: FlinkeyVectors.all.boxCommandVectors)
  func `makes the command data of the vector`(vector: FlinkeyVectors.Command) throws {
    let actions: [Set<String>: FlinkeyBoxAction] = [
      ["unlockBox", "unlockCar", "status"]: .unlockCarUnlockBox,
      ["lockBox", "unlockCar", "status"]: .unlockCarLockBox,
      ["lockBox", "lockCar", "status"]: .lockCarLockBox, ["status"]: .status, []: .readNFC,
    ]
    let action = try #require(actions[vector.flags.subtracting(["readNfc"])])
    let readsNFC = vector.flags.contains("readNfc")
    let data = action.commandData(readingNFC: readsNFC, atMilliseconds: vector.timestampMillis)
    #expect(data.hex == vector.commandHex)
    #expect(Data(data).base64EncodedString() == vector.commandBase64)
  }

  @Test func `no command resets a box`() {
    for action in FlinkeyBoxAction.allCases {
      for readsNFC in [false, true] {
        let data = action.commandData(readingNFC: readsNFC, atMilliseconds: .max)
        #expect(data.count == 16 && data[12] & 0b1100_0000 == 0 && data[13...] == [0, 0, 0])
        #expect((data[12] & 0b10_0000 != 0) == (readsNFC || action == .readNFC))
      }
    }
  }
}
