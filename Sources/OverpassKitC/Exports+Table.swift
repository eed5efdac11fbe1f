// Exports: CSV answers as tables.

import COverpassKit
import OverpassKit

/// A table, with the texts C borrows from it.
final class TableHandle: Sendable {
  let table: CSVAnswer
  let names: [StableText]

  init(_ table: CSVAnswer) {
    self.table = table
    names = table.columns.map { StableText($0.name) }
  }
}

private func layout(_ given: opk_csv_options) throws(BoundaryError) -> OverpassCSV.Layout {
  guard unsafe given.flags & ~UInt32(OPK_CSV_NO_HEAD) == 0 else {
    throw .misuse("unknown flags for tables")
  }
  var layout = OverpassCSV.Layout()
  unsafe layout.hasHead = given.flags & UInt32(OPK_CSV_NO_HEAD) == 0
  if let separator = unsafe given.separator {
    unsafe layout.separator = String(cString: separator)
    guard !layout.separator.isEmpty else { throw .misuse("an empty separator") }
  }
  guard let columns = unsafe given.columns else { return layout }
  var named: [CSVAnswer.Column] = []
  for index in unsafe 0..<max(given.column_count, 0) {
    guard let name = unsafe columns[index] else { throw .misuse("columns holds NULL") }
    let text = unsafe String(cString: name)
    named.append(text.hasPrefix("::") ? .field(String(text.dropFirst(2))) : .tag(text))
  }
  layout.columns = named
  return layout
}

private func decodeOptions(_ given: opk_csv_options) throws(BoundaryError) -> DecodeOptions {
  let known = UInt32(OPK_DECODE_ALLOW_TRUNCATED | OPK_DECODE_STRICT_TEXT)
  guard unsafe given.decode_flags & ~known == 0 else { throw .misuse("unknown flags for decoding") }
  var options = DecodeOptions()
  options.allowTruncated = unsafe given.decode_flags & UInt32(OPK_DECODE_ALLOW_TRUNCATED) != 0
  options.strictText = unsafe given.decode_flags & UInt32(OPK_DECODE_STRICT_TEXT) != 0
  if unsafe given.max_bytes > 0 { options.maximumBytes = unsafe Int(clamping: given.max_bytes) }
  return options
}

/// The body of the decoders of tables.
private func decode(
  _ opt: UnsafePointer<opk_csv_options>?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
  _ err: UnsafeMutablePointer<opk_error>?,
  _ body: (OverpassCSV.Layout, DecodeOptions) throws(AnswerError) -> CSVAnswer
) -> opk_status {
  unsafe boundary(err) { () throws(BoundaryError) in
    guard let out = unsafe out else { throw .misuse("out is NULL") }
    unsafe out.pointee = nil
    let given = try unsafe readOptions(opt, over: opk_csv_options())
    let layout = try unsafe layout(given)
    let options = try unsafe decodeOptions(given)
    do throws(AnswerError) {
      unsafe out.pointee = unsafe makeHandle(TableHandle(try body(layout, options)))
    } catch {
      throw BoundaryError(error)
    }
  }
}

@_cdecl("opk_table_decode_csv") @implementation
public func opk_table_decode_csv(
  _ bytes: UnsafePointer<UInt8>!, _ len: Int, _ opt: UnsafePointer<opk_csv_options>!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  guard len >= 0, unsafe bytes != nil || len == 0 else {
    return unsafe boundary(err) { () throws(BoundaryError) in throw .misuse("bytes is NULL") }
  }
  return unsafe decode(opt, out, err) { layout, options throws(AnswerError) in
    try unsafe OverpassCSV.decode(
      UnsafeBufferPointer(start: bytes, count: len), layout: layout, options: options)
  }
}

@_cdecl("opk_table_decode_csv_file") @implementation
public func opk_table_decode_csv_file(
  _ path: UnsafePointer<CChar>!, _ opt: UnsafePointer<opk_csv_options>!,
  _ out: UnsafeMutablePointer<OpaquePointer?>!, _ err: UnsafeMutablePointer<opk_error>!
) -> opk_status {
  guard let path = unsafe path else {
    return unsafe boundary(err) { () throws(BoundaryError) in throw .misuse("path is NULL") }
  }
  return unsafe decode(opt, out, err) { layout, options throws(AnswerError) in
    try unsafe OverpassCSV.decode(
      contentsOf: String(cString: path), layout: layout, options: options)
  }
}

