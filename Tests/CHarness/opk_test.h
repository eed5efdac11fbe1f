/* The whole test harness: TEST defines, RUN runs, CHECK... judge, FINISH reports.
 *
 * A program exits 0 when no check failed and no handle is left. Fixtures are found through
 * OPK_FIXTURES, which run.sh sets.
 */
#ifndef OPK_TEST_H
#define OPK_TEST_H

#include <overpasskit.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int opk_tests, opk_checks, opk_failures;
static const char *opk_test_name = "";

#define TEST(name) static void name(void)

#define RUN(name) (opk_tests++, opk_test_name = #name, name())

#define FAIL(...)                                                                                 \
  (opk_failures++, fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, opk_test_name),             \
   fprintf(stderr, __VA_ARGS__), fputc('\n', stderr))

#define CHECK(condition) (opk_checks++, (condition) ? 0 : FAIL("not true: %s", #condition))

#define CHECK_INT(got, expected)                                                                  \
  do {                                                                                            \
    int64_t g_ = (int64_t)(got), e_ = (int64_t)(expected);                                        \
    opk_checks++;                                                                                 \
    if (g_ != e_) FAIL("%s is %" PRId64 ", not %" PRId64, #got, g_, e_);                          \
  } while (0)

#define CHECK_STATUS(got, expected)                                                               \
  do {                                                                                            \
    opk_status g_ = (got), e_ = (expected);                                                       \
    const char *name_ = opk_status_name(g_);                                                      \
    opk_checks++;                                                                                 \
    if (g_ != e_) FAIL("%s gives %d (%s), not %d", #got, g_, name_ ? name_ : "?", e_);            \
  } while (0)

/* `got` is an opk_str, `expected` a C string or NULL. */
#define CHECK_TEXT(got, expected)                                                                 \
  do {                                                                                            \
    opk_str g_ = (got);                                                                           \
    const char *e_ = (expected);                                                                  \
    opk_checks++;                                                                                 \
    if (e_ == NULL ? g_.ptr != NULL                                                               \
                   : !g_.ptr || g_.len != strlen(e_) || memcmp(g_.ptr, e_, g_.len) != 0)          \
      FAIL("%s is '%.*s', not '%s'", #got, (int)g_.len, g_.ptr ? g_.ptr : "", e_ ? e_ : "NULL");  \
  } while (0)

#define FINISH()                                                                                  \
  (opk_test_name = "FINISH", CHECK(opk_x_live_handles() == 0),                                 \
   printf("%d tests, %d checks, %d failures\n", opk_tests, opk_checks, opk_failures),             \
   opk_failures ? EXIT_FAILURE : EXIT_SUCCESS)

/* The path of a file in Tests/Fixtures; the next call overwrites it. */
static inline const char *fixture(const char *name) {
  static char path[4096];
  const char *folder = getenv("OPK_FIXTURES");
  snprintf(path, sizeof path, "%s/%s", folder ? folder : "Tests/Fixtures", name);
  return path;
}

/* A decoded fixture; the program ends when there is none. */
static inline opk_response *decoded(const char *name) {
  opk_response *response = NULL;
  opk_error error = OPK_ERROR_INIT;
  if (opk_response_decode_file(fixture(name), NULL, &response, &error) == OPK_OK) return response;
  fprintf(stderr, "%s: %s\n", fixture(name), error.message);
  exit(EXIT_FAILURE);
}

#endif
