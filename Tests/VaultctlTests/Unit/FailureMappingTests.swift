import Glibc
import SecureMemory
import Testing
import VaultAPI
import VaultClient
import VaultCore
import VaultCrypto
import VaultStore
import WireCoding

@testable import vaultctl

@Suite struct FailureMappingTests {
  @Test func `exit codes are the documented ones`() {
    let numbers = ExitCode.allCases.map(\.rawValue)
    #expect(numbers == [0, 1, 10, 11, 12, 13, 64, 65, 66, 69, 70, 73, 74, 75, 76, 77])
  }

  @Test func `each class of error of the protocol has its exit code`() {
    let expected: [ExitCode: [RPCErrorCode]] = [
      .wrongSecret: [.wrongSecret], .damaged: [.damaged], .notFound: [.notFound],
      .conflict: [
        .conflict, .revoked, .expired, .notYetValid, .keyUnusable, .passMissing, .readerUntrusted,
        .protocolError,
      ],
      .badData: [.invalidParams, .tooLarge],
      .unavailable: [.sealed, .auditUnavailable, .storageFull, .clockUncertain],
      .tryAgain: [.rateLimited, .busy], .forbidden: [.forbidden],
      .internalError: [.internalError],
      .protocolMismatch: [.parseError, .invalidRequest, .methodNotFound, .unsupported],
    ]
    var seen: Set<RPCErrorCode> = []
    for (exit, codes) in expected {
      for code in codes {
        #expect(ExitCode(code) == exit, "\(code)")
        seen.insert(code)
      }
    }
    #expect(seen == Set(RPCErrorCode.allCases))
    #expect(ExitCode(nil) == .failure)
  }

  @Test(
    arguments: [
      (250, "there is room for it in 250 ms"), (61_500, "there is room for it in 62 s"),
      (2_000, "there is room for it in 2 s"), (1_999, "there is room for it in 2 s"),
      (2_001, "there is room for it in 3 s"), (nil, nil),
    ] as [(Int64?, String?)])
  func `a refusal tells people and programs when to come again`(
    _ wait: Int64?, _ hint: String?
  ) {
    let failure = CommandFailure(ServerFailure(RPCError(.rateLimited, retryAfter: wait)))
    #expect(failure.hint == hint && failure.code == .tryAgain)
    #expect(FailureText.json(failure)["error"]?["retry_after_ms"]?.number == wait)
    let unseal = RPCError(
      .rateLimited, message: "too many failed attempts: wait 2 s", retryAfter: wait)
    #expect(CommandFailure(ServerFailure(unseal)).hint == nil)
  }

  @Test(arguments: [
    (VaultClientError.notRunning(errno: ENOENT), ExitCode.unavailable, false),
    (.refused(errno: EACCES), .forbidden, false), (.invalidPath(limit: 107), .usage, false),
    (.timedOut(.connecting), .tryAgain, false), (.timedOut(.sending), .tryAgain, true),
    (.timedOut(.waiting), .tryAgain, true), (.closed, .unavailable, true),
    (.malformedAnswer, .protocolMismatch, true),
    (.answerTooLong(limit: 1), .protocolMismatch, true),
    (.requestTooLong(limit: 1), .badData, false),
    (.system(.recv, errno: EIO), .failure, true),
    (.system(.socket, errno: EMFILE), .failure, false),
    (.secretMemory(.unavailable), .failure, false),
  ])
  func `each failure of a connection has its exit code`(
    _ error: VaultClientError, _ code: ExitCode, _ isUncertain: Bool
  ) {
    let failure = CommandFailure(error, socket: "/run/x")
    #expect(failure.code == code)
    #expect(failure.isUncertain == isUncertain)
    #expect(!failure.message.isEmpty)
  }

  @Test(arguments: [
    (LedgerError.keyFile(.malformed), ExitCode.badData), (.keyFile(.notRegular), .badData),
    (.keyFile(.exposed(mode: 0o644)), .badData), (.keyFile(.unreadable(errno: ENOENT)), .noInput),
    (.keyFile(.exists), .cannotCreate), (.notEmpty, .cannotCreate),
    (.store(.storageFull), .cannotCreate), (.store(.readOnly), .cannotCreate),
    (.store(.file(.makeDirectory, errno: EACCES)), .cannotCreate),
    (.store(.cannotOpen(errno: EACCES)), .cannotCreate), (.store(.busy), .cannotCreate),
    (.crypto(.memoryExhausted), .failure), (.memory(.unavailable), .failure), (.misuse, .failure),
  ])
  func `each failure of files has its exit code`(_ error: LedgerError, _ code: ExitCode) {
    let failure = CommandFailure(error, path: "/x")
    #expect(failure.code == code)
    #expect(!failure.message.isEmpty)
  }

  @Test func `locked memory that runs out says how much and how to get more`() {
    let failure = CommandFailure(
      SecureMemoryError.lockedMemoryExhausted(needed: 65536, limit: 4096))
    #expect(
      failure.message
        == "65536 more bytes of memory cannot be locked, and at most 4096 may be locked")
    #expect(failure.hint == "raise the limit with `ulimit -l` or LimitMEMLOCK=")
  }
}
