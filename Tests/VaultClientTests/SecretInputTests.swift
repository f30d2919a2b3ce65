import Foundation
import Glibc
import Testing

@testable import VaultClient

@Suite struct SecretInputTests {
  /// Receives one line from a peer that sends pieces and closes.
  private func receive(_ pieces: [String]) throws -> Result<[UInt8], VaultClientError> {
    var ends: [Int32] = [-1, -1]
    try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let stream = UnixStream(connected: ends[0])
    let peer = ends[1]
    // A long line does not fit into the socket's buffer.
    DispatchQueue.global().async {
      for piece in pieces {
        let octets = Array(piece.utf8)
        unsafe send(peer, octets, octets.count, Int32(MSG_NOSIGNAL))
      }
      close(peer)
    }
    do throws(VaultClientError) {
      let line = try SecretInput.line(from: stream, deadline: Deadline(after: 20_000))
      return .success(line.withBytes { octets in octets.indices.map { octets[$0] } })
    } catch {
      return .failure(error)
    }
  }

  @Test(arguments: [0, 1, 4094, 4095, 4096, 4097, 16_383, 16_384, 60_000, 65_536, 262_143])
  func `a line of any length up to the limit arrives`(length: Int) throws {
    let text = String(repeating: "k", count: length)
    #expect(try receive([text + "\n"]) == .success(Array(text.utf8)))
    #expect(
      try receive([String(text.prefix(length / 2)), String(text.dropFirst(length / 2)), "\n"])
        == .success(Array(text.utf8)))
  }

  @Test func `an answer over the limit is cut off`() throws {
    #expect(
      try receive([String(repeating: "k", count: 262_144) + "\n"])
        == .failure(.answerTooLong(limit: 262_144)))
  }

  @Test func `half a line, none, and more than one are told apart`() throws {
    #expect(try receive(["half"]) == .failure(.malformedAnswer))
    #expect(try receive([]) == .failure(.closed))
    #expect(try receive(["one\ntwo\n"]) == .failure(.malformedAnswer))
  }
}
