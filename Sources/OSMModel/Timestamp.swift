// OSM's times: ISO 8601 in UTC with seconds, such as 2024-03-31T02:30:00Z.

/// Seconds since 1970-01-01T00:00:00Z of a time written as `YYYY-MM-DDThh:mm:ssZ`; `nil` for other
/// text. Fractions of a second are accepted and dropped; no time zone but UTC exists in OSM data.
public func parseTimestamp(_ text: UnsafeBufferPointer<UInt8>) -> Int64? {
  guard text.count >= 20, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
    text[10] == UInt8(ascii: "T"), text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
    text[text.count - 1] == UInt8(ascii: "Z"),
    let year = number(text[0..<4]), let month = number(text[5..<7]),
    let day = number(text[8..<10]), let hour = number(text[11..<13]),
    let minute = number(text[14..<16]), let second = number(text[17..<19]),
    (1...12).contains(month), (1...daysInMonth(month, year)).contains(day), hour < 24, minute < 60,
    second <= 60
  else { return nil }
  if text.count > 20 {
    guard text[19] == UInt8(ascii: "."), number(text[20..<(text.count - 1)].prefix(9)) != nil else {
      return nil
    }
  }
  return daysSinceEpoch(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second
}

/// Appends `YYYY-MM-DDThh:mm:ssZ`. Years outside 0…9999 do not occur in OSM and are clamped.
public func appendTimestamp(_ seconds: Int64, to bytes: inout [UInt8]) {
  withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { room in
    writeTimestamp(seconds, to: room)
    bytes.append(contentsOf: room)
  }
}

/// Writes the 20 bytes of ``appendTimestamp(_:to:)``; nothing where there is less room.
public func writeTimestamp(_ seconds: Int64, to room: UnsafeMutableBufferPointer<UInt8>) {
  guard room.count >= 20 else { return }
  let clamped = min(max(seconds, -62_167_219_200), 253_402_300_799)
  let days = clamped >= 0 ? clamped / 86_400 : (clamped - 86_399) / 86_400
  let rest = clamped - days * 86_400
  let (year, month, day) = civilDate(days)
  writePair(year / 100, at: 0, of: room, then: 0)
  writePair(year % 100, at: 2, of: room, then: UInt8(ascii: "-"))
  writePair(month, at: 5, of: room, then: UInt8(ascii: "-"))
  writePair(day, at: 8, of: room, then: UInt8(ascii: "T"))
  writePair(rest / 3600, at: 11, of: room, then: UInt8(ascii: ":"))
  writePair(rest / 60 % 60, at: 14, of: room, then: UInt8(ascii: ":"))
  writePair(rest % 60, at: 17, of: room, then: UInt8(ascii: "Z"))
}

/// Writes two digits and the byte behind them.
private func writePair(
  _ value: Int64, at place: Int, of room: UnsafeMutableBufferPointer<UInt8>, then end: UInt8
) {
  room[place] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value / 10 % 10)
  room[place + 1] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value % 10)
  room[place + 2] = end
}

private func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int64? {
  var value: Int64 = 0
  for byte in digits {
    guard byte &- 0x30 < 10 else { return nil }
    value = value * 10 + Int64(byte &- 0x30)
  }
  return digits.isEmpty ? nil : value
}

private func isLeap(_ year: Int64) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

private func daysInMonth(_ month: Int64, _ year: Int64) -> Int64 {
  switch month {
  case 2: isLeap(year) ? 29 : 28
  case 4, 6, 9, 11: 30
  default: 31
  }
}

/// Days from 1970-01-01 in the proleptic Gregorian calendar. Years are counted from March, so that
/// the leap day is the last of its year; 400 years have 146 097 days.
private func daysSinceEpoch(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
  let marchYear = month > 2 ? year : year - 1
  let era = floorDivision(marchYear, 400)
  let yearOfEra = marchYear - era * 400
  let marchMonth = (month + 9) % 12
  let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
  let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
  return era * 146_097 + dayOfEra - 719_468
}

/// The largest whole number of times; January of year 0 belongs to the year before, by March.
private func floorDivision(_ value: Int64, _ divisor: Int64) -> Int64 {
  value >= 0 ? value / divisor : (value - divisor + 1) / divisor
}

/// The inverse of ``daysSinceEpoch(_:_:_:)``.
private func civilDate(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
  let shifted = days + 719_468
  let era = floorDivision(shifted, 146_097)
  let dayOfEra = shifted - era * 146_097
  let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let marchMonth = (5 * dayOfYear + 2) / 153
  let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
  let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
  return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
}
