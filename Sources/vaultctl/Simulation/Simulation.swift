import CommandLineOptions
import Glibc
import SimulatedReader
import VaultAPI
import VaultCore
import VaultCrypto
import WireCoding

/// One walk through a transaction with a simulated lock, told step by step.
struct Simulation: ~Copyable {
  let context: CallContext
  let namespace: NamespaceName
  private let transport: PresentationTransport
  private let intent: PresentationIntent
  var report: SimulationReport
  /// What is known of the pass that was made.
  var pass = OwnPass.none
  /// Holds back what would end the process while there is something to clean up; SIGQUIT still does.
  private let signals: SignalWatch
  /// The signal that came first.
  private var signal: Int32?

  /// Reads the command line.
  init(_ context: CallContext) throws(CommandFailure) {
    let namespace = try context.line.namespace()
    // The last that can fail: what cannot be copied is not half made.
    signals = try SignalWatch([SIGHUP, SIGINT, SIGTERM])
    self.context = context
    self.namespace = namespace
    transport = context.line[Options.transport] ?? .ble
    intent = context.line[Options.intent] ?? .unsecure
    report = SimulationReport(namespace: namespace, isWhole: context.line[Options.octets] == true)
  }

  /// Walks.
  ///
  /// - Returns: all steps, and with them the failure if one failed.
  /// - Throws: ``CommandFailure`` when there was nothing to tell or to clean up.
  mutating func run() throws(CommandFailure) -> CommandOutput {
    // The simulated keys are kept like real ones: there is no other way to keep keys here.
    do throws(VaultCryptoError) { try SecureHeap.start(bytes: 64 << 10) } catch {
      throw CommandFailure(.failure, "memory for keys cannot be locked", hint: "see `ulimit -l`")
    }
    let credential: P256PublicKey
    do throws(CommandFailure) { credential = try makeKey() } catch {
      var failure = error
      failure.signal = try signals.next()
      throw failure
    }
    var failure: CommandFailure?
    do throws(CommandFailure) { try present(credential) } catch { failure = error }
    report.end(failure.map { "it failed: \($0.message)" } ?? success)
    let outcome = cleanUp()
    failure = failure ?? outcome.failure
    // One that came while cleaning up counts as well.
    do throws(CommandFailure) { try checkSignals() } catch { failure = failure ?? error }
    if let signal {
      failure = CommandFailure(
        .failure, "interrupted by \(Self.name(of: signal)): \(outcome.words(namespace))")
      failure?.signal = signal
    }
    var output = report.output(failure)
    if outcome.isWarning, signal == nil {
      output.notes = ["warning: \(outcome.words(namespace))"]
    }
    return output
  }

  /// Goes no further once a signal has come.
  private mutating func checkSignals() throws(CommandFailure) {
    if signal == nil { signal = try signals.next() }
    guard let signal else { return }
    throw CommandFailure(.failure, "interrupted by \(Self.name(of: signal))")
  }

  private static func name(of signal: Int32) -> String {
    switch signal {
    case SIGHUP: "SIGHUP"
    case SIGINT: "SIGINT"
    default: "SIGTERM"
    }
  }

  /// Makes the credential key, which must be a new one: it is deleted in the end.
  private mutating func makeKey() throws(CommandFailure) -> P256PublicKey {
    let result = try context.call(.keyPublic(KeyPublicParams(namespace: namespace)))
    guard result["created"]?.flag == true else {
      throw CommandFailure(
        .conflict, "\(namespace.rawValue) has a presentation key, and perhaps a pass",
        hint: "the simulation makes a key and a pass of its own: name a namespace without one, or "
          + "delete them with `vaultctl pass delete \(namespace.rawValue)` if nobody needs them")
    }
    guard let point = result["point"]?.text.flatMap({ try? Base64.decode($0) }),
      let key = try? P256PublicKey(uncompressed: point.span)
    else { throw CommandFailure(.protocolMismatch, "the answer holds no public key") }
    report.tell(
      "vault", "key.public",
      "The vault makes a key pair for \(namespace.rawValue), the credential. Its private half never "
        + "leaves the vault; its public half goes to whoever issues passes.", point)
    return key
  }

  private mutating func present(_ credential: P256PublicKey) throws(CommandFailure) {
    try checkSignals()
    let now = Timestamp(clamping: SystemClock().wallSeconds())
    let isCertified = context.line[Options.certificate] == true
    let door = try simulating { () throws(ReaderFault) in
      try SimulatedDoor(at: now, isCertified: isCertified)
    }
    try store(door, credential)
    var session = try context.session()
    let plan = MeetingPlan(
      transport: transport == .nfc ? .nfc : .ble, unsecures: intent == .unsecure,
      asksForDocument: context.line[Options.stepUp] == true)
    let first = try simulating { () throws(ReaderFault) in
      try SimulatedReader(door: door, credential: credential, plan: plan)
    }
    try meet(first, &session)
    guard context.line[Options.fast] == true else { return }
    let second = try simulating { () throws(ReaderFault) in
      try SimulatedReader(
        door: door, credential: credential, plan: plan, persistentKey: first.persistentKey)
    }
    try meet(second, &session)
  }

