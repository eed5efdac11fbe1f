// The tables of a Dataset: nodes, ways, relations, and what a query derived.

/// Nodes.
public struct NodeTable: ~Copyable, Sendable {
  public var elements = ElementTable()
  /// ``Coordinate/undefined`` where the answer gives no position (`out ids`, `out tags`).
  public var positions = Column<Coordinate>()

  public init() {}

  @inlinable public var count: Int { elements.count }
}

/// A run of positions in a table's `inlinePositions`.
@frozen public struct PositionRange: Sendable, Hashable, BitwiseCopyable {
  public var start: UInt32
  public var count: UInt32

  @inlinable public init(start: UInt32, count: UInt32) {
    self.start = start
    self.count = count
  }

  /// The answer has no geometry here, which is not the same as an empty one.
  @inlinable public static var absent: PositionRange { PositionRange(start: .max, count: 0) }
}

/// Ways: their nodes, and the positions that `out geom` prints with them.
public struct WayTable: ~Copyable, Sendable {
  public var elements = ElementTable()
  /// The end of each row's nodes in `refs`.
  public var refEnds = Column<UInt32>()
  public var refs = Column<Int64>()
  /// Positions printed by `out geom`; those clipped away are ``Coordinate/undefined``.
  public var geometries = OptionalColumn<PositionRange>(absent: .absent)
  public var inlinePositions = Column<Coordinate>()

  public init() {}

  @inlinable public var count: Int { elements.count }

  /// The ids of a way's nodes, in order.
  @inlinable public func refs(_ row: Int) -> UnsafeBufferPointer<Int64> {
    slice(refs, ends: refEnds, row: row)
  }

  /// Where a way's node ids stand in `refs`.
  @inlinable public func refRange(_ row: Int) -> Range<Int> {
    (row == 0 ? 0 : Int(refEnds[row - 1]))..<Int(refEnds[row])
  }

  /// The positions printed with a way, or `nil` if there were none.
  @inlinable public func inlineGeometry(_ row: Int) -> UnsafeBufferPointer<Coordinate>? {
    positions(of: geometries[row], in: inlinePositions)
  }
}

/// One member of a relation.
@frozen public struct Member: Sendable, Hashable, BitwiseCopyable {
  public var ref: Int64
  public var role: StringID
  /// The raw value of ``type``, as C reads it in place: an enum's own memory holds another number.
  public var typeCode: UInt8

  @inlinable public var type: ElementType {
    get { ElementType(rawValue: typeCode) ?? .node }
    set { typeCode = newValue.rawValue }
  }

  @inlinable public init(type: ElementType, ref: Int64, role: StringID) {
    self.ref = ref
    self.role = role
    typeCode = type.rawValue
  }
}

extension ElementType: BitwiseCopyable {}

/// Relations: their members, and the positions that `out geom` prints with them.
public struct RelationTable: ~Copyable, Sendable {
  public var elements = ElementTable()
  /// The end of each row's members in `members`.
  public var memberEnds = Column<UInt32>()
  public var members = Column<Member>()
  /// Per member (not per row): positions of ways, one position of nodes.
  public var memberGeometries = OptionalColumn<PositionRange>(absent: .absent)
  public var inlinePositions = Column<Coordinate>()

  public init() {}

  @inlinable public var count: Int { elements.count }

  /// The members of a relation, in order.
  @inlinable public func members(_ row: Int) -> UnsafeBufferPointer<Member> {
    slice(members, ends: memberEnds, row: row)
  }

  /// Where a relation's members stand in `members`.
  @inlinable public func memberRange(_ row: Int) -> Range<Int> {
    (row == 0 ? 0 : Int(memberEnds[row - 1]))..<Int(memberEnds[row])
  }

  /// The positions printed with the member at `index` of `members`, or `nil`.
  @inlinable public func inlineGeometry(member index: Int) -> UnsafeBufferPointer<Coordinate>? {
    positions(of: memberGeometries[index], in: inlinePositions)
  }
}

/// Areas, counts, and elements that a query made: kept as they came.
public struct DerivedTable: ~Copyable, Sendable {
  public var elements = ElementTable()
  /// The type name of each row, such as `area`, `count` or a name the query's author chose.
  public var typeNames = Column<StringID>()
  /// The geometry of each row; kind `none` where the answer gives none.
  public var geometries: [Geometry] = []

  public init() {}

  @inlinable public var count: Int { elements.count }
}

@inlinable @inline(__always)
func positions(
  of range: PositionRange?, in column: borrowing Column<Coordinate>
) -> UnsafeBufferPointer<Coordinate>? {
  guard let range else { return nil }
  let start = Int(range.start)
  return UnsafeBufferPointer(rebasing: column.buffer[start..<start + Int(range.count)])
}
