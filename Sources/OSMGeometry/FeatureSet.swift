// The features of a dataset: which there are and in which order; geometry is built on request.

import OSMModel
import Synchronization

/// What a feature is made of.
enum FeatureSource: UInt8, Sendable {
  case node
  case way
  /// A way for which relations stand where they have an area.
  case coveredWay
  case relation
  case derived
  /// A simple multipolygon that appears as its outer way (profile osmtogeojson); the row is the
  /// relation's.
  case outerWay
  /// A member that is no element of the answer but comes with a geometry (profile osmtogeojson);
  /// the row is its place in `RelationTable.members`.
  case memberStub
}

/// One feature, not yet built.
struct FeatureEntry: Sendable, BitwiseCopyable {
  var row: UInt32
  var source: FeatureSource

  init(_ source: FeatureSource, _ row: Int) {
    self.row = UInt32(truncatingIfNeeded: row)
    self.source = source
  }
}

/// The features that a dataset holds by the conventions of a profile.
///
/// ```swift
/// let features = FeatureSet(dataset)
/// var assembler = features.makeAssembler()
/// var geometry = Geometry()
/// for index in 0..<features.count {
///   let info = assembler.geometry(of: index, into: &geometry)
///   if info.kind != .none { write(features.feature(index), geometry) }
/// }
/// ```
///
/// Making the set only decides which elements are features; geometry is built one feature at a
/// time and nothing of it is kept. So a feature may turn out to have no geometry (kind `none`):
/// writers leave it out, and ``problems()`` tells why.
///
/// - Complexity: O(n) for n elements and references, plus the sorting of relation members.
public final class FeatureSet: Sendable {
  /// The dataset; rows that are no states of today are blank in it.
  public let dataset: Dataset
  public let options: FeatureOptions
  let rules: TagRules
  let index: DatasetIndex
  let plan: RelationPlan
  let entries: [FeatureEntry]
  /// Elements that could have been features, but the answer has nothing of their geometry.
  let withoutGeometry: [ElementIndex]
  /// Relations left out because another one already stands for the same way.
  let repeatedRelations: [UInt32]

  /// - Parameter dataset: where it lists several states of elements, features are those of today:
  ///   neither old states nor deleted ones (``Dataset/isCurrent(_:)``).
  public init(_ dataset: Dataset, options: FeatureOptions = FeatureOptions()) {
    let dataset = dataset.currentStates() ?? dataset
    self.dataset = dataset
    self.options = options
    rules = TagRules(options, dataset.strings)
    index = DatasetIndex(dataset)
    plan = RelationPlan(dataset, index, rules, options)
    var selection = FeatureSelection(dataset, options, rules, index, plan)
    selection.run()
    entries = selection.entries
    withoutGeometry = selection.withoutGeometry
    repeatedRelations = selection.repeatedRelations
  }

  /// The number of features, including those whose geometry turns out to be empty.
  public var count: Int { entries.count }

  /// A feature, as a view of this set.
  public func feature(_ index: Int) -> Feature { Feature(features: self, index: index) }

  /// Something that builds geometries; one for each thread, used again and again.
  public func makeAssembler() -> FeatureAssembler { FeatureAssembler(self) }

  /// Builds one geometry. In a loop, ``makeAssembler()`` is faster.
  public func geometry(of index: Int, into geometry: inout Geometry) -> GeometryInfo {
    var assembler = makeAssembler()
    return assembler.geometry(of: index, into: &geometry)
  }

  /// How many features at least are worth a thread of their own.
  private static let share = 2_000

  /// The kinds of the geometries of the first features; all are built for it, on several threads where
  /// that pays.
  public func kinds(first limit: Int = .max) -> [GeometryKind] {
    let limit = max(min(limit, count), 0)
    return [GeometryKind](unsafeUninitializedCapacity: limit) { buffer, initialized in
      // Each thread writes a part of its own.
      nonisolated(unsafe) let kinds = buffer
      inParallel(limit, share: FeatureSet.share) { range in
        var assembler = self.makeAssembler()
        var geometry = Geometry()
        for index in range {
          let info = assembler.geometry(of: index, into: &geometry)
          kinds.initializeElement(at: index, to: info.kind)
        }
      }
      initialized = limit
    }
  }

  /// Everything that is wrong or missing, element by element. All geometries are built for it, on
  /// several threads where that pays.
  public func problems() -> [Problem] {
    let parts = Mutex<[(start: Int, problems: [Problem])]>([])
    inParallel(count, share: FeatureSet.share) { range in
      var assembler = self.makeAssembler()
      assembler.collectsProblems = true
      var geometry = Geometry()
      for index in range { _ = assembler.geometry(of: index, into: &geometry) }
      let found = assembler.problems
      parts.withLock { $0.append((range.lowerBound, found)) }
    }
    let inOrder = parts.withLock { $0.sorted { $0.start < $1.start } }
    return inOrder.flatMap(\.problems) + ownProblems()
  }

  /// Problems that show without building geometry.
  public func ownProblems() -> [Problem] {
    var found: [Problem] = []
    for element in withoutGeometry {
      guard let number = dataset.number(element) else { continue }
      let id = ElementID(element.type, number)
      found.append(Problem(.noGeometry, id, nodes: missingNodes(element, limit: 16)))
    }
    for row in repeatedRelations {
      let id = ElementID(.relation, dataset.relations.elements.ids[Int(row)])
      found.append(Problem(.repeatedFeature, id))
    }
    return found
  }

  private func missingNodes(_ element: ElementIndex, limit: Int) -> [Int64] {
    guard element.type == .way else { return [] }
    return Array(dataset.ways.refs(element.row).prefix(limit))
  }
}
