// Features as arrays, for callers to whom a call for each feature costs much.

import OSMModel
import Synchronization

/// Identities, tags and kinds of geometry of all features that can be drawn, as columns. Made by
/// ``FeatureSet/arrays(withPositions:)``.
public struct FeatureArrays: ~Copyable, Sendable {
  /// The place of each feature in its set.
  public var indices = Column<Int>()
  /// ``ElementID/unknownNumber`` where the answer names none.
  public var ids = Column<Int64>()
  /// Raw values of ``ElementType``.
  public var types = Column<UInt8>()
  /// Raw values of ``GeometryKind``.
  public var kinds = Column<UInt8>()
  /// The end of each feature's tags in ``tags``.
  public var tagEnds = Column<Int>()
  public var tags = Column<Tag>()
  /// The end of each feature's positions in ``positions``; empty unless asked for.
  public var positionEnds = Column<Int>()
  /// All positions of a feature, its parts one behind the other.
  public var positions = Column<Coordinate>()
  /// The end of each line or ring in ``positions``.
  public var partEnds = Column<Int>()
  /// The end of each feature's lines and rings in ``partEnds``; points and collections have none.
  public var featurePartEnds = Column<Int>()
  /// The end of each polygon in ``partEnds``.
  public var polygonEnds = Column<Int>()
  /// The end of each feature's polygons in ``polygonEnds``.
  public var featurePolygonEnds = Column<Int>()

  public init() {}

  public var count: Int { indices.count }

  fileprivate mutating func append(_ feature: Feature, _ kind: GeometryKind) {
    let id = feature.id
    indices.append(feature.index)
    ids.append(id.number)
    types.append(id.type.rawValue)
    kinds.append(kind.rawValue)
    let own = feature.tags
    tags.append(contentsOf: own.own)
    for tag in own.inherited { tags.append(tag) }
    tagEnds.append(tags.count)
  }

  fileprivate mutating func append(_ geometry: Geometry) {
    let (positionStart, partStart) = (positions.count, partEnds.count)
    append(positionsOf: geometry)
    positionEnds.append(positions.count)
    for end in geometry.partEnds { partEnds.append(positionStart + end) }
    featurePartEnds.append(partEnds.count)
    for end in geometry.polygonEnds { polygonEnds.append(partStart + end) }
    featurePolygonEnds.append(polygonEnds.count)
  }

  private mutating func append(positionsOf geometry: Geometry) {
    geometry.coordinates.withUnsafeBufferPointer { positions.append(contentsOf: $0) }
    for member in geometry.members { append(positionsOf: member) }
  }

  fileprivate mutating func append(_ other: borrowing FeatureArrays) {
    let (tagStart, positionStart) = (tags.count, positions.count)
    let (partStart, polygonStart) = (partEnds.count, polygonEnds.count)
    indices.append(contentsOf: other.indices.buffer)
    ids.append(contentsOf: other.ids.buffer)
    types.append(contentsOf: other.types.buffer)
    kinds.append(contentsOf: other.kinds.buffer)
    tags.append(contentsOf: other.tags.buffer)
    positions.append(contentsOf: other.positions.buffer)
    for end in other.tagEnds.buffer { tagEnds.append(tagStart + end) }
    for end in other.positionEnds.buffer { positionEnds.append(positionStart + end) }
    for end in other.partEnds.buffer { partEnds.append(positionStart + end) }
    for end in other.featurePartEnds.buffer { featurePartEnds.append(partStart + end) }
    for end in other.polygonEnds.buffer { polygonEnds.append(partStart + end) }
    for end in other.featurePolygonEnds.buffer { featurePolygonEnds.append(polygonStart + end) }
  }
}

extension FeatureSet {
  /// All features that can be drawn, as arrays. Geometries are built for it, on several threads where
  /// that pays.
  public func arrays(withPositions: Bool = false) -> FeatureArrays {
    let parts = Mutex<[ArraysPart]>([])
    inParallel(count, blocksOf: 2_048) { next in
      var assembler = self.makeAssembler()
      var geometry = Geometry()
      while let block = next() {
        var arrays = FeatureArrays()
        for index in block {
          let info = assembler.geometry(of: index, into: &geometry)
          guard info.kind != .none else { continue }
          arrays.append(self.feature(index), info.kind)
          if withPositions { arrays.append(geometry) }
        }
        let part = ArraysPart(block.lowerBound, arrays)
        parts.withLock { $0.append(part) }
      }
    }
    var result = FeatureArrays()
    for part in parts.withLock({ $0.sorted { $0.start < $1.start } }) { result.append(part.arrays) }
    return result
  }
}

/// The arrays of a block of features.
private final class ArraysPart: Sendable {
  let start: Int
  let arrays: FeatureArrays

  init(_ start: Int, _ arrays: consuming FeatureArrays) {
    self.start = start
    self.arrays = arrays
  }
}
