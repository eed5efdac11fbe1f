// What is reported about a query text or a query: errors and warnings with their places.

/// A place in a text.
public struct SourcePosition: Sendable, Hashable, Comparable {
  /// Bytes of UTF-8 before the place.
  public var offset: Int
  /// From 1; lines end in a line feed.
  public var line: Int
  /// From 1; in characters (Unicode scalars), as editors count them.
  public var column: Int

  public init(offset: Int, line: Int, column: Int) {
    self.offset = offset
    self.line = line
    self.column = column
  }

  public static func < (left: SourcePosition, right: SourcePosition) -> Bool {
    left.offset < right.offset
  }
}

/// One error or warning.
public struct Diagnostic: Sendable, Hashable, CustomStringConvertible {
  public enum Severity: UInt8, Sendable, Hashable, CaseIterable {
    /// The query works, perhaps not as meant.
    case warning = 1
    /// The server would refuse the query.
    case error = 2
  }

  /// What is wrong, for programs. Raw values are stable and may only be added to.
  public enum Code: UInt16, Sendable, Hashable, CaseIterable {
    // Texts.
    /// Nothing but white space.
    case emptyText = 1
    /// Larger than ``Query/Limits/textBytes``.
    case textTooLong = 2
    /// Bytes that are no UTF-8.
    case invalidEncoding = 3
    /// A string or comment without end.
    case unterminated = 4
    /// An escape sequence that means no character.
    case invalidEscape = 5
    /// A character that has no place in a query.
    case invalidCharacter = 6
    /// Something else than what has to stand there.
    case unexpected = 7
    /// The text ends too early.
    case unexpectedEnd = 8
    /// Deeper or longer than ``Query/Limits`` allow.
    case tooDeep = 9
    /// A macro like `{{bbox}}`, which belongs to overpass turbo, was left in the text.
    case unexpandedMacro = 10
    /// More errors than are worth reporting.
    case tooManyErrors = 11
    /// XML that is not well-formed.
    case malformedXML = 12

    // Words.
    case unknownStatement = 20
    case unknownSetting = 21
    case unknownFilter = 22
    case unknownFunction = 23
    case unknownOption = 24
    case unknownElement = 25
    case unknownAttribute = 26
    /// A value outside of what a setting, attribute or filter allows.
    case invalidValue = 27
    case missingAttribute = 28

    // Meaning.
    /// A query without any filter.
    case unrestricted = 40
    /// A statement where the server does not allow it.
    case misplacedStatement = 41
    /// Settings after the first statement.
    case misplacedSettings = 42
    case invalidRegex = 43
    case invalidTimestamp = 44
    case invalidRecursion = 45
    case invalidEvaluator = 46
    case duplicateProperty = 47

    // Checks.
    /// The server drops the part in question.
    case ignored = 60
    /// A value given twice.
    case overridden = 61
    /// A set that is read but never written.
    case unwrittenSet = 62
    /// A set that is written but never read.
    case unreadSet = 63
    /// Nothing is printed.
    case missingOut = 64
    /// Ways or relations are printed without their nodes or geometry.
    case missingRecursion = 65
    /// White space at the edge of a key or value.
    case surroundingBlanks = 66
    /// Filters that do not limit what the server has to look at.
    case wideQuery = 67
    /// A moment that is in no calendar.
    case implausibleTimestamp = 68
    /// The same set is printed several times.
    case repeatedOut = 69
    /// A number that is not what the server makes of it.
    case inexactNumber = 70
  }

  public var severity: Severity
  public var code: Code
  /// One sentence for people.
  public var message: String
  /// Where it begins; `nil` for a query that comes from no text.
  public var position: SourcePosition?
  /// How many bytes of the text are concerned.
  public var length: Int
  /// What stands there, if it was something else than expected.
  public var found: String?
  /// What could stand there.
  public var expected: [String]
  /// What was probably meant.
  public var suggestion: String?

  public init(
    _ severity: Severity, _ code: Code, _ message: String, position: SourcePosition? = nil,
    length: Int = 0, found: String? = nil, expected: [String] = [], suggestion: String? = nil
  ) {
    self.severity = severity
    self.code = code
    self.message = message
    self.position = position
    self.length = length
    self.found = found
    self.expected = expected
    self.suggestion = suggestion
  }

  /// `3:14: error: …`, as compilers print it.
  public var description: String {
    let place = position.map { "\($0.line):\($0.column): " } ?? ""
    let hint = suggestion.map { "; did you mean “\($0)”?" } ?? ""
    return place + (severity == .error ? "error: " : "warning: ") + message + hint
  }
}

/// A query text that the server would refuse.
public struct QuerySyntaxError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Errors and warnings in the order of the text, at least one error.
  public var diagnostics: [Diagnostic]

  public init(diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }

  /// The first error.
  public var first: Diagnostic? { diagnostics.first { $0.severity == .error } }

  public var description: String {
    var lines = ""
    for diagnostic in diagnostics {
      if !lines.isEmpty { lines += "\n" }
      lines += diagnostic.description
    }
    return lines
  }
}
