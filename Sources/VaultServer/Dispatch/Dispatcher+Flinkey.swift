import FlinkeyEngine
import SecureMemory
import VaultAPI
import VaultCore
import WireCoding

extension Dispatcher {
  func carryOutFlinkey(_ request: VaultRequest, _ call: Call) {
    do throws(VaultError) {
      switch request {
      case .flinkeyStore(let params): try store(params, call)
      case .flinkeyToken(let params): token(params, call)
      case .flinkeyRenewBegin(let params): begin(params, call)
      case .flinkeyRenewComplete(let params): try complete(params, call)
      case .flinkeyBlock(let params):
        worker.blockFlinkey(
          FlinkeyAccount(params.user, in: params.environment), params.namespace,
          by: call.subject, call.answer { FlinkeyChangeResult(changed: $0.value, seq: $0.sequence) }
        )
      case .flinkeyUnblock(let params):
        worker.unblockFlinkey(
          FlinkeyAccount(params.user, in: params.environment), params.namespace,
          by: call.subject, call.answer { FlinkeyChangeResult(changed: $0.value, seq: $0.sequence) }
        )
      case .flinkeyForget(let params):
        worker.forgetFlinkey(
          FlinkeyAccount(params.user, in: params.environment), params.namespace,
          by: call.subject, call.answer { FlinkeyChangeResult(changed: $0.value, seq: $0.sequence) }
        )
      case .flinkeyBoxID(let params): try box(params, call)
      default: call.fail(RPCError(.internalError))
      }
    } catch {
      turnAway(call, RPCError(error))
    }
  }

  private func store(_ params: FlinkeyStoreParams, _ call: Call) throws(VaultError) {
    let storing: FlinkeyStoring
    if let credentials = params.credentials {
      storing = .credentials(
        try FlinkeyCredentials(
          apiKey: HeldSecret(credentials.apiKey), userName: HeldSecret(credentials.userName),
          password: HeldSecret(credentials.password), sdkKey: HeldSecret(credentials.sdkKey),
          customerID: credentials.customerID),
        dropsTokens: credentials.dropTokens ?? false)
    } else if let box = params.box {
      storing = .box(try Self.box(box.boxID, field: "box.box_id"), user: box.user)
    } else {
      return call.fail(RPCError(.internalError))
    }
    worker.storeFlinkey(
      storing, VaultCore.FlinkeyEnvironment(params.environment), params.namespace,
      by: call.subject,
      call.answer {
        FlinkeyStoreResult(
          replaced: $0.value.replaced, dropped: $0.value.dropped, seq: $0.sequence)
      })
  }

  private func token(_ params: FlinkeyTokenParams, _ call: Call) {
    worker.flinkeyToken(
      FlinkeyAccount(params.user, in: params.environment), remaining: params.minRemaining,
      params.namespace, by: call.subject,
      call.answer(secret: { found throws(SecureMemoryError) in
        FlinkeyTokenResult(standing: try FlinkeyUserStanding(found.value), seq: found.sequence)
      }))
  }

  private func begin(_ params: FlinkeyRenewBeginParams, _ call: Call) {
    let user = params.user
    worker.beginFlinkeyRenewal(
      FlinkeyAccount(user, in: params.environment),
      FlinkeyRenewalRequest(
        minimumRemaining: params.minRemaining, leaseSeconds: params.leaseSeconds),
      params.namespace, by: call.subject,
      call.answer(secret: { begun throws(SecureMemoryError) in
        FlinkeyRenewBeginResult(
          work: try begun.value.map { work throws(SecureMemoryError) in
            try FlinkeyRenewBeginResult.Work(work, of: user)
          }, seq: begun.sequence)
      }))
  }

  private func complete(
    _ params: FlinkeyRenewCompleteParams, _ call: Call
  ) throws(VaultError) {
    let outcome: FlinkeyOutcome
    if let token = params.token {
      outcome = .token(
        try HeldSecret(token), seconds: params.expiresIn, tapkeyUser: params.tapkeyUser)
    } else {
      outcome =
        switch params.failure?.reason {
        case .httpStatus: .status(params.failure?.status ?? 0)
        case .oauthError: .oauthError(params.failure?.oauthError ?? "")
        case .assignmentEnded: .assignmentEnded
        case .noAnswer, nil: .failed
        }
    }
    worker.completeFlinkeyRenewal(
      FlinkeyAccount(params.user, in: params.environment), outcome, lease: params.lease,
      params.namespace, by: call.subject,
      call.answer { completed in
        FlinkeyRenewCompleteResult(
          stored: completed.value.isStored,
          standing: FlinkeyUserStanding(withoutToken: completed.value.standing),
          seq: completed.sequence)
      })
  }

