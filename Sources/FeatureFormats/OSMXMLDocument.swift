// OSM XML, augmented diffs and change files around their elements.
// Source: Overpass API, output_xml.cc; OSM wiki, "Overpass API/Augmented Diffs" and "OsmChange".

import OSMModel

extension DocumentWriter {
  /// Writes elements without changes.
  func writeXML<Sink: ByteSink & ~Copyable>(to sink: inout Sink) throws(WriteError) {
    let dataset = document.dataset
    let texts = EscapedTexts(dataset.strings, for: .xml)
    try writeXMLHead(to: &sink)
    try writeElements(to: &sink) { OSMXMLText(dataset, texts) }
    var again = OSMXMLText(dataset, texts)
    for index in repeatedNodes.indices {
      again.appendElement(ElementIndex(.node, Int(repeatedNodes[index])), isFirst: false)
    }
    again.buffer.append(xmlFoot: document.remarks)
    let block = again.takeBlock()
    try sink.write(block.bytes.buffer)
  }

  /// Writes an augmented diff.
  func writeDiff<Sink: ByteSink & ~Copyable>(to sink: inout Sink) throws(WriteError) {
    var text = OSMXMLText(document.dataset, EscapedTexts(document.dataset.strings, for: .xml))
    try writeXMLHead(to: &sink)
    try ChangeOrder(document).forEach { step throws(WriteError) in
      switch step {
      case .element(let element): text.appendElement(element, isFirst: false)
      case .action(let action, let isReversed): text.append(action, isReversed: isReversed)
      }
      try text.flush(to: &sink)
    }
    text.buffer.append(xmlFoot: document.remarks)
    let block = text.takeBlock()
    try sink.write(block.bytes.buffer)
  }

  /// Writes a change file: a block for each run of changes of one kind.
  func writeChangeFile<Sink: ByteSink & ~Copyable>(to sink: inout Sink) throws(WriteError) {
    var text = OSMXMLText(document.dataset, EscapedTexts(document.dataset.strings, for: .xml))
    text.buffer.append(xmlRoot: "osmChange", document.header, withCopyright: true)
    var block: ElementAction.Kind?
    try ChangeOrder(document).forEach { step throws(WriteError) in
      // Elements without a change and earlier states are losses, allowed when they come here.
      guard case .action(let action, _) = step, let state = action.new,
        let name = action.kind.blockName
      else { return }
      if block != action.kind {
        text.buffer.appendTag("</", block?.blockName)
        text.buffer.appendTag("<", name)
        block = action.kind
      }
      text.appendElement(state, isFirst: false)
      try text.flush(to: &sink)
    }
    text.buffer.appendTag("</", block?.blockName)
    text.buffer.append("</osmChange>\n")
    let rest = text.takeBlock()
    try sink.write(rest.bytes.buffer)
  }

  private func writeXMLHead<Sink: ByteSink & ~Copyable>(to sink: inout Sink) throws(WriteError) {
    let header = document.header
    var text = TextBuffer()
    // Readers cut white space off the ends of a note.
    let isNote = header.copyright?.hasInkAtBothEnds ?? false
    text.append(xmlRoot: "osm", header, withCopyright: !isNote)
    if isNote, let copyright = header.copyright {
      text.append("<note>")
      text.append(xmlText: copyright)
      text.append("</note>\n")
    }
    if header.timestamp != nil || header.areasTimestamp != nil {
      text.append("<meta")
      text.append(attribute: " osm_base=", header.timestamp)
      text.append(attribute: " areas=", header.areasTimestamp)
      text.append("/>\n")
    }
    if let bounds = header.bounds { text.append(xmlBounds: bounds) }
    text.append("\n")
    try sink.write(text.bytes.buffer)
  }
}

extension OSMXMLText {
  /// Appends a change with its states.
  fileprivate mutating func append(_ action: ElementAction, isReversed: Bool) {
    buffer.append("<action type=\"")
    buffer.append(action.kind.name)
    buffer.append("\">\n")
    // Without names states mean: of `show_initial` the earlier one, of all others the later one.
    if action.kind == .showInitial, let old = action.old, action.new == nil {
      appendElement(old, isFirst: false)
    } else if action.kind != .showInitial, let new = action.new, action.old == nil {
      appendElement(new, isFirst: false)
    } else if isReversed {
      append(state: action.new, "new")
      append(state: action.old, "old")
    } else {
      append(state: action.old, "old")
      append(state: action.new, "new")
    }
    buffer.append("</action>\n")
  }

  private mutating func append(state: ElementIndex?, _ name: StaticString) {
    guard let state else { return }
    buffer.appendTag("<", name)
    appendElement(state, isFirst: false)
    buffer.appendTag("</", name)
  }

  /// Hands what was appended to the sink, if it is much.
  fileprivate mutating func flush<Sink: ByteSink & ~Copyable>(to sink: inout Sink)
    throws(WriteError)
  {
    guard buffer.bytes.count >= 1 << 18 else { return }
    try sink.write(buffer.bytes.buffer)
    buffer.bytes.truncate(to: 0)
  }
}

extension ElementAction.Kind {
  fileprivate var name: StaticString {
    switch self {
    case .create: "create"
    case .modify: "modify"
    case .delete: "delete"
    case .showInitial: "show_initial"
    case .showFinal: "show_final"
    }
  }

  /// The name of its block in a change file.
  fileprivate var blockName: StaticString? {
    self == .showInitial || self == .showFinal ? nil : name
  }
}

extension TextBuffer {
  /// Appends the declaration and the root's start tag. OSM XML without a version is read by nobody.
  fileprivate mutating func append(
    xmlRoot name: StaticString, _ header: DocumentHeader, withCopyright: Bool
  ) {
    append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<")
    append(name)
    append(attribute: " version=", header.version ?? "0.6")
    append(attribute: " generator=", header.generator)
    if withCopyright { append(attribute: " copyright=", header.copyright) }
    append(">\n")
  }

  fileprivate mutating func append(attribute start: StaticString, _ value: String?) {
    guard let value else { return }
    append(start)
    append(xmlAttribute: value)
  }

  fileprivate mutating func append(xmlFoot remarks: [String]) {
    append("\n")
    for remark in remarks {
      append("<remark> ")
      append(xmlText: remark)
      append(" </remark>\n")
    }
    append("</osm>\n")
  }

  /// Appends a line with a tag; nothing without a name.
  fileprivate mutating func appendTag(_ start: StaticString, _ name: StaticString?) {
    guard let name else { return }
    append(start)
    append(name)
    append(">\n")
  }
}
