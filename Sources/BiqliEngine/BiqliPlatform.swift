/// What an app runs on.
package enum BiqliPlatform: String, CaseIterable, Hashable, Sendable {
  case ios, android
}
