import AccessPolicy
import Testing
import VaultAPI
import WireCoding

@testable import VaultCore
@testable import VaultServer

@Suite struct CallRightsTests {
  private struct NoAccounts: AccountDirectory {
    func user(named name: String) -> UInt32? { nil }
    func group(named name: String) -> UInt32? { nil }
  }

  private let authority = Authority()

  private func rights(
    _ standing: Standing = .unnamed, _ endpoint: Endpoint = .admin, uid: UInt32 = 1000
  ) -> CallRights {
    CallRights(
      ConnectionInfo(
        id: ConnectionID(number: 1), endpoint: endpoint,
        caller: Caller(uid: uid, gid: uid, groups: [], pid: 42), standing: standing),
      authority, RateTable())
  }

  private func install(_ rules: String, revision: Int64 = 1) throws {
    let policy = try Policy("policy 1\n" + rules, methods: VaultMethod.governed.map(\.name))
    authority.install(
      .inForce(PolicyInForce(policy, revision: revision, accounts: NoAccounts())))
  }

  private static func request(_ method: String, _ params: String = "{}") throws -> VaultRequest {
    let line = Array(
      #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(params)}"#.utf8)
    return try RequestEnvelope.decode(line.span).request
  }

  private static func info(_ name: String) throws -> VaultRequest {
    try request("pass.info", #"{"namespace":"\#(name)"}"#)
  }

  /// The parts of the verdict that matter.
  private func verdict(
    _ rights: inout CallRights, _ request: VaultRequest
  ) -> (code: VaultError.Code?, reason: DenialReason?, policy: Int64?, kind: DenialKind?) {
    switch rights.judge(request) {
    case .allowed(let policy): (nil, nil, policy, nil)
    case .denied(let denial): (denial.error.code, denial.reason, denial.policy, denial.kind)
    }
  }

  @Test func `whoever may connect may ask for hello and health, whatever the policy`() throws {
    for state in [Authority.State.sealed, .damaged] {
      authority.install(state)
      for method in ["hello", "health"] {
        for endpoint in Endpoint.allCases {
          var rights = rights(.unnamed, endpoint)
          #expect(verdict(&rights, try Self.request(method)) == (nil, nil, nil, nil))
        }
      }
    }
  }

  @Test(arguments: Standing.allCases)
  func `the configuration alone says who may unseal`(_ standing: Standing) throws {
    let unseal = try Self.request("unseal", #"{"passphrase":"x"}"#)
    try install("allow user:1000\nmethods *\nnamespaces **\n")
    for state in [authority.state, .sealed, .damaged] {
      authority.install(state)
      var admin = rights(standing)
      let expected: DenialReason? = standing == .administrator ? nil : .noRule
      #expect(verdict(&admin, unseal).reason == expected)
      var client = rights(standing, .client)
      #expect(verdict(&client, unseal).reason == .adminSocket)
    }
  }

  @Test func `status is for whom the configuration names, and for all while sealed`() throws {
    let status = try Self.request("status")
    for standing in Standing.allCases {
      authority.install(.sealed)
      var rights = rights(standing)
      #expect(verdict(&rights, status).code == nil)
      authority.install(.damaged)
      #expect(verdict(&rights, status).code == (standing == .unnamed ? .damaged : nil))
      try install("allow user:1\nmethods *\nnamespaces **\n")
      #expect(verdict(&rights, status).code == (standing == .unnamed ? .forbidden : nil))
      try install("allow user:1000\nmethods monitor\nnamespaces **\n", revision: 2)
      #expect(verdict(&rights, status).code == nil)
    }
  }

  @Test(arguments: Standing.allCases)
  func `metrics are for whom the policy names, and while sealed for who may unseal`(
    _ standing: Standing
  ) throws {
    let metrics = try Self.request("vault.metrics")
    for endpoint in Endpoint.allCases {
      var rights = rights(standing, endpoint)
      authority.install(.sealed)
      let sealed: VaultError.Code? = standing == .administrator ? nil : .sealed
      #expect(verdict(&rights, metrics).code == sealed)
      authority.install(.damaged)
      #expect(verdict(&rights, metrics).code == .damaged)
      try install("allow user:1\nmethods *\nnamespaces **\n")
      #expect(verdict(&rights, metrics).code == .forbidden)
      try install("allow user:1000\nmethods monitor\nnamespaces **\n", revision: 2)
      #expect(verdict(&rights, metrics).code == nil)
    }
  }

  @Test func `without a policy nothing else goes on`() throws {
    for standing in Standing.allCases {
      var rights = rights(standing)
      authority.install(.sealed)
      #expect(verdict(&rights, try Self.info("door")) == (.sealed, nil, nil, .sealed))
      #expect(verdict(&rights, try Self.request("seal")).code == .sealed)
      authority.install(.damaged)
      #expect(verdict(&rights, try Self.info("door")) == (.damaged, nil, nil, .forbidden))
    }
  }

  @Test func `being named by the configuration gives no right to anything else`() throws {
    try install("allow user:1\nmethods *\nnamespaces **\n")
    for standing in Standing.allCases {
      var rights = rights(standing, uid: 0)
      #expect(verdict(&rights, try Self.info("door")) == (.forbidden, .noRule, 1, .forbidden))
      #expect(verdict(&rights, try Self.request("seal")).reason == .noRule)
    }
  }

  @Test func `a call is judged by its namespace, its subtree, or the vault`() throws {
    try install("allow user:1000\nmethods *\nnamespaces home/**\n")
    var rights = rights()
    func reason(_ method: String, _ params: String = "{}") throws -> DenialReason? {
      verdict(&rights, try Self.request(method, params)).reason
    }
    #expect(try reason("pass.info", #"{"namespace":"home/door"}"#) == nil)
    #expect(try reason("pass.info", #"{"namespace":"home"}"#) == .namespace)
    #expect(try reason("namespace.revoke", #"{"prefix":"home/floor"}"#) == nil)
    #expect(try reason("namespace.revoke", #"{"prefix":"home"}"#) == .namespace)
    #expect(try reason("seal") == .namespace)
    #expect(try reason("namespace.list") == nil)
    #expect(
      try reason(
        "presentation.close", #"{"presentation":"\#(String(repeating: "0a", count: 16))"}"#) == nil)
  }

  @Test func `the answer is the same whatever the call is about`() throws {
    try install("allow user:1000\nmethods pass.info\nnamespaces home/**\n")
    var rights = rights()
    var errors: Set<VaultError> = []
    for name in ["door", "other/door", "home"] {
      if case .denied(let denial) = rights.judge(try Self.info(name)) {
        errors.insert(denial.error)
      }
    }
    #expect(errors == [.forbidden(.namespace)])
  }

  @Test func `the client socket does not serve an administrator what is for the other one`() throws
  {
    try install("allow user:1000\nmethods *\nnamespaces **\n")
    var client = rights(.administrator, .client)
    var admin = rights(.administrator, .admin)
    for method in VaultMethod.allCases where method.isAdminOnly && method.parameters.isEmpty {
      let request = try Self.request(method.name)
      #expect(verdict(&client, request) == (.forbidden, .adminSocket, nil, .forbidden))
      #expect(verdict(&admin, request).code == nil)
    }
  }

  @Test func `what is remembered of a policy is forgotten with it`() throws {
    var rights = rights()
    for revision in Int64(1)...6 {
      let uid = revision % 2 == 0 ? 1000 : 1
      try install("allow user:\(uid)\nmethods *\nnamespaces **\n", revision: revision)
      for _ in 0..<3 {
        let found = verdict(&rights, try Self.info("door"))
        #expect(found.code == (uid == 1000 ? nil : .forbidden) && found.policy == revision)
      }
    }
    authority.install(.sealed)
    #expect(verdict(&rights, try Self.info("door")).code == .sealed)
    // The same revision after an unseal: a name in it may have another number by then.
    for uid in [1, 1000, 1] {
      try install("allow user:\(uid)\nmethods *\nnamespaces **\n", revision: 7)
      let found = verdict(&rights, try Self.info("door"))
      #expect(found.code == (uid == 1000 ? nil : .forbidden) && found.policy == 7)
    }
  }

  @Test func `beyond the rate of its rules a call is told when to come again`() throws {
    try install("allow user:1000\nmethods *\nnamespaces **\nrate 1 burst 2\n")
    var rights = rights()
    for _ in 0..<2 { #expect(verdict(&rights, try Self.info("door")).code == nil) }
    guard case .denied(let denial) = rights.judge(try Self.info("door")) else {
      Issue.record("A call beyond the rate went on.")
      return
    }
    #expect(denial.error.code == .rateLimited && denial.error.retry)
    #expect((1...1_001).contains(denial.error.retryAfter ?? 0))
    #expect(denial.kind == .rateLimited && denial.policy == 1 && denial.reason == nil)
  }
}
