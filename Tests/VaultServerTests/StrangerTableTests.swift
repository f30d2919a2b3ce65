import AccessPolicy
import Glibc
import Synchronization
import Testing
import VaultServerTestSupport

@testable import VaultServer

/// Who is refused a connection without another look.
@Suite struct StrangerTableTests {
  private let start = Instant.now()

  @Test func `one who comes again and again is refused unseen, for the rest of a second`() {
    var table = StrangerTable()
    for _ in 0..<StrangerTable.patience {
      #expect(!table.isTiresome(1000, by: .client, under: 0, at: start))
      table.note(1000, by: .client, under: 0, at: start)
    }
    #expect(table.isTiresome(1000, by: .client, under: 0, at: start))
    #expect(!table.isTiresome(1001, by: .client, under: 0, at: start))
    let later = start.advanced(seconds: 1)
    #expect(!table.isTiresome(1000, by: .client, under: 0, at: later))
    table.note(1000, by: .client, under: 0, at: later)
    #expect(!table.isTiresome(1000, by: .client, under: 0, at: later))
  }

  @Test func `refusals count for their socket, and for the rules they were judged by`() {
    var table = StrangerTable()
    for _ in 0..<StrangerTable.patience {
      table.note(1000, by: .admin, under: 3, at: start)
    }
    #expect(table.isTiresome(1000, by: .admin, under: 3, at: start))
    #expect(!table.isTiresome(1000, by: .client, under: 3, at: start))
    #expect(!table.isTiresome(1000, by: .admin, under: 4, at: start))
    table.note(1001, by: .admin, under: 4, at: start)
    #expect(!table.isTiresome(1000, by: .admin, under: 4, at: start))
    #expect(!table.isTiresome(1000, by: .admin, under: 3, at: start))
  }

  @Test func `many users take bounded memory`() {
    var table = StrangerTable()
    for user in 0..<100_000 as Range<UInt32> {
      table.note(user % 5_000, by: .client, under: 0, at: start)
    }
    let count = (0..<5_000 as Range<UInt32>).count {
      table.isTiresome($0, by: .client, under: 0, at: start)
    }
    #expect(count <= 1024)
  }

  @Test(.enabled(if: geteuid() == 0, "needs root to become another user"))
  func `who was refused again and again is admitted as soon as the rules change`() throws {
    let isOpen = Atomic(false)
    let admission = Admission(
      Configuration(), others: { _, _ in isOpen.load(ordering: .acquiring) },
      revision: { isOpen.load(ordering: .acquiring) ? 1 : 0 })
    let server = try TestServer(Configuration(), admission)
    let script = """
      import os,sys,socket,signal
      signal.alarm(60)
      os.setgroups([]); os.setgid(12345); os.setuid(12345)
      def ask():
        with socket.socket(socket.AF_UNIX) as s:
          s.connect(sys.argv[1])
          try: s.send(b'who\\n')
          except BrokenPipeError: pass
          return s.makefile().readline()
      print(any(ask().endswith(' client\\n') for _ in range(20)), flush=True)
      sys.stdin.read()
      print(ask(), end='')
      """
    let peer = try Script(script, [server.path()])
    try peer.start()
    #expect(peer.readLine() == "False")
    isOpen.store(true, ordering: .releasing)
    #expect(peer.finish().output == "12345 12345 client\n")
  }
}
