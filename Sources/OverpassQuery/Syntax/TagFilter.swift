// Filters on the tags of an element.

extension Query {
  /// A condition on the tags of an element.
  ///
  /// Regular expressions are POSIX extended ones; here they stand as the server's regex engine gets
  /// them, without the escapes of the query's string layer, which the printers add.
  ///
  /// Source: Overpass QL, "By tag (has-kv)"
  public enum TagFilter: Sendable, Hashable {
    /// `["key"]`
    case exists(String)
    /// `["key"="value"]`. With an empty value the server drops the filter; see `check()`.
    case equals(String, String)
    /// `["key"!="value"]`: another value or no such key. With an empty value the server drops the
    /// filter.
    case notEquals(String, String)
    /// `["key"~"regex"]`. With an empty pattern the server only asks whether the key exists.
    case matches(String, Pattern)
    /// `["key"!~"regex"]`: a value that does not match or no such key.
    case notMatches(String, Pattern)
    /// `[~"key regex"~"value regex"]`: a tag whose key and value match. Letter case is ignored in both
    /// or in none.
    case keyMatches(String, Pattern)

    /// `[!"key"]`: no such key. To the server this is the same as a value that does not match `.*`.
    public static func absent(_ key: String) -> TagFilter { .notMatches(key, anything) }

    /// Whether the filter asks for a key to be absent.
    public var isAbsence: Bool {
      if case .notMatches(_, TagFilter.anything) = self { true } else { false }
    }

    static let anything = Pattern(".*")
  }

  /// A POSIX extended regular expression. It matches anywhere in a value unless anchored.
  public struct Pattern: Sendable, Hashable, ExpressibleByStringLiteral {
    public var text: String
    /// `,i`
    public var ignoresCase: Bool

    public init(_ text: String, ignoresCase: Bool = false) {
      self.text = text
      self.ignoresCase = ignoresCase
    }

    public init(stringLiteral value: String) { self.init(value) }
  }
}
