import AccessPolicy
import Glibc
import Testing
import VaultServer
import VaultServerTestSupport

@Suite struct LimitTests {
  private func has(_ line: String?, _ refusal: FramingRefusal) -> Bool {
    line == String(decoding: refusal.line, as: UTF8.self)
  }

  /// Whether a line says that there were too many, and within which time of a rate of 20 a second there
  /// is room again.
  private func isLater(_ line: String?) -> Bool {
    guard let line, let wait = line.firstMatch(of: /,"retry_after_ms":([0-9]+)/),
      let milliseconds = Int(wait.1)
    else { return false }
    return (1...51).contains(milliseconds) && has(line.replacing(wait.0, with: ""), .rateLimited)
  }

  @Test func `a line over the limit is refused and the connection closed`() throws {
    let server = try TestServer()
    let client = try server.client()
    client.send("echo first\n")
    #expect(client.line() == "first")
    client.send(String(repeating: "x", count: 262_145) + "\necho never\n")
    let lines = client.linesToEnd()
    #expect(lines.count == 1)
    #expect(has(lines.first, .tooLarge))
    #expect(server.service.lineCount == 1)
  }

  @Test(arguments: [1024, 1025])
  func `the limit is exact, also when the line comes in one piece`(length: Int) throws {
    let server = try TestServer { $0.limits.requestLimit = 1024 }
    let client = try server.client()
    client.send("echo " + String(repeating: "x", count: length - 5) + "\n")
    if length > 1024 {
      #expect(has(client.line(), .tooLarge))
      #expect(client.isAtEnd())
    } else {
      #expect(client.line()?.count == length - 5)
    }
  }

  @Test func `a line that never ends is refused as soon as it is too long`() throws {
    let server = try TestServer { $0.limits.requestLimit = 4096 }
    let client = try server.client()
    client.send(String(repeating: "x", count: 5000))
    #expect(has(client.line(), .tooLarge))
  }

  @Test func `requests in flight are answered before a refused connection closes`() throws {
    let server = try TestServer { $0.limits.requestLimit = 1024 }
    let client = try server.client()
    client.send("hold a\n" + String(repeating: "x", count: 2000) + "\n")
    #expect(has(client.line(), .tooLarge))
    server.service.release()
    #expect(client.linesToEnd() == ["a"])
  }

  @Test func `reads no more while too many requests are in flight`() throws {
    let server = try TestServer { $0.limits.inFlightLimit = 8 }
    let client = try server.client()
    client.send((0..<100).map { "hold \($0)\n" }.joined())
    #expect(eventually { server.service.heldCount == 8 })
    var answers: [String] = []
    while answers.count < 100 {
      #expect(server.service.heldCount <= 8)
      let count = server.service.release()
      for _ in 0..<count { answers.append(client.line() ?? "") }
    }
    #expect(Set(answers) == Set((0..<100).map(String.init)))
    client.send("echo on\n")
    #expect(client.line() == "on")
  }

