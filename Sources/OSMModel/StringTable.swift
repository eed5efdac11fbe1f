// Interned strings: each distinct text of a Dataset is stored once and named by a 32-bit number.

/// The number of an interned string in a ``StringTable``. Number 0 is the empty string.
@frozen public struct StringID: Sendable, Hashable, BitwiseCopyable {
  public var rawValue: UInt32

  @inlinable public init(_ rawValue: UInt32) { self.rawValue = rawValue }

  @inlinable public static var empty: StringID { StringID(0) }
  /// Stands for "no string", where an empty one is something else.
  @inlinable public static var absent: StringID { StringID(.max) }
}

/// A set of distinct byte strings in one block of memory, found by content in constant time.
///
/// The hash is seeded per table, so that crafted input cannot make look-ups slow.
@frozen public struct StringTable: ~Copyable, Sendable {
  /// All strings, one behind the other.
  @usableFromInline var arena: Column<UInt8>
  /// Where each string starts in the arena; one more than there are strings.
  @usableFromInline var starts: Column<UInt32>
  @usableFromInline var slots: Column<Slot>
  @usableFromInline var slotMask: Int
  @usableFromInline let seed: UInt64
  /// How many bytes of text the table may hold; 4 GiB at most.
  public var maximumBytes = Int(UInt32.max)
  /// Whether a string was refused because the table holds as much as it may.
  public private(set) var isFull = false

  /// One place of the hash table. Strings of up to eight bytes are recognised from the slot alone.
  @frozen @usableFromInline struct Slot: BitwiseCopyable, Sendable {
    @usableFromInline var prefix: UInt64
    /// 24 bits of the hash, and the length capped at 255.
    @usableFromInline var tag: UInt32
    /// The string's number plus one; 0 marks a free slot.
    @usableFromInline var numberPlusOne: UInt32

    @usableFromInline init(prefix: UInt64, tag: UInt32, numberPlusOne: UInt32) {
      self.prefix = prefix
      self.tag = tag
      self.numberPlusOne = numberPlusOne
    }
  }

  public init() {
    arena = Column()
    starts = Column()
    slots = Column()
    seed = UInt64.random(in: .min ... .max)
    let initialSlots = 1024
    slots.pad(to: initialSlots, with: Slot(prefix: 0, tag: 0, numberPlusOne: 0))
    slotMask = initialSlots - 1
    starts.append(0)
    _ = intern(UnsafeBufferPointer(start: nil, count: 0))
  }

  /// The number of distinct strings.
  @inlinable public var count: Int { starts.count - 1 }

  /// The bytes of a string, borrowed from the table. They are UTF-8. An unknown number gives none.
  @inlinable public func bytes(_ id: StringID) -> UnsafeBufferPointer<UInt8> {
    let number = Int(id.rawValue)
    guard number < count else { return UnsafeBufferPointer(start: nil, count: 0) }
    let start = Int(starts[number])
    return UnsafeBufferPointer(rebasing: arena.buffer[start..<Int(starts[number + 1])])
  }

  /// The string as a Swift value.
  public func string(_ id: StringID) -> String { String(decoding: bytes(id), as: UTF8.self) }

  /// All strings in one block; string `i` stands at `starts[i]..<starts[i + 1]`.
  @inlinable public var arenaBytes: UnsafeBufferPointer<UInt8> { arena.buffer }
  @inlinable public var startOffsets: UnsafeBufferPointer<UInt32> { starts.buffer }

  /// The number of a string, if the table holds it.
  public func find(_ text: StaticString) -> StringID? {
    text.withUTF8Buffer { find($0) }
  }

  public func find(_ text: String) -> StringID? {
    var text = text
    return text.withUTF8 { find($0) }
  }

  @inlinable public func find(_ bytes: UnsafeBufferPointer<UInt8>) -> StringID? {
    let key = Key(bytes, seed: seed)
    let number = slots[probe(key, bytes)].numberPlusOne
    return number == 0 ? nil : StringID(number - 1)
  }

  /// The number of `text`, which is added if it is new.
  public mutating func intern(_ text: String) -> StringID {
    var text = text
    return text.withUTF8 { intern($0) }
  }

  @inlinable public mutating func intern(_ bytes: UnsafeBufferPointer<UInt8>) -> StringID {
    intern(bytes) { _ in true } ?? .empty
  }

