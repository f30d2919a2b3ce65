import Foundation
import Synchronization

/// A server that speaks the wire contract from a script: it knows which requests must come and what
/// to answer.
final class FakeVault: Sendable {
  enum Answer: Sendable, Equatable {
    /// The members of the answer but `jsonrpc` and `id`.
    case members(String)
    /// A line as it is.
    case line(String)
    case close
    case silence
    /// The members of the answer, after the signal was sent to the program that asks.
    case signal(Int32, then: String)
  }

  struct Exchange: Sendable, Equatable {
    let endpoint: String
    /// An object with the members `method` and `params`.
    let request: String
    let answer: Answer
  }

  private struct State {
    var script: [Exchange]
    var problems: [String] = []
    var open: [Int32] = []
    var isStopped = false
  }

  private let state: Mutex<State>
  private let listeners: [Int32]

  /// Listens in `runtime` at the sockets that the script is about.
  init(runtime: String, script: [Exchange]) throws {
    state = Mutex(State(script: script))
    listeners = try Set(script.map(\.endpoint)).map { endpoint in
      try FileManager.default.createDirectory(
        atPath: "\(runtime)/\(endpoint)", withIntermediateDirectories: true)
      return try UnixListener.open("\(runtime)/\(endpoint)/vault.sock")
    }
    for (listener, endpoint) in zip(listeners, Set(script.map(\.endpoint))) {
      Thread.detachNewThread { [self] in accept(listener, endpoint) }
    }
  }

  /// What went otherwise than the script has it.
  func stop() -> [String] {
    state.withLock { state in
      state.isStopped = true
      for descriptor in listeners + state.open { shutdown(descriptor, Int32(SHUT_RDWR)) }
      return state.problems + state.script.map { "this request never came: \($0.request)" }
    }
  }

  private func accept(_ listener: Int32, _ endpoint: String) {
    while true {
      let socket = Glibc.accept(listener, nil, nil)
      guard socket >= 0 else { break }
      // A program that a test starts at the same time must not keep the connection open.
      _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
      state.withLock { $0.open.append(socket) }
      serve(socket, endpoint)
    }
    close(listener)
  }

  private func serve(_ socket: Int32, _ endpoint: String) {
    defer {
      state.withLock { $0.open.removeAll { $0 == socket } }
      close(socket)
    }
    while let line = UnixListener.line(from: socket) {
      switch answer(to: line, endpoint) {
      case .close?: return
      case .silence?: continue
      case .line(let text)?: UnixListener.send(text + "\n", to: socket)
      case .signal(let number, let text)?:
        if let asker = UnixListener.peer(of: socket) { kill(asker, number) }
        answer(text, line, socket)
      case .members(let text)?: answer(text, line, socket)
      case nil: return
      }
    }
  }

  private func answer(_ members: String, _ line: String, _ socket: Int32) {
    let id = JSON.member("id", of: line)
    UnixListener.send(#"{"jsonrpc":"2.0","id":\#(id),"# + members.dropFirst() + "\n", to: socket)
  }

  private func answer(to line: String, _ endpoint: String) -> Answer? {
    state.withLock { state in
      guard let next = state.script.first else {
        if !state.isStopped { state.problems.append("a request too many: \(line)") }
        return nil
      }
      guard next.endpoint == endpoint else {
        state.problems.append("a request to \(endpoint), not \(next.endpoint)")
        return nil
      }
      guard JSON.isRequest(line, next.request) else {
        state.problems.append("not the expected request: \(line)")
        return nil
      }
      state.script.removeFirst()
      return next.answer
    }
  }
}
