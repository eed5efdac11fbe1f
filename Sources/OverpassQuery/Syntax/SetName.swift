// The names under which a query keeps its intermediate results.

extension Query {
  /// The name of a set of elements: `_`, the default, or a name like `.cafes` in the text.
  ///
  /// A name is a letter or underscore, followed by letters, digits and underscores (ASCII). Other
  /// names can be held, as they may come from a caller, but are refused when printed.
  ///
  /// Source: Overpass QL, "Sets"
  public struct SetName: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    public var name: String

    public init(_ name: String) { self.name = name }
    public init(stringLiteral value: String) { self.name = value }

    /// The default set, which every statement reads and writes unless told otherwise.
    public static let `default` = SetName("_")

    public var description: String { name }

    /// Whether the server's tokenizer reads the name as one word.
    public var isValid: Bool { isIdentifier(name) }
  }
}

/// Whether `text` is one word to the server's tokenizer.
func isIdentifier(_ text: String) -> Bool {
  var isFirst = true
  for byte in text.utf8 {
    guard isFirst ? isWordStart(byte) : isWordPart(byte) else { return false }
    isFirst = false
  }
  return !isFirst
}

/// A letter or underscore. The server knows letters of ASCII alone.
@inline(__always) func isWordStart(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "_"):
    true
  default: false
  }
}

@inline(__always) func isDigit(_ byte: UInt8) -> Bool {
  byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
}

@inline(__always) func isWordPart(_ byte: UInt8) -> Bool { isWordStart(byte) || isDigit(byte) }
