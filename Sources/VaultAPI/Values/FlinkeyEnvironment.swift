/// Which of the vendor's two systems something belongs to.
public enum FlinkeyEnvironment: String, CaseIterable, Hashable, Sendable {
  /// For acceptance tests.
  case uat
  case production
}
