// The syntax check of regular expressions against the C library, which the server uses.

import Testing

@testable import OSMModel
@testable import OverpassQuery

@Suite struct RegexSyntaxTests {
  func isAccepted(_ pattern: String) -> Bool {
    var compiled = regex_t()
    let isFine = regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB) == 0
    if isFine { regfree(&compiled) }
    return isFine
  }

  @Test(arguments: [
    "", "a", "(", ")", "()", "(a|b)", "a**", "*a", "a|*b", "(*a)", "^*", "a{2}", "a{2,1}", "a{,2}",
    "a{",
    "a{x}", "{1}", "[", "[]", "[]]", "[^]]", "[a-", "[a-z]", "[z-a]", "[[:alpha:]]", "[[:nope:]]",
    "[[:alpha:]", "[[=a=]]", "[[.a.]]", "a\\", "\\(", "C++", "a|", "|a", "||", "(|a)", "a{1}{2}",
    "a$*",
    "[]a", "[a\\]", "[^-a]", "a{99999}", "x{1,", "(^*a)", "a^*",
  ])
  func agreesWithTheLibrary(_ pattern: String) {
    #expect((regexProblem(in: pattern) == nil) == isAccepted(pattern))
  }

  @Test func agreesOnRandomPatterns() {
    var state: UInt64 = 42
    let alphabet = Array("ab*+?{}()[]|^$.\\-,:12")
    for _ in 0..<20_000 {
      var pattern = ""
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      for _ in 0..<(state >> 33) % 8 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        pattern.append(alphabet[Int((state >> 33) % UInt64(alphabet.count))])
      }
      #expect((regexProblem(in: pattern) == nil) == isAccepted(pattern), "\(pattern)")
    }
  }
}
