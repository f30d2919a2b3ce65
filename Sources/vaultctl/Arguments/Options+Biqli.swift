import CommandLineOptions
import VaultAPI

extension Options {
  // The state of an installation of an app.

  static let biqliApp = Option<String>.text(
    "app", value: "ID", help: "the app, biq_mapp_ and 26 characters", .required)
  static let biqliMarker = Option<String>.text(
    "marker", value: "FILE",
    help: "the marker of the installation, 16 to 64 bytes; - is standard input", .required)
  static let biqliKey = Option<String>.text(
    "key", value: "KEY", help: "the publishable key of the app; without it the stored one stays")
  static let biqliLink = Option<String>.text(
    "link", value: "FILE", help: "a link that opened the app; - is standard input")
  static let biqliToken = Option<String>.text(
    "token", value: "FILE", help: "a handoff token; - is standard input")
  static let biqliPlatform = Option<BiqliPlatform>.choice(
    "platform", value: "PLATFORM", help: "what the app runs on: ios or android", .required)
  static let biqliSystem = Option<String>.text(
    "os-version", value: "VERSION", help: "the version of the system", .required)
  static let biqliSDK = Option<String>.text(
    "sdk-version", value: "VERSION", help: "the version of the SDK", .required)
  static let biqliVersion = Option<String>.text(
    "app-version", value: "VERSION", help: "the version of the app")
  static let biqliDomain = Option<String>.text(
    "domain", value: "DOMAIN", help: "the attribution domain, which counts where there is no link")
  static let biqliProbabilistic = Option<Bool>.flag(
    "probabilistic", help: "matching may be probabilistic: the person has agreed to it")
  static let biqliBody = Option<String>.text(
    "out", value: "FILE", help: "writes the body there, a new file; - is standard output")
  static let biqliStatus = Option<Int>.number(
    "status", help: "the HTTP status of the refusal; without it there was no answer", in: 300...599)
  static let biqliCode = Option<String>.text(
    "code", value: "CODE", help: "the code in the body of the refusal")
  static let biqliDrop = Option<String>.text(
    "drop", value: "EVENT", help: "gives this event up, if it is the one that is shown")
}
