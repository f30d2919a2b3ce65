import Glibc
import SecureMemory
import Testing
import WireCoding

@testable import VaultServer

@Suite struct SecretAnswerTests {
  private func secret(_ octets: [UInt8]) throws -> SecretAnswerLine {
    var writer = try SecretJSONWriter(capacity: octets.count)
    writer.append(octets.span)
    return SecretAnswerLine(try writer.finish())
  }

  @Test func `answers come in their order, whichever memory they are kept in`() throws {
    let server = try TestServer()
    let client = try server.client()
    client.send("echo a\nsecret b\necho c\nsecret d\nsecret \necho e\nbig-secret 30000\necho f\n")
    #expect((0..<6).map { _ in client.line() } == ["a", "b", "c", "d", "", "e"])
    #expect(client.line() == String(repeating: "s", count: 30_000))
    #expect(client.line() == "f")
  }

  @Test func `an answer with a secret that is no line is replaced`() throws {
    let server = try TestServer()
    let client = try server.client()
    client.send("broken-secret\necho after\n")
    #expect(client.line() == String(decoding: FramingRefusal.internalError.line, as: UTF8.self))
    #expect(client.line() == "after")
  }

  @Test func `octets leave in the order in which they were added, however few the socket takes`()
    throws
  {
    let budget = LockedBudget(1 << 20)
    for seed in 0..<20 as Range<UInt64> {
      var numbers = Numbers(state: seed)
      var ends: [Int32] = [-1, -1]
      try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
      defer { ends.forEach { _ = close($0) } }
      var size: Int32 = 2048
      unsafe setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &size, socklen_t(4))
      var queue = OutputQueue(budget: budget)
      var pool = BufferPool()
      var expected: [UInt8] = []
      var received: [UInt8] = []
      for round in 0..<120 {
        let piece = (0..<numbers.below(3000)).map { _ in UInt8(round) } + [newline]
        if numbers.below(2) == 0 {
          queue.append(piece[...], from: &pool)
        } else {
          #expect(queue.append(try secret(piece)))
        }
        expected += piece
        if numbers.below(3) > 0 { #expect(queue.send(to: ends[0], returningTo: &pool) != .failed) }
        if numbers.below(2) == 0 { received += take(ends[1], numbers.below(5000)) }
      }
      while !queue.isEmpty || received.count < expected.count {
        #expect(queue.send(to: ends[0], returningTo: &pool) != .failed)
        received += take(ends[1], 1 << 16)
      }
      #expect(received == expected)
    }
    #expect(budget.take(1 << 20))
  }

  @Test func `what is let go unsent gives its memory back`() throws {
    let budget = LockedBudget(1000)
    do {
      var queue = OutputQueue(budget: budget)
      let taken = try (1...3).map { try queue.append(secret([UInt8](repeating: $0, count: 600))) }
      let count = queue.count
      #expect(taken == [true, true, false] && count == 1200)
    }
    #expect(budget.take(1000))
  }

  @Test func `the first answer of a connection gets through whatever others use`() throws {
    let budget = LockedBudget(1000)
    #expect(budget.take(1000))
    var ends: [Int32] = [-1, -1]
    try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { ends.forEach { _ = close($0) } }
    var queue = OutputQueue(budget: budget)
    var pool = BufferPool()
    for mark in 1...3 as ClosedRange<UInt8> {
      let line = [UInt8](repeating: mark, count: 600) + [newline]
      #expect(queue.append(try secret(line)))
      #expect(queue.send(to: ends[0], returningTo: &pool) == .sent)
      #expect(take(ends[1], 1000) == line)
    }
    let isLeft = budget.take(1)
    #expect(!isLeft)
  }

  @Test func `a client that takes none of its secrets is cut off, and others are served`() throws {
    let server = try TestServer { $0.limits.partialLimit = 256 << 10 }
    let greedy = try server.client()
    let lines = String(repeating: "big-secret 60000\n", count: 40)
    greedy.send(lines)
    let other = try server.client()
    var answers: [String] = []
    #expect(
      eventually {
        other.send("secret mine\n")
        guard let line = other.line() else { return false }
        answers.append(line)
        return true
      })
    #expect(answers == ["mine"])
    let got = greedy.linesToEnd()
    #expect(got.last == String(decoding: FramingRefusal.busy.line, as: UTF8.self))
    #expect(got.dropLast().allSatisfy { $0 == String(repeating: "s", count: 60_000) })
    #expect(got.count < 41)
  }

  private func take(_ socket: Int32, _ limit: Int) -> [UInt8] {
    var room = [UInt8](repeating: 0, count: max(limit, 1))
    let count = unsafe recv(socket, &room, limit, Int32(MSG_DONTWAIT))
    return Array(room.prefix(max(count, 0)))
  }

  /// Numbers by chance, the same in each run (a linear congruential generator).
  private struct Numbers {
    var state: UInt64

    mutating func below(_ bound: UInt64) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % bound)
    }
  }
}
