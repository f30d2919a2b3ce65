import AccessPolicy
import Testing

@Suite struct CallerTests {
  @Test func aCallerIsAMemberOfItsOwnAndItsSupplementaryGroups() {
    let caller = Caller(uid: 7, gid: 8, groups: [9, 10], pid: 1)
    #expect([7, 8, 9, 10, 11].filter { caller.isMember(of: $0) } == [8, 9, 10])
  }
}
