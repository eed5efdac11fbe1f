// The formats in which documents are written, and what one of them has no words for.

import OSMModel

/// A format for the content of an answer or OSM file.
@frozen public enum DocumentFormat: UInt8, Sendable, CaseIterable {
  /// Overpass JSON, as a server answers to `[out:json]`.
  case overpassJSON = 0
  /// OSM XML, as a server answers to `[out:xml]`; with changes an augmented diff.
  case osmXML = 1
  /// OsmChange (.osc): elements to create, modify and delete.
  case osmChange = 2
}

/// Something that a document holds and a format cannot say. Nothing is left out in silence.
public struct FormatLoss: Error, Sendable, Equatable {
  public enum Part: Sendable, Equatable, CaseIterable {
    /// JSON: what became of elements.
    case changes
    /// JSON holds one remark.
    case severalRemarks
    /// XML cuts blanks off a remark's ends; OsmChange has none at all.
    case remark
    /// OsmChange: the state of the data.
    case timestamp
    /// OsmChange: the box of the data.
    case bounds
    /// XML: a control character, U+FFFE or U+FFFF.
    case character
    /// The type name of a derived element that is another thing's name, or no name in XML.
    case typeName
    /// A member that is neither node, way nor relation.
    case memberType
    /// XML: a geometry of several points, lines or polygons, or an empty collection.
    case geometry
    /// XML: positions of a way that are not as many as its nodes, or of which none is known.
    case positions
    /// XML: version, time or author of something derived.
    case metadata
    /// XML: something derived of which nothing but its type is known.
    case emptyElement
    /// OsmChange: an element of which no change is told.
    case unchanged
    /// OsmChange: the state before a change.
    case earlierState
    /// OsmChange: changes of a query's result.
    case changeKind
  }

  public var format: DocumentFormat
  public var part: Part
  /// The element concerned, where there is one.
  public var element: ElementID?

  public init(format: DocumentFormat, part: Part, element: ElementID? = nil) {
    self.format = format
    self.part = part
    self.element = element
  }

  /// The loss in words.
  public var message: String {
    let name =
      switch format {
      case .overpassJSON: "Overpass JSON"
      case .osmXML: "OSM XML"
      case .osmChange: "OsmChange"
      }
    var result = "\(name) has no words for \(FormatLoss.words(for: part))"
    if let element {
      let type = element.type.name.map { "\($0)" } ?? "derived element"
      let number = element.number == ElementID.unknownNumber ? "" : "/\(element.number)"
      result += " (\(type)\(number))"
    }
    return result
  }

  private static func words(for part: Part) -> String {
    switch part {
    case .changes: "changes of elements"
    case .severalRemarks: "more than one remark"
    case .remark: "this remark"
    case .timestamp: "the state of the data"
    case .bounds: "the box of the data"
    case .character: "a control character in a text"
    case .typeName: "the type name of a derived element"
    case .memberType: "a member of this type"
    case .geometry: "a geometry of this kind"
    case .positions: "positions that do not fit the nodes of a way"
    case .metadata: "metadata of a derived element"
    case .emptyElement: "a derived element without content"
    case .unchanged: "an element without a change"
    case .earlierState: "the state before a change"
    case .changeKind: "changes of a query's result"
    }
  }
}

/// Why a document was not written.
public enum DocumentError: Error, Sendable, Equatable {
  /// The format cannot say all of it. Nothing was written.
  case loss(FormatLoss)
  /// The sink did not take the bytes.
  case write(WriteError)
}