  /// The number of a string, which is added if it is new and `accept` agrees; `nil` if it does not.
  ///
  /// What was accepted once need not be checked again: a decoder validates each distinct string
  /// only when it first appears.
  @inlinable @inline(__always)
  public mutating func intern(
    _ bytes: UnsafeBufferPointer<UInt8>, accept: (UnsafeBufferPointer<UInt8>) -> Bool
  ) -> StringID? {
    let key = Key(bytes, seed: seed)
    let place = probe(key, bytes)
    let number = slots[place].numberPlusOne
    if number != 0 { return StringID(number - 1) }
    guard accept(bytes) else { return nil }
    return insert(bytes, key, at: place)
  }

  @usableFromInline @inline(never)
  mutating func insert(_ bytes: UnsafeBufferPointer<UInt8>, _ key: Key, at place: Int) -> StringID {
    guard arena.count + bytes.count <= Swift.min(maximumBytes, Int(UInt32.max) - 1) else {
      isFull = true
      return .empty
    }
    let number = UInt32(truncatingIfNeeded: count)
    arena.append(contentsOf: bytes)
    starts.append(UInt32(truncatingIfNeeded: arena.count))
    slots[place] = Slot(prefix: key.prefix, tag: key.tag, numberPlusOne: number + 1)
    if count > slots.count / 2 { growSlots() }
    return StringID(number)
  }

  private mutating func growSlots() {
    var larger = Column<Slot>()
    larger.pad(to: slots.count * 2, with: Slot(prefix: 0, tag: 0, numberPlusOne: 0))
    slots = larger
    slotMask = slots.count - 1
    for number in 0..<count {
      let key = Key(bytes(StringID(UInt32(truncatingIfNeeded: number))), seed: seed)
      var place = Int(truncatingIfNeeded: key.hash) & slotMask
      while slots[place].numberPlusOne != 0 { place = (place + 1) & slotMask }
      slots[place] = Slot(
        prefix: key.prefix, tag: key.tag, numberPlusOne: UInt32(truncatingIfNeeded: number) + 1)
    }
  }

  /// The slot that holds the string, or the free slot where it belongs.
  @inlinable @inline(__always)
  func probe(_ key: Key, _ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    let table = slots.buffer
    guard let first = table.baseAddress else { return 0 }
    var place = Int(truncatingIfNeeded: key.hash) & slotMask
    while true {
      let slot = first[place]
      if slot.numberPlusOne == 0 { return place }
      if slot.tag == key.tag, slot.prefix == key.prefix,
        bytes.count <= 8 || isEqual(StringID(slot.numberPlusOne - 1), bytes)
      {
        return place
      }
      place = (place + 1) & slotMask
    }
  }

  @usableFromInline func isEqual(_ id: StringID, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
    let own = bytes(id)
    guard own.count == other.count, let left = own.baseAddress, let right = other.baseAddress else {
      return own.count == other.count
    }
    return memcmp(left, right, own.count) == 0
  }

  /// What is computed from a string to find it.
  @frozen @usableFromInline struct Key {
    @usableFromInline var hash: UInt64
    @usableFromInline var prefix: UInt64
    @usableFromInline var tag: UInt32

    @inlinable @inline(__always) init(_ bytes: UnsafeBufferPointer<UInt8>, seed: UInt64) {
      let count = bytes.count
      guard let start = bytes.baseAddress, count > 0 else {
        hash = seed
        prefix = 0
        tag = 0
        return
      }
      let raw = UnsafeRawPointer(start)
      var suffix: UInt64 = 0
      if count >= 8 {
        prefix = raw.loadUnaligned(as: UInt64.self)
        suffix = (raw + (count - 8)).loadUnaligned(as: UInt64.self)
      } else if count >= 4 {
        // Two overlapping halves hold all bytes.
        prefix =
          UInt64(raw.loadUnaligned(as: UInt32.self))
          | UInt64((raw + (count - 4)).loadUnaligned(as: UInt32.self)) << 32
      } else {
        prefix =
          UInt64(start[0]) | UInt64(start[count >> 1]) << 8 | UInt64(start[count - 1]) << 16
      }
      var state = Key.mix(prefix ^ seed, suffix ^ UInt64(truncatingIfNeeded: count) ^ Key.oddA)
      if count > 16 {
        var offset = 8
        while offset < count - 8 {
          state = Key.mix(
            state ^ (raw + offset).loadUnaligned(as: UInt64.self), seed ^ Key.oddB)
          offset += 8
        }
      }
      hash = state
      tag = UInt32(truncatingIfNeeded: state >> 40) << 8 | UInt32(count < 255 ? count : 255)
    }

    @inlinable static var oddA: UInt64 { 0x9E37_79B9_7F4A_7C15 }
    @inlinable static var oddB: UInt64 { 0xD1B5_4A32_D192_ED03 }

    @inlinable @inline(__always) static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
      let product = left.multipliedFullWidth(by: right | 1)
      return product.high ^ product.low
    }
  }
}
