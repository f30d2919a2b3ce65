import CommandLineOptions
import VaultAPI

extension Options {
  // Tokens of flinkey and Tapkey.

  static let flinkeyEnvironment = Option<FlinkeyEnvironment>.choice(
    "environment", value: "ENVIRONMENT", help: "which of the vendor's systems: uat or production",
    .required)
  static let flinkeyCredentials = Option<String>.text(
    "credentials", value: "FILE",
    help: "a JSON object with api_key, user_name, password, sdk_key and customer_id; "
      + "- is standard input")
  static let flinkeyCustomer = Option<Int>.number(
    "customer-id", help: "the customer ID; the secrets are asked for on the terminal then",
    in: 1...9_007_199_254_740_992)
  static let flinkeyDrop = Option<Bool>.flag(
    "drop-tokens", help: "the tokens of all users go as well")
  static let flinkeyRemaining = Option<Int>.number(
    "min-remaining", help: "for how many seconds the token must still live; 60 unless given",
    in: 0...86_400)
  static let flinkeyShow = Option<Bool>.flag("show", help: "shows the token itself")
  static let flinkeyLease = Option<Int>.number(
    "lease-seconds", help: "for how many seconds the step is yours; 60 unless given", in: 10...300)
  static let flinkeyStep = Option<String>.text(
    "out", value: "FILE",
    help: "writes the step with its secrets there, JSON, a new file; - is standard output",
    .required)
  static let flinkeyToken = Option<String>.text(
    "token", value: "FILE", help: "the token that the step has brought; - is standard input")
  static let flinkeyExpires = Option<Int>.number(
    "expires-in", help: "for how many seconds it lives, unless it is an IdToken",
    in: 1...31_536_000)
  static let flinkeyTapkeyUser = Option<String>.text(
    "tapkey-user", value: "USER", help: "the user that a Tapkey token is for, in Tapkey's words")
  static let flinkeyFailure = Option<FlinkeyFailureReason>.choice(
    "failure", value: "REASON",
    help: "why there is none: no_answer, http_status, oauth_error or assignment_ended")
  static let flinkeyStatus = Option<Int>.number(
    "status", help: "the HTTP status, with http_status", in: 100...599)
  static let flinkeyOAuthError = Option<String>.text(
    "oauth-error", value: "ERROR", help: "the error, with oauth_error")
  static let flinkeyAction = Option<FlinkeyBoxActionName>.choice(
    "command", value: "ACTION",
    help: "makes the data of a command: unlock_car_unlock_box, unlock_car_lock_box, "
      + "lock_car_lock_box, status or read_nfc")
  static let flinkeyTags = Option<Bool>.flag(
    "read-nfc", help: "the command also reads the NFC tags in the box")
  static let flinkeyFeedback = Option<String>.text(
    "feedback", value: "BASE64", help: "reads what the box has answered")
}
