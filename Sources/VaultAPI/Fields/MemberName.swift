/// The names of the members of one kind of parameter object, at most 32.
protocol MemberName: RawRepresentable<String>, CaseIterable, Sendable {}
