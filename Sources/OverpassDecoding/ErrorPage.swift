// HTML pages: how the server reports what went wrong before it had begun to answer, whatever format
// was asked for. Source: Overpass API, web_output.cc; wiki "Overpass API/Overpass QL".

import OSMModel

/// An HTML page read for its messages.
struct ErrorPage {
  private(set) var messages: [ServerMessage] = []
  private let page: [UInt8]

  /// Whether a body is HTML and not OSM data.
  static func isHTML(_ body: UnsafeBufferPointer<UInt8>) -> Bool {
    guard body.first == UInt8(ascii: "<") else { return false }
    let head = Array(body.prefix(2048))
    guard
      let place = head.place(of: "<html", from: 0) ?? head.place(of: "<!doctype html", from: 0)
    else { return false }
    return head.place(of: "<osm", from: 0).map { place < $0 } ?? true
  }

  init(_ body: UnsafeBufferPointer<UInt8>) {
    // No page of a server is larger; more would only cost time.
    let head = UnsafeBufferPointer(rebasing: body.prefix(1 << 20))
    // A proxy may have changed the encoding: what is not UTF-8 counts as ISO 8859-1.
    page =
      UTF8Check.isValid(head)
      ? Array(head) : head.flatMap { Array(String(Unicode.Scalar($0)).utf8) }
    messages = paragraphs().map { ServerMessage($0) }
    if messages.isEmpty, let heading = text(of: "h1") ?? text(of: "title") {
      messages = [ServerMessage(heading)]
    }
  }

  /// The error that the page stands for. A page without a known message is still no answer.
  var error: ServerError {
    var result = ServerError(messages: messages) ?? ServerError(.badResponse)
    if !result.category.isError { result.category = .badResponse }
    return result
  }

  /// The texts behind `<strong>Error</strong>:` up to the end of their paragraphs.
  private func paragraphs() -> [String] {
    var result: [String] = []
    var position = 0
    while let start = page.place(of: "<strong", from: position),
      let open = page.place(of: ">", from: start),
      let close = page.place(of: "</strong>", from: open)
    {
      position = close
      let word = plainText(page[(open + 1)..<close])
      guard word == "Error" || word == "Remark" else { continue }
      let textStart = close + 9
      let end = page.place(of: "</p>", from: textStart) ?? page.count
      position = end
      var text = page[textStart..<end]
      if text.first == UInt8(ascii: ":") { text.removeFirst() }
      let message = plainText(text)
      if !message.isEmpty { result.append(message) }
    }
    return result
  }

  private func text(of tag: String) -> String? {
    guard let start = page.place(of: "<\(tag)", from: 0),
      let open = page.place(of: ">", from: start),
      let close = page.place(of: "</\(tag)>", from: open)
    else { return nil }
    let text = plainText(page[(open + 1)..<close])
    return text.isEmpty ? nil : text
  }

  /// HTML without tags, with its character references resolved and without blanks around it.
  private func plainText(_ html: ArraySlice<UInt8>) -> String {
    var result: [UInt8] = []
    var index = html.startIndex
    while index < html.endIndex {
      switch html[index] {
      case UInt8(ascii: "<"):
        let end = html[index...].firstIndex(of: UInt8(ascii: ">")) ?? html.endIndex - 1
        index = end + 1
      case UInt8(ascii: "&"):
        let reference = html[index...].prefix(12)
        if let end = reference.firstIndex(of: UInt8(ascii: ";")),
          let character = ErrorPage.character(html[(index + 1)..<end])
        {
          result.append(contentsOf: String(character).utf8)
          index = end + 1
        } else {
          result.append(html[index])
          index += 1
        }
      default:
        result.append(html[index])
        index += 1
      }
    }
    return String(decoding: result.trimmedBlanks, as: UTF8.self)
  }

  private static func character(_ name: ArraySlice<UInt8>) -> Unicode.Scalar? {
    let name = String(decoding: name, as: UTF8.self)
    switch name {
    case "quot": return "\""
    case "amp": return "&"
    case "lt": return "<"
    case "gt": return ">"
    case "apos": return "'"
    case "nbsp": return "\u{A0}"
    default: break
    }
    guard name.hasPrefix("#") else { return nil }
    let digits = name.dropFirst()
    let number =
      digits.hasPrefix("x") || digits.hasPrefix("X")
      ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
    return number.flatMap { Unicode.Scalar($0) }
  }
}

extension [UInt8] {
  /// Where ASCII text stands, ignoring case.
  fileprivate func place(of text: String, from start: Int) -> Int? {
    let wanted = Array(text.utf8)
    guard start >= 0, count - start >= wanted.count else { return nil }
    return (start...(count - wanted.count)).first { place in
      for offset in wanted.indices {
        let byte = self[place + offset]
        let lower = byte &- 0x41 < 26 ? byte | 0x20 : byte
        if lower != wanted[offset] { return false }
      }
      return true
    }
  }
}
