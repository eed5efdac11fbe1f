// What OverpassMapKit uses of Apple's MapKit, declared as there: classes, initialisers, titles. Names
// that start with `stub` are for the test alone. Source: Apple's documentation, "MKShape",
// "MKPointAnnotation", "MKPolyline", "MKPolygon", "MKMultiPolyline", "MKMultiPolygon".

import CoreLocation

public protocol MKAnnotation: AnyObject {
  var coordinate: CLLocationCoordinate2D { get }
}

public protocol MKOverlay: MKAnnotation {}

/// Of Objective-C's run time, which MapKit re-exports.
open class NSObject {
  public init() {}
}

open class MKShape: NSObject, MKAnnotation {
  open var title: String?
  open var subtitle: String?
  open var coordinate: CLLocationCoordinate2D {
    get { stubCoordinate }
    set { stubCoordinate = newValue }
  }
  private var stubCoordinate = CLLocationCoordinate2D()
}

open class MKPointAnnotation: MKShape {
  public override init() { super.init() }
}

open class MKMultiPoint: MKShape {
  public fileprivate(set) var stubPositions: [CLLocationCoordinate2D] = []
  open var pointCount: Int { stubPositions.count }
}

open class MKPolyline: MKMultiPoint, MKOverlay {
  public convenience init(coordinates coords: UnsafePointer<CLLocationCoordinate2D>, count: Int) {
    self.init()
    stubPositions = Array(UnsafeBufferPointer(start: coords, count: count))
  }
}

open class MKPolygon: MKMultiPoint, MKOverlay {
  public private(set) var interiorPolygons: [MKPolygon]?

  public convenience init(coordinates coords: UnsafePointer<CLLocationCoordinate2D>, count: Int) {
    self.init(coordinates: coords, count: count, interiorPolygons: nil)
  }

  public convenience init(
    coordinates coords: UnsafePointer<CLLocationCoordinate2D>, count: Int,
    interiorPolygons: [MKPolygon]?
  ) {
    self.init()
    stubPositions = Array(UnsafeBufferPointer(start: coords, count: count))
    self.interiorPolygons = interiorPolygons
  }
}

open class MKMultiPolyline: MKShape, MKOverlay {
  public let polylines: [MKPolyline]

  public init(_ polylines: [MKPolyline]) {
    self.polylines = polylines
    super.init()
  }
}

open class MKMultiPolygon: MKShape, MKOverlay {
  public let polygons: [MKPolygon]

  public init(_ polygons: [MKPolygon]) {
    self.polygons = polygons
    super.init()
  }
}
