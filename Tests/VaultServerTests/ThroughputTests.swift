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
    let calls = statistics.reads + statistics.writes + statistics.waits + statistics.controls
    let perRequest = Double(calls) / Double(statistics.requests)
    #expect(perRequest < 0.2, "\(statistics)")
  }

  @Test func `answers from another thread wake the I/O thread once a batch`() throws {
    let server = try TestServer()
    let client = try server.client()
    for _ in 0..<50 {
      client.send(String(repeating: "hold x\n", count: 64))
      #expect(eventually { server.service.heldCount == 64 })
      server.service.release()
      for _ in 0..<64 { #expect(client.line() == "x") }
    }
    let statistics = server.server.statistics
    let calls = statistics.reads + statistics.writes + statistics.waits + statistics.controls
    #expect(Double(calls) / Double(statistics.requests) < 0.3, "\(statistics)")
  }
}
