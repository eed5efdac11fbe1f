// Overpass XML, OSM files, change files and augmented diffs into columns: the places of a document.
//
// Expat calls `handleStart` and `handleEnd`; they may not throw through C, so the first fault is kept
// and stops the parser. Elements that are not known are passed over with all that is in them.
// Source: Overpass API "Output formats", OSM wiki; "OSM XML", "OsmChange", OSM wiki.

import CExpat
import OSMModel

/// Decodes one answer. Elements and their parts stand in extensions.
struct XMLAnswerDecoder: ~Copyable {
  /// What an open tag is.
  enum Place {
    case answer, changeFile
    /// create, modify or delete of a change file.
    case changeBlock
    /// One action of an augmented diff, and its states.
    case action, oldState, newState
    case element, member
    /// A part of a derived element's geometry.
    case group, line
    case remark, note
    /// A tag whose content means nothing.
    case ignored
  }

  let parser: XML_Parser
  private(set) var options: DecodeOptions
  var builder = DatasetBuilder()
  var header = Response.Header()
  var remarks: [String] = []
  var diagnostics: [DecodeDiagnostic] = []
  var actions: [ElementAction] = []
  var elementCount = 0
  /// The first thing that was wrong.
  var fault: Fault?
  private var places = Column<Place>()

  /// The action being read, or the kind of the block of a change file.
  var action: ElementAction?
  /// Whether the document is a change file or an augmented diff.
  var hasActions = false
  /// The element being read.
  var element = XMLElementDraft()
  var draftTags = Column<Tag>()
  /// The text of a remark or note.
  private var text: [UInt8] = []

  init(parser: XML_Parser, options: DecodeOptions) {
    self.parser = parser
    self.options = options
    self.options.maximumDepth = min(options.maximumDepth, DecodeOptions.largestDepth)
    builder.strings.maximumBytes = options.maximumTextBytes
  }

  // MARK: Calls from expat

  @inline(__always)
  mutating func handleStart(_ name: XMLText, _ attributes: XMLAttributes) {
    guard fault == nil else { return }
    do throws(Fault) {
      guard places.count < options.maximumDepth else {
        throw failure(.limit, "tags nest too deep (max_depth)")
      }
      places.append(try start(name, attributes))
    } catch {
      stop(error)
    }
  }

  @inline(__always)
  mutating func handleEnd(_ name: XMLText) {
    guard fault == nil, let place = places.last else { return }
    places.removeLast(1)
    do throws(Fault) {
      switch place {
      case .ignored: return
      case .element: try endElement(name)
      case .member: endMember()
      case .group: endGroup()
      case .line: element.shape.endLine()
      case .action: endAction()
      case .changeBlock: action = nil
      case .remark, .note: endText(place)
      case .answer, .changeFile, .oldState, .newState: return
      }
    } catch {
      stop(error)
    }
  }

  mutating func refuseDocumentType() {
    stop(failure(.notOverpass, "a document type with declarations; no OSM file has one"))
  }

  mutating func append(text bytes: UnsafeBufferPointer<UInt8>) { text.append(contentsOf: bytes) }

  private mutating func stop(_ fault: Fault) {
    guard self.fault == nil else { return }
    self.fault = fault
    XML_StopParser(parser, 0)
  }

  /// A fault at the tag being read.
  @inline(never)
  func failure(_ kind: DecodeError.Kind, _ message: StaticString) -> Fault {
    Fault(kind: kind, message: message, offset: offset)
  }

  var offset: Int { max(0, Int(XML_GetCurrentByteIndex(parser))) }

  /// Adds a diagnostic; past a thousand they only cost memory.
  mutating func note(_ kind: DecodeDiagnostic.Kind) {
    guard diagnostics.count < 1000 else { return }
    let concerned = element.draft.id == ElementID.unknownNumber ? nil : element.draft.elementID
    diagnostics.append(DecodeDiagnostic(kind: kind, element: concerned, offset: offset))
  }

  // MARK: Places

  @inline(__always)
  private mutating func start(_ name: XMLText, _ attributes: XMLAttributes) throws(Fault) -> Place {
    guard let place = places.last else { return try startDocument(name, attributes) }
    switch place {
    case .element: return try startPart(name, attributes)
    case .answer: return try startInAnswer(name, attributes)
    case .member:
      if name == "nd" { try readMemberVertex(attributes) }
      return .ignored
    case .ignored, .remark, .note: return .ignored
    case .group, .line: return try startInShape(name, attributes)
    case .changeFile: return startBlock(name)
    case .action:
      if name == "old" { return .oldState }
      if name == "new" { return .newState }
      return try startElement(name, attributes)
    case .changeBlock, .oldState, .newState: return try startElement(name, attributes)
    }
  }

