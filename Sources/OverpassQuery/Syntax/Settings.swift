// The settings in front of a query: output format, limits, bounding box, dates.

import OSMModel

extension Query {
  /// What stands in the square brackets before the first semicolon. `nil` leaves the server's
  /// default: XML, 180 s, 512 MiB, the whole planet, now.
  ///
  /// Source: Overpass QL, "Settings"
  public struct Settings: Sendable, Hashable {
    /// `[out:…]`
    public var output: OutputFormat?
    /// `[timeout:…]`, whole seconds, at least 1.
    public var timeoutSeconds: Int64?
    /// `[maxsize:…]`, the memory the query may use on the server, in bytes, at least 1.
    public var maxsizeBytes: Int64?
    /// `[bbox:…]`, the area to which query statements without own bounds are restricted.
    public var boundingBox: BoundingBox?
    /// The moment or the span of time the query looks at.
    public var time: Time?

    public init(
      output: OutputFormat? = nil, timeoutSeconds: Int64? = nil, maxsizeBytes: Int64? = nil,
      boundingBox: BoundingBox? = nil, time: Time? = nil
    ) {
      self.output = output
      self.timeoutSeconds = timeoutSeconds
      self.maxsizeBytes = maxsizeBytes
      self.boundingBox = boundingBox
      self.time = time
    }

    /// Whether nothing is set, so that no settings are printed.
    public var isEmpty: Bool { self == Settings() }
  }

  /// The data of another time. The three settings exclude each other in any sensible query; the
  /// server lets the last one win.
  public enum Time: Sendable, Hashable {
    /// `[date:"…"]`: the data as of that moment.
    case date(Timestamp)
    /// `[diff:"…"]` or `[diff:"…","…"]`: what differs between two moments; without the second, until
    /// now.
    case diff(from: Timestamp, to: Timestamp?)
    /// `[adiff:…]`: the same with the reason why an element is gone (augmented diff).
    case adiff(from: Timestamp, to: Timestamp?)
  }

  /// The format of the answer.
  public enum OutputFormat: Sendable, Hashable {
    case xml
    case json
    /// `[out:csv(…)]`
    case csv(CSVFormat)
    /// `[out:custom]`: the server's own template of an HTML page.
    case custom
    /// `[out:popup(…)]`: an HTML fragment as used by interactive maps.
    case popup([PopupCategory])
  }

  /// The columns and layout of a CSV answer.
  public struct CSVFormat: Sendable, Hashable {
    public var columns: [CSVColumn]
    /// Whether the first line names the columns.
    public var hasHeader: Bool
    /// What stands between two columns.
    public var separator: String

    public init(columns: [CSVColumn], hasHeader: Bool = true, separator: String = "\t") {
      self.columns = columns
      self.hasHeader = hasHeader
      self.separator = separator
    }
  }

  /// One column of a CSV answer.
  public enum CSVColumn: Sendable, Hashable {
    /// The value of the tag with that key.
    case tag(String)
    /// `::id`, `::type`, `::otype`, `::lat`, `::lon`, `::version`, `::timestamp`, `::changeset`,
    /// `::uid`, `::user`, `::count`, `::"count:nodes"` and so on. Names unknown to the server give
    /// empty columns.
    case special(String)
  }

  /// One heading of a popup answer with the elements that belong under it.
  public struct PopupCategory: Sendable, Hashable {
    public var title: String
    /// An element belongs here if it passes all conditions of at least one of these lists.
    public var alternatives: [[PopupCondition]]
    /// The key whose value names an element in the list.
    public var titleKey: String?

    public init(title: String, alternatives: [[PopupCondition]], titleKey: String? = nil) {
      self.title = title
      self.alternatives = alternatives
      self.titleKey = titleKey
    }
  }

  /// A condition on a tag in a ``PopupCategory``: a POSIX extended regular expression on its value.
  /// Existence is the pattern `.`, equality the pattern between `^` and `$`: the server has no other
  /// form.
  public struct PopupCondition: Sendable, Hashable {
    public var key: String
    public var pattern: String
    public var isNegated: Bool

    public init(key: String, pattern: String = ".", isNegated: Bool = false) {
      self.key = key
      self.pattern = pattern
      self.isNegated = isNegated
    }
  }
}
