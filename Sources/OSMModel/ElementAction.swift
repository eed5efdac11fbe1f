// Changes of elements, as augmented diffs (`[adiff:…]`, `[diff:…]`) and .osc files list them.
// Source: OSM wiki, "Overpass API/Augmented Diffs" and "OsmChange".

/// One change. Changes are kept in the order of the document and never merged: an element may occur
/// several times, and defects of the server stay visible.
public struct ElementAction: Sendable, Equatable {
  public enum Kind: UInt8, Sendable {
    case create = 1
    case modify = 2
    case delete = 3
    /// An element of the earlier result that is not in the later one.
    case showInitial = 4
    /// An element of the later result that was not in the earlier one.
    case showFinal = 5
  }

  public var kind: Kind
  /// The state before, a row of the dataset.
  public var old: ElementIndex?
  /// The state after, a row of the dataset. For `delete` it says who deleted the element and when,
  /// as far as the document tells; such a state is not visible and its position means nothing.
  public var new: ElementIndex?

  public init(_ kind: Kind, old: ElementIndex? = nil, new: ElementIndex? = nil) {
    self.kind = kind
    self.old = old
    self.new = new
  }
}
