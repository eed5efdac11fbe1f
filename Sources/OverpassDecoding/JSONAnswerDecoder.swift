// Overpass JSON into columns: the object around the elements.
//
// The decoder knows what an answer looks like and writes straight into the columns of a Dataset:
// there is no tree, and no string or number is made that the data does not keep.
// Source: Overpass API "Output formats", OSM wiki; ../../ARCHITECTURE.md, "Decoding".

import OSMModel

/// Decodes one answer, at once or in parts. The element, member and geometry parts stand in
/// extensions.
struct JSONAnswerDecoder: ~Copyable {
  var scanner: JSONScanner
  private(set) var options: DecodeOptions
  var builder = DatasetBuilder()
  var header = Response.Header()
  var remarks: [String] = []
  var diagnostics: [DecodeDiagnostic] = []
  private(set) var hasElements = false
  private(set) var elementCount = 0
  /// Reused for strings with escapes.
  var scratch: [UInt8] = []
  /// The tags of the element being read, until it is whole.
  var draftTags = Column<Tag>()
  private(set) var stage = Stage.opening
  /// Whether the answer stands in the call of a function (JSONP).
  private var isPadded = false
  /// Where to go on when more of the answer is at hand.
  private var checkpoint: Checkpoint

  /// What is to be read next.
  enum Stage {
    /// The brace that opens the answer.
    case opening
    /// A key of the answer itself and its value, and what follows one.
    case member, afterMember
    /// An element, and what follows one.
    case element, afterElement
    /// The bracket behind an answer in the call of a function.
    case padding
    /// White space behind the answer.
    case closed
  }

  /// All that tells what was decoded for good from what a cut element left behind.
  private struct Checkpoint {
    var position: UnsafePointer<UInt8>
    var stage = Stage.opening
    var diagnosticCount = 0
    var wayPositionCount = 0
    var relationPositionCount = 0
  }

  /// - Parameters:
  ///   - start: the first byte of `input`.
  ///   - offset: bytes of the answer before `input`.
  ///   - place: where to begin; `nil` for the first byte.
  ///   - stage: what stands there.
  init(
    _ input: UnsafeBufferPointer<UInt8>, at start: UnsafePointer<UInt8>, offset: Int,
    from place: UnsafePointer<UInt8>? = nil, stage: Stage = .opening, options: DecodeOptions
  ) {
    scanner = JSONScanner(input, at: start, offset: offset)
    scanner.position = place ?? start
    checkpoint = Checkpoint(position: start)
    hasElements = stage == .element
    self.options = options
    self.options.maximumDepth = min(options.maximumDepth, DecodeOptions.largestDepth)
    self.stage = stage
    builder.strings.maximumBytes = options.maximumTextBytes
  }

  /// Decodes the whole answer, or what is left of it.
  mutating func decodeAnswer() throws(Fault) {
    try decode(isFinal: true)
    guard hasElements else {
      throw Fault(
        kind: .notOverpass, message: "the answer has no list of elements", offset: scanner.offset)
    }
  }

  /// Decodes what is at hand, and gives the number of bytes that are done with. The rest begins
  /// something that is cut by the end, and belongs in front of the next part.
  mutating func decodePart() throws(Fault) -> Int {
    let start = scanner.start
    do throws(Fault) {
      try decode(isFinal: false)
    } catch {
      guard error.kind == .truncated else { throw error }
    }
    let done = checkpoint.position - start
    rollBack()
    return done
  }

  /// Gives the decoder the next part of the answer, which begins with what the last one left.
  mutating func move(
    to input: UnsafeBufferPointer<UInt8>, at start: UnsafePointer<UInt8>, offset: Int
  ) {
    scanner.move(to: input, at: start, offset: offset)
    checkpoint.position = start
  }

  /// Decodes elements until one begins at or behind `pause`, and tells whether it ended so.
  mutating func decode(until pause: UnsafePointer<UInt8>) throws(Fault) -> Bool {
    try decode(isFinal: true, until: pause)
    return stage == .element && scanner.position >= pause
  }

  /// Whether the next element begins at `place`.
  func isAtElement(_ place: UnsafePointer<UInt8>) -> Bool {
    stage == .element && scanner.position == place
  }

  /// Takes over what another decoder read behind this one's part of the answer. That one is empty
  /// afterwards.
  mutating func append(_ later: inout JSONAnswerDecoder) {
    var taken = DatasetBuilder()
    swap(&taken, &later.builder)
    builder.append(taken)
    header.merge(later.header)
    remarks += later.remarks
    diagnostics += later.diagnostics.prefix(1000 - diagnostics.count)
    elementCount += later.elementCount
    hasElements = hasElements || later.hasElements
  }

  /// Where decoding stands.
  var position: UnsafePointer<UInt8> { scanner.position }
  var bytesLeft: Int { scanner.end - scanner.position }

