// One place as an app lists it: what it is, where, and what its tags say for those who want to go there.

import OSMGeometry
import OSMModel

/// A place near a position: an amenity, a shop, a sight.
///
/// It says what the tags say and nothing more: a key that is missing, or has a value that is neither
/// yes nor no, leaves the matter unknown.
public struct NearbyPlace: Sendable, Equatable {
  /// The element.
  public let element: ElementID
  /// The feature's number in the set the place comes from.
  public let feature: Int
  /// The name in a language asked for, otherwise `name`, otherwise ``kindTitle``.
  public let title: String
  /// Whether ``title`` is a name.
  public let isNamed: Bool
  /// What it is: a key such as `amenity` and its value, as they are.
  public let kind: PlaceKind
  /// `description` in a language asked for, otherwise as it is.
  public let description: String?
  /// The position of a node; of lines and areas, a position on them.
  public let coordinate: Coordinate
  /// Whether ``coordinate`` only stands in for one on the element: the centre of its bounding box, which
  /// may lie outside.
  public let placeholder: Placeholder
  public let fee: Fee
  /// What `fee` says where that is neither yes nor no, such as opening hours; what `fee:conditional` says
  /// where there is one.
  public let feeText: String?
  /// The amount, as `charge` has it, such as `0.50 EUR`.
  public let charge: String?
  public let wheelchair: WheelchairAccess
  /// Whether the place's toilets are accessible (`toilets:wheelchair`).
  public let toiletsWheelchair: WheelchairAccess
  /// `opening_hours`, as it is.
  public let openingHours: String?
  /// Metres from the position asked about to ``coordinate``.
  public let distance: Double
  /// The direction towards ``coordinate`` in degrees clockwise from north, at least 0 and below 360; `nil`
  /// when it is the position asked about itself.
  public let bearing: Double?

  /// The kind in words, such as `Toilets`. English.
  public var kindTitle: String { kind.title }

  /// Whether one has to pay. Source: OSM wiki, "Key:fee".
  @frozen public enum Fee: UInt8, Sendable, CaseIterable {
    case unknown = 0
    case yes = 1
    case no = 2
  }
}

/// Whether people in wheelchairs can go there. Source: OSM wiki, "Key:wheelchair".
@frozen public enum WheelchairAccess: UInt8, Sendable, CaseIterable {
  case unknown = 0
  case yes = 1
  case no = 2
  case limited = 3
}
