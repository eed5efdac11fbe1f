// Expat as a push parser: bytes in any portions in, calls of an XMLAnswerDecoder out.
//
// Nothing is expanded or loaded: a document type that declares or refers to anything is refused, so
// there are no entities beyond XML's own five. Source: expat reference manual; XML 1.0 §4.6.

import CExpat
import OSMModel

/// Feeds expat and owns the decoder it calls.
struct XMLPushParser: ~Copyable {
  private let parser: XML_Parser
  private let decoder: UnsafeMutablePointer<XMLAnswerDecoder>
  /// Bytes given to expat, after mending.
  private var fed = 0
  private var hasStarted = false
  private var input = XMLTextInput()
  /// Bytes that are not given to expat yet, because more of them go in at less cost.
  private var waiting = Column<UInt8>()
  private let options: DecodeOptions

  /// `nil` when expat has no memory.
  init?(options: DecodeOptions) {
    guard let parser = XML_ParserCreate(nil) else { return nil }
    self.parser = parser
    self.options = options
    decoder = .allocate(capacity: 1)
    decoder.initialize(to: XMLAnswerDecoder(parser: parser, options: options))
    XML_SetUserData(parser, decoder)
    XML_SetElementHandler(
      parser,
      { context, name, attributes in
        guard let context, let name, let attributes else { return }
        context.assumingMemoryBound(to: XMLAnswerDecoder.self).pointee
          .handleStart(XMLText(name), XMLAttributes(attributes))
      },
      { context, name in
        guard let context, let name else { return }
        context.assumingMemoryBound(to: XMLAnswerDecoder.self).pointee.handleEnd(XMLText(name))
      })
    XML_SetStartDoctypeDeclHandler(parser) { context, _, systemID, _, hasInternalSubset in
      guard let context, systemID != nil || hasInternalSubset != 0 else { return }
      context.assumingMemoryBound(to: XMLAnswerDecoder.self).pointee.refuseDocumentType()
    }
  }

  deinit {
    XML_ParserFree(parser)
    decoder.deinitialize(count: 1)
    decoder.deallocate()
  }

  /// Decodes the next bytes; portions of any size give the same result.
  mutating func push(_ bytes: UnsafeBufferPointer<UInt8>) throws(Fault) {
    if waiting.isEmpty, bytes.count >= wanted { return try feed(bytes) }
    waiting.append(contentsOf: bytes)
    guard waiting.count >= wanted else { return }
    try parseWaiting()
  }

  /// Tells that there are no more bytes.
  mutating func finish() throws(Fault) {
    try parseWaiting()
    try parse(input.heldBack.buffer)
    guard XML_Parse(parser, nil, 0, 1) != XML_STATUS_OK else { return }
    throw fault(isFinal: true)
  }

  /// Small enough to stay in the processor's cache together with expat's copy.
  private static var portion: Int { 1 << 16 }
  /// Enough to see the encoding.
  private static var headLength: Int { 1 << 8 }

  /// How many bytes expat has seen without finishing what they belong to. It starts again at the
  /// beginning of that, so portions grow with it: a text of n bytes costs O(n) and not O(n²).
  /// (CVE-2023-52425.)
  private var unfinished: Int { fed - max(0, Int(XML_GetCurrentByteIndex(parser))) }

  /// The smallest portion worth giving to expat.
  private var wanted: Int {
    if !hasStarted { return XMLPushParser.headLength }
    let unfinished = unfinished
    return unfinished > XMLPushParser.portion ? unfinished : 1
  }

  /// Parses what waits for more.
  mutating func parseWaiting() throws(Fault) {
    guard !waiting.isEmpty else { return }
    var bytes = Column<UInt8>()
    swap(&bytes, &waiting)
    try feed(bytes.buffer)
  }

  private mutating func feed(_ bytes: UnsafeBufferPointer<UInt8>) throws(Fault) {
    var rest = bytes
    while !rest.isEmpty {
      let count = min(rest.count, max(XMLPushParser.portion, unfinished))
      let portion = UnsafeBufferPointer(rebasing: rest[..<count])
      rest = UnsafeBufferPointer(rebasing: rest[count...])
      let mended = try input.take(portion, isFirst: !hasStarted, strict: options.strictText)
      hasStarted = true
      try parse(mended ? input.mended.buffer : portion)
    }
  }

  private mutating func parse(_ bytes: UnsafeBufferPointer<UInt8>) throws(Fault) {
    guard !bytes.isEmpty else { return }
    fed += bytes.count
    let status = bytes.withMemoryRebound(to: CChar.self) {
      XML_Parse(parser, $0.baseAddress, Int32(truncatingIfNeeded: $0.count), 0)
    }
    if status != XML_STATUS_OK { throw fault(isFinal: false) }
  }

  /// What stopped the parser, at its place in the input as it came.
  private func fault(isFinal: Bool) -> Fault {
    if var fault = decoder.pointee.fault {
      fault.offset = input.originalOffset(fault.offset)
      return fault
    }
    let code = XML_GetErrorCode(parser)
    if isFinal, XMLPushParser.meansMissingEnd(code) {
      return Fault(
        kind: .truncated, message: "the answer stops in the middle",
        offset: input.originalOffset(fed))
    }
    let offset = input.originalOffset(max(0, Int(XML_GetCurrentByteIndex(parser))))
    return Fault(kind: .syntax, message: XMLPushParser.message(code), offset: offset)
  }

  private static func meansMissingEnd(_ code: XML_Error) -> Bool {
    code == XML_ERROR_NO_ELEMENTS || code == XML_ERROR_UNCLOSED_TOKEN
      || code == XML_ERROR_PARTIAL_CHAR || code == XML_ERROR_UNCLOSED_CDATA_SECTION
  }

  private static func message(_ code: XML_Error) -> StaticString {
    switch code {
    case XML_ERROR_INVALID_TOKEN: "not well-formed XML"
    case XML_ERROR_TAG_MISMATCH: "an end tag that matches no start tag"
    case XML_ERROR_DUPLICATE_ATTRIBUTE: "an attribute given twice"
    case XML_ERROR_JUNK_AFTER_DOC_ELEMENT: "text behind the end of the answer"
    case XML_ERROR_UNDEFINED_ENTITY: "an entity that is not defined"
    case XML_ERROR_BAD_CHAR_REF: "a reference to a character that XML does not have"
    case XML_ERROR_MISPLACED_XML_PI: "the XML declaration does not stand at the start"
    case XML_ERROR_UNKNOWN_ENCODING, XML_ERROR_INCORRECT_ENCODING: "an encoding that is not known"
    case XML_ERROR_NO_MEMORY: "a text too large to hold"
    default: "not well-formed XML"
    }
  }

  var elementCount: Int { decoder.pointee.elementCount }

  /// Where what is not finished yet begins, in the input as it came: no fault lies before.
  var unfinishedOffset: Int {
    input.originalOffset(max(0, Int(XML_GetCurrentByteIndex(parser))))
  }

  /// Whether the tables hold more than they can address.
  var isOverfull: Bool { decoder.pointee.builder.isOverfull }

  /// The response made of what was decoded. An element that was not whole is left out.
  mutating func takeResponse(truncatedAt: Int?) -> Response {
    for offset in input.mendedOffsets.buffer.prefix(1000) {
      decoder.pointee.diagnostics.append(DecodeDiagnostic(kind: .invalidText, offset: offset))
    }
    var finished = XMLAnswerDecoder(parser: parser, options: options)
    swap(&finished, &decoder.pointee)
    return finished.finish(truncatedAt: truncatedAt)
  }
}
