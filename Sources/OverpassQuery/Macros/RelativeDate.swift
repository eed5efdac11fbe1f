// Moments relative to now, as in `{{date:1 week}}`.

extension Query.Timestamp {
  /// The moment so many seconds earlier, in the Gregorian calendar; `nil` outside of the years 1 to
  /// 9999.
  ///
  /// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms"
  public func earlier(bySeconds seconds: Int64) -> Query.Timestamp? {
    guard isPlausible, abs(seconds) < 400_000_000_000 else { return nil }
    let time = Int64(hour) * 3600 + Int64(minute) * 60 + Int64(second)
    let total = daysSince1970 * 86_400 + time - seconds
    let days = total >= 0 ? total / 86_400 : (total - 86_399) / 86_400
    let rest = total - days * 86_400
    // Years begin in March here, so that the leap day is the last of a year.
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthIndex = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthIndex + 2) / 5 + 1
    let month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    guard (1...9999).contains(year) else { return nil }
    return Query.Timestamp(
      year: UInt16(year), month: UInt8(month), day: UInt8(day), hour: UInt8(rest / 3600),
      minute: UInt8(rest / 60 % 60), second: UInt8(rest % 60))
  }

  private var daysSince1970: Int64 {
    let year = Int64(self.year) - (month <= 2 ? 1 : 0)
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let monthIndex = Int64(month) + (month > 2 ? -3 : 9)
    let dayOfYear = (153 * monthIndex + 2) / 5 + Int64(day) - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

/// The seconds in a span like `1 week` or `3days`; a number alone counts days. `nil` for other texts.
func secondsInSpan(_ text: String, needsUnit: Bool = false) -> Int64? {
  let lowered = text.lowercased()
  var rest = lowered[...]
  let isNegative = rest.hasPrefix("-")
  if isNegative { rest = rest.dropFirst() }
  let digits = rest.prefix { $0.isASCII && $0.isNumber }
  guard let count = Int64(digits), count < 1_000_000 else { return nil }
  rest = rest.dropFirst(digits.count)
  if rest.hasPrefix(" ") { rest = rest.dropFirst() }
  if rest.isEmpty, needsUnit { return nil }
  if rest.hasSuffix("s") { rest = rest.dropLast() }
  let unit: Int64
  switch rest {
  case "second": unit = 1
  case "minute": unit = 60
  case "hour": unit = 3600
  case "day", "": unit = 86_400
  case "week": unit = 604_800
  // A twelfth of a year, as overpass turbo counts.
  case "month": unit = 2_628_000
  case "year": unit = 31_536_000
  default: return nil
  }
  return (isNegative ? -1 : 1) * count * unit
}
