// The description of Arrow columns, and how it is handed over. Source: the Arrow C data interface,
// https://arrow.apache.org/docs/format/CDataInterface.html

internal import CArrow
import OSMModel

/// One column, or what a column consists of.
struct ArrowField: Sendable {
  var name: String
  /// The type, in the interface's short notation.
  var format: String
  var isNullable = false
  var metadata: [(key: String, value: String)] = []
  var children: [ArrowField] = []
  /// Where the column holds numbers of texts: the field of the texts. One at most.
  var dictionary: [ArrowField] = []

  /// Fills a struct that the receiver owns from then on. `owner` lives as long as the struct.
  func export(to target: UnsafeMutablePointer<ArrowSchema>, keeping owner: AnyObject) {
    let memory = SchemaMemory(self, owner)
    target.pointee = ArrowSchema(
      format: memory.format, name: memory.name, metadata: memory.metadata,
      flags: isNullable ? Int64(ARROW_FLAG_NULLABLE) : 0, n_children: Int64(children.count),
      children: memory.children.pointers, dictionary: memory.dictionary.first,
      release: releaseSchema,
      private_data: Unmanaged.passRetained(memory).toOpaque())
  }
}

/// What an exported schema points to.
private final class SchemaMemory {
  let format: UnsafeMutablePointer<CChar>?
  let name: UnsafeMutablePointer<CChar>?
  let metadata: UnsafeMutablePointer<CChar>?
  let children: ArrowPointers<ArrowSchema>
  let dictionary: ArrowPointers<ArrowSchema>
  private let owner: AnyObject

  init(_ field: ArrowField, _ owner: AnyObject) {
    format = strdup(field.format)
    name = strdup(field.name)
    metadata = encoded(field.metadata)
    children = ArrowPointers(field.children.count)
    dictionary = ArrowPointers(field.dictionary.count)
    self.owner = owner
    for (place, child) in field.children.enumerated() {
      child.export(to: children[place], keeping: owner)
    }
    for (place, texts) in field.dictionary.enumerated() {
      texts.export(to: dictionary[place], keeping: owner)
    }
  }

  deinit {
    free(format)
    free(name)
    free(metadata)
  }
}

private func releaseSchema(_ schema: UnsafeMutablePointer<ArrowSchema>?) {
  guard let schema, let raw = schema.pointee.private_data else { return }
  let memory = Unmanaged<SchemaMemory>.fromOpaque(raw)
  for each in [memory.takeUnretainedValue().children, memory.takeUnretainedValue().dictionary] {
    // Children may have been moved out; they have no release function any more.
    each.forEach { if let release = $0.pointee.release { release($0) } }
  }
  schema.pointee.release = nil
  schema.pointee.private_data = nil
  memory.release()
}

/// Pairs in the interface's binary form: counts and lengths of 32 bits in the machine's byte order.
private func encoded(_ pairs: [(key: String, value: String)]) -> UnsafeMutablePointer<CChar>? {
  guard !pairs.isEmpty else { return nil }
  var bytes: [UInt8] = []
  func append(_ number: Int) {
    withUnsafeBytes(of: Int32(clamping: number)) { bytes.append(contentsOf: $0) }
  }
  append(pairs.count)
  for (key, value) in pairs {
    for text in [key, value] {
      append(text.utf8.count)
      bytes.append(contentsOf: text.utf8)
    }
  }
  guard let block = malloc(bytes.count) else { return nil }
  memcpy(block, bytes, bytes.count)
  return block.assumingMemoryBound(to: CChar.self)
}

/// Structs at fixed places in memory, and the list of pointers to them, which the interface wants.
final class ArrowPointers<Struct> {
  let count: Int
  private let structs: UnsafeMutablePointer<Struct>
  private let list: UnsafeMutablePointer<UnsafeMutablePointer<Struct>?>

  /// The structs are to be filled by the caller; their bytes are zero.
  init(_ count: Int) {
    self.count = count
    structs = .allocate(capacity: max(count, 1))
    list = .allocate(capacity: max(count, 1))
    memset(structs, 0, count * MemoryLayout<Struct>.stride)
    for place in 0..<count { list[place] = structs + place }
  }

  deinit {
    structs.deallocate()
    list.deallocate()
  }

  var pointers: UnsafeMutablePointer<UnsafeMutablePointer<Struct>?>? { count > 0 ? list : nil }
  var first: UnsafeMutablePointer<Struct>? { count > 0 ? structs : nil }

  subscript(place: Int) -> UnsafeMutablePointer<Struct> {
    precondition(place >= 0 && place < count)
    return structs + place
  }

  func forEach(_ body: (UnsafeMutablePointer<Struct>) -> Void) {
    for place in 0..<count { body(structs + place) }
  }
}
