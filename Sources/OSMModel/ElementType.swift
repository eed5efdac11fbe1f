// The kinds of elements an Overpass answer can hold, and their identity.

/// The kind of an element in an answer.
///
/// `node`, `way` and `relation` are OSM's own types. `area` is the server's precomputed area.
/// `derived` stands for everything a query makes itself (`out count`, `make`, `convert`); such an
/// element carries the type name its author chose (``DerivedTable/typeNames``).
@frozen public enum ElementType: UInt8, Sendable, Hashable, CaseIterable {
  case node = 1
  case way = 2
  case relation = 3
  case area = 4
  case derived = 5

  /// The name used in queries and answers; `nil` for derived elements, which choose their own.
  @inlinable public var name: StaticString? {
    switch self {
    case .node: "node"
    case .way: "way"
    case .relation: "relation"
    case .area: "area"
    case .derived: nil
    }
  }
}

/// The identity of an OSM element: its type and its number. The three number spaces are independent.
@frozen public struct ElementID: Sendable, Hashable {
  public var type: ElementType
  public var number: Int64

  @inlinable public init(_ type: ElementType, _ number: Int64) {
    self.type = type
    self.number = number
  }

  /// Stands for "no id in the answer" (`out noids`). No OSM element has this number.
  @inlinable public static var unknownNumber: Int64 { .min }
}

/// Where an element stands in a ``Dataset``: a row of the table of its type.
@frozen public struct ElementIndex: Sendable, Hashable {
  public var type: ElementType
  public var row: Int

  @inlinable public init(_ type: ElementType, _ row: Int) {
    self.type = type
    self.row = row
  }
}
