// Colours as CSS writes them. Source: CSS Color Module Level 4, §5.2 and §6.1.

/// A colour: `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa`, or a name such as `teal`.
public struct MapColor: Sendable, Hashable {
  /// The colour as CSS, in lower case.
  public let css: String

  /// - Throws: ``MapStyleError`` of kind `color`.
  public init(_ text: String) throws(MapStyleError) {
    let lowered = text.lowercased()
    guard MapColor.isHex(lowered) || MapColor.names.contains(lowered) else {
      throw MapStyleError(.color, "'\(text)' is no colour: #rrggbb or a CSS name is expected")
    }
    css = lowered
  }

  /// For colours written here, which are right.
  init(known css: String) { self.css = css }

  private static func isHex(_ text: String) -> Bool {
    guard text.utf8.first == UInt8(ascii: "#") else { return false }
    let digits = text.utf8.dropFirst()
    return [3, 4, 6, 8].contains(digits.count)
      && digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }

  private static let names = Set(
    """
    aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet \
    brown burlywood cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan \
    darkblue darkcyan darkgoldenrod darkgray darkgreen darkgrey darkkhaki darkmagenta \
    darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen darkslateblue \
    darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey \
    dodgerblue firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray \
    green greenyellow grey honeydew hotpink indianred indigo ivory khaki lavender lavenderblush \
    lawngreen lemonchiffon lightblue lightcoral lightcyan lightgoldenrodyellow lightgray \
    lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray \
    lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon \
    mediumaquamarine mediumblue mediumorchid mediumpurple mediumseagreen mediumslateblue \
    mediumspringgreen mediumturquoise mediumvioletred midnightblue mintcream mistyrose moccasin \
    navajowhite navy oldlace olive olivedrab orange orangered orchid palegoldenrod palegreen \
    paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple red \
    rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue \
    slateblue slategray slategrey snow springgreen steelblue tan teal thistle tomato turquoise \
    violet wheat white whitesmoke yellow yellowgreen
    """.split(separator: " ").map(String.init))
}

extension MapColor {
  /// The ground of a map without a basemap.
  public static let paper = MapColor(known: "#f7f5f0")
  public static let white = MapColor(known: "#ffffff")
  public static let ink = MapColor(known: "#1f2933")

  static let area = MapColor(known: "#3f8f63")
  static let areaOutline = MapColor(known: "#2a6b48")
  static let line = MapColor(known: "#2b6cb0")
  static let point = MapColor(known: "#c8452c")
  /// For values without a colour of their own.
  static let other = MapColor(known: "#8a8f98")

  /// Colours for the values of a tag, told apart also by people who confuse red and green: they
  /// differ in lightness as well. The most frequent value gets the first.
  static let palette: [MapColor] = [
    "#0b6fb8", "#d9591a", "#138a6a", "#c2589c", "#e0a100", "#4fb0e0", "#7a4bb3", "#9c5b1e",
    "#6d8c00", "#a3123f", "#3b4a9e", "#00a3a3",
  ].map(MapColor.init(known:))
}
