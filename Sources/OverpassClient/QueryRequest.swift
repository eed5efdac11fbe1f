// A query on its way to a server.

import OSMModel
import OverpassQuery

/// A query as it is sent: its text, and what the client has to know of it.
public struct QueryRequest: Sendable, Hashable {
  /// Overpass QL or XML, as it is sent.
  public let text: String
  public let language: Query.Language
  /// The query as a value; `nil` where the text was not checked.
  public let query: Query?
  /// How long the server may work on it.
  public let timeoutSeconds: Double
  /// What queries that ask for the same have in common.
  let identity: String

  /// A query as text. It is checked here, because a query that cannot run costs the server as much as
  /// one that can.
  /// - Throws: `QuerySyntaxError` with all errors and their places.
  public init(_ text: String) throws(QuerySyntaxError) {
    self.init(text, try Query.parse(text))
  }

  /// A query as a value, sent as Overpass QL.
  /// - Throws: `QueryError` for what cannot be said.
  public init(_ query: Query) throws(QueryError) { self.init(try query.ql(.compact), query) }

  /// A text that is sent as it is, such as one for a server that knows more of the language than this
  /// library.
  /// - Parameter timeoutSeconds: what the text allows the server.
  public init(unchecked text: String, timeoutSeconds: Double = QueryRequest.usualTimeoutSeconds) {
    self.text = text
    query = nil
    language = QueryRequest.language(of: text)
    self.timeoutSeconds = timeoutSeconds.isFinite ? min(max(timeoutSeconds, 0), 1e6) : 1e6
    identity = text
  }

  /// What servers allow a query that sets no timeout. Source: Overpass QL, "timeout".
  public static let usualTimeoutSeconds = 180.0

  private init(_ text: String, _ query: Query) {
    self.text = text
    self.query = query
    language = QueryRequest.language(of: text)
    timeoutSeconds =
      query.settings.timeoutSeconds.map { min(Double($0), 1e6) } ?? QueryRequest.usualTimeoutSeconds
    identity = QueryRequest.identity(of: query) ?? text
  }

  /// What the server may spend on it. Queries that ask for the same may differ in this, and then in
  /// whether there is an answer.
  var allowedWork: [Double] {
    [timeoutSeconds, query?.settings.maxsizeBytes.map { Double($0) } ?? 0]
  }

  /// The query without what limits the server's work: that changes whether there is an answer, not
  /// which. White space and the language do not matter either.
  private static func identity(of query: Query) -> String? {
    var query = query
    query.settings.timeoutSeconds = nil
    query.settings.maxsizeBytes = nil
    do throws(QueryError) {
      return try query.ql(.compact)
    } catch {
      return nil
    }
  }

  private static func language(of text: String) -> Query.Language {
    let first = text.utf8.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return first == UInt8(ascii: "<") ? .xml : .ql
  }

  /// Whether the answer holds elements, as opposed to a table or a page.
  var givesElements: Bool {
    switch query?.settings.output {
    case .csv, .custom, .popup: false
    case .json, .xml, nil: true
    }
  }
}

extension QueryRequest {
  /// The body of a request for this query, and its type: XML as it is, Overpass QL as a form's field,
  /// which is what servers of all ages and the proxies before them read. In a URL, long queries would
  /// not fit. Source: Overpass API, "web_query.cc"; wiki "Overpass API", "Introduction".
  var body: (type: String, bytes: [UInt8]) {
    switch language {
    case .xml: ("text/xml; charset=utf-8", Array(text.utf8))
    case .ql: ("application/x-www-form-urlencoded", formField("data", text))
    }
  }
}

/// A field of a form. Source: WHATWG URL, "application/x-www-form-urlencoded serializing".
private func formField(_ name: String, _ value: String) -> [UInt8] {
  let digits = Array("0123456789ABCDEF".utf8)
  var result = Array(name.utf8)
  result.reserveCapacity(value.utf8.count * 3 / 2)
  result.append(UInt8(ascii: "="))
  for byte in value.utf8 {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "*"):
      result.append(byte)
    case UInt8(ascii: " "): result.append(UInt8(ascii: "+"))
    default:
      result.append(UInt8(ascii: "%"))
      result.append(digits[Int(byte >> 4)])
      result.append(digits[Int(byte & 15)])
    }
  }
  return result
}
