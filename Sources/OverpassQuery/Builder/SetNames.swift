// Names for the sets of a query whose statements were written with numbers for names.

extension Query.Filter {
  /// A set that the filter reads.
  var firstSet: Query.SetName? {
    switch self {
    case .around(let around):
      if case .set(let name) = around.center { name } else { nil }
    case .area(.set(let name)), .pivot(let name), .set(let name), .related(_, let name): name
    case .recurse(let step): step.from
    case .evaluator(let evaluator):
      {
        var first: Query.SetName?
        _ = evaluator.mapSets { name in
          if first == nil { first = name }
          return name
        }
        return first
      }()
    case .tag, .boundingBox, .polygon, .ids, .area(.id), .newer, .changed, .users, .userIDs: nil
    }
  }

  fileprivate func mapSets(_ name: (Query.SetName) -> Query.SetName) -> Query.Filter {
    switch self {
    case .around(var around):
      if case .set(let set) = around.center { around.center = .set(name(set)) }
      return .around(around)
    case .area(.set(let set)): return .area(.set(name(set)))
    case .pivot(let set): return .pivot(name(set))
    case .set(let set): return .set(name(set))
    case .related(let recursion, let set): return .related(recursion, name(set))
    case .recurse(var step):
      step.from = name(step.from)
      return .recurse(step)
    case .evaluator(let evaluator): return .evaluator(evaluator.mapSets(name))
    case .tag, .boundingBox, .polygon, .ids, .area(.id), .newer, .changed, .users, .userIDs:
      return self
    }
  }
}

extension Query.Evaluator {
  /// The evaluator with other names for the sets it reads.
  func mapSets(_ name: (Query.SetName) -> Query.SetName) -> Query.Evaluator {
    // Chains of operators lean to the left; they are walked, not recursed into.
    var first = self
    var chain: [(sign: Operator, right: Query.Evaluator)] = []
    while case .binary(let sign, let left, let right) = first {
      chain.append((sign, right))
      first = left
    }
    return chain.reversed().reduce(first.mapOperand(name)) { left, next in
      .binary(next.sign, left, next.right.mapSets(name))
    }
  }

  /// The same for anything but a chain of operators.
  private func mapOperand(_ name: (Query.SetName) -> Query.SetName) -> Query.Evaluator {
    switch self {
    case .binary, .fixed, .element, .generic, .isTag, .countTags, .countMembers, .countByRole,
      .member:
      self
    case .tag(let key): .tag(key.mapSets(name))
    case .setKey(let set, let key): .setKey(name(set), key)
    case .count(let set, let counted): .count(name(set), counted)
    case .aggregate(let aggregator, let set, let value):
      .aggregate(aggregator, name(set), value.mapSets(name))
    case .function(let function, let value): .function(function, value.mapSets(name))
    case .listFunction(let function, let first, let second):
      .listFunction(function, first.mapSets(name), second.mapSets(name))
    case .point(let latitude, let longitude):
      .point(latitude.mapSets(name), longitude.mapSets(name))
    case .linestring(let points): .linestring(points.map { $0.mapSets(name) })
    case .polygon(let lines): .polygon(lines.map { $0.mapSets(name) })
    case .perMember(let aggregator, let value): .perMember(aggregator, value.mapSets(name))
    case .not(let value): .not(value.mapSets(name))
    case .negate(let value): .negate(value.mapSets(name))
    case .conditional(let condition, let then, let otherwise):
      .conditional(
        condition.mapSets(name), then: then.mapSets(name), else: otherwise.mapSets(name))
    }
  }
}

/// What a statement does with a set.
enum SetAccess {
  case read
  case write
  /// Writes what the named set holds already.
  case copy(of: Query.SetName)
}

