import Glibc
import Testing
import VaultServer
import VaultServerTestSupport

/// Not a benchmark: shows that a pipelined request costs a small part of a system call.
@Suite(.serialized) struct ThroughputTests {
  @Test func `64 pipelined requests share their system calls`() throws {
    let server = try TestServer()
    let client = try server.client()
    let batch = String(repeating: "echo " + String(repeating: "s", count: 180) + "\n", count: 64)
    let rounds = 100
    for _ in 0..<rounds {
      client.send(batch)
      for _ in 0..<64 { #expect(client.line()?.count == 180) }
    }
    let statistics = server.server.statistics
    #expect(statistics.requests == UInt64(64 * rounds))
    let perRequest = Double(calls(server)) / Double(statistics.requests)
    #expect(perRequest < 0.2, "\(statistics)")
  }

  @Test func `answers from another thread wake the I/O thread once a batch`() throws {
    let server = try TestServer()
    let client = try server.client()
    // The releasing thread may be interrupted, and its answers then go in several parts: what counts
    // is that they can go in one.
    var fewest = UInt64.max
    for _ in 0..<50 {
      let before = calls(server)
      client.send(String(repeating: "hold x\n", count: 64))
      #expect(eventually { server.service.heldCount == 64 })
      server.service.release()
      for _ in 0..<64 { #expect(client.line() == "x") }
      fewest = min(fewest, calls(server) - before)
    }
    #expect(fewest < 20, "\(server.server.statistics)")
  }

  /// How many system calls the server has made.
  private func calls(_ server: TestServer) -> UInt64 {
    let statistics = server.server.statistics
    return statistics.reads + statistics.writes + statistics.waits + statistics.controls
  }
}
