// The reply to a query as it comes: decoded while it arrives, and judged when it is at its end.

import OSMModel
import OverpassDecoding

/// What a query gave.
enum FetchedContent: Sendable {
  case elements(Response)
  /// The body, decompressed.
  case bytes([UInt8])
}

/// Takes one reply.
final class QueryReply {
  /// What is to come of the body.
  enum Form: Sendable, Hashable {
    case elements
    /// - Parameter isPage: whether an HTML page is what was asked for.
    case bytes(isPage: Bool)
  }

  private(set) var head: HTTPHead?
  private(set) var byteCount = 0
  private let form: Form
  private let options: DecodeOptions
  private var decoder: AnswerDecoder?
  private var failure: FetchFailure?
  /// The body of a reply that is no answer, or of one that is wanted as bytes.
  private var body: [UInt8] = []
  /// Takes the body for the cache.
  private let entry: CacheEntry?

  init(_ form: Form, _ options: DecodeOptions, _ entry: CacheEntry?) {
    self.form = form
    self.options = options
    self.entry = entry
  }

  var elementCount: Int {
    switch decoder {
    case .some(let decoder): decoder.elementCount
    case nil: 0
    }
  }

  /// - Returns: false when nothing of the body is wanted.
  func receive(_ head: HTTPHead) -> Bool {
    self.head = head
    guard isAnswer else { return true }
    if let length = head.contentLength, length > options.maximumBytes {
      failure = .decode(
        DecodeError(
          .limit, "the answer has \(length) bytes, more than the \(options.maximumBytes) allowed"))
      return false
    }
    if form == .elements {
      var options = options
      // What came before the end is wanted, too; `judge` tells that it is not all.
      options.allowTruncated = true
      decoder = AnswerDecoder(options: options)
    }
    return true
  }

  /// - Returns: false when no more of the body is wanted.
  func receive(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    byteCount += bytes.count
    if decoder != nil {
      entry?.append(bytes)
      do throws(AnswerError) {
        try decoder?.push(bytes)
      } catch {
        failure = FetchFailure(error)
        return false
      }
      return true
    }
    let limit = isAnswer ? options.maximumBytes : QueryReply.largestPage
    guard bytes.count <= limit - body.count else {
      guard isAnswer else {
        // Enough to read the error from.
        body += bytes.prefix(limit - body.count)
        return false
      }
      failure = .decode(DecodeError(.limit, "the answer has more than \(limit) bytes"))
      return false
    }
    body += bytes
    if isAnswer { entry?.append(bytes) }
    return true
  }

  /// No page of a server is larger.
  private static let largestPage = 1 << 20

  private var isAnswer: Bool { head?.status == 200 }

  /// What the reply means, now that it is at its end.
  /// - Parameter transport: why it ended early.
  /// - Returns: the verdict, and the content: all of it, or what came.
  func judge(_ transport: TransportError?) -> (
    verdict: FetchSession.Verdict, content: FetchedContent?
  ) {
    let decoder = decoder.take()
    guard let head else {
      let error = transport ?? TransportError(.interrupted, "the connection ended without a reply")
      return (.failed(.transport(error)), nil)
    }
    if [301, 302, 307, 308].contains(head.status) {
      return (.redirected(status: head.status, location: head.value(of: "Location")), nil)
    }
    if let failure { return (.failed(failure), nil) }
    guard isAnswer else { return (.failed(.server(error(of: head))), nil) }
    switch consume decoder {
    case .some(let decoder): return judge(decoder, transport)
    case nil: return judgeBytes(transport)
    }
  }

  private func judge(_ decoder: consuming AnswerDecoder, _ transport: TransportError?) -> (
    FetchSession.Verdict, FetchedContent?
  ) {
    let response: Response
    do throws(AnswerError) {
      response = try decoder.finish()
    } catch {
      // A connection that broke explains what is wrong with the bytes.
      if let transport { return (.failed(.transport(transport)), nil) }
      guard case .server(var error) = error else { return (.failed(FetchFailure(error)), nil) }
      error.status = head?.status
      return (.failed(.server(error)), nil)
    }
    if let transport { return (.failed(.transport(transport)), .elements(response)) }
    if let place = response.truncatedAt {
      var error = DecodeError(.truncated, "the answer stops in the middle")
      error.offset = place
      return (.failed(.decode(error)), .elements(response))
    }
    guard var error = response.serverError else { return (.answered, .elements(response)) }
    error.status = head?.status
    return (.failed(.server(error)), .elements(response))
  }

  private func judgeBytes(_ transport: TransportError?) -> (FetchSession.Verdict, FetchedContent?) {
    let bytes: [UInt8]
    do throws(DecodeError) {
      bytes = try OverpassAnswer.decompressed(body, limit: options.maximumBytes)
    } catch {
      // A connection that broke explains what is wrong with the bytes.
      return (.failed(transport.map { .transport($0) } ?? .decode(error)), nil)
    }
    if let transport { return (.failed(.transport(transport)), .bytes(bytes)) }
    guard let error = errorInBytes(bytes) else { return (.answered, .bytes(bytes)) }
    return (.failed(.server(error)), hasData(bytes, error) ? .bytes(bytes) : nil)
  }

  /// Whether there is an answer in front of an error, as opposed to a page about it.
  private func hasData(_ bytes: [UInt8], _ error: ServerError) -> Bool {
    switch error.category {
    case .queryTimeout, .outOfMemory, .runtimeError:
      bytes.withUnsafeBufferPointer { OverpassAnswer.format(of: $0) } != .html
    default: false
    }
  }

  /// Tables and pages say nothing that tells whether they are whole; other answers do.
  private func errorInBytes(_ bytes: [UInt8]) -> ServerError? {
    let type = head?.value(of: "Content-Type")?.lowercased() ?? ""
    if type.hasPrefix("text/csv") { return nil }
    let found = bytes.withUnsafeBufferPointer { bytes in
      ServerError.classify(
        status: 200, contentType: head?.value(of: "Content-Type"), body: bytes, options: options)
    }
    guard let found, found.category.isError else { return nil }
    let isForeign = found.category == .badResponse && found.messages.isEmpty && !bytes.isEmpty
    let isMarkup = type.contains("json") || type.contains("xml")
    let isPage = type.contains("html")
    let isExpected = isPage ? form == .bytes(isPage: true) : !isMarkup
    return isForeign && isExpected ? nil : found
  }

  private func error(of head: HTTPHead) -> ServerError {
    let type = head.value(of: "Content-Type")
    return body.withUnsafeBufferPointer { body in
      ServerError.classify(status: head.status, contentType: type, body: body)
    } ?? ServerError(.unexpectedStatus, status: head.status)
  }
}

extension FetchFailure {
  init(_ error: AnswerError) {
    switch error {
    case .server(let error): self = .server(error)
    case .decode(let error): self = .decode(error)
    }
  }
}
