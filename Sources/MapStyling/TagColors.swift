// Colours that follow the values of a tag.

import OSMGeometry
import OSMModel

/// A colour for each value of one tag.
public struct TagColors: Sendable, Equatable {
  public struct Entry: Sendable, Equatable {
    public var value: String
    public var color: MapColor

    public init(_ value: String, _ color: MapColor) {
      self.value = value
      self.color = color
    }
  }

  public var key: String
  /// In the order of the legend; each value once.
  public var entries: [Entry]
  /// For all other values, and features without the tag.
  public var other = MapColor.other

  public init(_ key: String, _ entries: [Entry]) {
    self.key = key
    self.entries = entries
  }

  public init(_ key: String, _ colors: KeyValuePairs<String, MapColor>) {
    self.init(key, colors.map { Entry($0.key, $0.value) })
  }

  /// Colours for some values, each of which gets another one, as far as there are any: after twelve
  /// they come again.
  public init(_ key: String, values: [String]) {
    let palette = MapColor.palette
    self.init(
      key, values.enumerated().map { Entry($0.element, palette[$0.offset % palette.count]) })
  }

  /// Colours for the most frequent values among some features, of equally frequent ones those that
  /// come first by their bytes. The same features give the same colours.
  ///
  /// - Parameter limit: how many values get a colour of their own, at most 12.
  /// - Complexity: O(t) for t tags.
  public init(_ key: String, of features: FeatureSet, limit: Int = 12) {
    self.key = key
    let values = TagColors.count(key, features).sorted { left, right in
      left.value != right.value
        ? left.value > right.value : left.key.lexicographicallyPrecedes(right.key)
    }
    entries = zip(values.prefix(max(limit, 0)), MapColor.palette).map { value, color in
      Entry(String(decoding: value.key, as: UTF8.self), color)
    }
  }

  /// How many features have each value of a tag, by the value's bytes: texts that Swift takes for
  /// equal can be different values.
  static func count(_ key: String, _ features: FeatureSet) -> [[UInt8]: Int] {
    guard let key = features.dataset.strings.find(key) else { return [:] }
    var counts: [StringID: Int] = [:]
    for index in 0..<features.count {
      if let value = features.feature(index).tags.value(ofKey: key) {
        counts[value, default: 0] += 1
      }
    }
    var values: [[UInt8]: Int] = [:]
    for (value, count) in counts { values[Array(features.dataset.strings.bytes(value))] = count }
    return values
  }

  func check() throws(MapStyleError) {
    guard !key.isEmpty else { throw MapStyleError(.value, "colours need the key of a tag") }
    // Equal texts in other bytes are one value to Swift, two to others; bytes decide.
    var seen = Set<[UInt8]>()
    for entry in entries where !seen.insert(Array(entry.value.utf8)).inserted {
      throw MapStyleError(.duplicateName, "'\(entry.value)' has two colours")
    }
  }
}
