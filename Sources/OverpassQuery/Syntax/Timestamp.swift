// Moments as the server reads and prints them.

extension Query {
  /// A moment in UTC with a resolution of one second, as written in `[date:]`, `(newer:)` and
  /// `(changed:)`.
  ///
  /// The server looks at the digits of `yyyy-mm-ddThh:mm:ss` and at nothing else: other separators
  /// and whatever follows are ignored. So does ``init(_:)``; it prints the form with `T` and `Z`.
  ///
  /// Source: Overpass QL, "Date"
  public struct Timestamp: Sendable, Hashable, Comparable, CustomStringConvertible {
    public var year: UInt16
    public var month: UInt8
    public var day: UInt8
    public var hour: UInt8
    public var minute: UInt8
    public var second: UInt8

    public init(
      year: UInt16, month: UInt8, day: UInt8, hour: UInt8 = 0, minute: UInt8 = 0, second: UInt8 = 0
    ) {
      self.year = year
      self.month = month
      self.day = day
      self.hour = hour
      self.minute = minute
      self.second = second
    }

    /// Reads what the server reads; `nil` when it would complain about the timestamp.
    public init?(_ text: some StringProtocol) {
      let bytes = Array(text.utf8.prefix(19))
      guard bytes.count == 19 else { return nil }
      func number(_ range: Range<Int>) -> Int? {
        var value = 0
        for byte in bytes[range] {
          guard isDigit(byte) else { return nil }
          value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return value
      }
      guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
        let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19)
      else { return nil }
      self.init(
        year: UInt16(year), month: UInt8(month), day: UInt8(day), hour: UInt8(hour),
        minute: UInt8(minute), second: UInt8(second))
      guard self != Timestamp(year: 0, month: 0, day: 0) else { return nil }
    }

    /// Reads a date alone, `2020-04-27`, as its first second, and otherwise what ``init(_:)`` reads.
    public init?(dateOrTime text: some StringProtocol) {
      let bytes = Array(text.utf8)
      if bytes.count == 10 {
        self.init(String(text) + "T00:00:00Z")
      } else {
        self.init(text)
      }
    }

    /// Whether every part lies in the range of a calendar; leap seconds are allowed.
    public var isPlausible: Bool {
      (1...12).contains(month) && (1...31).contains(day) && hour < 24 && minute < 60 && second < 61
    }

    /// `yyyy-mm-ddThh:mm:ssZ`
    public var description: String {
      func digits(_ value: some FixedWidthInteger, _ count: Int) -> String {
        let text = String(value)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
      }
      return digits(year, 4) + "-" + digits(month, 2) + "-" + digits(day, 2) + "T"
        + digits(hour, 2) + ":" + digits(minute, 2) + ":" + digits(second, 2) + "Z"
    }

    public static func < (left: Timestamp, right: Timestamp) -> Bool {
      (left.year, left.month, left.day, left.hour, left.minute, left.second)
        < (right.year, right.month, right.day, right.hour, right.minute, right.second)
    }

    /// Whether the text form has its fixed width, which the server relies on.
    var isPrintable: Bool {
      year < 10_000 && month < 100 && day < 100 && hour < 100 && minute < 100 && second < 100
        && self != Timestamp(year: 0, month: 0, day: 0)
    }
  }
}
