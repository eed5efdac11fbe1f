// Query statements and their filters in the XML form.

import OSMModel

extension XMLQueryParser {
  static let filterNames = [
    "has-kv", "bbox-query", "polygon-query", "id-query", "around", "area-query", "pivot", "recurse",
    "newer", "changed", "user", "filter", "item",
  ]

  mutating func convertQuery(_ element: XMLElement) -> Query.Statement? {
    allow(["type", "into"], in: element)
    checkText(element)
    let kinds = Query.ElementKind.allCases.map { ($0.rawValue, $0) }
    if value("type", of: element) == nil {
      report(
        .missingAttribute, "“query” needs the attribute “type”", at: element.offset,
        length: element.name.utf8.count + 1, expected: ["type"])
    }
    var query = Query.QueryStatement(
      choice("type", of: element, kinds, default: .nwr), into: setName("into", of: element))
    let errors = collector.errorCount
    for child in element.children {
      if let filter = convertFilter(child, query.kind) { query.filters.append(filter) }
    }
    if query.filters.isEmpty, collector.errorCount == errors, !hasGlobalBoundingBox {
      report(
        .unrestricted,
        "“query” without any filter, set or area would ask for the whole planet",
        at: element.offset, length: element.name.utf8.count + 1)
    }
    return .query(query)
  }

  /// A filter that stands alone is a query with that filter.
  mutating func convertLoneFilter(
    _ index: Int, _ kind: Query.ElementKind
  ) -> Query.Statement? {
    let into = setName("into", of: element(index))
    return convertFilter(index, kind).map { .query(.init(kind, [$0], into: into)) }
  }

  mutating func convertIDQuery(_ element: XMLElement) -> Query.Statement? {
    let kinds: [(String, Query.ElementKind)] = [
      ("node", .node), ("way", .way), ("relation", .relation), ("area", .area),
    ]
    if value("type", of: element) == nil {
      report(
        .missingAttribute, "“id-query” needs the attribute “type” here", at: element.offset,
        length: element.name.utf8.count + 1, expected: ["type"])
    }
    let kind = choice("type", of: element, kinds, default: .node)
    return convertIDs(element).map {
      .query(.init(kind, [$0], into: setName("into", of: element)))
    }
  }

  // MARK: Filters

  private mutating func convertFilter(
    _ index: Int, _ kind: Query.ElementKind
  ) -> Query.Filter? {
    let element = element(index)
    if element.name != "filter" { checkEmpty(element) }
    let filter: Query.Filter?
    switch element.name {
    case "has-kv": filter = convertTag(element).map { .tag($0) }
    case "bbox-query":
      allow(["s", "n", "w", "e", "into"], in: element)
      filter = box(element, isRequired: true).map { .boundingBox($0) }
    case "polygon-query": filter = convertPolygon(element)
    case "id-query": filter = convertIDs(element)
    case "around": filter = convertAround(element)
    case "area-query":
      allow(["from", "into", "ref"], in: element)
      let number = number("ref", of: element)
      filter = .area(number.map { .id($0) } ?? .set(setName("from", of: element)))
    case "pivot":
      allow(["from", "into"], in: element)
      filter = .pivot(setName("from", of: element))
    case "recurse":
      guard let (step, target) = convertStep(element) else { return nil }
      switch step {
      case .filter(let step):
        guard target == kind else {
          report(
            .invalidRecursion,
            "this recursion leads to “\(target.rawValue)”, but the query asks for “\(kind.rawValue)”",
            at: "type", of: element)
          return nil
        }
        filter = .recurse(step)
      case .whole(let recursion): filter = .related(recursion, setName("from", of: element))
      }
    case "newer":
      allow(["than"], in: element)
      filter = moment("than", of: element).map { .newer($0) }
    case "changed": filter = convertChanged(element)
    case "user": filter = convertUsers(element)
    case "filter": filter = convertCondition(element)
    case "item":
      allow(["from", "into", "set"], in: element)
      let name = setName("set", of: element)
      filter = .set(name == .default ? setName("from", of: element) : name)
    default:
      let isKnown =
        XMLQueryParser.statementNames.contains(element.name) || isEvaluator(element)
      report(
        isKnown ? .misplacedStatement : .unknownElement,
        isKnown
          ? "“\(element.name)” cannot stand in “query”" : "there is no element “\(element.name)”",
        at: element.offset, length: element.name.utf8.count + 1, found: element.name,
        expected: XMLQueryParser.filterNames,
        suggestion: isKnown ? nil : closest(to: element.name, among: XMLQueryParser.filterNames))
      return nil
    }
    guard let filter,
      check(element, { validator throws(QueryError) in try validator.check(filter, on: kind) })
    else { return nil }
    return filter
  }

