// What a server says about a query in words, and what the words mean.
// Source: Overpass API 0.7.62, web_query.cc, web_output.cc, dispatcher_client.cc.

import OSMModel

/// The kinds of trouble a server can report.
public enum ServerCategory: UInt8, Sendable, CaseIterable {
  /// The query itself is wrong.
  case badRequest
  /// Too many queries from this address; the server's status tells when to come back.
  case rateLimited
  /// Too many queries from everybody.
  case tooBusy
  /// The query ran out of its time; what was found until then is in the answer.
  case queryTimeout
  /// The query ran out of its memory.
  case outOfMemory
  /// Another `runtime error:`. Data is missing.
  case runtimeError
  /// A `runtime remark:`, which is harmless.
  case runtimeRemark
  /// A remark that is neither.
  case unknownRemark
  /// The server is out of order.
  case serverError
  /// The body is not what was asked for, or is cut off.
  case badResponse
  case unexpectedStatus
  case unexpectedContentType

  public var name: StaticString {
    switch self {
    case .badRequest: "bad_request"
    case .rateLimited: "rate_limited"
    case .tooBusy: "too_busy"
    case .queryTimeout: "query_timeout"
    case .outOfMemory: "out_of_memory"
    case .runtimeError: "runtime_error"
    case .runtimeRemark: "runtime_remark"
    case .unknownRemark: "unknown_remark"
    case .serverError: "server_error"
    case .badResponse: "bad_response"
    case .unexpectedStatus: "unexpected_status"
    case .unexpectedContentType: "unexpected_content_type"
    }
  }

  /// What to say where the server does not say anything.
  var words: String {
    switch self {
    case .badRequest: "the server refuses the query"
    case .rateLimited: "the server had too many queries from this address"
    case .tooBusy: "the server is too busy"
    case .queryTimeout: "the query ran out of its time"
    case .outOfMemory: "the query ran out of its memory"
    case .runtimeError, .serverError: "the server reports an error"
    case .runtimeRemark, .unknownRemark: "the server has a remark"
    case .badResponse: "the reply is not what was asked for, or is cut off"
    case .unexpectedStatus: "the server gives no answer"
    case .unexpectedContentType: "the reply is of another kind than an answer"
    }
  }

  /// Whether the same query may well succeed a little later.
  public var isRetryable: Bool {
    switch self {
    case .rateLimited, .tooBusy, .serverError, .badResponse: true
    default: false
    }
  }

  /// Whether this is an error, as opposed to a remark beside a good answer.
  public var isError: Bool { self != .runtimeRemark && self != .unknownRemark }

  /// Of several messages the one of the lowest rank names the whole.
  var rank: Int {
    switch self {
    case .outOfMemory, .queryTimeout: 0
    case .rateLimited: 1
    case .tooBusy: 2
    case .badRequest: 3
    case .serverError: 4
    case .runtimeError: 5
    case .unknownRemark: 6
    case .runtimeRemark: 7
    case .badResponse, .unexpectedStatus, .unexpectedContentType: 8
    }
  }
}

/// One message of a server.
public struct ServerMessage: Sendable, Equatable {
  public var category: ServerCategory
  /// The server's own words, without HTML.
  public var text: String
  /// The line of the query, from 1.
  public var line: Int?
  /// The statement at work, such as `query` or `recurse`.
  public var statement: String?
  /// How long the query had run.
  public var seconds: Int?
  /// How much memory the query used or would have needed.
  public var megabytes: Int?

  /// Reads what the words of one message mean.
  public init(_ text: String) {
    self.text = text
    category = ServerMessage.category(of: text)
    let words = Wording(text)
    line = words.number(after: "at line ") ?? words.numberAtStart(after: "line ")
    switch category {
    case .queryTimeout:
      statement = words.quoted(after: "timed out in ")
      seconds = words.number(after: "after ")
    case .outOfMemory:
      statement = words.quoted(after: "out of memory in ")
      // Three wordings: "… It would need at least N MB of RAM to continue.", "… at line L using
      // about N MB of RAM.", and the latter without statement and line.
      megabytes = words.number(before: " MB of RAM")
    default: break
    }
  }

