// Query documents as trees of elements, read with expat.

import CExpat

/// One element of a query document.
struct XMLElement {
  var name: String
  var attributes: [(name: String, value: String)] = []
  var children: [Int] = []
  /// Byte offset of its `<` in the text.
  var offset: Int
  /// Where its first character data other than white space stands.
  var textOffset: Int?
}

/// All elements of a document; number 0 is the root.
struct XMLTree {
  /// More elements inside each other than any chain of operators needs.
  static let depthLimit = Query.Limits.operators + 4 * Query.Limits.nesting

  fileprivate(set) var elements: [XMLElement] = []

  subscript(_ index: Int) -> XMLElement { elements[index] }

  /// Reads a document. Without a root `osm-script` anywhere in the text it gets one, as the server
  /// does it.
  ///
  /// - Returns: `nil` if the text is no well-formed XML, which has been reported.
  init?(_ text: [UInt8], _ collector: inout DiagnosticCollector) {
    let needsRoot = XMLTree.needsRoot(text)
    let prefix = needsRoot ? "<osm-script>" : ""
    let reader = XMLReader(offset: -prefix.utf8.count)
    guard let parser = XML_ParserCreate("UTF-8") else { return nil }
    defer { XML_ParserFree(parser) }
    reader.parser = parser
    // The reader lives until the end of this call.
    XML_SetUserData(parser, Unmanaged.passUnretained(reader).toOpaque())
    XML_SetElementHandler(parser, startElement, endElement)
    XML_SetCharacterDataHandler(parser, characterData)
    XML_SetStartDoctypeDeclHandler(parser, startDoctype)
    var isFine = true
    if needsRoot { isFine = XMLTree.feed(parser, Array(prefix.utf8)[...], isLast: false) }
    // Without the blanks in front, where XML does not want them.
    let start = text.firstIndex { !isBlank($0) } ?? 0
    reader.offset += start
    isFine = isFine && XMLTree.feed(parser, text[start...], isLast: !needsRoot)
    if needsRoot {
      isFine = isFine && XMLTree.feed(parser, Array("</osm-script>".utf8)[...], isLast: true)
    }
    withExtendedLifetime(reader) {}
    guard isFine, reader.refusal == nil, !reader.elements.isEmpty else {
      let offset = min(Int(XML_GetCurrentByteIndex(parser)) + reader.offset, text.count)
      let reason =
        reader.refusal ?? XML_ErrorString(XML_GetErrorCode(parser)).map { String(cString: $0) }
        ?? "no element found"
      collector.add(
        Diagnostic(.error, .malformedXML, "the text is no well-formed XML: \(reason)"),
        at: max(offset, 0))
      return nil
    }
    elements = reader.elements
  }

  private static func needsRoot(_ text: [UInt8]) -> Bool {
    let content = text.drop(while: isBlank)
    if content.dropFirst().first == UInt8(ascii: "?") { return false }
    let root = Array("<osm-script".utf8)
    var index = content.startIndex
    while index + root.count <= content.endIndex {
      if content[index] == root[0], content[index..<index + root.count].elementsEqual(root) {
        return false
      }
      index += 1
    }
    return true
  }

  private static func feed(
    _ parser: XML_Parser, _ bytes: ArraySlice<UInt8>, isLast: Bool
  ) -> Bool {
    bytes.withUnsafeBytes { buffer in
      // Texts are limited to far less than what a C int can count.
      let pointer = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
      return XML_Parse(parser, pointer, Int32(buffer.count), isLast ? 1 : 0) == XML_STATUS_OK
    }
  }
}

/// Gathers elements from expat's callbacks.
private final class XMLReader {
  var parser: XML_Parser?
  /// What to add to expat's byte index to get an offset in the text.
  var offset: Int
  var elements: [XMLElement] = []
  var open: [Int] = []
  /// Why reading was stopped from within a callback.
  var refusal: String?

  init(offset: Int) { self.offset = offset }

  var position: Int { (parser.map { Int(XML_GetCurrentByteIndex($0)) } ?? 0) + offset }

  func refuse(_ reason: String) {
    if refusal == nil { refusal = reason }
    if let parser { XML_StopParser(parser, 0) }
  }
}

private func reader(_ data: UnsafeMutableRawPointer?) -> XMLReader? {
  data.map { Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }
}

private func startElement(
  _ data: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?,
  _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?
) {
  guard let reader = reader(data), let name else { return }
  guard reader.open.count < XMLTree.depthLimit else {
    return reader.refuse("elements are nested more than \(XMLTree.depthLimit) levels deep")
  }
  var element = XMLElement(name: String(cString: name), offset: reader.position)
  if var pair = attributes {
    while let key = pair[0], let value = pair[1] {
      element.attributes.append((String(cString: key), String(cString: value)))
      pair += 2
    }
  }
  let index = reader.elements.count
  if let parent = reader.open.last { reader.elements[parent].children.append(index) }
  reader.elements.append(element)
  reader.open.append(index)
}

private func endElement(_ data: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?) {
  _ = reader(data)?.open.popLast()
}

private func characterData(
  _ data: UnsafeMutableRawPointer?, _ text: UnsafePointer<CChar>?, _ length: Int32
) {
  guard let reader = reader(data), let text, let parent = reader.open.last,
    reader.elements[parent].textOffset == nil
  else { return }
  let bytes = UnsafeBufferPointer(start: text, count: Int(length))
  if bytes.contains(where: { !isBlank(UInt8(bitPattern: $0)) }) {
    reader.elements[parent].textOffset = reader.position
  }
}

private func startDoctype(
  _ data: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?,
  _ system: UnsafePointer<CChar>?, _ publicID: UnsafePointer<CChar>?, _ hasSubset: Int32
) {
  // Entities of a document's own could blow up without bound, and no query needs them.
  reader(data)?.refuse("a document type declaration is not allowed in a query")
}
