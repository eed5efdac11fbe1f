// A pin that knows which element it stands for. Where there is no MapKit, this target is empty.

#if canImport(MapKit) && !os(watchOS)
  import CoreLocation
  import MapKit
  import OverpassKit

  /// A pin for an element, so that a map's delegate can tell which one was chosen.
  public final class ElementAnnotation: MKPointAnnotation {
    /// The element. What a query made may have no number.
    public let element: ElementID

    public init(element: ElementID, coordinate: Coordinate, title: String?) {
      self.element = element
      super.init()
      self.coordinate = CLLocationCoordinate2D(coordinate)
      self.title = title
    }

    /// A pin with the place's title, and what it is below that where the title is a name.
    public convenience init(_ place: NearbyPlace) {
      self.init(element: place.element, coordinate: place.coordinate, title: place.title)
      subtitle = place.isNamed ? place.kindTitle : nil
    }
  }

  extension CLLocationCoordinate2D {
    public init(_ coordinate: Coordinate) {
      self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
    }
  }
#endif