@_cdecl("opk_table_free") @implementation
public func opk_table_free(_ table: OpaquePointer!) { unsafe freeHandle(table, TableHandle.self) }

@_cdecl("opk_table_row_count") @implementation
public func opk_table_row_count(_ table: OpaquePointer!) -> Int {
  unsafe object(table, TableHandle.self)?.table.rowCount ?? 0
}

@_cdecl("opk_table_column_count") @implementation
public func opk_table_column_count(_ table: OpaquePointer!) -> Int {
  unsafe object(table, TableHandle.self)?.table.columns.count ?? 0
}

@_cdecl("opk_table_is_complete") @implementation
public func opk_table_is_complete(_ table: OpaquePointer!) -> Int32 {
  guard let handle = unsafe object(table, TableHandle.self) else { return 0 }
  return handle.table.completeness == .partial ? 0 : -1
}

@_cdecl("opk_table_column") @implementation
public func opk_table_column(
  _ table: OpaquePointer!, _ column: Int, _ out: UnsafeMutablePointer<opk_column>!
) -> opk_status {
  guard let handle = unsafe object(table, TableHandle.self), let out = unsafe out,
    handle.table.columns.indices.contains(column)
  else { return opk_status(OPK_ERR_MISUSE) }
  var result = unsafe opk_column()
  unsafe result.kind = UInt32(handle.table.columns[column].kind.rawValue)
  unsafe result.name = handle.names[column].borrowed
  unsafe result.is_field = handle.table.columns[column].isField ? 1 : 0
  unsafe writeStruct(result, to: out)
  return opk_status(OPK_OK)
}

/// The table, if it has a column of numbers, or of texts, at this place.
private func table(_ table: OpaquePointer?, _ column: Int, ofTexts: Bool) -> CSVAnswer? {
  guard let answer = unsafe object(table, TableHandle.self)?.table,
    answer.columns.indices.contains(column), (answer.columns[column].kind == .text) == ofTexts
  else { return nil }
  return answer
}

@_cdecl("opk_table_numbers") @implementation
public func opk_table_numbers(
  _ table: OpaquePointer!, _ column: Int, _ buffer: UnsafeMutablePointer<Int64>!, _ capacity: Int
) -> Int {
  guard let answer = unsafe OverpassKitC.table(table, column, ofTexts: false) else { return 0 }
  if let buffer = unsafe buffer {
    for row in 0..<max(min(capacity, answer.rowCount), 0) {
      unsafe buffer[row] = answer.number(row: row, column: column) ?? .min
    }
  }
  return answer.rowCount
}

@_cdecl("opk_table_texts") @implementation
public func opk_table_texts(
  _ table: OpaquePointer!, _ column: Int, _ buffer: UnsafeMutablePointer<opk_str>!, _ capacity: Int
) -> Int {
  guard let answer = unsafe OverpassKitC.table(table, column, ofTexts: true) else { return 0 }
  if let buffer = unsafe buffer {
    for row in 0..<max(min(capacity, answer.rowCount), 0) {
      if let id = answer.text(row: row, column: column) {
        unsafe buffer[row] = text(id, in: answer.strings)
      } else {
        unsafe buffer[row] = noText
      }
    }
  }
  return answer.rowCount
}

@_cdecl("opk_table_problem_count") @implementation
public func opk_table_problem_count(_ table: OpaquePointer!) -> Int {
  unsafe object(table, TableHandle.self)?.table.problems.count ?? 0
}

@_cdecl("opk_table_get_problem") @implementation
public func opk_table_get_problem(
  _ table: OpaquePointer!, _ index: Int, _ out: UnsafeMutablePointer<opk_table_problem>!
) -> opk_status {
  guard let handle = unsafe object(table, TableHandle.self), let out = unsafe out,
    handle.table.problems.indices.contains(index)
  else { return opk_status(OPK_ERR_MISUSE) }
  let problem = handle.table.problems[index]
  var result = opk_table_problem()
  result.kind = UInt32(problem.kind.rawValue)
  result.row = UInt64(clamping: problem.row)
  result.number = UInt64(clamping: problem.number)
  unsafe writeStruct(result, to: out)
  return opk_status(OPK_OK)
}
