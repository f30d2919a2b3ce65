import AccessPolicy
import VaultAPI
import WireCoding

extension VaultMethod {
  /// The methods that a policy decides about.
  static let governed: [VaultMethod] = allCases.filter { $0.scope != .none }

  /// What a call is about.
  ///
  /// - Parameter namespace: the namespace that it names.
  /// - Returns: `nil` when the policy does not decide about the method.
  func target(_ namespace: NamespaceName?) -> PolicyTarget? {
    switch scope {
    case .none: nil
    case .vault: .vault
    case .namespace, .filtered: namespace.map { .namespace($0) } ?? .filtered
    }
  }
}

extension VaultRequest {
  /// What the call is about; `nil` when the policy does not decide about its method.
  var target: PolicyTarget? {
    if case .namespaceRevoke(let params) = self, case .prefix(let name) = params.target {
      return .subtree(name)
    }
    return method.target(namespace)
  }
}
