// Overpass JSON into columns: the object around the elements.
//
// The decoder knows what an answer looks like and writes straight into the columns of a Dataset:
// there is no tree, and no string or number is made that the data does not keep.
// Source: Overpass API "Output formats", OSM wiki; ../../ARCHITECTURE.md, "Decoding".

import OSMModel

/// Decodes one answer. The element, member and geometry parts stand in extensions.
struct JSONAnswerDecoder: ~Copyable {
  var scanner: JSONScanner
  private(set) var options: DecodeOptions
  var builder = DatasetBuilder()
  var header = Response.Header()
  var remarks: [String] = []
  var diagnostics: [DecodeDiagnostic] = []
  var hasElements = false
  /// Reused for strings with escapes.
  var scratch: [UInt8] = []
  /// The tags of the element being read, until it is whole.
  var draftTags = Column<Tag>()

  init(_ input: UnsafeBufferPointer<UInt8>, at start: UnsafePointer<UInt8>, options: DecodeOptions)
  {
    scanner = JSONScanner(input, at: start)
    self.options = options
    self.options.maximumDepth = min(options.maximumDepth, DecodeOptions.largestDepth)
  }

  /// Decodes the whole answer.
  mutating func decodeAnswer() throws(Fault) {
    scanner.skipSpace()
    guard scanner.current == UInt8(ascii: "{") else {
      throw scanner.fault("an Overpass JSON answer starts with '{'", .notOverpass)
    }
    try scanner.take(UInt8(ascii: "{"), "expected '{'")
    if !scanner.takeClosing(UInt8(ascii: "}")) {
      repeat {
        try decodeTopLevelMember()
      } while try scanner.takeSeparator(
        closing: UInt8(ascii: "}"))
    }
    scanner.skipSpace()
    guard scanner.position == scanner.end else {
      throw scanner.fault("text behind the end of the answer")
    }
    guard hasElements else {
      throw Fault(
        kind: .notOverpass, message: "the answer has no list of elements", offset: scanner.offset)
    }
  }

  private mutating func decodeTopLevelMember() throws(Fault) {
    let key = try keyName()
    if isKey(key, "elements") {
      try decodeElements()
    } else if isKey(key, "remark") {
      if let text = try optionalText() { remarks.append(text) }
    } else if isKey(key, "generator") {
      header.generator = try optionalText()
    } else if isKey(key, "version") {
      header.version = try versionText()
    } else if isKey(key, "osm3s") {
      try decodeSource()
    } else {
      try scanner.skipValue(depth: 1, maximumDepth: options.maximumDepth)
    }
  }

  /// `osm3s`: the state and the licence of the data.
  private mutating func decodeSource() throws(Fault) {
    guard scanner.current == UInt8(ascii: "{") else {
      return try scanner.skipValue(depth: 1, maximumDepth: options.maximumDepth)
    }
    try scanner.take(UInt8(ascii: "{"), "expected '{'")
    if scanner.takeClosing(UInt8(ascii: "}")) { return }
    repeat {
      let key = try keyName()
      if isKey(key, "timestamp_osm_base") {
        header.timestamp = try optionalText()
      } else if isKey(key, "timestamp_areas_base") {
        header.areasTimestamp = try optionalText()
      } else if isKey(key, "copyright") {
        header.copyright = try optionalText()
      } else {
        try scanner.skipValue(depth: 2, maximumDepth: options.maximumDepth)
      }
    } while try scanner.takeSeparator(closing: UInt8(ascii: "}"))
  }

  private mutating func decodeElements() throws(Fault) {
    guard scanner.current == UInt8(ascii: "[") else {
      throw scanner.fault("expected a list of elements")
    }
    try scanner.take(UInt8(ascii: "["), "expected '['")
    hasElements = true
    if scanner.takeClosing(UInt8(ascii: "]")) { return }
    repeat { try decodeElement() } while try scanner.takeSeparator(closing: UInt8(ascii: "]"))
  }

  // MARK: Keys

  /// Reads a key and its colon.
  @inline(__always) mutating func keyName() throws(Fault) -> JSONScanner.RawString {
    let key = try scanner.string("expected a key")
    try scanner.takeColon()
    if key.hasEscapes { return try unescapedKey(key) }
    return key
  }

  /// A key may be written with escapes, though the server never does.
  @inline(never)
  private mutating func unescapedKey(_ key: JSONScanner.RawString) throws(Fault)
    -> JSONScanner.RawString
  {
    let id = try intern(key)
    return JSONScanner.RawString(
      bytes: builder.strings.bytes(id), hasEscapes: false, isASCII: true)
  }

  @inline(__always) func isKey(_ key: JSONScanner.RawString, _ name: StaticString) -> Bool {
    key.bytes.count == name.utf8CodeUnitCount
      && memcmp(key.bytes.baseAddress ?? name.utf8Start, name.utf8Start, key.bytes.count) == 0
  }

  // MARK: Texts

  /// Reads a text for the response itself; other kinds of values are passed over.
  mutating func optionalText() throws(Fault) -> String? {
    guard scanner.current == UInt8(ascii: "\"") else {
      try scanner.skipValue(depth: 1, maximumDepth: options.maximumDepth)
      return nil
    }
    let raw = try scanner.string("expected a text")
    return builder.strings.string(try intern(raw))
  }

  /// The version of the format is a number; its text is kept as it stands.
  private mutating func versionText() throws(Fault) -> String? {
    if scanner.current == UInt8(ascii: "\"") || !isNumberStart { return try optionalText() }
    return String(decoding: try scanner.skipNumber(), as: UTF8.self)
  }

  var isNumberStart: Bool {
    scanner.current == UInt8(ascii: "-") || JSONScanner.isDigit(scanner.current)
  }
}