  private mutating func convertTag(_ element: XMLElement) -> Query.TagFilter? {
    allow(["k", "regk", "v", "regv", "modv", "case"], in: element)
    let key = value("k", of: element) ?? ""
    let keyPattern = value("regk", of: element) ?? ""
    let text = value("v", of: element) ?? ""
    let ignoresCase = choice(
      "case", of: element, [("sensitive", false), ("ignore", true)], default: false)
    let isNegated = choice("modv", of: element, [("", false), ("not", true)], default: false)
    let pattern = value("regv", of: element).map { Query.Pattern($0, ignoresCase: ignoresCase) }
    if key.isEmpty, keyPattern.isEmpty {
      report(
        .missingAttribute, "“has-kv” needs the attribute “k”", at: element.offset,
        length: element.name.utf8.count + 1, expected: ["k", "regk"])
      return nil
    }
    if !keyPattern.isEmpty {
      guard key.isEmpty, text.isEmpty, !isNegated, let pattern else {
        report(
          .unexpected, "“regk” goes with “regv” and with neither “k”, “v” nor “modv”", at: "regk",
          of: element)
        return nil
      }
      return .keyMatches(keyPattern, pattern)
    }
    if let pattern {
      guard text.isEmpty else {
        report(.unexpected, "“has-kv” takes either “v” or “regv”", at: "regv", of: element)
        return nil
      }
      return isNegated ? .notMatches(key, pattern) : .matches(key, pattern)
    }
    if text.isEmpty {
      if isNegated {
        report(
          .ignored, "the server ignores “modv” without a value and asks for the key", at: "modv",
          of: element, severity: .warning)
      }
      return .exists(key)
    }
    return isNegated ? .notEquals(key, text) : .equals(key, text)
  }

  private mutating func convertPolygon(_ element: XMLElement) -> Query.Filter? {
    allow(["bounds", "into"], in: element)
    do throws(SettingsReader.Complaint) {
      return .polygon(try SettingsReader.polygon(value("bounds", of: element) ?? ""))
    } catch {
      report(error.code, error.message, at: "bounds", of: element)
      return nil
    }
  }

  private mutating func convertIDs(_ element: XMLElement) -> Query.Filter? {
    allow(["type", "ref", "lower", "upper", "into"], in: element, numbered: ["ref_"])
    let texts = list("ref", of: element)
    var numbers: [Int64] = []
    for text in texts {
      guard let number = Int64(text), number != 0 else {
        report(
          .invalidValue, "“\(text)” is no number of an element", at: "ref", of: element)
        return nil
      }
      numbers.append(number)
    }
    if !texts.isEmpty { return .ids(numbers) }
    guard let lower = number("lower", of: element), let upper = number("upper", of: element),
      lower > 0, upper >= lower, upper - lower < 10_000
    else {
      report(
        .missingAttribute,
        "“id-query” needs the attribute “ref”, or “lower” and “upper” at most 10000 apart",
        at: element.offset, length: element.name.utf8.count + 1, expected: ["ref"])
      return nil
    }
    return .ids(Array(lower...upper))
  }

  private mutating func convertAround(_ element: XMLElement) -> Query.Filter? {
    allow(["from", "into", "radius", "lat", "lon", "polyline"], in: element)
    guard let radius = decimalValue("radius", of: element) else {
      report(
        .missingAttribute, "“around” needs the attribute “radius”", at: element.offset,
        length: element.name.utf8.count + 1, expected: ["radius"])
      return nil
    }
    var around = Query.Around(radiusMeters: radius, center: .set(setName("from", of: element)))
    if let line = value("polyline", of: element), !line.isEmpty {
      let parts = line.split(separator: ",")
      var positions: [Coordinate] = []
      for index in stride(from: 0, to: parts.count, by: 2) {
        guard index + 1 < parts.count, let latitude = decimal(parts[index]),
          let longitude = decimal(parts[index + 1]),
          let position = Coordinate(longitude: longitude, latitude: latitude)
        else {
          report(
            .invalidValue, "“polyline” takes pairs of latitude and longitude", at: "polyline",
            of: element)
          return nil
        }
        positions.append(position)
      }
      around.center = .line(positions)
    } else if value("lat", of: element) != nil || value("lon", of: element) != nil {
      guard let position = position(element) else { return nil }
      around.center = .line([position])
    }
    return .around(around)
  }

  private mutating func moment(
    _ attribute: String, of element: XMLElement
  ) -> Query.Timestamp? {
    let text = value(attribute, of: element) ?? ""
    if let moment = Query.Timestamp(text) { return moment }
    report(
      .invalidTimestamp, "“\(text)” is no moment; it takes the form 2020-12-31T23:59:59Z",
      at: attribute, of: element)
    return nil
  }

