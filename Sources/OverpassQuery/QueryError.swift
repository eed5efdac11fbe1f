// What can be wrong with a query that was built or changed by a program.

/// The reason why a query cannot be built or printed.
///
/// Errors in query *texts* have positions and are reported as ``QuerySyntaxError``.
public struct QueryError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, for programs. Raw values are stable and may only be added to.
  public enum Kind: UInt8, Sendable, Hashable, CaseIterable {
    /// No type of element was chosen.
    case noElementType = 1
    /// A query without any filter, set or area would ask for the whole planet.
    case unrestricted = 2
    /// A timeout that is not a positive number of seconds.
    case invalidTimeout = 3
    /// A memory limit that is not a positive number of bytes.
    case invalidMaxsize = 4
    /// Corners that are no numbers, out of range, or south above north.
    case invalidBoundingBox = 5
    /// A position that is no number or out of range.
    case invalidPosition = 6
    /// A radius or size in metres that is negative or no number.
    case invalidDistance = 7
    /// A polygon with fewer than three positions.
    case invalidPolygon = 8
    /// A tag filter without key.
    case emptyKey = 9
    /// A list that has to have at least one entry: values, numbers, users.
    case emptyList = 10
    /// A NUL or control character, or another one that the target language cannot carry.
    case invalidCharacter = 11
    /// An element number, user number or version that is not positive.
    case invalidNumber = 12
    /// The name of a set that the server would not read as one.
    case invalidSetName = 13
    /// A type name or key that the server would not read as one word.
    case invalidName = 14
    /// A date outside the server's notation.
    case invalidTimestamp = 15
    /// A limit that is negative or out of the server's range.
    case invalidLimit = 16
    /// A regular expression that is no POSIX extended one.
    case invalidRegex = 17
    /// A statement where the server does not allow it, such as `out` in a union.
    case misplacedStatement = 18
    /// A recurse filter on the wrong kind of elements or with the wrong restriction.
    case invalidRecursion = 19
    /// An evaluator of the wrong type, or outside the context in which it has a value.
    case invalidEvaluator = 20
    /// The same property twice in `make` or `convert`.
    case duplicateProperty = 21
    /// Deeper or longer than ``Query/Limits`` allow.
    case tooDeep = 22
    /// The XML form has no way to say this.
    case notExpressibleInXML = 23
    /// Overpass QL has no way to say this.
    case notExpressibleInQL = 24
    /// An output format without what it needs, such as CSV without columns.
    case invalidOutput = 25
  }

  public var kind: Kind
  /// One sentence for people; it names the value at fault.
  public var message: String

  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  public var description: String { message }
}
