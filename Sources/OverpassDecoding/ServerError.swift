// What a reply as a whole means: HTTP status, type and body together.

import OSMModel

/// Trouble reported by a server, or a reply that cannot be used.
public struct ServerError: Error, Sendable, Equatable {
  public var category: ServerCategory
  /// All messages of the server, in its order.
  public var messages: [ServerMessage]
  /// The HTTP status, where it is known.
  public var status: Int?

  public init(_ category: ServerCategory, messages: [ServerMessage] = [], status: Int? = nil) {
    self.category = category
    self.messages = messages
    self.status = status
  }

  /// Names the whole after its gravest message; `nil` without messages.
  init?(messages: [ServerMessage], status: Int? = nil) {
    guard let gravest = messages.min(by: { $0.category.rank < $1.category.rank }) else {
      return nil
    }
    self.init(gravest.category, messages: messages, status: status)
  }

  /// The message that gave the category.
  public var message: ServerMessage? {
    messages.first { $0.category == category } ?? messages.first
  }

  /// The error in words.
  public var text: String {
    guard messages.isEmpty else { return messages.map(\.text).joined(separator: "\n") }
    return status.map { "\(category.words) (HTTP \($0))" } ?? category.words
  }

  /// What a reply reports: an error, or remarks beside a good answer (``ServerCategory/isError`` is
  /// false then); `nil` for a good answer without remarks.
  ///
  /// The body is read whatever the status says, because the server sends its status line before it
  /// starts to work, and its pages carry the reasons.
  public static func classify(
    status: Int?, contentType: String? = nil, body: UnsafeBufferPointer<UInt8>,
    options: DecodeOptions = DecodeOptions()
  ) -> ServerError? {
    if let status, status != 200 {
      let messages = messages(in: body, options)
      return ServerError(category(ofStatus: status, messages), messages: messages, status: status)
    }
    let type = contentType.map(Self.mediaType)
    if let type, !isKnown(type) { return ServerError(.unexpectedContentType, status: status) }
    do throws(AnswerError) {
      // There is no way to see a runtime error in CSV.
      let response = try OverpassAnswer.decode(body, options: options)
      return ServerError(messages: response.messages, status: status)
    } catch {
      switch error {
      case .server(var error):
        error.status = status
        return error
      case .decode(let error):
        if error.kind == .format, type == "text/csv" { return nil }
        var result = ServerError(.badResponse, status: status)
        result.messages = messages(in: body, options)
        return result
      }
    }
  }

  public static func classify(status: Int?, contentType: String? = nil, body: [UInt8])
    -> ServerError?
  {
    body.withUnsafeBufferPointer { classify(status: status, contentType: contentType, body: $0) }
  }

  private static func category(ofStatus status: Int, _ messages: [ServerMessage]) -> ServerCategory
  {
    switch status {
    case 400: return .badRequest
    case 429: return .rateLimited
    case 503, 504:
      let told = ServerError(messages: messages)?.category
      return told == .rateLimited || told == .serverError ? told ?? .tooBusy : .tooBusy
    case 500...599: return .serverError
    default: return .unexpectedStatus
    }
  }

  /// The messages of a page or an answer, as far as there are any.
  private static func messages(
    in body: UnsafeBufferPointer<UInt8>, _ options: DecodeOptions
  ) -> [ServerMessage] {
    var options = options
    options.allowTruncated = true
    do throws(AnswerError) {
      return try OverpassAnswer.decode(body, options: options).messages
    } catch {
      guard case .server(let error) = error else { return [] }
      return error.messages
    }
  }

  private static func mediaType(_ header: String) -> String {
    let type = header.prefix { $0 != ";" }.lowercased()
    return String(decoding: Array(type.utf8).trimmedBlanks, as: UTF8.self)
  }

  private static func isKnown(_ type: String) -> Bool {
    type.isEmpty || type.hasPrefix("text/") || type.containsText("json") || type.containsText("xml")
      || type.containsText("javascript") || type.containsText("osm")
      || type == "application/octet-stream" || type.containsText("gzip")
      || type.containsText("bzip2")
  }
}

extension Response {
  /// The server's remarks, one by one and with their meaning.
  public var messages: [ServerMessage] {
    remarks.flatMap { ServerMessage.messages(inRemark: $0) }
  }

  /// The error that the server reported beside the data, if it did; the data is what it had found
  /// until then.
  public var serverError: ServerError? {
    ServerError(messages: messages).flatMap { $0.category.isError ? $0 : nil }
  }
}