  @Test func `reads no more from a client that takes no answers`() throws {
    let server = try TestServer { $0.limits.outputLimit = 64 << 10 }
    let client = try server.client()
    client.send(String(repeating: "big 10000\n", count: 1000))
    // What the kernel holds for the client comes on top of the limit.
    #expect(eventually { server.service.lineCount >= 6 })
    let quick = try server.client()
    quick.send("echo quick\n")
    #expect(quick.line() == "quick")
    #expect(server.service.lineCount < 200)
    for _ in 0..<1000 { #expect(client.line()?.count == 10_000) }
    client.send("echo on\n")
    #expect(client.line() == "on")
  }

  @Test func `long answers to requests that came together do not pile up either`() throws {
    let server = try TestServer { $0.limits.outputLimit = 64 << 10 }
    let client = try server.client()
    client.send(String(repeating: "big 400000\n", count: 100))
    #expect(eventually { server.service.lineCount >= 1 })
    let quick = try server.client()
    quick.send("echo quick\n")
    #expect(quick.line() == "quick")
    // One that fills the limit, and one more that found the kernel's buffer empty.
    #expect(server.service.lineCount < 6)
    for _ in 0..<100 { #expect(client.line()?.count == 400_000) }
  }

  @Test func `slow answers to requests that came together leave others their turn`() throws {
    let server = try TestServer()
    let client = try server.client()
    client.send(String(repeating: "busy 10\n", count: 100))
    #expect(eventually { server.service.lineCount >= 1 })
    let quick = try server.client()
    quick.send("echo quick\n")
    #expect(quick.line() == "quick")
    #expect(server.service.lineCount < 60)
    for _ in 0..<100 { #expect(client.line() == "done") }
  }

  @Test func `closes a client that takes no answers for too long`() throws {
    let server = try TestServer {
      $0.limits.outputLimit = 64 << 10
      $0.limits.writeTimeout = 1
    }
    let client = try server.client()
    client.send(String(repeating: "big 10000\n", count: 1000))
    #expect(eventually { server.service.closed.count == 1 })
  }

  @Test func `closes a silent client after the idle time, not one that waits`() throws {
    let server = try TestServer { $0.limits.idleTimeout = 1 }
    let waiting = try server.client()
    waiting.send("hold a\n")
    let silent = try server.client()
    #expect(silent.isAtEnd())
    #expect(server.service.closed.count == 1)
    server.service.release()
    #expect(waiting.line() == "a")
  }

  @Test func `closes a client that does not finish its line`() throws {
    let server = try TestServer { $0.limits.lineTimeout = 1 }
    let slow = try server.client()
    slow.send("echo whole\necho ha")
    #expect(slow.line() == "whole")
    // Further octets do not prolong the line's time.
    #expect(
      eventually {
        slow.send("l")
        return server.service.closed.count == 1
      })
    #expect(server.service.lineCount == 1)
  }

  @Test func `turns away connections over the limit, and takes new ones when there is room`() throws
  {
    let server = try TestServer { $0.limits.connectionLimit = 3 }
    var clients = try (0..<3).map { _ in try server.client() }
    for client in clients {
      client.send("echo in\n")
      #expect(client.line() == "in")
    }
    let refused = try server.client()
    #expect(has(refused.line(), .busy))
    #expect(refused.isAtEnd())
    #expect(server.service.refusals == [.busy])
    // Administrators have room of their own.
    let admin = try server.client(.admin)
    admin.send("echo admin\n")
    #expect(admin.line() == "admin")
    admin.close()
    clients.removeLast()
    #expect(eventually { server.server.connectionCount == 2 })
    let next = try server.client()
    next.send("echo next\n")
    #expect(next.line() == "next")
  }

  @Test func `one user cannot have all the connections`() throws {
    let server = try TestServer { $0.limits.callerConnectionLimit = 2 }
    let clients = try (0..<2).map { _ in try server.client() }
    let refused = try server.client()
    #expect(has(refused.line(), .busy))
    clients[1].send("echo in\n")
    #expect(clients[1].line() == "in")
  }

  @Test func `refuses requests over the rate and goes on`() throws {
    let server = try TestServer {
      $0.limits.rate = 20
      $0.limits.burst = 5
    }
    let client = try server.client()
    client.send((0..<10).map { "echo \($0)\n" }.joined())
    let lines = (0..<10).map { _ in client.line() }
    #expect(lines.prefix(5).elementsEqual((0..<5).map { "\($0)" }))
    #expect(lines.suffix(5).allSatisfy { isLater($0) })
    // A new connection of the same user has no new allowance.
    let other = try server.client()
    other.send("echo a\necho b\n")
    #expect(isLater((0..<2).compactMap { _ in other.line() }.last))
    let goesOn = eventually {
      client.send("echo later\n")
      return client.line() == "later"
    }
    #expect(goesOn)
  }

  @Test func `half-sent requests have a bounded share of locked memory`() throws {
    let server = try TestServer { $0.limits.partialLimit = 64 << 10 }
    let half = String(repeating: "x", count: 12_000)
    let clients = try (0..<5).map { _ in try server.client() }
    for client in clients.prefix(4) {
      client.send("echo in\n")
      #expect(client.line() == "in")
      client.send(half)
    }
    let before = server.server.statistics.reads
    #expect(eventually { server.server.statistics.reads >= before })
    #expect(eventually { server.server.statistics.reads >= 8 })
    clients[4].send(half)
    #expect(has(clients[4].line(), .busy))
    #expect(clients[4].isAtEnd())
    // The others are not affected, and give their memory back.
    for client in clients.prefix(4) {
      client.send("\n")
      #expect(client.line() == "unknown 12000")
    }
    let next = try server.client()
    next.send(half + "\n")
    #expect(next.line() == "unknown 12000")
  }
}
