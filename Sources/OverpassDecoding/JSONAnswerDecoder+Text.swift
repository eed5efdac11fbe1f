// Texts: interned byte for byte, escapes resolved, invalid UTF-8 mended or refused.

import OSMModel

extension JSONAnswerDecoder {
  /// Interns a string. A text already in the table was checked when it came in.
  @inline(__always)
  mutating func intern(_ raw: JSONScanner.RawString) throws(Fault) -> StringID {
    if !raw.hasEscapes {
      let isASCII = raw.isASCII
      let known = builder.strings.intern(raw.bytes) { isASCII || UTF8Check.isValid($0) }
      if let known { return known }
    }
    return try internSlowly(raw)
  }

  /// Strings with escapes, or with bytes that are not UTF-8.
  @inline(never)
  private mutating func internSlowly(_ raw: JSONScanner.RawString) throws(Fault) -> StringID {
    var isSound = true
    if raw.hasEscapes {
      isSound = try unescape(raw.bytes)
    } else {
      scratch.removeAll(keepingCapacity: true)
      scratch.append(contentsOf: raw.bytes)
    }
    if !scratch.withUnsafeBufferPointer(UTF8Check.isValid) {
      isSound = false
      scratch = scratch.withUnsafeBufferPointer(UTF8Check.repaired)
    }
    if !isSound {
      let offset = raw.bytes.baseAddress.map { scanner.offset(of: $0) } ?? scanner.offset
      if options.strictText {
        throw Fault(kind: .text, message: "text that is not UTF-8", offset: offset)
      }
      note(.invalidText, at: offset)
    }
    return scratch.withUnsafeBufferPointer { builder.strings.intern($0) }
  }

  /// Resolves escapes into `scratch`; false when half of a surrogate pair had to be replaced.
  private mutating func unescape(_ bytes: UnsafeBufferPointer<UInt8>) throws(Fault) -> Bool {
    scratch.removeAll(keepingCapacity: true)
    var isSound = true
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      guard byte == UInt8(ascii: "\\") else {
        scratch.append(byte)
        index += 1
        continue
      }
      guard let length = JSONEscape.length(bytes, at: index) else {
        throw scanner.escapeFault(bytes, index)
      }
      guard let unit = JSONEscape.codeUnit(bytes, at: index) else {
        scratch.append(JSONEscape.simple(bytes[index + 1]))
        index += length
        continue
      }
      index += length
      var scalar = unit
      if (0xD800...0xDBFF).contains(unit), let low = JSONEscape.codeUnit(bytes, at: index),
        (0xDC00...0xDFFF).contains(low)
      {
        scalar = 0x1_0000 + (unit - 0xD800) << 10 + (low - 0xDC00)
        index += 6
      }
      if let scalar = Unicode.Scalar(scalar) {
        scratch.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
      } else {
        scratch.append(contentsOf: UTF8Check.replacement)
        isSound = false
      }
    }
    return isSound
  }

  /// Adds a diagnostic; past a thousand they only cost memory.
  mutating func note(_ kind: DecodeDiagnostic.Kind, at offset: Int, element: ElementID? = nil) {
    guard diagnostics.count < 1000 else { return }
    diagnostics.append(DecodeDiagnostic(kind: kind, element: element, offset: offset))
  }
}
