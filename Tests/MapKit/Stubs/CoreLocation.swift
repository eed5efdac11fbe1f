// What OverpassMapKit uses of Apple's CoreLocation, declared as there. Source: Apple's documentation,
// "CLLocationCoordinate2D".

public typealias CLLocationDegrees = Double

public struct CLLocationCoordinate2D {
  public var latitude: CLLocationDegrees
  public var longitude: CLLocationDegrees

  public init() { self.init(latitude: 0, longitude: 0) }

  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.latitude = latitude
    self.longitude = longitude
  }
}
