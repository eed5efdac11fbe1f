// Features as a picture that needs no script and no network: for reports, notebooks, mails.
// Source: SVG 1.1, second edition; the spherical Mercator projection of web maps, EPSG:3857.

import FeatureFormats
import OSMGeometry
import OSMModel

/// A static map of features, north up, in the projection of web maps.
///
/// ```swift
/// var picture = SVGPicture(features)
/// picture.width = 800
/// let svg = try picture.svg()
/// ```
///
/// Each feature has a `<title>`, which browsers show when the pointer rests on it. Positions are
/// rounded to a tenth of a pixel, and those that fall together with the one before are left out, so
/// that the picture stays small whatever the number of nodes.
public struct SVGPicture: Sendable {
  public var features: FeatureSet
  public var appearance = FeatureAppearance()
  /// In pixels, 32 to 10000.
  public var width = 640
  public var height = 420
  /// `nil` for a transparent one.
  public var background: MapColor? = .paper
  /// Shown at the lower right; `nil` for none, where it stands beside the picture.
  public var attribution: MapAttribution? = .openStreetMap
  /// At most so many features are drawn, the first ones.
  public var limit = Int.max

  public init(_ features: FeatureSet) { self.features = features }

  /// Writes the picture.
  ///
  /// - Throws: ``PictureError``.
  /// - Complexity: O(n) for n positions; memory for the picture.
  public func write<Sink: ByteSink & ~Copyable>(to sink: inout Sink) throws(PictureError) {
    do throws(MapStyleError) {
      try checkNumber(Double(width), in: 32...10_000, "the width")
      try checkNumber(Double(height), in: 32...10_000, "the height")
      try appearance.check()
      try attribution?.check()
    } catch {
      throw .picture(error)
    }
    let count = min(features.count, max(limit, 0))
    var summary = FeatureSummary()
    summary.add(features, first: count)
    var drawing = SVGDrawing(
      appearance, features, SVGProjection(summary.extent, width: width, height: height))
    var assembler = features.makeAssembler()
    var geometry = Geometry()
    for index in 0..<count {
      let info = assembler.geometry(of: index, into: &geometry)
      drawing.append(features.feature(index), geometry, isFaint: info.placeholder != .none)
    }
    let text = finish(drawing)
    do throws(WriteError) { try sink.write(text.bytes.buffer) } catch { throw .write(error) }
  }

  /// The picture in memory.
  /// - Throws: ``MapStyleError`` of kind `value` or `url`.
  public func svg() throws(MapStyleError) -> Column<UInt8> {
    var sink = MemorySink()
    do throws(PictureError) {
      try write(to: &sink)
    } catch {
      // Memory takes everything.
      if case .picture(let fault) = error { throw fault }
    }
    return sink.takeBytes()
  }

  private func finish(_ drawing: consuming SVGDrawing) -> TextBuffer {
    var text = TextBuffer()
    text.append("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ")
    text.append(integer: Int64(width))
    text.append(" ")
    text.append(integer: Int64(height))
    text.append("\" width=\"")
    text.append(integer: Int64(width))
    text.append("\" height=\"")
    text.append(integer: Int64(height))
    text.append("\" role=\"img\" font-family=\"system-ui, sans-serif\">\n<title>Map of ")
    text.append(integer: Int64(drawing.count))
    text.append(drawing.count == 1 ? " feature</title>\n" : " features</title>\n")
    if let background {
      text.append("<rect width=\"100%\" height=\"100%\" fill=\"")
      text.append(markup: background.css)
      text.append("\"/>\n")
    }
    drawing.finish(into: &text)
    if let attribution {
      text.append("<text x=\"")
      text.append(integer: Int64(width - 6))
      text.append("\" y=\"")
      text.append(integer: Int64(height - 6))
      text.append(
        "\" font-size=\"10\" text-anchor=\"end\" fill=\"#1f2933\" stroke=\"#ffffff\" stroke-width=\"2.5\" stroke-opacity=\"0.8\" stroke-linejoin=\"round\" paint-order=\"stroke\">"
      )
      text.append(markup: attribution.text)
      text.append("</text>\n")
    }
    text.append("</svg>\n")
    return text
  }
}

/// Why a picture could not be written.
public enum PictureError: Error, Sendable, Equatable {
  case picture(MapStyleError)
  case write(WriteError)
}

/// From positions to tenths of a pixel.
struct SVGProjection {
  /// Room around the features, in pixels.
  private static let margin = 18.0
  private let west: Int64
  private let center: MercatorPoint
  private let scale: Double
  private let middle: (x: Double, y: Double)

  /// - Parameter extent: what is to be seen; `nil` for nothing.
  init(_ extent: MapExtent?, width: Int, height: Int) {
    let extent = extent ?? MapExtent(westE7: 0, southE7: 0, eastE7: 0, northE7: 0)
    let first = MercatorPoint(longitudeE7: extent.westE7, latitudeE7: extent.northE7)
    let last = MercatorPoint(longitudeE7: extent.eastE7, latitudeE7: extent.southE7)
    west = extent.westE7
    center = MercatorPoint(x: (first.x + last.x) / 2, y: (first.y + last.y) / 2)
    middle = (Double(width) / 2, Double(height) / 2)
    let room = (
      x: max(Double(width) - 2 * SVGProjection.margin, 8),
      y: max(Double(height) - 2 * SVGProjection.margin, 8)
    )
    // A single point is seen as at zoom 17.
    let closest = 512.0 * 131_072
    scale = min(
      room.x / max(last.x - first.x, room.x / closest),
      room.y / max(last.y - first.y, room.y / closest))
  }

  func callAsFunction(_ position: Coordinate) -> SVGPoint {
    var longitude = Int64(position.longitudeE7)
    if longitude < west { longitude += 3_600_000_000 }
    let point = MercatorPoint(longitudeE7: longitude, latitudeE7: Int64(position.latitudeE7))
    return SVGPoint(
      x: Int32(clampingTenths: (point.x - center.x) * scale + middle.x),
      y: Int32(clampingTenths: (point.y - center.y) * scale + middle.y))
  }
}

/// Tenths of a pixel, y downward.
struct SVGPoint: Equatable {
  var x: Int32
  var y: Int32
}

extension Int32 {
  fileprivate init(clampingTenths value: Double) {
    self = Int32(Swift.min(Swift.max((value * 10).rounded(), -1e6), 1e6))
  }
}