  /// Issues and stores the pass.
  private mutating func store(
    _ door: SimulatedDoor, _ credential: P256PublicKey
  ) throws(CommandFailure) {
    let document = try simulating { () throws(ReaderFault) in
      try door.accessDocument(for: credential)
    }
    report.tell(
      "issuer", "pass.store",
      "An issuer signs an access document: whoever holds that key may lock and unlock, for the next "
        + "hour. The pass for the vault is this document and which locks to trust: those of a group, "
        + "named by 16 bytes, and known by the key of whoever is in charge of it.", document)
    let certificate = try simulating { () throws(ReaderFault) in try door.authorityCertificate() }
    let group = ReaderGroup(
      readerGroupId: door.groupIdentifier, issuerCaPublicKey: door.authorityKey.uncompressed,
      issuerCaCertificateDer: certificate)
    let pass = PassContent(
      accessDocument: document, readerGroups: [group],
      credentialIssuerPublicKey: door.issuerKey.uncompressed)
    // Should the answer get lost, the pass is told by what it would have been.
    self.pass = .sent(digest: Base64.encode(SHA256.hash(document.span).span))
    let result = try context.call(.passStore(PassStoreParams(namespace: namespace, pass: pass)))
    self.pass = .stored(digest: result["digest"]?.text)
    try checkSignals()
  }

  /// One transaction.
  private mutating func meet(
    _ reader: SimulatedReader, _ session: inout VaultSession
  ) throws(CommandFailure) {
    let link: PresentationLink =
      switch transport {
      case .nfc: .nfc
      case .ble:
        .ble(
          intent: intent, readerVersions: SimulatedReader.versions,
          version: SimulatedReader.version)
      }
    report.tell(
      "gateway", "presentation.open",
      reader.isFast
        ? "The two meet again. The gateway opens another presentation."
        : "A device comes to the lock. Its radio is a gateway, which carries messages between lock "
          + "and vault and knows no key; the vault is the device's memory and mind.")
    var step = try session.call(
      .presentationOpen(PresentationOpenParams(namespace: namespace, link: link)))
    guard let id = step["presentation"]?.text.flatMap({ try? Hex.decode($0) }) else {
      throw CommandFailure(.protocolMismatch, "the answer names no presentation")
    }
    let presentation = PresentationID(id)
    do throws(CommandFailure) {
      try checkSignals()
      while let said = try hear(step, reader) {
        step = try session.call(
          .presentationExchange(
            PresentationExchangeParams(presentation: presentation, message: said)))
        report.note(step)
        try checkSignals()
      }
    } catch {
      _ = try? session.call(
        .presentationClose(PresentationCloseParams(presentation: presentation)))
      throw error
    }
  }

  /// Lets the lock hear what the vault's answer brings.
  ///
  /// - Returns: what the lock says; `nil` at the end.
  private mutating func hear(
    _ step: JSONValue, _ reader: SimulatedReader
  ) throws(CommandFailure) -> [UInt8]? {
    if let refusal = step["refusal"] {
      let view = ResultView(refusal)
      let code = RPCErrorCode.allCases.first { $0.name == view["code"] }
      throw CommandFailure(ExitCode(code), "the vault refuses: \(view["message"])")
    }
    let message = step["messages"]?.elements?.first?.text.flatMap { try? Base64.decode($0) }
    let told = reader.steps.count
    defer { for step in reader.steps[told...] { report.tell(step) } }
    let said = try simulating { () throws(ReaderFault) in try reader.receive(message) }
    guard said != nil || step["state"]?.text == PresentationState.finished.rawValue else {
      throw CommandFailure(.protocolMismatch, "the vault is not at the end, but the lock is")
    }
    return said
  }

  private var success: String {
    "lock and device have proven themselves to each other, and the door is "
      + (intent == .secure ? "locked." : "unlocked.")
  }

  private func simulating<Value>(
    _ body: () throws(ReaderFault) -> Value
  ) throws(CommandFailure) -> Value {
    do throws(ReaderFault) { return try body() } catch {
      switch error {
      case .refused(let words):
        throw CommandFailure(.protocolMismatch, "the lock goes no further: \(words)")
      case .computation(let words):
        throw CommandFailure(.failure, "the simulation cannot go on: \(words)")
      }
    }
  }
}
