import AccessPolicy
import Foundation
import Glibc
import Testing
import VaultServer
import VaultServerTestSupport

/// What takes other processes: foreign users, passed sockets and descriptors, signals, activation.
@Suite struct ProcessTests {
  private func forbidden() -> String {
    String(decoding: FramingRefusal.forbidden.line, as: UTF8.self)
  }

  private static let connect = """
    import os,sys,socket,signal
    signal.alarm(10)
    s=socket.socket(socket.AF_UNIX)
    def lines(): return s.makefile().read()
    def ask(request):
      # A refused connection may be closed before the request is out.
      try: s.send(request)
      except BrokenPipeError: pass
      return s.makefile().readline()

    """

  @Test(.enabled(if: geteuid() == 0, "needs root to become another user"))
  func `a user who is not named is refused`() throws {
    let server = try TestServer()
    let script =
      Self.connect + "os.setgroups([]); os.setgid(12345); os.setuid(12345)\n"
      + "s.connect(sys.argv[1]); print(lines(), end='')"
    let result = try Script(script, [server.path()]).run()
    #expect(result.output == forbidden() + "\n", "\(result.errors)")
    #expect(server.service.refusals == [.forbidden])
    #expect(server.server.connectionCount == 0)
  }

  @Test(
    .enabled(if: geteuid() == 0, "needs root to become another user"),
    arguments: [
      ("os.setgroups([]); os.setgid(500); os.setuid(12345)", true),
      ("os.setgroups([]); os.setgid(777); os.setuid(500)", true),
      ("os.setgroups([3,777,9]); os.setgid(500); os.setuid(500)", true),
      ("os.setgroups([12345]); os.setgid(12345); os.setuid(500)", false),
      ("os.setgroups([]); os.setgid(777); os.setuid(65534)", false),
      ("os.setgroups(list(range(1000,1200))+[777]); os.setgid(500); os.setuid(500)", true),
      ("os.setgroups([]); os.setgid(500); os.setuid(4242)", true),
    ])
  func `named users, groups and whom the closure admits may connect`(
    become: String, isAdmitted: Bool
  ) throws {
    var configuration = Configuration()
    configuration.allowedUsers = [12345]
    configuration.allowedGroups = [777]
    let admission = Admission(configuration) { caller, endpoint in
      caller.uid == 4242 && endpoint == .client
    }
    let server = try TestServer(configuration, admission)
    let script =
      Self.connect + become + "\n"
      + "s.connect(sys.argv[1]); print(ask(b'who\\n'), end='')"
    let result = try Script(script, [server.path()]).run()
    let isServed = result.output.hasSuffix(" client\n")
    #expect(isServed == isAdmitted, "\(result)")
    #expect((result.output == forbidden() + "\n") == !isAdmitted)
  }

  @Test(
    arguments: [
      ("os.setgroups([]); os.setgid(500); os.setuid(12345)", false),
      ("os.setgroups([777]); os.setgid(500); os.setuid(500)", false),
      ("os.setgroups([]); os.setgid(500); os.setuid(54321)", true),
      ("os.setgroups([888]); os.setgid(500); os.setuid(500)", true),
    ])
  func `users of the client socket do not get to the admin socket`(
    become: String, isAdmitted: Bool
  ) throws {
    var configuration = Configuration()
    configuration.allowedUsers = [12345]
    configuration.allowedGroups = [777]
    configuration.adminUsers = [54321]
    configuration.adminGroups = [888]
    let server = try TestServer(configuration, Admission(configuration))
    let script =
      Self.connect + become + "\n"
      + "s.connect(sys.argv[1]); print(ask(b'who\\n'), end='')"
    let result = try Script(script, [server.path(.admin)]).run()
    #expect(result.output.hasSuffix(" admin\n") == isAdmitted, "\(result)")
    #expect((result.output == forbidden() + "\n") == !isAdmitted)
  }

  @Test func `another process that writes to a passed socket is cut off`() throws {
    let server = try TestServer()
    let script =
      Self.connect + """
        s.connect(sys.argv[1]); f=s.makefile()
        s.send(b'echo own\\n'); print(f.readline(), end='', flush=True)
        if os.fork() == 0:
          s.send(b'echo foreign\\n'); os._exit(0)
        os.wait()
        print('rest:', repr(f.read()))
        """
    let result = try Script(script, [server.path()]).run()
    #expect(result.output == "own\nrest: ''\n", "\(result.errors)")
    #expect(server.service.lineCount == 1)
  }

