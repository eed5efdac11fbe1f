// One JSON answer on several threads.
//
// The list of elements is cut at bytes that look like the start of an element. Whether they are is
// known when the decoder of the part before ends exactly there; then what comes behind means the same
// as if one decoder had read it all. Otherwise, and after any error, the answer is decoded in one
// piece: results and errors never depend on the number of threads.

import OSMModel
import Synchronization

/// Decodes the parts of an answer at the same time.
final class JSONParts: @unchecked Sendable {
  private let input: UnsafeBufferPointer<UInt8>
  private let offset: Int
  private let options: DecodeOptions
  /// Where each part begins, and the end of the last one.
  private let starts: [UnsafePointer<UInt8>]
  /// Made and met by one thread each, and by the calling thread when that one has ended.
  private let decoders: UnsafeMutablePointer<JSONAnswerDecoder>
  private let isDecoded: UnsafeMutablePointer<Bool>
  private let isStopped = Atomic<Bool>(false)
  private let bytesDone = Atomic<Int>(0)
  private let elementsDone = Atomic<Int>(0)

  /// A part for a thread should take longer than starting one, by far.
  static var smallestPart: Int { 4 << 20 }

  /// `nil` where the answer is too small for several threads, or cannot be cut.
  /// - Parameter start: the first byte of `input`.
  init?(
    _ input: UnsafeBufferPointer<UInt8>, at start: UnsafePointer<UInt8>, offset: Int,
    smallestPart: Int = JSONParts.smallestPart, options: DecodeOptions
  ) {
    let wanted = options.maximumThreads > 0 ? options.maximumThreads : WorkerThread.usefulCount
    let count = min(wanted, input.count / max(smallestPart, 1), 64)
    guard count > 1 else { return nil }
    var starts = [start]
    for part in 1..<count {
      let place = start + input.count / count * part
      guard let last = starts.last, place > last else { continue }
      if let cut = JSONParts.elementStart(from: place, before: start + input.count), cut > last {
        starts.append(cut)
      }
    }
    guard starts.count > 1 else { return nil }
    self.input = input
    self.offset = offset
    self.options = options
    decoders = .allocate(capacity: starts.count)
    isDecoded = .allocate(capacity: starts.count)
    isDecoded.initialize(repeating: false, count: starts.count)
    for (index, place) in starts.enumerated() {
      (decoders + index).initialize(
        to: JSONAnswerDecoder(
          input, at: start, offset: offset, from: place, stage: index == 0 ? .opening : .element,
          options: options))
    }
    self.starts = starts + [start + input.count]
  }

  deinit {
    for index in 0..<partCount { (decoders + index).deinitialize(count: 1) }
    decoders.deallocate()
    isDecoded.deallocate()
  }

  private var partCount: Int { starts.count - 1 }

  /// The decoder that has read all; `nil` where the answer has to be decoded in one piece.
  /// - Throws: a fault of kind `cancelled`.
  func decode(_ reporter: ProgressReporter) throws(Fault) -> JSONAnswerDecoder? {
    var threads: [WorkerThread] = []
    for part in 1..<partCount {
      guard let thread = WorkerThread({ try? self.decode(part, .silent) }) else {
        isStopped.store(true, ordering: .relaxed)
        break
      }
      threads.append(thread)
    }
    var cancelled: Fault?
    do throws(Fault) {
      try decode(0, reporter)
    } catch {
      cancelled = error
      isStopped.store(true, ordering: .relaxed)
    }
    for thread in threads { thread.join() }
    if let cancelled { throw cancelled }
    guard (0..<partCount).allSatisfy({ isDecoded[$0] }) else { return nil }
    return join()
  }

  /// Decodes one part up to the start of the next.
  /// - Throws: a fault of kind `cancelled`; others leave the part undone.
  private func decode(_ part: Int, _ reporter: ProgressReporter) throws(Fault) {
    let end = starts[part + 1]
    let isLast = part == partCount - 1
    do throws(Fault) {
      var place = starts[part]
      var elements = 0
      while true {
        guard !isStopped.load(ordering: .relaxed) else { return }
        let pause = min(end, place + DecodeProgress.step)
        let isPaused = try decoders[part].decode(until: pause)
        let count = decoders[part].elementCount
        let position = decoders[part].position
        let bytes = bytesDone.add(position - place, ordering: .relaxed).newValue
        let sum = elementsDone.add(count - elements, ordering: .relaxed).newValue
        place = position
        elements = count
        try reporter.report(bytes: offset + bytes, elements: sum)
        guard isPaused, place < end else { break }
      }
      if isLast { try decoders[part].decodeAnswer() }
      isDecoded[part] = isLast || decoders[part].isAtElement(end)
    } catch {
      isStopped.store(true, ordering: .relaxed)
      if error.kind == .cancelled { throw error }
    }
  }

  /// All parts as one; `nil` where the sum is more than is allowed.
  private func join() -> JSONAnswerDecoder? {
    var whole = JSONAnswerDecoder(
      input, at: starts[0], offset: offset, stage: .closed, options: options)
    swap(&whole, &decoders[0])
    for part in 1..<partCount { whole.append(&decoders[part]) }
    guard whole.elementCount <= options.maximumElements, !whole.builder.strings.isFull else {
      return nil
    }
    return consume whole
  }

  /// How far the parts have come.
  var progress: (bytes: Int, elements: Int) {
    (offset + bytesDone.load(ordering: .relaxed), elementsDone.load(ordering: .relaxed))
  }

  // MARK: Cutting

  /// How far to look for a place to cut. Few elements are larger.
  private static var longestSearch: Int { 8 << 20 }

  /// The first byte at or behind `place` that looks like the start of an element: `{"type": "…", "id":`.
  ///
  /// Inside of a text a quotation mark ends the text, so that what is behind it could not go on like
  /// this; and a member of a relation has `ref` in place of `id`.
  static func elementStart(from place: UnsafePointer<UInt8>, before end: UnsafePointer<UInt8>)
    -> UnsafePointer<UInt8>?
  {
    let stop = end - place > longestSearch ? place + longestSearch : end
    var position = place
    while position < stop, let hit = memchr(position, 0x7B, stop - position) {
      let brace = UnsafePointer(hit.assumingMemoryBound(to: UInt8.self))
      if isElementStart(brace, before: end) { return brace }
      position = brace + 1
    }
    return nil
  }

  private static func isElementStart(
    _ brace: UnsafePointer<UInt8>, before end: UnsafePointer<UInt8>
  ) -> Bool {
    var scanner = JSONScanner(
      UnsafeBufferPointer(start: brace, count: end - brace), at: brace, offset: 0)
    do throws(Fault) {
      try scanner.take(UInt8(ascii: "{"), "")
      guard try scanner.isString("type") else { return false }
      scanner.skipSpace()
      try scanner.take(UInt8(ascii: ":"), "")
      _ = try scanner.string("")
      scanner.skipSpace()
      try scanner.take(UInt8(ascii: ","), "")
      return try scanner.isString("id")
    } catch {
      return false
    }
  }
}

extension JSONScanner {
  /// Reads a string and tells whether it is the one given.
  fileprivate mutating func isString(_ text: StaticString) throws(Fault) -> Bool {
    let bytes = try string("").bytes
    return text.withUTF8Buffer { bytes.elementsEqual($0) }
  }
}
