// What can be wrong with a map that is put together in code.

/// Why a part of a map cannot be. A viewer would refuse the whole document for most of these and
/// draw nothing, so that they are found out beforehand.
public struct MapStyleError: Error, Sendable, Equatable {
  public enum Kind: Sendable, Equatable, CaseIterable {
    /// A name that is empty or holds control characters.
    case name
    /// A name that another part has already.
    case duplicateName
    /// A tile URL that no viewer can fill in.
    case tileTemplate
    /// A zoom level or a position out of range.
    case zoom
    /// A text that is no colour.
    case color
    /// A URL that is not complete, or of a kind that is not allowed there.
    case url
    /// A number or key that makes no sense.
    case value
  }

  public var kind: Kind
  public var message: String

  public init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
}

/// Names are shown to people and tell sources and layers apart.
func checkName(_ name: String, _ what: String) throws(MapStyleError) {
  guard !name.isEmpty else { throw MapStyleError(.name, "\(what) has no name") }
  guard !name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
    throw MapStyleError(.name, "the name of \(what) holds control characters")
  }
}

/// - Parameter range: both ends included. What is not a number is in no range.
func checkNumber(
  _ value: Double, in range: ClosedRange<Double>, _ what: String,
  _ kind: MapStyleError.Kind = .value
) throws(MapStyleError) {
  guard range.contains(value) else {
    throw MapStyleError(
      kind, "\(what) is \(value), not between \(range.lowerBound) and \(range.upperBound)")
  }
}
