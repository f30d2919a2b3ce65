/// The version of the product.
public enum Version {
  /// Semantic version; the same for daemon and tools.
  public static let current = "0.1.0"
}
