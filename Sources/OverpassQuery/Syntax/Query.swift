// The root of the syntax tree: one whole Overpass query as a value.

import OSMModel

/// A query in the Overpass query language: its settings and its statements, as values.
///
/// The tree says everything that the language of server 0.7.62 can say. It is built by
/// ``QueryBuilder``, read from text by the parsers, printed by ``ql(_:)`` and ``xml(_:)``, and
/// evaluated on a local file by the engine. Names are those of the language itself.
///
/// ```swift
/// let query = try Query.nodes().tag("amenity", "cafe")
///   .boundingBox(south: 52.5, west: 13.3, north: 52.6, east: 13.5)
///   .build()
/// print(try query.ql())
/// ```
///
/// Two queries are equal when they say the same: white space, comments, spelling variants and
/// positions in a source text are no part of the value.
///
/// Source: https://wiki.openstreetmap.org/wiki/Overpass_API/Overpass_QL
public struct Query: Sendable, Hashable {
  /// What stands in front of the first semicolon.
  public var settings: Settings
  /// The statements, in the order in which the server executes them.
  public var statements: [Statement]

  public init(settings: Settings = Settings(), statements: [Statement] = []) {
    self.settings = settings
    self.statements = statements
  }
}

extension Query {
  /// The limits that keep hostile or broken input from exhausting the stack or the memory.
  ///
  /// They hold for parsing as well as for printing, so that what is parsed can be printed.
  public enum Limits {
    /// Blocks, unions, parentheses and function arguments inside each other. The server stops at
    /// 1023 nested statements; nobody writes a tenth of that by hand.
    public static let nesting = 200
    /// Operators in one expression without parentheses: `a || b || c …`.
    public static let operators = 1000
    /// Bytes of a query text; the server's own limit is 1 MiB by default.
    public static let textBytes = 64 << 20
  }
}
