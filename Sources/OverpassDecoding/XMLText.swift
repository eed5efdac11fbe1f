// What expat hands over: NUL-terminated UTF-8, and lists of attributes.

import OSMModel

/// A text of expat, valid during one call.
struct XMLText {
  let start: UnsafePointer<UInt8>

  @inline(__always) init(_ start: UnsafePointer<CChar>) {
    self.start = UnsafeRawPointer(start).assumingMemoryBound(to: UInt8.self)
  }

  @inline(__always) var first: UInt8 { start.pointee }

  @inline(__always) static func == (text: XMLText, name: StaticString) -> Bool {
    let wanted = name.utf8Start
    // Both end with NUL, so the first difference comes at the latest where the shorter one ends.
    for index in 0...name.utf8CodeUnitCount where text.start[index] != wanted[index] {
      return false
    }
    return true
  }

  @inline(__always) var bytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(
      start: start, count: strlen(UnsafeRawPointer(start).assumingMemoryBound(to: CChar.self)))
  }

  var string: String { String(decoding: bytes, as: UTF8.self) }

  // MARK: Numbers

  /// A scanner over the text and its closing NUL, which ends every number.
  @inline(__always) private var scanner: JSONScanner {
    JSONScanner(UnsafeBufferPointer(start: start, count: bytes.count + 1), at: start, offset: 0)
  }

  /// The text as an id; `nil` if it is none. The least number of 64 bits stands for "no id".
  @inline(__always) var identifier: Int64? {
    integer.flatMap { $0 == ElementID.unknownNumber ? nil : $0 }
  }

  /// The text as a whole number of 64 bits; `nil` if it is none.
  @inline(__always) var integer: Int64? {
    var scanner = self.scanner
    do throws(Fault) {
      let value = try scanner.integer("")
      return scanner.position == scanner.end - 1 ? value : nil
    } catch {
      return nil
    }
  }

  /// What a text gives as a coordinate.
  enum Degrees {
    case value(Int32)
    case outOfRange
    case malformed
  }

  /// The text as degrees in units of 1e-7, by the rules of the JSON decoder. A sign or zeros in front
  /// are allowed, as XML Schema writes decimal numbers.
  @inline(__always) var degrees: Degrees {
    var scanner = self.scanner
    do throws(Fault) {
      let value = try scanner.coordinate()
      if scanner.position == scanner.end - 1 {
        guard let value else { return .outOfRange }
        return .value(value)
      }
      return .malformed
    } catch {
      return lenientDegrees
    }
  }

  @inline(never) private var lenientDegrees: Degrees {
    var scanner = self.scanner
    let isNegative = scanner.current == UInt8(ascii: "-")
    if isNegative || scanner.current == UInt8(ascii: "+") { scanner.position += 1 }
    while scanner.current == UInt8(ascii: "0"), JSONScanner.isDigit(scanner.position[1]) {
      scanner.position += 1
    }
    do throws(Fault) {
      let value = try scanner.decimal(scaledBy: 7)
      guard scanner.position == scanner.end - 1 else { return .malformed }
      guard let value, let result = Int32(exactly: isNegative ? -value : value) else {
        return .outOfRange
      }
      return .value(result)
    } catch {
      return .malformed
    }
  }
}

/// The attributes of one start tag, in their order; valid during one call.
struct XMLAttributes: Sequence, IteratorProtocol {
  private var position: UnsafeMutablePointer<UnsafePointer<CChar>?>

  @inline(__always) init(_ start: UnsafeMutablePointer<UnsafePointer<CChar>?>) {
    position = start
  }

  @inline(__always) mutating func next() -> (name: XMLText, value: XMLText)? {
    guard let name = position[0], let value = position[1] else { return nil }
    position += 2
    return (XMLText(name), XMLText(value))
  }

  /// The value of one attribute.
  func value(_ name: StaticString) -> XMLText? {
    for attribute in self where attribute.name == name { return attribute.value }
    return nil
  }
}