  private func box(_ params: FlinkeyBoxIDParams, _ call: Call) throws(VaultError) {
    let box: FlinkeyBoxID
    do throws(FlinkeyError) {
      box =
        if let lock = params.physicalLockID {
          try FlinkeyBoxID(physicalLockID: lock)
        } else {
          try FlinkeyBoxID(params.boxID ?? "")
        }
    } catch {
      throw VaultError(error)
    }
    var feedback: FlinkeyFeedback?
    if let octets = params.feedback {
      do throws(FlinkeyError) { feedback = try FlinkeyFeedback(octets.span, from: box) } catch {
        throw VaultError(error)
      }
    }
    let command = params.command.flatMap { command in
      FlinkeyBoxAction(rawValue: command.action.rawValue).map {
        (action: $0, readingNFC: command.readNFC ?? false)
      }
    }
    worker.flinkeyBox(
      FlinkeyBoxQuestion(box, command: command, feedback: feedback), params.namespace,
      by: call.subject,
      call.answer { answer in
        FlinkeyBoxIDResult(
          boxID: answer.value.box.description, physicalLockID: answer.value.box.physicalLockID,
          command: answer.value.command.map { ($0.data, Timestamp(clamping: $0.time)) },
          feedback: answer.value.feedback.map { FlinkeyBoxReport($0) }, seq: answer.sequence)
      })
  }

  private static func box(_ text: String, field: String) throws(VaultError) -> FlinkeyBoxID {
    do throws(FlinkeyError) { return try FlinkeyBoxID(text, field: field) } catch {
      throw VaultError(error)
    }
  }
}

extension VaultCore.FlinkeyEnvironment {
  /// The vault's word for the wire's.
  fileprivate init(_ environment: VaultAPI.FlinkeyEnvironment) {
    self =
      switch environment {
      case .uat: .uat
      case .production: .production
      }
  }
}

extension FlinkeyAccount {
  fileprivate init(_ user: Int64, in environment: VaultAPI.FlinkeyEnvironment) {
    self.init(user, in: VaultCore.FlinkeyEnvironment(environment))
  }
}

extension HeldSecret {
  /// A secret of a request, for longer than that.
  fileprivate convenience init(_ box: SecretBox) throws(VaultError) {
    do throws(SecureMemoryError) { self.init(try box.bytes.duplicate()) } catch {
      throw VaultError(
        .busy, "no locked memory is left: try again, or raise the limit", retry: true)
    }
  }

  /// The secret for an answer.
  fileprivate func boxed() throws(SecureMemoryError) -> SecretBox {
    SecretBox(try bytes.duplicate())
  }
}

extension FlinkeyUserStanding {
  /// A standing with its token.
  fileprivate init(_ standing: FlinkeyStanding) throws(SecureMemoryError) {
    self.init(withoutToken: standing)
    token = try standing.token?.boxed()
  }

  fileprivate init(withoutToken standing: FlinkeyStanding) {
    self.init(
      state: standing.state.rawValue,
      expires: standing.expires.map { Timestamp(clamping: $0) },
      tapkeyUser: standing.tapkeyUser, step: standing.step?.rawValue,
      leasedFor: standing.leased, reason: standing.block?.rawValue,
      box: standing.box.map { ($0.description, $0.physicalLockID) })
  }
}

extension FlinkeyRenewBeginResult.Work {
  fileprivate init(_ work: FlinkeyWork, of user: Int64) throws(SecureMemoryError) {
    var inputs = FlinkeyRenewBeginResult.Inputs()
    switch work.inputs {
    case .apiToken(let apiKey, let userName, let password):
      inputs.apiKey = try apiKey.boxed()
      inputs.userName = try userName.boxed()
      inputs.password = try password.boxed()
    case .idToken(let apiKey, let apiToken, let sdkKey, let customerID):
      inputs.apiKey = try apiKey.boxed()
      inputs.accessToken = try apiToken.boxed()
      inputs.sdkKey = try sdkKey.boxed()
      inputs.customerID = customerID
      inputs.userID = user
    case .tapkeyToken(let idToken): inputs.idToken = try idToken.boxed()
    }
    self.init(
      lease: work.lease, step: work.inputs.step.rawValue,
      expires: Timestamp(clamping: work.expires), inputs: inputs)
  }
}

extension FlinkeyBoxReport {
  fileprivate init(_ feedback: FlinkeyFeedback) {
    self.init()
    state = feedback.state?.rawValue
    drawerOpen = feedback.isDrawerOpen
    drawerUnlocked = feedback.isDrawerUnlocked
    batteryHundredths = feedback.batteryHundredths.map { Int64($0) }
    charging = feedback.isCharging
    chargerConnected = feedback.isChargerConnected
    nfcTags = feedback.nfcTags
  }
}
