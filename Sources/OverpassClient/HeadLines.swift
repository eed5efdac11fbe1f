// Heads of replies, from their lines. Source: RFC 9112 §4 and §5, RFC 9110 §15.2.

/// Gathers lines until a head is complete; heads of interim replies and trailers are passed over.
struct HeadLines {
  /// Of all heads and trailers of a reply together.
  static let sizeLimit = 102_400

  private var size = 0
  private var status: Int?
  private var headers: [HTTPHeader] = []
  private var isDone = false

  var isTooLong: Bool { size > Self.sizeLimit }

  /// Takes the next line; it may have its line end.
  /// - Returns: the head of the final reply, once its last line is there.
  mutating func take(_ bytes: UnsafeBufferPointer<UInt8>) -> HTTPHead? {
    let (sum, isOver) = size.addingReportingOverflow(bytes.count)
    size = isOver ? Int.max : sum
    guard !isTooLong, !isDone else { return nil }
    let line = trimmed(bytes[...])
    if bytes.starts(with: "HTTP/".utf8) {
      status = statusCode(of: line)
      headers = []
    } else if !line.isEmpty {
      add(line, continues: bytes.first == UInt8(ascii: " ") || bytes.first == UInt8(ascii: "\t"))
    } else if let status {
      defer { self.status = nil }
      // 100 Continue, 103 Early Hints: another head follows.
      guard status >= 200 else { return nil }
      isDone = true
      return HTTPHead(status: status, headers: headers)
    }
    return nil
  }

  private mutating func add(_ line: Slice<UnsafeBufferPointer<UInt8>>, continues: Bool) {
    if continues, let last = headers.indices.last {
      headers[last].value += " " + String(decoding: line, as: UTF8.self)
      return
    }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
    headers.append(
      HTTPHeader(
        String(decoding: trimmed(line[..<colon]), as: UTF8.self),
        String(decoding: trimmed(line[colon...].dropFirst()), as: UTF8.self)))
  }

  /// The number after the version: `HTTP/1.1 200 OK`, `HTTP/2 200`.
  private func statusCode(of line: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    let digits = line.drop { $0 != UInt8(ascii: " ") }.drop { $0 == UInt8(ascii: " ") }
    return Int(String(decoding: digits.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self))
  }
}

/// Without white space around.
private func trimmed(
  _ bytes: Slice<UnsafeBufferPointer<UInt8>>
) -> Slice<UnsafeBufferPointer<UInt8>> {
  var rest = bytes.drop { isSpace($0) }
  while let last = rest.last, isSpace(last) { rest = rest.dropLast() }
  return rest
}

private func isSpace(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\r")
    || byte == UInt8(ascii: "\n")
}
