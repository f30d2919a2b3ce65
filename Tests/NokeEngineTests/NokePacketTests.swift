import SecureMemory
import Testing
import VaultCrypto
import WireCoding

@testable import NokeEngine

/// Packets, against the published vectors.
@Suite struct NokePacketTests {
  @Test func `there are vectors`() {
    #expect(NokeVectors.all.vectors.count == 16)
    #expect(NokeVectors.all.invalidInputs.count == 5)
  }

  @Test(arguments: NokeVectors.all.vectors)
  func `makes the packet of the vector`(vector: NokeVectors.Vector) throws {
    let pair = try pair(vector.offlineKey, vector.unlockCommand)
    let session = try NokeSession(vector.session)
    let time = vector.embedTimestamp ? Timestamp(seconds: vector.timestamp) : nil
    #expect(octets(try NokePacket.combine(pair, session)).hex == vector.combinedKey)
    let body = octets(try NokePacket.body(of: pair, embedding: time))
    #expect(body.hex == vector.plainBody && body[15] == vector.checksum)
    let packet = try NokePacket.make(pair: pair, session: session, embedding: time)
    #expect(packet.description == vector.packet && packet.octets.hex == vector.packet)
    #expect(session.batteryMillivolts == vector.batteryMillivolts)
  }

  @Test(arguments: NokeVectors.all.vectors)
  func `reads digits of either case, and writes lower ones`(vector: NokeVectors.Vector) throws {
    let upper = try pair(vector.offlineKey.uppercased(), vector.unlockCommand.uppercased())
    let lower = try pair(vector.offlineKey, vector.unlockCommand)
    #expect(octets(try upper.stored()) == octets(try lower.stored()))
    #expect(octets(try lower.stored()).hex == vector.offlineKey + vector.unlockCommand)
    #expect(try NokeSession(vector.session.uppercased()).description == vector.session)
  }

  @Test(arguments: NokeVectors.all.invalidInputs)
  func `refuses what the vectors call invalid`(input: NokeVectors.InvalidInput) {
    let good = NokeVectors.all.vectors[0]
    #expect {
      switch input.field {
      case "offlineKey": _ = try pair(input.value, good.unlockCommand)
      case "unlockCommand": _ = try pair(good.offlineKey, input.value)
      default: _ = try NokeSession(input.value)
      }
    } throws: { error in
      guard case NokeError.parameter(let field, _)? = error as? NokeError else { return false }
      return field == Self.names[input.field]
    }
  }

  private static let names = [
    "offlineKey": "offline_key", "unlockCommand": "unlock_command", "session": "session",
  ]

  @Test func `refuses a wrong character at each place, and each other length`() throws {
    let key = String(repeating: "0", count: 32)
    let command = String(repeating: "0", count: 40)
    let keyError = NokeError.parameter("offline_key", due: "32 hexadecimal digits")
    let commandError = NokeError.parameter("unlock_command", due: "40 hexadecimal digits")
    let sessionError = NokeError.parameter("session", due: "40 hexadecimal digits")
    for wrong in ["g", " ", ":", "\0", "/", "@", "`", "\u{FF}"] {
      for place in 0..<40 {
        let bad = command.prefix(place) + wrong + command.dropFirst(place + 1)
        #expect(throws: commandError) { _ = try pair(key, String(bad)) }
        #expect(throws: sessionError) { _ = try NokeSession(String(bad)) }
        guard place < 32 else { continue }
        let badKey = key.prefix(place) + wrong + key.dropFirst(place + 1)
        #expect(throws: keyError) { _ = try pair(String(badKey), command) }
      }
    }
    for count in 0..<100 {
      let digits = String(repeating: "1", count: count)
      if count != 32 { #expect(throws: keyError) { _ = try pair(digits, command) } }
      if count != 40 {
        #expect(throws: commandError) { _ = try pair(key, digits) }
        #expect(throws: sessionError) { _ = try NokeSession(digits) }
      }
    }
  }

  @Test func `takes a pair from secrets and from its stored form, of the right size alone`() throws
  {
    let vector = NokeVectors.all.vectors[4]
    let first = try pair(vector.offlineKey, vector.unlockCommand)
    let again = try NokePair(stored: try first.stored())
    #expect(octets(try again.stored()) == octets(try first.stored()))
    for count in [0, 35, 37, 72] {
      #expect(throws: NokeError.damaged) {
        _ = try NokePair(stored: try SecretBytes(zeroed: count))
      }
    }
    for (key, command) in [(15, 20), (17, 20), (16, 19), (16, 21), (0, 20), (16, 0), (20, 16)] {
      let field = key == 16 ? "unlock_command" : "offline_key"
      #expect {
        _ = try NokePair(
          offlineKey: try SecretBytes(zeroed: key), unlockCommand: try SecretBytes(zeroed: command))
      } throws: { error in
        guard case NokeError.parameter(field, _)? = error as? NokeError else { return false }
        return true
      }
    }
  }
}
