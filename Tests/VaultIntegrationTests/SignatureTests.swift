import Foundation
import Testing

/// Many signatures through the socket, verified by others.
@Suite struct SignatureTests {
  /// How many of each format; the environment may ask for fewer while the tests are worked on.
  private static let count =
    ProcessInfo.processInfo.environment["LATCHKEY_SIGNATURES"].flatMap { Int($0) } ?? 100_000

  @Test func `every signature of either format verifies, and raw ones have 64 octets`() throws {
    let vault = try TestVault()
    let script = vault.script("signatures_100k.py", ["--count", "\(Self.count)"])
    try script.start()
    while let line = script.readLine() { print("signatures:", line) }
    let outcome = script.finish()
    #expect(outcome.isGood, "\(outcome.errors)")
  }

  @Test func `a key signs only for its own purpose`() throws {
    let vault = try TestVault()
    let socket = try vault.connect()
    _ = try socket.call("key.public", ["namespace": "door"])
    let answer = try socket.call(
      "key.sign", ["namespace": "door", "message": "AA==", "format": "der"])
    #expect(answer.code == "key_unusable", "\(answer.line)")
    #expect(answer.number == -32008)
  }
}