  private mutating func convertChanged(_ element: XMLElement) -> Query.Filter? {
    allow(["since", "until", "into"], in: element)
    let since = value("since", of: element) ?? "auto"
    let until = value("until", of: element) ?? "auto"
    if since == "init" { return .changed(.initial) }
    if since == "auto", until == "auto" { return .changed(.automatic) }
    guard since != "auto", until != "auto" else {
      report(
        .missingAttribute, "“changed” takes both of “since” and “until” or none of them",
        at: element.offset, length: element.name.utf8.count + 1, expected: ["since", "until"])
      return nil
    }
    guard let start = moment("since", of: element), let end = moment("until", of: element) else {
      return nil
    }
    return .changed(.between(start, end))
  }

  private mutating func convertUsers(_ element: XMLElement) -> Query.Filter? {
    allow(
      ["uid", "name", "type", "criterion", "into"], in: element, numbered: ["name_", "uid_"])
    let touched = choice(
      "criterion", of: element, [("last", false), ("touched", true)], default: false)
    let names = list("name", of: element).filter { !$0.isEmpty }
    let texts = list("uid", of: element).filter { !$0.isEmpty }
    guard names.isEmpty != texts.isEmpty else {
      report(
        .missingAttribute, "“user” takes either “name” or “uid”", at: element.offset,
        length: element.name.utf8.count + 1, expected: ["name", "uid"])
      return nil
    }
    if !names.isEmpty { return .users(names.withoutServersRepeat(), touched: touched) }
    var numbers: [Int64] = []
    for text in texts {
      guard let number = Int64(text) else {
        report(.invalidValue, "“\(text)” is no number of a user", at: "uid", of: element)
        return nil
      }
      numbers.append(number)
    }
    return .userIDs(numbers.withoutServersRepeat(), touched: touched)
  }

  private mutating func convertCondition(_ element: XMLElement) -> Query.Filter? {
    allow([], in: element)
    checkText(element)
    guard element.children.count == 1, let child = element.children.first else {
      report(
        .unexpected, "“filter” takes one evaluator", at: element.offset,
        length: element.name.utf8.count + 1)
      return nil
    }
    return convertEvaluator(child, .element, "the condition of “filter”", [.string])
      .map { .evaluator($0) }
  }

  // MARK: Recursion

  enum Step {
    case filter(Query.RecurseFilter)
    case whole(Query.Recursion)
  }

  mutating func convertRecurse(_ element: XMLElement) -> Query.Statement? {
    checkEmpty(element)
    guard let (step, target) = convertStep(element) else { return nil }
    let into = setName("into", of: element)
    switch step {
    case .whole(let recursion):
      return .recurse(recursion, from: setName("from", of: element), into: into)
    case .filter(let filter):
      guard
        check(
          element,
          { validator throws(QueryError) in try validator.check(.recurse(filter), on: target) })
      else { return nil }
      return .query(.init(target, [.recurse(filter)], into: into))
    }
  }

  /// The step that the attributes describe and where it leads.
  private mutating func convertStep(
    _ element: XMLElement
  ) -> (Step, target: Query.ElementKind)? {
    allow(
      ["from", "into", "pos", "lower", "upper", "role", "role-restricted", "type"], in: element)
    typealias Kind = Query.RecurseFilter.Kind
    let types: [(String, (Step, Query.ElementKind)?)] =
      [
        ("down", (.whole(.down), .nwr)), ("down-rel", (.whole(.downRelations), .nwr)),
        ("up", (.whole(.up), .nwr)), ("up-rel", (.whole(.upRelations), .nwr)),
      ]
      + Kind.allCases.flatMap { kind in
        Query.ElementKind.allCases
          .filter { Query.RecurseFilter(kind).applies(to: $0) }
          .map { (kind.xmlName(for: $0), (.filter(.init(kind)), $0)) }
      }
    if value("type", of: element) == nil {
      report(
        .missingAttribute, "“recurse” needs the attribute “type”", at: element.offset,
        length: element.name.utf8.count + 1, expected: ["type"])
      return nil
    }
    guard let (step, target) = choice("type", of: element, types, default: nil) else { return nil }
    guard case .filter(var filter) = step else { return (step, target) }
    filter.from = setName("from", of: element)
    let role = value("role", of: element) ?? ""
    if !role.isEmpty || value("role-restricted", of: element) == "yes" {
      filter.restriction = .role(role)
    }
    if let text = value("pos", of: element), !text.isEmpty {
      var positions: [Int64] = []
      for part in text.split(separator: ",", omittingEmptySubsequences: false) {
        guard let position = Int64(part) else {
          report(.invalidValue, "“\(part)” is no position in a way", at: "pos", of: element)
          return nil
        }
        positions.append(position)
      }
      filter.restriction = .positions(positions)
    }
    if let lower = number("lower", of: element) {
      filter.restriction = .count(lower, number("upper", of: element))
    }
    return (.filter(filter), target)
  }
}

extension Array where Element: Equatable {
  /// The server writes the first user of a list twice, as `name` and as `name_1`. One of the two is
  /// dropped; what a text repeats besides stays, as in QL.
  func withoutServersRepeat() -> [Element] {
    count > 1 && self[0] == self[1] ? Array(dropFirst()) : self
  }
}
