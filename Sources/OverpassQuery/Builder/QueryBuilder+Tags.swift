// Tag filters of the builder.

extension QueryBuilder {
  private func tag(_ filter: Query.TagFilter, key: String, values: [String] = []) -> QueryBuilder {
    with { builder throws(QueryError) in
      let validator = Validator(hasGlobalBoundingBox: false)
      try validator.check(key: key, of: "a tag filter")
      for value in values { try validator.check(text: value, of: "the value for “\(key)”") }
      try validator.check(.tag(filter), on: .node)
      builder.append(.tag(filter))
    }
  }

  private func requireValue(_ value: String, of key: String) -> QueryError? {
    guard value.isEmpty else { return nil }
    return QueryError(
      .emptyList, "an empty value for “\(key)”: the server would drop the filter")
  }

  private func failing(_ error: QueryError) -> QueryBuilder {
    with { builder throws(QueryError) in throw error }
  }

  /// Elements that have the key, with any value.
  public func tag(_ key: String) -> QueryBuilder { tag(.exists(key), key: key) }

  /// Elements that do not have the key.
  public func withoutTag(_ key: String) -> QueryBuilder { tag(.absent(key), key: key) }

  /// Elements on which the key has exactly this value.
  public func tag(_ key: String, _ value: String) -> QueryBuilder {
    if let error = requireValue(value, of: key) { return failing(error) }
    return tag(.equals(key, value), key: key)
  }

  /// Elements on which the key has another value or does not exist.
  public func tag(_ key: String, not value: String) -> QueryBuilder {
    if let error = requireValue(value, of: key) { return failing(error) }
    return tag(.notEquals(key, value), key: key)
  }

  /// Elements on which the key has one of these values.
  ///
  /// - Parameters:
  ///   - values: at least one.
  ///   - ignoringCase: whether capital and small letters are the same.
  public func tag(
    _ key: String, oneOf values: [String], ignoringCase: Bool = false
  ) -> QueryBuilder {
    if let error = oneOfProblem(key, values) { return failing(error) }
    if values.count == 1, let value = values.first, !ignoringCase {
      return tag(.equals(key, value), key: key)
    }
    return tag(
      .matches(key, oneOfPattern(values, ignoringCase)), key: key, values: values)
  }

  /// Elements on which the key has none of these values or does not exist.
  public func tag(
    _ key: String, noneOf values: [String], ignoringCase: Bool = false
  ) -> QueryBuilder {
    if let error = oneOfProblem(key, values) { return failing(error) }
    if values.count == 1, let value = values.first, !ignoringCase {
      return tag(.notEquals(key, value), key: key)
    }
    return tag(
      .notMatches(key, oneOfPattern(values, ignoringCase)), key: key, values: values)
  }

  private func oneOfProblem(_ key: String, _ values: [String]) -> QueryError? {
    guard !values.isEmpty else {
      return QueryError(.emptyList, "the list of values for “\(key)” is empty")
    }
    return values.contains("")
      ? QueryError(.emptyList, "an empty value for “\(key)”: no tag has one") : nil
  }

  private func oneOfPattern(_ values: [String], _ ignoringCase: Bool) -> Query.Pattern {
    let alternatives = values.map { Query.escapedForRegex($0) }
    let text =
      alternatives.count == 1
      ? "^" + alternatives[0] + "$" : "^(" + alternatives.joined(separator: "|") + ")$"
    return Query.Pattern(text, ignoresCase: ignoringCase)
  }

  /// Elements on which the value contains this text; capital and small letters are the same.
  public func tag(
    _ key: String, contains text: String, ignoringCase: Bool = true
  ) -> QueryBuilder {
    literal(key, text, "", "", ignoringCase)
  }

  /// Elements on which the value starts with this text.
  public func tag(
    _ key: String, startsWith text: String, ignoringCase: Bool = false
  ) -> QueryBuilder {
    literal(key, text, "^", "", ignoringCase)
  }

  /// Elements on which the value ends with this text.
  public func tag(
    _ key: String, endsWith text: String, ignoringCase: Bool = false
  ) -> QueryBuilder {
    literal(key, text, "", "$", ignoringCase)
  }

  private func literal(
    _ key: String, _ text: String, _ prefix: String, _ suffix: String, _ ignoringCase: Bool
  ) -> QueryBuilder {
    if let error = requireValue(text, of: key) { return failing(error) }
    let pattern = prefix + Query.escapedForRegex(text) + suffix
    return tag(
      .matches(key, Query.Pattern(pattern, ignoresCase: ignoringCase)), key: key, values: [text])
  }

  /// Elements on which the value contains at least one of these characters.
  public func tag(
    _ key: String, containsAnyOf characters: some Sequence<Character>
  ) -> QueryBuilder {
    let characters = Array(characters)
    guard !characters.isEmpty else {
      return failing(QueryError(.emptyList, "the list of characters for “\(key)” is empty"))
    }
    return tag(
      .matches(key, Query.Pattern(Query.bracketExpression(anyOf: characters))), key: key)
  }

  /// Elements on which the value matches a POSIX extended regular expression. It is taken as it is,
  /// apart from the escapes of the query's own string layer.
  public func tag(
    _ key: String, matching pattern: String, ignoringCase: Bool = false
  ) -> QueryBuilder {
    if let error = requireValue(pattern, of: key) { return failing(error) }
    return tag(
      .matches(key, Query.Pattern(pattern, ignoresCase: ignoringCase)), key: key)
  }

  /// Elements on which the value does not match the expression, or the key does not exist.
  public func tag(
    _ key: String, notMatching pattern: String, ignoringCase: Bool = false
  ) -> QueryBuilder {
    if let error = requireValue(pattern, of: key) { return failing(error) }
    return tag(
      .notMatches(key, Query.Pattern(pattern, ignoresCase: ignoringCase)), key: key)
  }

  /// Elements with a tag whose key and value match.
  public func tag(
    keyMatching keyPattern: String, valueMatching pattern: String, ignoringCase: Bool = false
  ) -> QueryBuilder {
    tag(
      .keyMatches(keyPattern, Query.Pattern(pattern, ignoresCase: ignoringCase)), key: keyPattern)
  }
}
