import AccessPolicy
import Testing
import VaultServer

@Suite struct AdmissionTests {
  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.allowedUsers = [100]
    configuration.allowedGroups = [200]
    configuration.adminUsers = [300]
    configuration.adminGroups = [400]
    return configuration
  }

  private static func caller(
    _ uid: UInt32, _ gid: UInt32 = 9, _ groups: [UInt32] = [], unit: String? = nil
  ) -> Caller {
    Caller(uid: uid, gid: gid, groups: groups, pid: 1, unit: unit)
  }

  @Test(
    arguments: [
      (caller(0), .administrator), (caller(50), .administrator), (caller(300), .administrator),
      (caller(1, 400), .administrator), (caller(1, 9, [7, 400]), .administrator),
      (caller(100, 400), .administrator), (caller(100), .client), (caller(1, 200), .client),
      (caller(1, 9, [200]), .client), (caller(1), .unnamed), (caller(200), .unnamed),
      (caller(1, 100), .unnamed), (caller(1, 0, [0]), .unnamed),
      (caller(1, unit: "latchkey.service"), .unnamed),
    ] as [(Caller, Standing)])
  func `the standing comes from the users and groups of the configuration`(
    caller: Caller, expected: Standing
  ) {
    let admission = Admission(Self.configuration, owner: 50)
    #expect(admission.standing(of: caller) == expected)
    for endpoint in Endpoint.allCases {
      let isOpen = expected == .administrator || expected == .client && endpoint == .client
      #expect(admission.admits(caller, by: endpoint) == isOpen)
    }
  }

  @Test func `others are asked for, and gain no standing by being admitted`() {
    let admission = Admission(Self.configuration, owner: 50) { caller, endpoint in
      caller.unit == "console.service" || caller.uid == 100 && endpoint == .admin
    }
    let console = Self.caller(1, unit: "console.service")
    #expect(admission.admits(console, by: .client) && admission.admits(console, by: .admin))
    #expect(admission.standing(of: console) == .unnamed)
    #expect(!admission.admits(Self.caller(1, unit: "other.service"), by: .client))
    // Named for one socket by the configuration, for the other by the policy.
    #expect(admission.admits(Self.caller(100), by: .admin))
    #expect(admission.standing(of: Self.caller(100)) == .client)
  }
}