extension Query.Statement {
  /// The statement with other names for its sets, which are visited in the order in which the server
  /// reads and writes them. It knows the statements that are made from element sets.
  func mapSets(_ name: (Query.SetName, SetAccess) -> Query.SetName) -> Query.Statement {
    func read(_ set: Query.SetName) -> Query.SetName { name(set, .read) }
    switch self {
    case .query(var query):
      query.filters = query.filters.map { $0.mapSets(read) }
      query.into = name(query.into, .write)
      return .query(query)
    case .item(let from, let into):
      let source = read(from)
      return .item(from: source, into: name(into, .copy(of: from)))
    case .union(let members, let into):
      let members = members.map { $0.mapSets(name) }
      return .union(members, into: name(into, .write))
    case .difference(let left, let right, let into):
      let left = left.mapSets(name)
      let right = right.mapSets(name)
      return .difference(left, minus: right, into: name(into, .write))
    case .recurse(let recursion, let from, let into):
      let source = read(from)
      return .recurse(recursion, from: source, into: name(into, .write))
    case .isIn(let position, let from, let into):
      let source = position == nil ? read(from) : from
      return .isIn(position, from: source, into: name(into, .write))
    case .mapToArea(let from, let into):
      let source = read(from)
      return .mapToArea(from: source, into: name(into, .write))
    case .out(var out):
      out.from = read(out.from)
      return .out(out)
    case .foreach, .for, .complete, .if, .retro, .compare, .timeline, .local, .make, .convert:
      return self
    }
  }
}

/// Chooses the names: the default set wherever nothing comes between writing and reading it, letters
/// in the order of the statements for all others.
struct SetNaming {
  private var names: [Query.SetName: Query.SetName] = [:]

  /// The statements with proper names.
  ///
  /// - Parameter statements: each set is written once under a name that is no name of the language,
  ///   and read after that. Results that are read by nothing but the statement around them are called
  ///   by the name of the default set.
  static func apply(to statements: [Query.Statement]) -> [Query.Statement] {
    let naming = SetNaming(statements)
    return statements.map { statement in
      statement.mapSets { name, _ in naming.names[name] ?? name }
    }
  }

  private struct Lifetime {
    var name: Query.SetName
    var written: Int
    var lastRead: Int
    /// Where the set is copied to the default set, which changes nothing if it is there already.
    var copies: [Int] = []
  }

  private init(_ statements: [Query.Statement]) {
    var lifetimes: [Lifetime] = []
    var indices: [Query.SetName: Int] = [:]
    // How often the default set has been written up to each moment.
    var overwritten = [0]
    for statement in statements {
      _ = statement.mapSets { name, access in
        let moment = overwritten.count
        var writes = 0
        switch access {
        case .read:
          if let index = indices[name] { lifetimes[index].lastRead = moment }
        case .write where name != .default:
          indices[name] = lifetimes.count
          lifetimes.append(Lifetime(name: name, written: moment, lastRead: moment))
        case .copy(let source):
          if let index = indices[source] { lifetimes[index].copies.append(moment) }
          writes = 1
        case .write: writes = 1
        }
        overwritten.append((overwritten.last ?? 0) + writes)
        return name
      }
    }
    chooseDefaults(lifetimes, overwritten)
    nameOthers(lifetimes)
  }

  /// Short lives first: that leaves the most sets without a name.
  private mutating func chooseDefaults(_ lifetimes: [Lifetime], _ overwritten: [Int]) {
    var chosen: [Lifetime] = []
    let order = lifetimes.sorted {
      ($0.lastRead - $0.written, $0.written) < ($1.lastRead - $1.written, $1.written)
    }
    for life in order {
      let copies = life.copies.count { $0 < life.lastRead }
      let writes = overwritten[life.lastRead - 1] - overwritten[life.written]
      guard life.lastRead == life.written || writes == copies,
        !chosen.contains(where: { other in
          (life.written < other.written && other.written < life.lastRead)
            || (other.written < life.written && life.written < other.lastRead)
        })
      else { continue }
      chosen.append(life)
      names[life.name] = .default
    }
  }

  /// `t` and `u` are left out: in expressions they mean tags and a common value.
  private mutating func nameOthers(_ lifetimes: [Lifetime]) {
    let letters = Array("abcdefghijklmnopqrs")
    var count = 0
    for life in lifetimes where names[life.name] == nil {
      let round = count / letters.count
      names[life.name] = .init(
        String(letters[count % letters.count]) + (round == 0 ? "" : String(round + 1)))
      count += 1
    }
  }
}
