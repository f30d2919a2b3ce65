import AccessPolicy
import Glibc
import Testing
import VaultServer
import VaultServerTestSupport

@Suite struct ServingTests {
  @Test func `answers pipelined lines in the order in which they are answered`() throws {
    let server = try TestServer()
    let client = try server.client()
    client.send("hold a\nhold b\necho c\nhold d\nrelease\n")
    #expect((0..<5).map { _ in client.line() } == ["c", "d", "b", "a", "released 3"])
  }

  @Test func `answers from another thread while the I/O thread sleeps`() throws {
    let server = try TestServer()
    let client = try server.client()
    client.send("hold a\nhold b\n")
    #expect(eventually { server.service.heldCount == 2 })
    server.service.release()
    #expect(client.line() == "b")
    #expect(client.line() == "a")
  }

  @Test func `a client that ends its input still gets every answer, then the end`() throws {
    let server = try TestServer()
    let client = try server.client()
    client.send("hold a\nhold b\necho c\n")
    client.endInput()
    #expect(client.line() == "c")
    #expect(eventually { server.service.heldCount == 2 })
    server.service.release()
    #expect(client.linesToEnd() == ["b", "a"])
    #expect(eventually { server.service.closed.count == 1 })
  }

  @Test func `a client that ends its input after more lines than a turn has gets all answers`()
    throws
  {
    let server = try TestServer()
    let client = try server.client()
    client.send((0..<500).map { "echo \($0)\n" }.joined())
    client.endInput()
    #expect(client.linesToEnd() == (0..<500).map { "\($0)" })
  }

  @Test func `takes a line that comes octet by octet`() throws {
    let server = try TestServer()
    let client = try server.client()
    for octet in "echo slow and steady\necho next\n".utf8 { client.send([octet]) }
    #expect(client.line() == "slow and steady")
    #expect(client.line() == "next")
  }

  @Test(arguments: [1, 255, 256, 257, 4096, 16_383, 16_384, 65_535, 65_536, 100_000, 262_139])
  func `takes lines of any length up to the limit`(length: Int) throws {
    let server = try TestServer()
    let client = try server.client()
    let text = String(repeating: "y", count: length)
    client.send("echo short\necho \(text)\necho after\n")
    #expect(client.line() == "short")
    #expect(client.line() == text)
    #expect(client.line() == "after")
  }

  @Test func `splits a long stream at the right places whatever its pieces`() throws {
    let server = try TestServer()
    let client = try server.client()
    let lines = (0..<400).map { String(repeating: "z", count: ($0 * 37) % 900) + "\($0)" }
    let stream = Array(lines.map { "echo \($0)\n" }.joined().utf8)
    var start = 0
    var step = 1
    while start < stream.count {
      let end = min(stream.count, start + step)
      client.send(Array(stream[start..<end]))
      start = end
      step = step * 7 % 5003
    }
    #expect(lines.allSatisfy { client.line() == $0 })
  }

  @Test func `ignores blank lines and takes a carriage return for part of the line`() throws {
    let server = try TestServer()
    let client = try server.client()
    client.send("\n\r\n \t \necho a\r\n\n")
    #expect(client.line() == "a\r")
    client.send("echo b\n")
    #expect(client.line() == "b")
    #expect(server.service.lineCount == 2)
  }

  @Test func `a reply that is dropped answers with an internal error`() throws {
    let server = try TestServer()
    let client = try server.client()
    client.send("drop\necho next\n")
    #expect(client.line() == String(decoding: FramingRefusal.internalError.line, as: UTF8.self))
    #expect(client.line() == "next")
  }

  @Test func `an answer with a newline inside does not become two`() throws {
    let server = try TestServer()
    let client = try server.client()
    client.send("broken\necho next\n")
    #expect(client.line()?.contains(#""code":-32603"#) == true)
    #expect(client.line() == "next")
  }

  @Test func `a line without its end is not carried out when the input ends`() throws {
    let server = try TestServer()
    let client = try server.client()
    client.send("echo whole\necho half")
    client.endInput()
    let lines = client.linesToEnd()
    #expect(lines.count == 2)
    #expect(lines.first == "whole")
    #expect(lines.last?.contains(#""code":-32700"#) == true)
    #expect(server.service.lineCount == 1)
  }

  @Test func `a late answer to a connection that has ended is harmless`() throws {
    let server = try TestServer()
    let gone = try server.client()
    gone.send("hold lost\n")
    #expect(eventually { server.service.heldCount == 1 })
    gone.close()
    #expect(eventually { server.service.closed.count == 1 })
    // The next connection takes the same place and must not get the answer.
    let next = try server.client()
    next.send("echo mine\n")
    #expect(next.line() == "mine")
    server.service.release()
    next.send("echo still mine\n")
    #expect(next.line() == "still mine")
    #expect(server.server.connectionCount == 1)
  }

  @Test func `an answer after the server has ended is harmless`() throws {
    let server = try TestServer { $0.limits.drainTimeout = 1 }
    let client = try server.client()
    client.send("hold lost\n")
    #expect(eventually { server.service.heldCount == 1 })
    #expect(server.stop())
    #expect(server.service.release() == 1)
    #expect(client.isAtEnd())
  }

  @Test func `what was sent before the client vanished is still served`() throws {
    let server = try TestServer()
    let client = try server.client()
    client.send((0..<300).map { "echo \($0)\n" }.joined())
    client.close()
    #expect(eventually { server.service.closed.count == 1 })
    #expect(server.service.lineCount > 0)
    #expect(server.server.connectionCount == 0)
  }

  @Test func `a busy connection does not keep others waiting`() throws {
    let server = try TestServer()
    let busy = try server.client()
    let quick = try server.client()
    // Several turns' worth, written before the other client asks.
    let flood = busy.sendUntilFull(String(repeating: "echo busy\n", count: 1000)) / 10
    #expect(flood > 1000)
    quick.send("echo quick\n")
    #expect(quick.line() == "quick")
  }

  @Test func `tells the service who is calling and on which socket`() throws {
    let server = try TestServer()
    for endpoint in Endpoint.allCases {
      let client = try server.client(endpoint)
      client.send("who\n")
      #expect(client.line() == "\(geteuid()) \(getegid()) \(endpoint)")
    }
  }

  @Test func `ticks each session about once a second`() throws {
    let server = try TestServer()
    let client = try server.client()
    let ticked = eventually {
      client.send("ticks\n")
      return client.line() != "0"
    }
    #expect(ticked)
  }

  @Test func `deals connections out to all threads`() throws {
    let server = try TestServer { $0.ioThreads = 4 }
    let clients = try (0..<16).map { _ in try server.client() }
    for (index, client) in clients.enumerated() { client.send("echo \(index)\n") }
    for (index, client) in clients.enumerated() { #expect(client.line() == "\(index)") }
    #expect(server.server.statistics.connections == 16)
  }

  @Test func `the orderly end answers what is in flight and reads no more`() throws {
    let server = try TestServer()
    let client = try server.client()
    let idle = try server.client()
    client.send("hold a\necho b\n")
    #expect(client.line() == "b")
    server.server.stop()
    #expect(idle.isAtEnd())
    #expect(throws: TestClient.Failure.self) { try server.client() }
    server.service.release()
    #expect(client.linesToEnd() == ["a"])
    #expect(server.stop())
    #expect(server.service.closed.count == 2)
  }
}
