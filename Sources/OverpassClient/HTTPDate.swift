// The header Retry-After: a number of seconds, or a date. Source: RFC 9110 §5.6.7, §10.2.3.

import OSMModel

/// How long a server wants to be left alone; `nil` for what is neither a number nor a date.
func retryAfterSeconds(_ value: String, now: Double) -> Double? {
  let words = value.split { " \t".contains($0) }
  if words.count == 1, let seconds = Double(words[0]), seconds.isFinite {
    return max(seconds, 0)
  }
  let fields = value.split { " ,-:\t".contains($0) }
  guard let moment = unixTime(fields) else { return nil }
  return max(Double(moment) - now, 0)
}

/// `Sun, 06 Nov 1994 08:49:37 GMT`, and the two older notations: `Sunday, 06-Nov-94 08:49:37 GMT`,
/// `Sun Nov  6 08:49:37 1994`.
private func unixTime(_ fields: [Substring]) -> Int? {
  let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]
  func month(_ index: Int) -> Int? {
    months.firstIndex(of: fields[index].lowercased()).map { $0 + 1 }
  }
  func number(_ index: Int, _ range: ClosedRange<Int>) -> Int? {
    Int(fields[index]).flatMap { range.contains($0) ? $0 : nil }
  }
  guard fields.count >= 7 else { return nil }
  let isC = month(1) != nil
  // Where day, month, year and hour stand.
  let places = isC ? (day: 2, month: 1, year: 6, hour: 3) : (day: 1, month: 2, year: 3, hour: 4)
  guard let day = number(places.day, 1...31), let month = month(places.month),
    let given = number(places.year, 0...9999), let hour = number(places.hour, 0...23),
    let minute = number(places.hour + 1, 0...59), let second = number(places.hour + 2, 0...60)
  else { return nil }
  let year = given >= 100 ? given : given + (given < 70 ? 2000 : 1900)
  // Days since 1970 of the proleptic Gregorian calendar, with the year beginning in March.
  let shifted = month > 2 ? year : year - 1
  let era = shifted / 400
  let yearOfEra = shifted - era * 400
  let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
  let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  return ((days * 24 + hour) * 60 + minute) * 60 + second
}
