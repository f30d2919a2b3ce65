import Testing

@testable import FlinkeyEngine

/// What boxes answer, against the published vectors.
@Suite struct FlinkeyFeedbackTests {
  private static let refusal = FlinkeyError.parameter(
    "feedback", due: "ten octets, or groups that fill the data")

  @Test func `there are vectors`() {
    #expect(FlinkeyVectors.all.tenByteFeedbackVectors.count == 13)
    #expect(FlinkeyVectors.all.groupedFeedbackVectors.count == 11)
  }

  @Test(arguments: FlinkeyVectors.all.tenByteFeedbackVectors)
  func `reads the ten octets of the vector`(vector: FlinkeyVectors.CompactFeedback) throws {
    guard vector.state != "undefined" else {
      #expect(throws: Self.refusal) { _ = try feedback(octets(vector.feedbackHex)) }
      return
    }
    let states: [String: FlinkeyBoxState] = [
      "locked": .locked, "unlocked": .unlocked, "drawerOpen": .drawerOpen,
    ]
    let found = try feedback(octets(vector.feedbackHex), from: vector.boxId)
    #expect(found.state == states[vector.state])
    #expect(found.batteryHundredths == vector.batteryPercent.map { Int(($0 * 100).rounded()) })
    #expect(found.isCharging == nil && found.isChargerConnected == nil && found.nfcTags.isEmpty)
  }

  @Test(arguments: FlinkeyVectors.all.groupedFeedbackVectors)
  func `reads the groups of the vector`(vector: FlinkeyVectors.GroupedFeedback) throws {
    let octets = octets(vector.feedbackHex)
    guard let result = vector.result else {
      // Ten octets have the other form, in which all of them mean something.
      if octets.count == 10 {
        #expect(try feedback(octets).isCharging == nil)
      } else {
        #expect(throws: Self.refusal) { _ = try feedback(octets) }
      }
      return
    }
    let found = try feedback(octets, from: "C1-08-F0-94")
    #expect(found.batteryHundredths == result.batteryPercent * 100)
    #expect(found.isCharging == result.charging)
    #expect(found.isChargerConnected == result.chargerConnected)
    #expect(found.isDrawerOpen == result.drawerOpen)
    #expect(found.isDrawerUnlocked == result.drawerUnlocked)
    #expect(found.nfcTags == result.nfcTags)
    let state: FlinkeyBoxState =
      result.drawerOpen ? .drawerOpen : result.drawerUnlocked ? .unlocked : .locked
    #expect(found.state == state)
  }

  @Test(arguments: [
    // No header; no group; a group without a size; nothing but unknown groups.
    "", "01", "0100", "010001", "01000200", "0100070109", "01000103594340 01",
    "01000103594340 0201",
    // A status of another size; two of them; a fourth place for a tag; two lists of tags.
    "0100 0104 59434000", "0100 0100", "0100 0103594340 0103594340", "0100 0304 00000000",
    "0100 0300 0300", "0100 0103594340 0300 0301 00",
    // Less than five octets, though the group is in order.
    "0100 0300",
    // A tag longer than its group, by one octet and by fifteen.
    "0100 0303 0300 11", "0100 0301 0f",
  ])
  func `refuses groups that are not in order`(text: String) {
    #expect(throws: Self.refusal) { _ = try feedback(octets(text)) }
  }

  @Test func `tells of tags alone, and of empty places not at all`() throws {
    let none = try feedback(octets("0100 0301 00"))
    #expect(none.nfcTags.isEmpty && none.state == nil && none.batteryHundredths == nil)
    let some = try feedback(octets("ffff 0305 00 f2abcd a0 0700"))
    #expect(some.nfcTags == ["ABCD"])
    let long = try feedback(octets("0100 0310 0f" + String(repeating: "5a", count: 15)))
    #expect(long.nfcTags == [String(repeating: "5A", count: 15)])
  }
}
