package import AccessPolicy
import Foundation
import Synchronization
package import VaultServer
import WireCoding

/// A service that does what its lines say.
///
/// | line | answer |
/// |---|---|
/// | `echo TEXT` | TEXT, at once |
/// | `hold TEXT` | TEXT, when the test releases it, from the thread that does |
/// | `slow TEXT` | TEXT, after 300 milliseconds, from another thread |
/// | `release` | `released N`, after the N held answers in reverse order, sent as one batch |
/// | `drop` | none from here: the reply is dropped |
/// | `big N` | N times `x` |
/// | `busy N` | `done`, after the I/O thread was kept for N milliseconds |
/// | `who` | uid, gid and endpoint of the caller |
/// | `caller` | uid, gid, process and unit (`-` without one) of the caller |
/// | `note TEXT` | `noted`; TEXT is kept with the uid of the caller |
/// | `ticks` | how often the session was ticked |
/// | `broken` | an answer with a newline in it |
/// | `secret TEXT` | TEXT, from guarded memory |
/// | `big-secret N` | N times `s`, from guarded memory |
/// | `broken-secret` | an answer from guarded memory with a newline in it |
package final class ScriptedService: LineService {
  private struct State {
    var held: [(text: [UInt8], reply: PendingReply)] = []
    var closed: [ConnectionID] = []
    var refused: [FramingRefusal] = []
    var notes: [String] = []
    var lines = 0
    var longest = 0
  }

  private let state = Mutex(State())

  package init() {}

  /// The replies that are held.
  package var heldCount: Int { state.withLock { $0.held.count } }

  /// The sessions that were closed.
  package var closed: [ConnectionID] { state.withLock { $0.closed } }

  /// The connections that were refused before they had a session.
  package var refusals: [FramingRefusal] { state.withLock { $0.refused } }

  /// What was noted, each with the uid of its caller: `500 TEXT`.
  package var notes: [String] { state.withLock { $0.notes } }

  /// How many lines were handled.
  package var lineCount: Int { state.withLock { $0.lines } }

  /// The octets of the longest line.
  package var longestLine: Int { state.withLock { $0.longest } }

  /// Answers everything that is held, the last first, from the calling thread.
  @discardableResult
  package func release() -> Int {
    let held = state.withLock { state in
      defer { state.held = [] }
      return state.held
    }
    for item in held.reversed() { item.reply.send(item.text.span) }
    return held.count
  }

  package func makeHandler(thread: Int) -> any LineHandler {
    ScriptedHandler(service: self)
  }

  package func refused(_ caller: Caller?, by endpoint: Endpoint, _ refusal: FramingRefusal) {
    state.withLock { $0.refused.append(refusal) }
  }

  fileprivate static func answerSlowly(_ text: [UInt8], _ reply: PendingReply) {
    Thread.detachNewThread {
      usleep(300_000)
      reply.send(text.span)
    }
  }

  fileprivate func hold(_ text: [UInt8], _ reply: PendingReply) {
    state.withLock { $0.held.append((text, reply)) }
  }

  fileprivate func noteClosed(_ id: ConnectionID) {
    state.withLock { $0.closed.append(id) }
  }

  fileprivate func note(_ text: [UInt8], by caller: Caller) {
    let words = "\(caller.uid) \(String(decoding: text, as: UTF8.self))"
    state.withLock { $0.notes.append(words) }
  }

  fileprivate func noteLine(_ count: Int) {
    state.withLock { state in
      state.lines += 1
      state.longest = max(state.longest, count)
    }
  }
}

private final class ScriptedHandler: LineHandler {
  let service: ScriptedService

  init(service: ScriptedService) {
    self.service = service
  }

  func open(_ connection: ConnectionInfo) -> any LineSession {
    ScriptedSession(service: service, info: connection)
  }
}

private final class ScriptedSession: LineSession {
  let service: ScriptedService
  let info: ConnectionInfo
  var ticks = 0

  init(service: ScriptedService, info: ConnectionInfo) {
    self.service = service
    self.info = info
  }

  func handle(_ line: Span<UInt8>, reply: consuming Reply) {
    service.noteLine(line.count)
    let octets = line.indices.map { line[$0] }
    let space = octets.firstIndex(of: 0x20) ?? octets.count
    let word = String(decoding: octets[..<space], as: UTF8.self)
    let rest = Array(octets.dropFirst(space + 1))
    switch word {
    case "echo": reply.send(rest)
    case "hold": service.hold(rest, PendingReply(reply))
    case "slow": ScriptedService.answerSlowly(rest, PendingReply(reply))
    case "release": reply.send(Array("released \(service.release())".utf8))
    case "drop": break
    case "big":
      let count = Int(String(decoding: rest, as: UTF8.self)) ?? 0
      reply.send([UInt8](repeating: 0x78, count: count))
    case "busy":
      usleep(UInt32(String(decoding: rest, as: UTF8.self)).map { $0 * 1_000 } ?? 0)
      reply.send(Array("done".utf8))
    case "who":
      reply.send(Array("\(info.caller.uid) \(info.caller.gid) \(info.endpoint)".utf8))
    case "caller":
      let caller = info.caller
      let words = "\(caller.uid) \(caller.gid) \(caller.pid) \(caller.unit ?? "-")"
      reply.send(Array(words.utf8))
    case "note":
      service.note(rest, by: info.caller)
      reply.send(Array("noted".utf8))
    case "ticks": reply.send(Array("\(ticks)".utf8))
    case "broken": reply.send(Array("one\ntwo".utf8))
    case "secret": Self.send(rest, reply)
    case "big-secret":
      let count = Int(String(decoding: rest, as: UTF8.self)) ?? 0
      Self.send([UInt8](repeating: 0x73, count: count), reply)
    case "broken-secret": Self.send(Array("one\ntwo".utf8), reply)
    default: reply.send(Array("unknown \(octets.count)".utf8))
    }
  }

  private static func send(_ text: [UInt8], _ reply: consuming Reply) {
    guard var writer = try? SecretJSONWriter(capacity: text.count + 1) else { return }
    writer.append(text.span)
    writer.append(0x0A)
    guard let line = try? writer.finish() else { return }
    reply.send(secret: line)
  }

  func tick(_ now: Instant) {
    ticks += 1
  }

  func close() {
    service.noteClosed(info.id)
  }
}
