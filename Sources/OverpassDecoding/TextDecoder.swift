// An answer as plain text in portions: finds out what it is, and hands it to the decoder for that.

import OSMModel

/// Decodes decompressed bytes of any format as they come.
struct TextDecoder: ~Copyable {
  private let options: DecodeOptions
  /// The only format to be accepted; `nil` for what the text turns out to be.
  private let expected: OverpassAnswer.Format?
  private(set) var format: OverpassAnswer.Format?
  /// What came before the format was known, or a page with errors.
  private var head = Column<UInt8>()
  /// At first enough for a byte order mark.
  private var wantedHead = 4
  private var json: JSONPushDecoder?
  private var xml: XMLStream?
  private var byteCount = 0
  private let portion: Int

  /// Enough to tell a page with errors from XML.
  private static var shortestMarkup: Int { 2048 }
  /// No page of a server is larger; more would only cost memory.
  private static var largestPage: Int { 1 << 20 }

  /// - Parameters:
  ///   - expected: the only format to be accepted.
  ///   - portion: the fewest bytes that are decoded at a time.
  init(expecting expected: OverpassAnswer.Format?, portion: Int, options: DecodeOptions) {
    self.expected = expected
    self.portion = portion
    self.options = options
  }

  var elementCount: Int {
    switch json {
    case .some(let json): return json.elementCount
    case nil: break
    }
    switch xml {
    case .some(let xml): return xml.elementCount
    case nil: return 0
    }
  }

  mutating func push(_ bytes: UnsafeBufferPointer<UInt8>) throws(DecodeError) {
    let room = max(0, options.maximumBytes - byteCount)
    byteCount += bytes.count
    guard byteCount <= options.maximumBytes else {
      try take(UnsafeBufferPointer(rebasing: bytes.prefix(room)))
      try decodeWaiting()
      throw DecodeError.tooLarge(options)
    }
    try take(bytes)
  }

  /// Decodes what is at hand, so that an error there is found before one behind it.
  mutating func decodeWaiting() throws(DecodeError) {
    if format == nil, PlainAnswer.headLength(head.buffer) < head.count {
      try open(isFinal: true)
    }
    try json?.decodeWaiting()
    try xml?.decodeWaiting()
  }

  private mutating func take(_ bytes: UnsafeBufferPointer<UInt8>) throws(DecodeError) {
    switch format {
    case .json: try json?.push(bytes)
    case .xml: try xml?.push(bytes)
    case .html:
      let room = max(0, TextDecoder.largestPage - head.count)
      head.append(contentsOf: UnsafeBufferPointer(rebasing: bytes.prefix(room)))
    case .other: return
    case nil:
      head.append(contentsOf: bytes)
      if head.count >= wantedHead { try open(isFinal: false) }
    }
  }

  /// Decides on the format, and decodes what came so far.
  private mutating func open(isFinal: Bool) throws(DecodeError) {
    var start = Column<UInt8>()
    swap(&start, &head)
    let input = start.buffer
    let bodyStart = PlainAnswer.headLength(input)
    let skipped = UnsafeBufferPointer(rebasing: input[..<bodyStart])
    let body = UnsafeBufferPointer(rebasing: input[bodyStart...])
    // Blanks tell nothing, markup may be a page with errors, and a name that of a function (JSONP).
    let enough =
      body.first == UInt8(ascii: "<")
      ? TextDecoder.shortestMarkup : JSONPadding.length(body) == nil ? body.count + 1 : 1
    guard isFinal || body.count >= enough else {
      wantedHead = body.isEmpty ? 2 * input.count : bodyStart + enough
      return swap(&start, &head)
    }
    func fault(_ kind: DecodeError.Kind, _ message: StaticString) -> DecodeError {
      DecodeError(Fault(kind: kind, message: message, offset: bodyStart), in: input)
    }
    guard let first = body.first else { throw fault(.truncated, "the answer is empty") }
    switch expected {
    case .json where first == UInt8(ascii: "<"):
      throw fault(.format, "this is XML or HTML, not JSON")
    case .xml where first != UInt8(ascii: "<") && first < 0xFE:
      throw fault(.format, "this is not XML")
    default: format = expected ?? OverpassAnswer.format(ofBody: body)
    }
    switch format {
    case .json:
      json = JSONPushDecoder(skipped: skipped, portion: portion, options: options)
      try json?.push(body)
    case .xml:
      xml = try XMLStream(skipped: skipped, options: options)
      try xml?.push(body)
    case .html: head.append(contentsOf: body)
    case .other, nil: throw fault(.format, "this is neither JSON nor XML")
    }
  }

  /// Tells that there are no more bytes, and gives the response.
  /// - Parameter isCut: whether compressed data stopped in the middle.
  mutating func finish(isCut: Bool) throws(AnswerError) -> Response {
    let response: Response?
    do throws(DecodeError) {
      if format == nil { try open(isFinal: true) }
      response = try takeResponse(isCut: isCut)
    } catch {
      throw .decode(error)
    }
    if let response { return response }
    throw .server(ErrorPage(head.buffer).error)
  }

  /// The response; `nil` where the text is a page with errors.
  private mutating func takeResponse(isCut: Bool) throws(DecodeError) -> Response? {
    let cutText: StaticString = "the compressed data stops in the middle"
    var truncatedAt: Int?
    do throws(DecodeError) {
      try json?.finish()
      try xml?.finish()
      if isCut, let error = json?.error(atEnd: cutText) { throw error }
      if isCut, let error = xml?.error(atEnd: cutText) { throw error }
    } catch {
      guard error.kind == .truncated, options.allowTruncated else { throw error }
      truncatedAt = error.offset
    }
    guard json?.isOverfull != true, xml?.isOverfull != true else { throw DecodeError.overfull }
    if let response = json?.takeResponse(truncatedAt: truncatedAt) { return response }
    return xml?.takeResponse(truncatedAt: truncatedAt)
  }
}
