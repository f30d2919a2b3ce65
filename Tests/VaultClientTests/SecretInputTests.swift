import Foundation
import Glibc
import SecureMemory
import Testing
import VaultAPI
import WireCoding

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

@Suite struct SecretCallTests {
  private static let answer =
    #"{"jsonrpc":"2.0","id":1,"result":{"state":"valid","token":"t\"\u00e9","seq":7}}"#

  private func request() throws -> VaultRequest {
    .flinkeyToken(
      FlinkeyTokenParams(namespace: try NamespaceName("a"), environment: .uat, user: 7))
  }

  @Test func `the secret of a result comes apart from it`() throws {
    let peer = try Peer(lines: { _ in [Self.answer] })
    var connection = peer.connection(20_000)
    let answer = try connection.callForSecrets(request())
    #expect(answer.value["state"]?.text == "valid" && answer.value["token"] == nil)
    let text = Array("t\"é".utf8)
    #expect(answer.secrets.keys.sorted() == ["token"])
    #expect(
      answer.secrets["token"]?.bytes.isEqual(to: try SecretBytes(copying: text.span)) == true)
  }

  @Test func `whoever asks for no secret gets none`() throws {
    let peer = try Peer(lines: { _ in [Self.answer] })
    var connection = peer.connection(20_000)
    let result = try connection.call(request())
    #expect(result.members?.map(\.name) == ["state", "seq"])
  }

  @Test(arguments: [
    "nonsense", "{}", #"{"jsonrpc":"2.0","id":2,"result":{}}"#,
    #"{"jsonrpc":"2.0","id":1,"result":{"token":7}}"#, "",
  ])
  func `what is no answer to the call is refused`(line: String) throws {
    let peer = try Peer(lines: { _ in [line] })
    var connection = peer.connection(20_000)
    #expect(throws: VaultClientError.malformedAnswer) {
      _ = try connection.callForSecrets(request())
    }
  }
}