  /// The messages in a remark. The server joins several without anything between them.
  public static func messages(inRemark remark: String) -> [ServerMessage] {
    Wording(remark).parts(startingWith: ["runtime error:", "runtime remark:"])
      .map { ServerMessage($0) }
  }

  private static func category(of text: String) -> ServerCategory {
    func holds(_ part: StaticString) -> Bool { text.containsText(part) }
    if holds("::rate_limited") || holds("::duplicate_query") || holds("Too Many Requests") {
      return .rateLimited
    }
    if holds("::timeout") || holds("probably too busy") || holds("Gateway Time")
      || holds("Service Unavailable") || holds("Service Temporarily Unavailable")
    {
      return .tooBusy
    }
    if holds("runtime error") {
      if holds("out of memory") { return .outOfMemory }
      if holds("Query timed out") { return .queryTimeout }
      if holds("open64:") || holds("The dispatcher (i.e.") { return .serverError }
      return .runtimeError
    }
    if holds("runtime remark") { return .runtimeRemark }
    if holds("parse error:") || holds("static error:") || holds("encoding error:") {
      return .badRequest
    }
    if holds("Bad Gateway") || holds("Internal Server Error") { return .serverError }
    return .unknownRemark
  }
}

/// Finds numbers and names in a message.
private struct Wording {
  private let bytes: [UInt8]

  init(_ text: String) { bytes = Array(text.utf8) }

  /// The whole number behind the last place where `words` stand.
  func number(after words: StaticString) -> Int? {
    for start in places(of: words).reversed() {
      if let number = number(at: start + words.utf8CodeUnitCount) { return number }
    }
    return nil
  }

  func numberAtStart(after words: StaticString) -> Int? {
    places(of: words).first == 0 ? number(at: words.utf8CodeUnitCount) : nil
  }

  func number(before words: StaticString) -> Int? {
    guard let end = places(of: words).first else { return nil }
    var start = end
    while start > 0, JSONScanner.isDigit(bytes[start - 1]) { start -= 1 }
    return number(at: start)
  }

  func quoted(after words: StaticString) -> String? {
    guard let place = places(of: words).first else { return nil }
    let rest = bytes[(place + words.utf8CodeUnitCount)...]
    guard rest.first == UInt8(ascii: "\"") else { return nil }
    let inner = rest.dropFirst()
    guard let end = inner.firstIndex(of: UInt8(ascii: "\"")) else { return nil }
    return String(decoding: inner[..<end], as: UTF8.self)
  }

  /// The text cut before each of `beginnings`, without blanks around the parts.
  func parts(startingWith beginnings: [StaticString]) -> [String] {
    var cuts = beginnings.flatMap { places(of: $0) }.sorted()
    if cuts.first != 0 { cuts.insert(0, at: 0) }
    cuts.append(bytes.count)
    return zip(cuts, cuts.dropFirst()).compactMap { start, end in
      let part = Array(bytes[start..<end]).trimmedBlanks
      return part.isEmpty ? nil : String(decoding: part, as: UTF8.self)
    }
  }

  private func number(at start: Int) -> Int? {
    let digits = bytes[start...].prefix { JSONScanner.isDigit($0) }
    return Int(String(decoding: digits, as: UTF8.self))
  }

  private func places(of words: StaticString) -> [Int] {
    let count = words.utf8CodeUnitCount
    let wanted = UnsafeBufferPointer(start: words.utf8Start, count: count)
    guard bytes.count >= count else { return [] }
    return (0...(bytes.count - count)).filter { bytes[$0] == wanted[0] }
      .filter { bytes[$0..<$0 + count].elementsEqual(wanted) }
  }
}