  private mutating func startDocument(_ name: XMLText, _ attributes: XMLAttributes) throws(Fault)
    -> Place
  {
    guard name == "osm" || name == "osmChange" || name == "osmAugmentedDiff" else {
      throw failure(.notOverpass, "an OSM document starts with <osm> or <osmChange>")
    }
    for attribute in attributes {
      if attribute.name == "version" {
        header.version = attribute.value.string
      } else if attribute.name == "generator" {
        header.generator = attribute.value.string
      } else if attribute.name == "copyright" {
        header.copyright = attribute.value.string
      }
    }
    guard name == "osmChange" else { return .answer }
    hasActions = true
    return .changeFile
  }

  private mutating func startInAnswer(_ name: XMLText, _ attributes: XMLAttributes) throws(Fault)
    -> Place
  {
    switch name.first {
    case UInt8(ascii: "n") where name == "note", UInt8(ascii: "r") where name == "remark":
      text.removeAll(keepingCapacity: true)
      XML_SetCharacterDataHandler(parser) { context, start, count in
        guard let context, let start else { return }
        context.assumingMemoryBound(to: XMLAnswerDecoder.self).pointee.append(
          text: UnsafeBufferPointer(start: XMLText(start).start, count: Int(count)))
      }
      return name == "note" ? .note : .remark
    case UInt8(ascii: "m") where name == "meta":
      if let value = attributes.value("osm_base") { header.timestamp = value.string }
      if let value = attributes.value("areas") { header.areasTimestamp = value.string }
      return .ignored
    case UInt8(ascii: "b") where name == "bounds":
      element = XMLElementDraft()
      if let box = try readBounds(attributes) { header.bounds = box }
      return .ignored
    case UInt8(ascii: "a") where name == "action":
      hasActions = true
      action = attributes.value("type").flatMap(ElementAction.init(typeName:))
      // An action of a kind that is not known is passed over.
      return action == nil ? .ignored : .action
    default: return try startElement(name, attributes)
    }
  }

  private mutating func startBlock(_ name: XMLText) -> Place {
    action = ElementAction(typeName: name)
    return action == nil ? .ignored : .changeBlock
  }

  private mutating func endText(_ place: Place) {
    XML_SetCharacterDataHandler(parser, nil)
    let content = String(decoding: text.trimmedBlanks, as: UTF8.self)
    guard !content.isEmpty else { return }
    if place == .remark {
      remarks.append(content)
    } else if header.copyright == nil {
      header.copyright = content
    }
  }

  // MARK: Actions

  /// Notes where a state of an element stands.
  mutating func recordState(_ index: ElementIndex) {
    guard var action else { return }
    switch places.last {
    case .changeBlock: actions.append(ElementAction(action.kind, new: index))
    case .oldState: action.old = index
    case .newState: action.new = index
    default: if action.kind == .showInitial { action.old = index } else { action.new = index }
    }
    if places.last != .changeBlock { self.action = action }
  }

  /// Whether the element being read is the state of something deleted.
  var isDeletedState: Bool { action?.kind == .delete && places.last == .changeBlock }

  private mutating func endAction() {
    if let action, action.old != nil || action.new != nil { actions.append(action) }
    if let old = action?.old { builder.outdated.insert(old) }
    action = nil
  }

  /// The response made of what was decoded. An element that was not whole is left out.
  consuming func finish(truncatedAt: Int?) -> Response {
    if truncatedAt != nil {
      builder.dropUnfinishedRow()
      if places.last != nil { endAction() }
    }
    let (header, remarks, actions) = (self.header, self.remarks, self.actions)
    var diagnostics = self.diagnostics
    let finished = builder.finish(keepingCopies: hasActions)
    for element in finished.conflicts.prefix(1000) {
      diagnostics.append(DecodeDiagnostic(conflict: element))
    }
    return Response(
      header: header, remarks: remarks, dataset: finished.dataset, actions: actions,
      diagnostics: diagnostics, truncatedAt: truncatedAt)
  }
}

extension ElementAction {
  init?(typeName: XMLText) {
    if typeName == "modify" {
      self.init(.modify)
    } else if typeName == "create" {
      self.init(.create)
    } else if typeName == "delete" {
      self.init(.delete)
    } else if typeName == "show_initial" {
      self.init(.showInitial)
    } else if typeName == "show_final" {
      self.init(.showFinal)
    } else {
      return nil
    }
  }
}

extension [UInt8] {
  /// The bytes without white space at both ends.
  var trimmedBlanks: ArraySlice<UInt8> {
    var rest = self[...]
    while let first = rest.first, first <= 0x20 { rest.removeFirst() }
    while let last = rest.last, last <= 0x20 { rest.removeLast() }
    return rest
  }
}
