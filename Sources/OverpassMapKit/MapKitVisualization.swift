// Visualizations as MapKit's own annotations and overlays.

#if canImport(MapKit) && !os(watchOS)
  import CoreLocation
  import MapKit
  import OverpassKit

  /// What a map shows of one element, as objects of MapKit.
  ///
  /// ```swift
  /// for (id, seen) in features.mapKitVisualizations(languages: ["fi", "en"]) {
  ///   mapView.addAnnotations(seen.annotations)
  ///   mapView.addOverlays(seen.overlays)
  /// }
  /// ```
  ///
  /// Shapes have the element's name as title. Cuts at the antimeridian are kept: what crosses it is
  /// several lines or polygons.
  @available(macOS 10.15, iOS 13, tvOS 13, *)
  public enum MapKitVisualization {
    case annotation(ElementAnnotation)
    case annotations([ElementAnnotation])
    case polyline(MKPolyline)
    case polylines(MKMultiPolyline)
    case polygon(MKPolygon)
    case polygons(MKMultiPolygon)
    case collection([MapKitVisualization])

    public init(_ seen: Visualization) {
      self.init(seen.shape, of: seen.element, seen.title)
    }

    private init(_ shape: Visualization.Shape, of element: ElementID, _ title: String?) {
      func pin(_ coordinate: Coordinate) -> ElementAnnotation {
        ElementAnnotation(element: element, coordinate: coordinate, title: title)
      }
      switch shape {
      case .annotation(let coordinate): self = .annotation(pin(coordinate))
      case .annotations(let coordinates): self = .annotations(coordinates.map(pin))
      case .polyline(let line):
        let line = MKPolyline(line)
        line.title = title
        self = .polyline(line)
      case .polylines(let lines):
        let lines = MKMultiPolyline(lines.map { MKPolyline($0) })
        lines.title = title
        self = .polylines(lines)
      case .polygon(let polygon):
        let polygon = MKPolygon(polygon)
        polygon.title = title
        self = .polygon(polygon)
      case .polygons(let polygons):
        let polygons = MKMultiPolygon(polygons.map { MKPolygon($0) })
        polygons.title = title
        self = .polygons(polygons)
      case .collection(let shapes):
        self = .collection(shapes.map { MapKitVisualization($0, of: element, title) })
      }
    }

    /// The pins, for `MKMapView.addAnnotations`.
    public var annotations: [ElementAnnotation] {
      switch self {
      case .annotation(let annotation): [annotation]
      case .annotations(let annotations): annotations
      case .collection(let members): members.flatMap(\.annotations)
      case .polyline, .polylines, .polygon, .polygons: []
      }
    }

    /// The lines and areas, for `MKMapView.addOverlays`.
    public var overlays: [any MKOverlay] {
      switch self {
      case .polyline(let line): [line]
      case .polylines(let lines): [lines]
      case .polygon(let polygon): [polygon]
      case .polygons(let polygons): [polygons]
      case .collection(let members): members.flatMap(\.overlays)
      case .annotation, .annotations: []
      }
    }
  }

  @available(macOS 10.15, iOS 13, tvOS 13, *)
  extension FeatureSet {
    /// What a map shows, by element; see ``OSMGeometry/FeatureSet/visualizationsByElement(languages:)``.
    public func mapKitVisualizations(
      languages: LanguagePreference = []
    ) -> [ElementID: MapKitVisualization] {
      visualizationsByElement(languages: languages).mapValues { MapKitVisualization($0) }
    }

    /// What a map shows of one element, or `nil` when nothing is drawn for it.
    public func mapKitVisualization(
      of id: ElementID, languages: LanguagePreference = []
    ) -> MapKitVisualization? {
      visualization(of: id, languages: languages).map { MapKitVisualization($0) }
    }
  }

  extension MKPolyline {
    public convenience init(_ line: [Coordinate]) {
      let positions = line.map { CLLocationCoordinate2D($0) }
      self.init(coordinates: positions, count: positions.count)
    }
  }

  extension MKPolygon {
    /// MapKit closes rings itself, so the last position, which repeats the first, is left out.
    public convenience init(_ polygon: VisiblePolygon) {
      let holes = polygon.holes.map { MKPolygon(ring: $0) }
      let positions = MKPolygon.open(polygon.exterior)
      self.init(
        coordinates: positions, count: positions.count,
        interiorPolygons: holes.isEmpty ? nil : holes)
    }

    private convenience init(ring: [Coordinate]) {
      let positions = MKPolygon.open(ring)
      self.init(coordinates: positions, count: positions.count)
    }

    private static func open(_ ring: [Coordinate]) -> [CLLocationCoordinate2D] {
      let isClosed = ring.count > 1 && ring.first == ring.last
      return (isClosed ? ring.dropLast() : ring[...]).map { CLLocationCoordinate2D($0) }
    }
  }
#endif
