/// What an app runs on.
public enum BiqliPlatform: String, CaseIterable, Hashable, Sendable {
  case ios, android
}
