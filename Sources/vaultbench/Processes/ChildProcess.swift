import Glibc

/// A program that was started, with pipes to its input and from its output; ended with its owner.
final class ChildProcess {
  let processID: pid_t
  private let input: Int32
  private let output: Int32
  private let errors: String
  private var pending: [UInt8] = []
  private var status: Int32?

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - path: where it is.
  ///   - arguments: the words after its name.
  ///   - errors: the file that takes what it says as errors.
  /// - Throws: ``BenchFailure``.
  init(_ path: String, _ arguments: [String], errors: String) throws(BenchFailure) {
    let (readsInput, input) = try Self.pipe()
    let (output, writesOutput) = try Self.pipe()
    defer {
      close(readsInput)
      close(writesOutput)
    }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, readsInput, STDIN_FILENO)
    unsafe posix_spawn_file_actions_adddup2(&actions, writesOutput, STDOUT_FILENO)
    unsafe posix_spawn_file_actions_addopen(
      &actions, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    // What this program blocks or ignores, the other one would too, and not end when it is asked to.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var (nothing, everything) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&nothing)
    unsafe sigfillset(&everything)
    unsafe posix_spawnattr_setsigmask(&attributes, &nothing)
    unsafe posix_spawnattr_setsigdefault(&attributes, &everything)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    var started = pid_t()
    let failure = unsafe posix_spawn(&started, path, &actions, &attributes, &words, environ)
    guard failure == 0 else {
      close(input)
      close(output)
      throw BenchFailure("\(path): \(SystemText.error(failure))")
    }
    processID = started
    self.input = input
    self.output = output
    self.errors = errors
  }

  private static func pipe() throws(BenchFailure) -> (reads: Int32, writes: Int32) {
    var ends: [Int32] = [0, 0]
    guard unsafe Glibc.pipe(&ends) == 0 else { throw .system("pipe", errno) }
    // The other processes that are started must not hold them open.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Whether it has not ended.
  var isRunning: Bool {
    if status == nil { reap(WNOHANG) }
    return status == nil
  }

  /// Sends a line to its input.
  func send(_ line: String) throws(BenchFailure) {
    let octets = Array((line + "\n").utf8)
    guard unsafe write(input, octets, octets.count) == octets.count else { throw failure }
  }

  /// The next line of its output.
  func line() throws(BenchFailure) -> String {
    while true {
      if let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
        defer { pending.removeFirst(end + 1) }
        return String(decoding: pending[..<end], as: UTF8.self)
      }
      var piece = [UInt8](repeating: 0, count: 4096)
      let count = unsafe read(output, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure }
      pending += piece[..<count]
    }
  }

  /// Asks for its end in order and waits for it, but not for ever.
  func end() {
    guard isRunning else { return }
    kill(processID, SIGTERM)
    for _ in 0..<1_500 where isRunning { usleep(10_000) }
    guard isRunning else { return }
    kill(processID, SIGKILL)
    reap(0)
  }

  /// Waits for its end.
  ///
  /// - Throws: ``BenchFailure`` with what it said when it ended otherwise than well.
  func finish() throws(BenchFailure) {
    reap(0)
    guard status == 0 else { throw failure }
  }

  /// What to say when it does not do what it was started for.
  var failure: BenchFailure {
    let said = SystemText.file(errors).split(separator: "\n").suffix(3).joined(separator: "; ")
    return BenchFailure(said.isEmpty ? "a process ended without a word" : said)
  }

  private func reap(_ options: Int32) {
    var found: Int32 = 0
    while status == nil {
      let result = unsafe waitpid(processID, &found, options)
      if result == processID {
        status = found
      } else if result == 0 || errno != EINTR {
        return
      }
    }
  }

  deinit {
    end()
    close(input)
    close(output)
  }
}
