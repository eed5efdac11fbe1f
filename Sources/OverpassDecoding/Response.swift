// A decoded answer: what the server said about it, and its data.

import OSMModel

/// An answer of an Overpass server.
public final class Response: Sendable {
  /// The head of the answer; each part may be missing.
  public typealias Header = DocumentHeader

  public enum Completeness: Sendable {
    case complete
    /// The server stopped early, or the answer is cut off.
    case partial
    /// The server added a remark of a kind that is not known.
    case unknown
  }

  public let header: Header
  /// What the server remarked, in its own words.
  public let remarks: [String]
  /// The elements. Where there are ``actions``, each state of an element is a row of its own.
  public let dataset: Dataset
  /// What an augmented diff or a change file says about the elements, in its order; empty otherwise.
  public let actions: [ElementAction]
  public let diagnostics: [DecodeDiagnostic]
  /// Where a truncated answer stopped, in bytes of the decompressed answer.
  public let truncatedAt: Int?

  init(
    header: Header, remarks: [String], dataset: Dataset, actions: [ElementAction] = [],
    diagnostics: [DecodeDiagnostic], truncatedAt: Int?
  ) {
    self.header = header
    self.remarks = remarks
    self.dataset = dataset
    self.actions = actions
    self.diagnostics = diagnostics
    self.truncatedAt = truncatedAt
  }

  /// Whether data is missing. A `runtime error:` means that it is, a `runtime remark:` is harmless.
  ///
  /// The server sends its status line before it starts to work, so a query that ran out of time or
  /// memory is only told by a remark. Several remarks may be joined in one text.
  /// Source: Overpass API, web_output.cc; wiki "Overpass API/Overpass QL", "timeout".
  public var completeness: Completeness {
    if truncatedAt != nil || remarks.contains(where: { $0.containsText("runtime error") }) {
      return .partial
    }
    return remarks.allSatisfy { $0.containsText("runtime remark") } ? .complete : .unknown
  }
}

extension DocumentHeader {
  /// Takes what a later part of the answer tells.
  mutating func merge(_ later: DocumentHeader) {
    version = later.version ?? version
    generator = later.generator ?? generator
    timestamp = later.timestamp ?? timestamp
    areasTimestamp = later.areasTimestamp ?? areasTimestamp
    copyright = later.copyright ?? copyright
    bounds = later.bounds ?? bounds
  }
}

extension Response {
  /// The answer as writers take it. One that is cut off gets a remark that says so: what is written
  /// must not look whole.
  public var document: OSMDocument {
    var remarks = remarks
    if let truncatedAt, !remarks.contains(where: { $0.containsText("runtime error") }) {
      let remark = "runtime error: the answer was cut off at byte \(truncatedAt)"
      // JSON holds one remark, in which servers join several as well.
      remarks = [(remarks + [remark]).joined(separator: " ")]
    }
    return OSMDocument(dataset, header: header, remarks: remarks, actions: actions)
  }
}

/// Something the decoder mended or found contradictory. The data is usable all the same.
public struct DecodeDiagnostic: Sendable, Hashable {
  public enum Kind: Sendable {
    /// Text was not UTF-8, or held half of a surrogate pair; U+FFFD stands in its place.
    case invalidText
    /// A coordinate was too large to hold; the position counts as unknown.
    case coordinateOutOfRange
    /// Copies of one element have different positions; the first was taken.
    case conflictingPositions
    /// Copies of a way or relation, of one version or without versions, have different nodes or
    /// members; those of one copy were taken.
    case conflictingCopies
    /// A metadata field was not of its kind; it counts as missing.
    case invalidMetadata
    /// The answer was wrapped in the call of a function (JSONP).
    case padding
    /// An editor deleted the element and has not uploaded that yet (`action="delete"` in files of
    /// JOSM); it was left out.
    case deletedByEditor
    /// Merged responses show different states of the data; the head tells the oldest.
    case differingStates
    /// A change was not applied: a newer version was there, or it names no element.
    case skippedChange
  }

  public var kind: Kind
  /// The element concerned, where there is one.
  public var element: ElementID?
  /// Where in the decompressed answer; of its own, if several answers were merged.
  public var offset: Int?
  /// More about it, such as the states that differ.
  public var detail: String?

  /// The diagnostic in words.
  public var text: String {
    var result =
      switch kind {
      case .invalidText: "text that is not UTF-8 was replaced by U+FFFD"
      case .coordinateOutOfRange: "a coordinate was out of range and counts as unknown"
      case .conflictingPositions: "copies at different positions; the first was taken"
      case .conflictingCopies: "copies with different nodes or members; those of one were taken"
      case .invalidMetadata: "a metadata field was not of its kind and counts as missing"
      case .padding: "the answer was wrapped in the call of a function (JSONP)"
      case .deletedByEditor: "deleted in an editor (action=delete), left out"
      case .skippedChange: "a change was left out"
      case .differingStates: "merged answers show different states; the oldest is told"
      }
    if let element {
      let type = element.type.name.map { "\($0)" } ?? "derived element"
      result = "\(type)/\(element.number): \(result)"
    }
    if let detail { result += " (\(detail))" }
    if let offset { result += " (byte \(offset))" }
    return result
  }
}

extension String {
  /// Whether the text holds `part`, byte by byte.
  func containsText(_ part: StaticString) -> Bool {
    var text = self
    return text.withUTF8 { bytes in
      part.withUTF8Buffer { wanted in
        guard bytes.count >= wanted.count else { return false }
        return (0...(bytes.count - wanted.count)).contains { start in
          bytes[start..<start + wanted.count].elementsEqual(wanted)
        }
      }
    }
  }
}
