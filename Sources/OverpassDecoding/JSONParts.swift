// One JSON answer on several threads.
//
// The list of elements is cut at bytes that look like the start of an element. Whether they are is
// known when the decoder of the part before ends exactly there; then what comes behind means the same
// as if one decoder had read it all. Otherwise, and after any error, the answer is decoded in one
// piece: results and errors never depend on the number of threads. A thread that is done takes half of
// what another one has left, because equal parts rarely take equal time.

import OSMModel
import Synchronization

/// Decodes the parts of an answer at the same time.
final class JSONParts: @unchecked Sendable {
  private let input: UnsafeBufferPointer<UInt8>
  private let start: UnsafePointer<UInt8>
  private let offset: Int
  private let options: DecodeOptions
  private let smallestPart: Int
  private let step: Int
  /// Guards the list of parts, and the bounds of each.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var parts: [Part] = []
  private let isStopped = Atomic<Bool>(false)
  private let bytesDone = Atomic<Int>(0)
  private let elementsDone = Atomic<Int>(0)

  /// A run of elements that one thread decodes. Its decoder is met by that thread alone, and by the
  /// calling thread when all have ended.
  fileprivate final class Part {
    let start: UnsafePointer<UInt8>
    var end: UnsafePointer<UInt8>
    /// Up to here the thread is at work; what lies behind may still be given to another one.
    var claimed: UnsafePointer<UInt8>
    /// Whether the answer ends with this part.
    var isLast: Bool
    var isDecoded = false
    var decoder: JSONAnswerDecoder

    init(
      _ start: UnsafePointer<UInt8>, to end: UnsafePointer<UInt8>, isLast: Bool,
      _ decoder: consuming JSONAnswerDecoder
    ) {
      self.start = start
      self.end = end
      self.isLast = isLast
      self.decoder = decoder
      claimed = start
    }
  }

  /// A part for a thread should take longer than starting one, by far.
  static var smallestPart: Int { 4 << 20 }

  /// `nil` where the answer is too small for several threads, or cannot be cut.
  /// - Parameters:
  ///   - start: the first byte of `input`.
  ///   - step: the bytes that a thread claims at a time.
  init?(
    _ input: UnsafeBufferPointer<UInt8>, at start: UnsafePointer<UInt8>, offset: Int,
    smallestPart: Int = JSONParts.smallestPart, step: Int = DecodeProgress.step,
    options: DecodeOptions
  ) {
    let wanted = options.maximumThreads > 0 ? options.maximumThreads : WorkerThread.usefulCount
    let count = min(wanted, input.count / max(smallestPart, 1), 64)
    guard count > 1 else { return nil }
    self.input = input
    self.start = start
    self.offset = offset
    self.options = options
    self.smallestPart = smallestPart
    self.step = step
    mutex = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    var starts = [start]
    for part in 1..<count {
      let place = start + input.count / count * part
      guard let last = starts.last, place > last else { continue }
      let cut = JSONParts.elementStart(from: place, before: start + input.count)
      if let cut, cut > last { starts.append(cut) }
    }
    guard starts.count > 1 else { return nil }
    for (index, place) in starts.enumerated() {
      let isLast = index == starts.count - 1
      let end = isLast ? start + input.count : starts[index + 1]
      parts.append(Part(place, to: end, isLast: isLast, decoder(from: place)))
    }
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  private func decoder(from place: UnsafePointer<UInt8>) -> JSONAnswerDecoder {
    JSONAnswerDecoder(
      input, at: start, offset: offset, from: place, stage: place == start ? .opening : .element,
      options: options)
  }

  /// The decoder that has read all; `nil` where the answer has to be decoded in one piece.
  /// - Throws: a fault of kind `cancelled`.
  func decode(_ reporter: ProgressReporter) throws(Fault) -> JSONAnswerDecoder? {
    var threads: [WorkerThread] = []
    for index in parts.indices.dropFirst() {
      guard let thread = WorkerThread({ try? self.work(from: index, .silent) }) else {
        isStopped.store(true, ordering: .relaxed)
        break
      }
      threads.append(thread)
    }
    var cancelled: Fault?
    do throws(Fault) {
      try work(from: 0, reporter)
    } catch {
      cancelled = error
      isStopped.store(true, ordering: .relaxed)
    }
    for thread in threads { thread.join() }
    if let cancelled { throw cancelled }
    return join()
  }

  // MARK: Threads

  /// What one thread does: its own part, then halves of what others have left.
  /// - Throws: a fault of kind `cancelled`.
  private func work(from index: Int, _ reporter: ProgressReporter) throws(Fault) {
    var next: Part? = locked { parts[index] }
    while let part = next {
      do throws(Fault) {
        try decode(part, reporter)
      } catch {
        isStopped.store(true, ordering: .relaxed)
        if error.kind == .cancelled { throw error }
      }
      next = isStopped.load(ordering: .relaxed) ? nil : locked { splitLongest() }
    }
  }

  private func locked<Value>(_ body: () -> Value) -> Value {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }

  /// Decodes one part up to its end.
  private func decode(_ part: Part, _ reporter: ProgressReporter) throws(Fault) {
    var place = part.start
    var elements = 0
    var isAtEnd = false
    while !isAtEnd {
      guard !isStopped.load(ordering: .relaxed) else { return }
      let pause = locked {
        part.claimed = part.end - place > step ? place + step : part.end
        isAtEnd = part.claimed == part.end
        return part.claimed
      }
      let isPaused = try part.decoder.decode(until: pause)
      let position = part.decoder.position
      let count = part.decoder.elementCount
      let bytes = bytesDone.add(position - place, ordering: .relaxed).newValue
      let sum = elementsDone.add(count - elements, ordering: .relaxed).newValue
      place = position
      elements = count
      try reporter.report(bytes: offset + bytes, elements: sum)
      if !isPaused { break }
    }
    let (end, isLast) = locked { (part.end, part.isLast) }
    if isLast { try part.decoder.decodeAnswer() }
    part.isDecoded = isLast || part.decoder.isAtElement(end)
  }

  /// Cuts off the second half of what is left of the part with the most left, as a new part.
  private func splitLongest() -> Part? {
    guard parts.count < 64, let part = parts.max(by: { $0.bytesLeft < $1.bytesLeft }),
      part.bytesLeft >= 2 * smallestPart,
      let cut = JSONParts.elementStart(
        from: part.claimed + part.bytesLeft / 2, before: part.end),
      cut > part.claimed, cut < part.end
    else { return nil }
    let half = Part(cut, to: part.end, isLast: part.isLast, decoder(from: cut))
    part.end = cut
    part.isLast = false
    parts.append(half)
    return half
  }

  /// All parts as one; `nil` where one is not what it was taken for, or where the sum is more than is
  /// allowed.
  private func join() -> JSONAnswerDecoder? {
    guard parts.allSatisfy(\.isDecoded) else { return nil }
    parts.sort { $0.start < $1.start }
    var whole = decoder(from: start)
    swap(&whole, &parts[0].decoder)
    for part in parts.dropFirst() { whole.append(&part.decoder) }
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

extension JSONParts.Part {
  /// What no thread is at work on.
  fileprivate var bytesLeft: Int { end - claimed }
}

extension JSONScanner {
  /// Reads a string and tells whether it is the one given.
  fileprivate mutating func isString(_ text: StaticString) throws(Fault) -> Bool {
    let bytes = try string("").bytes
    return text.withUTF8Buffer { bytes.elementsEqual($0) }
  }
}