  @Test func `descriptors that are sent along are not kept`() throws {
    let server = try TestServer()
    let script =
      Self.connect + """
        s.connect(sys.argv[1]); f=s.makefile()
        r,w=os.pipe()
        for n in (1,3,200):
          socket.send_fds(s,[b'echo %d\\n' % n],[w]*n); print(f.readline(), end='')
        os.close(w)
        print('end of pipe:', os.read(r,1) == b'')
        """
    let result = try Script(script, [server.path()]).run()
    #expect(result.output == "1\n3\n200\nend of pipe: True\n", "\(result.errors)")
  }

  private func startDaemon(_ arguments: [String], runtime: String) throws -> Script {
    let daemon = Script(program: Script.daemonPath, arguments)
    try daemon.start()
    let path = runtime + "/admin/vault.sock"
    #expect(eventually { (try? TestClient(path)) != nil })
    return daemon
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func `a signal ends the daemon in order, with answers for what is in flight`(
    signal: Int32
  ) throws {
    let directory = try TemporaryDirectory()
    let daemon = try startDaemon([directory.path], runtime: directory.path)
    let path = directory.path + "/client/vault.sock"
    let client = try TestClient(path)
    client.send("echo before\nslow a\n")
    #expect(client.line() == "before")
    let other = try TestClient(path)
    other.send("echo in\n")
    #expect(other.line() == "in")
    daemon.signal(SIGHUP)
    daemon.signal(signal)
    // The daemon reads no more, and ends when the slow answer is out.
    #expect(other.isAtEnd())
    #expect(client.linesToEnd() == ["a"])
    let result = daemon.finish()
    #expect(result.status == 0)
    #expect(result.output == "ended in order: 3 requests\n", "\(result.errors)")
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `takes over the sockets that systemd passes, and leaves them open for the next start`()
    throws
  {
    let directory = try TemporaryDirectory()
    let script =
      Self.connect + """
        import subprocess
        base=sys.argv[1]; socks=[]
        for n in ('client','admin'):
          l=socket.socket(socket.AF_UNIX); l.bind(base+'/'+n); l.setsockopt(1,16,1); l.listen(); socks.append(l)
        def start():
          pid=os.fork()
          if pid: return pid
          os.dup2(socks[0].fileno(),100); os.dup2(socks[1].fileno(),101)
          os.dup2(100,3); os.dup2(101,4)
          os.environ.update(LISTEN_PID=str(os.getpid()),LISTEN_FDS='2',LISTEN_FDNAMES='client:admin')
          os.execv(sys.argv[2],[sys.argv[2],'--activated'])
        for round in (1,2):
          pid=start()
          try:
            for n in ('client','admin'):
              c=socket.socket(socket.AF_UNIX); c.connect(base+'/'+n); c.send(b'who\\n')
              print(c.makefile().readline().split()[2], flush=True)
          finally: os.kill(pid,15); os.waitpid(pid,0)
        """
    let result = try Script(script, [directory.path, Script.daemonPath]).run()
    let lines = result.output.split(separator: "\n").filter { !$0.hasPrefix("ended") }
    #expect(lines == ["client", "admin", "client", "admin"], "\(result.errors)")
  }

  @Test(arguments: [
    ("stream", "client:client", "two descriptors are named client"),
    ("stream", "client:other", "a descriptor is named \"other\", not client or admin"),
    ("stream", "client", "LISTEN_FDNAMES has 1 names for 2 descriptors"),
    ("bare", "client:admin", "client does not pass credentials; set PassCredentials=yes"),
    ("dgram", "client:admin", "admin is not a listening Unix stream socket"),
    ("inet", "client:admin", "admin is not a listening Unix stream socket"),
    ("quiet", "client:admin", "admin is not a listening Unix stream socket"),
    ("file", "client:admin", "admin is not a listening Unix stream socket"),
  ])
  func `refuses passed descriptors that are not what they should be`(
    kind: String, names: String, message: String
  ) throws {
    let directory = try TemporaryDirectory()
    let script =
      Self.connect + """
        base,program,kind,names=sys.argv[1:]
        def unix(name, type=socket.SOCK_STREAM, listen=True):
          l=socket.socket(socket.AF_UNIX,type); l.bind(base+'/'+name)
          l.setsockopt(1,16,int(kind!='bare'))
          if listen: l.listen()
          return l
        first=unix('client')
        if kind in ('stream','bare'): second=unix('admin')
        if kind=='dgram': second=unix('admin',socket.SOCK_DGRAM,False)
        if kind=='quiet': second=unix('admin',listen=False)
        if kind=='inet': second=socket.create_server(('127.0.0.1',0))
        if kind=='file': second=open('/dev/null')
        os.dup2(first.fileno(),100); os.dup2(second.fileno(),101); os.dup2(100,3); os.dup2(101,4)
        os.environ.update(LISTEN_PID=str(os.getpid()),LISTEN_FDS='2',LISTEN_FDNAMES=names)
        os.execv(program,[program,'--activated'])
        """
    let result = try Script(script, [directory.path, Script.daemonPath, kind, names]).run()
    #expect(result.status == 70)
    #expect(result.errors.contains("socket activation: \(message)"), "\(result)")
  }

  @Test func `sockets passed to another process are not taken`() throws {
    let directory = try TemporaryDirectory()
    let daemon = Script(
      program: Script.daemonPath, [directory.path],
      environment: ["LISTEN_PID": "1", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "client:admin"])
    try daemon.start()
    let path = directory.path + "/client/vault.sock"
    #expect(eventually { (try? TestClient(path)) != nil })
    daemon.signal(SIGTERM)
    #expect(daemon.finish().status == 0)
  }

  @Test(arguments: ["", "@"])
  func `tells systemd when it serves and when it ends`(kind: String) throws {
    let directory = try TemporaryDirectory()
    let script =
      Self.connect + """
        import subprocess
        base,program,kind=sys.argv[1:]
        address=kind+base+'/notify'
        n=socket.socket(socket.AF_UNIX,socket.SOCK_DGRAM); n.bind(address.replace('@','\\0'))
        p=subprocess.Popen([program,base+'/run'],env=dict(os.environ,NOTIFY_SOCKET=address))
        print(n.recv(100).decode(), flush=True)
        s.connect(base+'/run/client/vault.sock'); p.terminate()
        print(n.recv(100).decode(), flush=True); p.wait()
        """
    let result = try Script(script, [directory.path, Script.daemonPath, kind]).run()
    #expect(result.output.hasPrefix("READY=1\nSTOPPING=1\n"), "\(result)")
  }

  @Test func `turns clients away when no descriptor is left, and recovers`() throws {
    let directory = try TemporaryDirectory()
    let script =
      Self.connect + """
        import subprocess,resource,time
        base,program=sys.argv[1:]
        limit=lambda: resource.setrlimit(resource.RLIMIT_NOFILE,(40,40))
        p=subprocess.Popen([program,base],preexec_fn=limit,stderr=subprocess.DEVNULL)
        path=base+'/client/vault.sock'
        while not os.path.exists(base+'/admin/vault.sock'): time.sleep(0.01)
        time.sleep(0.1)
        def ask():
          c=socket.socket(socket.AF_UNIX); c.connect(path)
          try: c.send(b'echo in\\n')
          except BrokenPipeError: pass
          return c, c.makefile().readline()
        served=[]
        while True:
          c,answer=ask()
          if answer!='in\\n': break
          served.append(c)
        print(10 < len(served) < 40, '"busy"' in answer)
        c,answer=ask(); print('"busy"' in answer)
        served[0].send(b'echo on\\n'); print(served[0].recv(100))
        for c in served[:5]: c.close()
        for i in range(100):
          c,answer=ask()
          if answer=='in\\n': break
          time.sleep(0.02)
        print(answer, end='', flush=True)
        p.terminate(); print(p.wait())
        """
    let result = try Script(script, [directory.path, Script.daemonPath]).run()
    let lines = result.output.split(separator: "\n").filter { !$0.hasPrefix("ended") }
    #expect(lines == ["True True", "True", "b'on\\n'", "in", "0"], "\(result)")
  }

  @Test func `the daemon cannot be dumped, and its input is empty`() throws {
    let directory = try TemporaryDirectory()
    let daemon = try startDaemon([directory.path], runtime: directory.path)
    let process = "/proc/\(daemon.processID)"
    let limits = try String(contentsOfFile: process + "/limits", encoding: .utf8)
    let core = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
    #expect(core?.split(separator: " ").suffix(3) == ["0", "0", "bytes"])
    if geteuid() == 0 {
      let input = try FileManager.default.destinationOfSymbolicLink(atPath: process + "/fd/0")
      #expect(input == "/dev/null")
    }
    let status = try String(contentsOfFile: process + "/status", encoding: .utf8)
    #expect(status.contains("Umask:\t0077"))
    // An undumpable process's files in /proc belong to root.
    let owner = try FileManager.default.attributesOfItem(atPath: process + "/mem")[.ownerAccountID]
    #expect((owner as? NSNumber)?.intValue == 0)
    daemon.signal(SIGTERM)
    #expect(daemon.finish().status == 0)
  }
}
