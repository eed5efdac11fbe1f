// Which elements of a dataset to keep.

/// A condition on the tags of an element.
public enum TagCondition: Sendable, Hashable {
  case exists(key: String)
  case notExists(key: String)
  case oneOf(key: String, values: [String])
  /// Also true where the key is missing.
  case noneOf(key: String, values: [String])

  public static func equals(key: String, value: String) -> TagCondition {
    .oneOf(key: key, values: [value])
  }

  /// Also true where the key is missing.
  public static func notEquals(key: String, value: String) -> TagCondition {
    .noneOf(key: key, values: [value])
  }
}

/// What elements must be like; all that is given must hold.
///
/// ```swift
/// var filter = ElementFilter(types: [.node, .way])
/// filter.tags = [.equals(key: "amenity", value: "cafe"), .exists(key: "name")]
/// filter.keepsReferences = true
/// ```
public struct ElementFilter: Sendable {
  /// `nil` for all. Counts and what queries make are ``ElementType/derived``.
  public var types: Set<ElementType>?
  /// All must hold.
  public var tags: [TagCondition] = []
  /// Elements of which a position lies in the box or on its edge: of a way that of one of its nodes,
  /// of a relation that of one of its members, members of members included, as far as the dataset
  /// knows them; positions printed with elements (`out geom`) count. Of elements without known
  /// positions the centre, or a box that meets this one, decides. A way that crosses the box with no
  /// node inside is not found.
  public var box: BoundingBox?
  /// Keeps also what kept elements refer to, whatever it is like: nodes of ways, members of
  /// relations, their members and nodes, so that geometries stay whole.
  public var keepsReferences = false

  public init(types: Set<ElementType>? = nil, tags: [TagCondition] = []) {
    self.types = types
    self.tags = tags
  }
}

/// Conditions in terms of one dataset's string numbers.
struct TagMatcher {
  private struct Condition {
    /// `nil` where no element has the key.
    var key: StringID?
    /// `nil` for any.
    var values: [StringID]?
    var isNegative: Bool
  }

  private let conditions: [Condition]

  init(_ conditions: [TagCondition], _ strings: borrowing StringTable) {
    var found: [Condition] = []
    for condition in conditions {
      switch condition {
      case .exists(let key):
        found.append(Condition(key: strings.find(key), values: nil, isNegative: false))
      case .notExists(let key):
        found.append(Condition(key: strings.find(key), values: nil, isNegative: true))
      case .oneOf(let key, let values):
        found.append(
          Condition(key: strings.find(key), values: strings.find(values), isNegative: false))
      case .noneOf(let key, let values):
        found.append(
          Condition(key: strings.find(key), values: strings.find(values), isNegative: true))
      }
    }
    self.conditions = found
  }

  func matches(_ tags: UnsafeBufferPointer<Tag>) -> Bool {
    conditions.allSatisfy { condition in
      let value = tags.first { $0.key == condition.key }?.value
      let holds = value.map { condition.values?.contains($0) ?? true } ?? false
      return holds != condition.isNegative
    }
  }
}

extension StringTable {
  fileprivate func find(_ texts: [String]) -> [StringID] {
    var found: [StringID] = []
    for text in texts {
      if let id = find(text) { found.append(id) }
    }
    return found
  }
}
