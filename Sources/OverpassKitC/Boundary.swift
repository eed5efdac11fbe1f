// The one place where Swift errors become statuses and `opk_error`s.

import COverpassKit
import OverpassKit

/// An error on its way to C.
struct BoundaryError: Error {
  var status: Int
  var message: String
  var offset: Int?
  var line: Int?
  var column: Int?
  /// The element concerned.
  var element: ElementID?

  init(_ status: Int, _ message: String) {
    self.status = status
    self.message = message
  }

  static func misuse(_ message: String) -> BoundaryError { BoundaryError(OPK_ERR_MISUSE, message) }

  init(_ error: DecodeError) {
    let status =
      switch error.kind {
      case .syntax: OPK_ERR_DECODE_SYNTAX
      case .truncated: OPK_ERR_DECODE_TRUNCATED
      case .notOverpass: OPK_ERR_DECODE_NOT_OVERPASS
      case .value: OPK_ERR_DECODE_VALUE
      case .format: OPK_ERR_DECODE_FORMAT
      case .compression: OPK_ERR_DECODE_COMPRESSION
      case .text: OPK_ERR_DECODE_TEXT
      case .limit: OPK_ERR_LIMIT
      case .cancelled: OPK_ERR_CANCELLED
      case .fileOpen: OPK_ERR_FILE_OPEN
      case .fileRead: OPK_ERR_FILE_READ
      }
    self.init(status, error.message)
    offset = error.offset
    line = error.line
    column = error.column
  }
}

/// Runs the body of an export. What it throws fills `err` and gives the status.
func boundary(
  _ err: UnsafeMutablePointer<opk_error>?, _ body: () throws(BoundaryError) -> Void
) -> opk_status {
  do throws(BoundaryError) {
    try body()
    return opk_status(OPK_OK)
  } catch {
    unsafe error.write(to: err)
    return opk_status(truncatingIfNeeded: error.status)
  }
}

extension BoundaryError {
  func write(to target: UnsafeMutablePointer<opk_error>?) {
    guard let target = unsafe target else { return }
    var error = opk_error()
    error.struct_size = unsafe target.pointee.struct_size
    error.status = opk_status(truncatingIfNeeded: status)
    error.byte_offset = offset.map { Int64($0) } ?? -1
    error.line = UInt32(clamping: line ?? 0)
    error.column = UInt32(clamping: column ?? 0)
    if let element {
      error.element_type = UInt32(element.type.rawValue)
      error.element_id = element.number == ElementID.unknownNumber ? 0 : element.number
    }
    unsafe withUnsafeMutableBytes(of: &error.message) { room in
      var count = 0
      for scalar in message.unicodeScalars {
        // Cut between characters, and leave room for the closing NUL.
        let bytes = UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
        guard count + bytes.count < room.count else { break }
        for byte in bytes {
          unsafe room[count] = byte
          count += 1
        }
      }
      unsafe room[count] = 0
    }
    unsafe writeStruct(error, to: target)
  }
}

/// Copies a result into a caller's struct, as much of it as the caller's header knew about.
func writeStruct<Value>(_ value: Value, to target: UnsafeMutablePointer<Value>) {
  let size = unsafe Int(UnsafeRawPointer(target).load(as: UInt32.self))
  unsafe withUnsafeBytes(of: value) { bytes in
    let count = min(size, bytes.count)
    // The first field is the caller's own size.
    guard count > 4, let source = bytes.baseAddress else { return }
    unsafe UnsafeMutableRawPointer(target).advanced(by: 4).copyMemory(
      from: source.advanced(by: 4), byteCount: count - 4)
  }
}

/// Reads a caller's option struct over the defaults, as much of it as the caller's header knew about.
func readOptions<Value: BitwiseCopyable>(_ source: UnsafePointer<Value>?, over defaults: Value)
  throws(BoundaryError) -> Value
{
  guard let source = unsafe source else { return defaults }
  let size = unsafe Int(UnsafeRawPointer(source).load(as: UInt32.self))
  guard size >= 4 else { throw .misuse("struct_size of the options is not set") }
  var result = defaults
  unsafe withUnsafeMutableBytes(of: &result) { bytes in
    unsafe bytes.copyMemory(
      from: UnsafeRawBufferPointer(start: source, count: min(size, bytes.count)))
  }
  return result
}
