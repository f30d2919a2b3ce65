import Foundation
import SecureMemory
import Testing
import VaultAPI
import WireCoding

@testable import VaultClient

@Suite struct ConnectionTests {
  private let timeout = 20_000

  private func failure<Result: ~Copyable>(
    _ body: () throws(VaultClientError) -> Result
  ) -> VaultClientError? {
    do throws(VaultClientError) {
      _ = try body()
      return nil
    } catch {
      return error
    }
  }

  @Test func `a result comes back as it was sent`() throws {
    let peer = try Peer(lines: { request in [#"{"jsonrpc":"2.0","id":1,"result":{"ok":true}}"#] })
    var connection = peer.connection(timeout)
    let result = try connection.call(.health)
    #expect(result == .object([JSONMember(name: "ok", value: .boolean(true))]))
    #expect(peer.received == [#"{"jsonrpc":"2.0","id":1,"method":"health","params":{}}"#])
  }

  @Test func `calls after each other have numbers of their own`() throws {
    let peer = try Peer(lines: { request in
      [#"{"jsonrpc":"2.0","id":\#(request.contains("\"id\":2") ? 2 : 1),"result":{}}"#]
    })
    var connection = peer.connection(timeout)
    for _ in 0..<2 { _ = try connection.call(method: "any.thing", params: .object([])) }
    #expect(peer.received.count == 2)
    #expect(peer.received[1].contains(#""id":2,"method":"any.thing","params":{}"#))
  }

  @Test func `an answer may come in pieces, and the next one together with it`() throws {
    let peer = try Peer(pieces: { _ in
      [
        "{\"jsonrpc\":\"2.0\",",
        "\"id\":1,\"result\":{\"a\":1}}\n{\"jsonrpc\":\"2.0\",\"id\":2,\"res",
      ]
        + ["ult\":{\"a\":2}}\n"]
    })
    var connection = peer.connection(timeout)
    #expect(try connection.call(.health)["a"]?.number == 1)
    #expect(try connection.call(.health)["a"]?.number == 2)
  }

  @Test func `a secret travels in the line and is escaped`() throws {
    let peer = try Peer(lines: { _ in [#"{"jsonrpc":"2.0","id":1,"result":{}}"#] })
    var connection = peer.connection(timeout)
    let secret = Array("pass\"word".utf8)
    let box = SecretBox(try SecretBytes(copying: secret.span))
    _ = try connection.call(.unseal(UnsealParams(passphrase: box, slot: 3)))
    #expect(
      peer.received == [
        #"{"jsonrpc":"2.0","id":1,"method":"unseal","params":{"passphrase":"pass\"word","slot":3}}"#
      ])
  }

  @Test func `a refusal keeps its number, name, field and words`() throws {
    let peer = try Peer(lines: { _ in
      [
        #"{"jsonrpc":"2.0","id":1,"error":{"code":-32077,"message":"No.","data":"#
          + #"{"code":"lunar","field":"moon","retry":true}}}"#
      ]
    })
    var connection = peer.connection(timeout)
    let expected = ServerFailure(
      number: -32077, name: "lunar", message: "No.", field: "moon", retry: true)
    #expect(
      failure { () throws(VaultClientError) in try connection.call(.health) } == .server(expected))
    #expect(expected.code == nil)
  }

  @Test(arguments: [
    "nonsense", "[]", "{}", #"{"jsonrpc":"1.0","id":1,"result":{}}"#,
    #"{"jsonrpc":"2.0","result":{}}"#, #"{"jsonrpc":"2.0","id":2,"result":{}}"#,
    #"{"jsonrpc":"2.0","id":"1","result":{}}"#, #"{"jsonrpc":"2.0","id":null,"result":{}}"#,
    #"{"jsonrpc":"2.0","id":1}"#, #"{"jsonrpc":"2.0","id":1,"result":{},"error":{}}"#,
    #"{"jsonrpc":"2.0","id":1,"error":{"code":1}}"#,
    #"{"jsonrpc":"2.0","id":1,"result":{"a":1,"a":1}}"#,
    #"{"jsonrpc":"2.0","id":7,"error":{"code":1,"message":"x"}}"#, "",
  ])
  func `what is no answer to the call is refused`(_ line: String) throws {
    let peer = try Peer(lines: { _ in [line] })
    var connection = peer.connection(timeout)
    #expect(
      failure { () throws(VaultClientError) in try connection.call(.health) } == .malformedAnswer)
  }

  @Test func `the end of the stream is told from half an answer`() throws {
    let closing = try Peer(pieces: { _ in [] })
    var connection = closing.connection(timeout)
    #expect(failure { () throws(VaultClientError) in try connection.call(.health) } == .closed)
    let breaking = try Peer(pieces: { _ in [#"{"jsonrpc":"2.0""#] })
    var second = breaking.connection(timeout)
    #expect(failure { () throws(VaultClientError) in try second.call(.health) } == .malformedAnswer)
  }

  @Test func `an endless answer is cut off`() throws {
    let peer = try Peer(pieces: { _ in
      Array(repeating: String(repeating: " ", count: 100_000), count: 12)
    })
    var connection = peer.connection(timeout)
    #expect(
      failure { () throws(VaultClientError) in try connection.call(.health) }
        == .answerTooLong(limit: VaultConnection.answerLimit))
  }

  @Test func `a silent server costs no more than the time allowed`() throws {
    let peer = try Peer(silent: ())
    var connection = peer.connection(50)
    #expect(
      failure { () throws(VaultClientError) in try connection.call(.health) } == .timedOut(.waiting)
    )
  }

  @Test func `a server that takes nothing costs no more than the time allowed`() throws {
    let peer = try Peer(silent: ())
    var connection = peer.connection(50)
    // More than the kernel keeps for a socket nobody reads; less than the longest line.
    let filler = JSONValue.string(String(repeating: "x", count: 240_000))
    let params = JSONValue.object([JSONMember(name: "x", value: filler)])
    let error = failure { () throws(VaultClientError) in
      try connection.call(method: "x", params: params)
    }
    #expect(error == .timedOut(.sending) || error == .timedOut(.waiting))
  }

  @Test func `a line longer than the protocol allows is not sent`() throws {
    let peer = try Peer(silent: ())
    var connection = peer.connection(timeout)
    let params = JSONValue.object([
      JSONMember(name: "x", value: .string(String(repeating: "x", count: 262_144)))
    ])
    #expect(
      failure { () throws(VaultClientError) in try connection.call(method: "x", params: params) }
        == .requestTooLong(limit: VaultLimits.requestOctets))
  }

  @Test func `a server that answers and closes at once is heard, without SIGPIPE`() throws {
    let line =
      #"{"jsonrpc":"2.0","id":null,"error":{"code":-32002,"message":"No.","data":{"code":"forbidden","retry":false}}}"#
    let peer = try Peer(closedAfter: line + "\n")
    var connection = peer.connection(timeout)
    #expect(
      failure { () throws(VaultClientError) in try connection.call(.health) }
        == .server(
          ServerFailure(
            number: -32002, name: "forbidden", message: "No.", field: nil, retry: false)))
  }

  @Test func `nobody there, nothing there, and no path are told apart`() throws {
    let folder = "/tmp/lk-client-\(getpid())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    func connect(_ path: String) -> VaultClientError? {
      failure { () throws(VaultClientError) in try VaultConnection(path: path, timeout: timeout) }
    }
    #expect(connect("\(folder)/none") == .notRunning(errno: ENOENT))
    let abandoned = try Peer.listen("\(folder)/abandoned")
    close(abandoned)
    #expect(connect("\(folder)/abandoned") == .notRunning(errno: ECONNREFUSED))
    #expect(connect("") == .invalidPath(limit: 107))
    #expect(connect("a\0b") == .invalidPath(limit: 107))
    #expect(connect(String(repeating: "x", count: 108)) == .invalidPath(limit: 107))
    let listener = try Peer.listen("\(folder)/there")
    defer { close(listener) }
    #expect(connect("\(folder)/there") == nil)
  }

  @Test func `a server whose queue is full costs no more than the time allowed`() throws {
    let path = "/tmp/lk-queue-\(getpid())"
    let listener = try Peer.listen(path, queue: 0)
    defer {
      close(listener)
      unsafe unlink(path)
    }
    let first = try VaultConnection(path: path, timeout: timeout)
    #expect(
      failure { () throws(VaultClientError) in try VaultConnection(path: path, timeout: 50) }
        == .timedOut(.connecting))
    _ = consume first
  }
}