  private mutating func decode(isFinal: Bool, until pause: UnsafePointer<UInt8>? = nil)
    throws(Fault)
  {
    let pause = pause ?? scanner.end + 1
    while true {
      // A part may begin with the blanks in front of what comes next.
      scanner.skipSpace()
      note()
      switch stage {
      case .opening: try decodeOpening(isFinal: isFinal)
      case .member: try decodeTopLevelMember(isFinal: isFinal)
      case .afterMember:
        stage = try scanner.takeSeparator(closing: UInt8(ascii: "}")) ? .member : lastStage
      case .element, .afterElement:
        guard try decodeElements(until: pause) else { return }
        stage = .afterMember
      case .padding:
        try scanner.take(UInt8(ascii: ")"), "expected the ')' of the call around the answer")
        stage = .closed
      case .closed:
        if isPadded, scanner.current == UInt8(ascii: ";") {
          scanner.position += 1
          continue
        }
        guard scanner.position == scanner.end else {
          throw scanner.fault("text behind the end of the answer")
        }
        return note()
      }
    }
  }

  /// Notes that all up to here was decoded for good.
  @inline(__always) private mutating func note() {
    checkpoint = Checkpoint(
      position: scanner.position, stage: stage, diagnosticCount: diagnostics.count,
      wayPositionCount: builder.ways.inlinePositions.count,
      relationPositionCount: builder.relations.inlinePositions.count)
  }

  /// Forgets what was read behind the checkpoint.
  mutating func rollBack() {
    stage = checkpoint.stage
    builder.dropUnfinishedRow()
    builder.ways.inlinePositions.truncate(to: checkpoint.wayPositionCount)
    builder.relations.inlinePositions.truncate(to: checkpoint.relationPositionCount)
    if diagnostics.count > checkpoint.diagnosticCount {
      diagnostics.removeLast(diagnostics.count - checkpoint.diagnosticCount)
    }
  }

  // MARK: The answer itself

  /// What follows the brace that closes the answer.
  private var lastStage: Stage { isPadded ? .padding : .closed }

  private mutating func decodeOpening(isFinal: Bool) throws(Fault) {
    let offset = scanner.offset
    if scanner.current != UInt8(ascii: "{"), !isPadded,
      try scanner.takePadding(isFinal: isFinal)
    {
      isPadded = true
      return note(.padding, at: offset)
    }
    guard scanner.position < scanner.end else { throw scanner.fault("expected '{'") }
    guard scanner.current == UInt8(ascii: "{") else {
      throw scanner.fault("an Overpass JSON answer starts with '{'", .notOverpass)
    }
    try scanner.take(UInt8(ascii: "{"), "expected '{'")
    // A part may end here, so that it is not known yet whether a key follows.
    guard scanner.position < scanner.end else { throw scanner.fault("expected a key") }
    stage = scanner.takeClosing(UInt8(ascii: "}")) ? lastStage : .member
  }

  private mutating func decodeTopLevelMember(isFinal: Bool) throws(Fault) {
    let key = try keyName()
    if isKey(key, "elements") { return try openElements() }
    let isNumber = isNumberStart
    if isKey(key, "remark") {
      if let text = try optionalText() { remarks.append(text) }
    } else if isKey(key, "generator") {
      if let text = try optionalText() { header.generator = text }
    } else if isKey(key, "version") {
      if let text = try versionText() { header.version = text }
    } else if isKey(key, "osm3s") {
      try decodeSource()
    } else if isKey(key, "bounds") {
      if let box = try decodeBox(depth: 1) { header.bounds = box }
    } else {
      try scanner.skipValue(depth: 1, maximumDepth: options.maximumDepth)
    }
    // Nothing closes a number, so that one at the end of a part may go on in the next.
    if isNumber, !isFinal, scanner.position == scanner.end { throw scanner.fault("a cut number") }
    stage = .afterMember
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
        if let text = try optionalText() { header.timestamp = text }
      } else if isKey(key, "timestamp_areas_base") {
        if let text = try optionalText() { header.areasTimestamp = text }
      } else if isKey(key, "copyright") {
        if let text = try optionalText() { header.copyright = text }
      } else {
        try scanner.skipValue(depth: 2, maximumDepth: options.maximumDepth)
      }
    } while try scanner.takeSeparator(closing: UInt8(ascii: "}"))
  }

  private mutating func openElements() throws(Fault) {
    guard scanner.current == UInt8(ascii: "[") else {
      throw scanner.fault("expected a list of elements")
    }
    try scanner.take(UInt8(ascii: "["), "expected '['")
    guard scanner.position < scanner.end else { throw scanner.fault("expected an element") }
    hasElements = true
    stage = scanner.takeClosing(UInt8(ascii: "]")) ? .afterMember : .element
  }

  /// Decodes elements to the end of their list; false when it stops at `pause`.
  private mutating func decodeElements(until pause: UnsafePointer<UInt8>) throws(Fault) -> Bool {
    while true {
      if stage == .element {
        if scanner.position >= pause { return false }
        try decodeElement()
        elementCount += 1
        try checkLimits()
        stage = .afterElement
        note()
      }
      guard try scanner.takeSeparator(closing: UInt8(ascii: "]")) else { return true }
      stage = .element
    }
  }

  @inline(__always) private func checkLimits() throws(Fault) {
    if elementCount > options.maximumElements {
      throw scanner.fault("the answer has more elements than allowed (max_elements)", .limit)
    }
    if builder.strings.isFull {
      throw scanner.fault("the answer has more text than allowed (max_text_bytes)", .limit)
    }
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
