import Testing
import VaultServer

/// Texts as cgroups(7) has them, and the units that systemd's documentation says are meant.
@Suite struct ControlGroupsTests {
  private func unit(_ text: String) -> String? { ControlGroups.unit(in: Array(text.utf8)) }

  /// The unit of a process at a path of version 2.
  private func unit(at path: String) -> String? { unit("0::\(path)\n") }

  @Test(arguments: [
    ("/system.slice/gateway.service", "gateway.service"),
    ("/gateway.service", "gateway.service"),
    ("/init.scope", "init.scope"),
    ("/system.slice/system-getty.slice/getty@tty1.service", "getty@tty1.service"),
    ("/system.slice/gateway.service/worker", "gateway.service"),
    ("/system.slice/gateway.service/.control", "gateway.service"),
    ("/user.slice/user-1000.slice/session-3.scope", "session-3.scope"),
    ("/machine.slice/machine-qemu\\x2d1\\x2dvm.scope/libvirt", "machine-qemu\\x2d1\\x2dvm.scope"),
    ("/system.slice/docker-0123abcd.scope", "docker-0123abcd.scope"),
    ("/system.slice/dbus-:1.2-org.example@0.service", "dbus-:1.2-org.example@0.service"),
    // Escaped, as each of these would be mistaken for a file of the kernel's.
    ("/system.slice/_cpu.service", "cpu.service"),
    ("/system.slice/_cgroup.procs.service", "cgroup.procs.service"),
    ("/system.slice/__under.service", "_under.service"),
    ("/_memory.slice/gateway.service", "gateway.service"),
  ])
  func `the first service or scope below slices is the unit`(path: String, expected: String) {
    #expect(unit(at: path) == expected)
  }

  @Test(arguments: [
    "/user.slice/user-1000.slice/user@1000.service/app.slice/gateway.service",
    "/user.slice/user-1000.slice/user@1000.service/system.slice/gateway.service",
    "/user.slice/user-1000.slice/user@1000.service/gateway.service",
    "/user.slice/user-1000.slice/user@1000.service",
  ])
  func `what a user makes in a delegated subtree is its user manager`(path: String) {
    #expect(unit(at: path) == "user@1000.service")
  }

  @Test(arguments: [
    "/", "/system.slice", "/user.slice/user-1000.slice", "/docker/0123abcd",
    "/lxc.payload.c1/system.slice/gateway.service", "/user/alice/0", "/gateway", "/gateway.socket",
    // Outside the daemon's control group namespace.
    "/..", "/../system.slice/gateway.service", "/../../gateway.service",
    "/system.slice/gateway.service/..", "/system.slice/../gateway.service",
    // Not in the form of a path.
    "//gateway.service", "/system.slice//gateway.service", "/system.slice/gateway.service/",
    // Not names of units.
    "/.service", "/_.service", "/@.service", "/@x.service", "/getty@.service", "/.slice/a.service",
    "/a@b.slice/c.service", "/gateway.service (deleted)", "/gate way.service", "/gäteway.service",
    "/gateway.Service", "/gateway.service\t", "/gateway.service.", "/gateway.servicex",
    "/gateway/service", "/./gateway.service", "/a%b.service", "/a*.service", "/\"a\".service",
  ])
  func `anything else is none`(path: String) {
    #expect(unit(at: path) == nil)
  }

  @Test func `names are as long as systemd lets them be`() {
    let longest = String(repeating: "a", count: 255 - 8) + ".service"
    #expect(unit(at: "/system.slice/\(longest)") == longest)
    #expect(unit(at: "/system.slice/_\(longest)") == longest)
    #expect(unit(at: "/system.slice/a\(longest)") == nil)
  }

  @Test(arguments: [
    // Version 2 alone.
    ("0::/system.slice/a.service\n", "a.service"),
    // Both kept by systemd.
    (
      "12:pids:/system.slice/a.service\n1:name=systemd:/system.slice/a.service\n"
        + "0::/system.slice/a.service\n", "a.service"
    ),
    ("1:name=systemd:/a.service\n0::/system.slice/a.service\n", "a.service"),
    // Version 1 alone: version 2 is always listed.
    ("4:memory:/other\n1:name=systemd:/system.slice/a.service\n0::/\n", "a.service"),
    ("1:name=systemd:/system.slice/a.service\n", "a.service"),
    // Version 2, and somebody has mounted the old hierarchy for containers.
    ("1:name=systemd:/\n0::/system.slice/a.service\n", "a.service"),
    // Other hierarchies say nothing, whatever they hold.
    ("5:name=other:/b.service\n3:cpu,cpuacct:/c.service\n0::/a.service\n", "a.service"),
    ("7:name=systemd,cpu:/b.service\n0::/a.service\n", "a.service"),
    ("3:net_cls,net_prio:/with:colon\n0::/a:b.service\n", "a:b.service"),
  ])
  func `one hierarchy names the unit, or both name the same`(text: String, expected: String) {
    #expect(unit(text) == expected)
  }

  @Test(arguments: [
    "", "\n", "0::/a.service", "0::/a.service\n\n", "\n0::/a.service\n", "0::a.service\n",
    "0:/a.service\n", ":: /a.service\n", "::/a.service\n", "x::/a.service\n", "-1::/a.service\n",
    "1::/a.service\n", "0:cpu:/a.service\n", "00000000000::/a.service\n",
    "0::/a.service\n0::/a.service\n", "0::/a.service\ngarbage\n", "0::/a.service\r\n",
    "1:name=systemd:/a.service\n2:name=systemd:/a.service\n", "9:pids:/a.service\n",
    // They disagree.
    "1:name=systemd:/b.service\n0::/a.service\n",
    "1:name=systemd:/../a.service\n0::/a.service\n",
    "1:name=systemd:/a.service\n0::/system.slice\n",
    "1:name=systemd:/user.slice\n0::/a.service\n",
    "0::/a.service\u{0}\n",
  ])
  func `a text that is odd names none`(text: String) {
    #expect(unit(text) == nil)
  }

  @Test func `octets that are no text name none`() {
    for octet in UInt8(0x80)...0xFF {
      #expect(
        ControlGroups.unit(in: Array("0::/a".utf8) + [octet] + Array(".service\n".utf8)) == nil)
    }
  }
}
