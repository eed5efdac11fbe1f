/* Answers cut at every byte and with bytes changed: a cut answer is never taken for a whole one, and
 * nothing stops the program. Recorded answers come from OPK_SHARED; without it, and under valgrind,
 * only the fixtures are damaged. */
#include "opk_test.h"

typedef struct {
  const char *path; /* in OPK_SHARED, or a fixture */
  char format;      /* 'j', 'x', 'c', or 'z' for compressed answers */
} answer;

static const answer FIXTURES[] = {
    {"overpass-json/kinds.json", 'j'},
    {"overpass-json/geometry.json", 'j'},
    {"overpass-json/derived.json", 'j'},
};

/* Of all kinds: geometry, clipped geometry, derived, metadata, without ids, counts, escapes. */
static const answer SMALL[] = {
    {"cases/oracle/063-poly-triangle/answer.json", 'j'},
    {"cases/oracle/209-out-escaping-json/answer.json", 'j'},
    {"cases/oracle/200-out-geom-bbox/answer.json", 'j'},
    {"cases/oracle/161-make-pt-lstr-poly/answer.json", 'j'},
    {"cases/oracle/201-out-geom-bbox-rel/answer.json", 'j'},
    {"cases/oracle/228-recurse-rel-br-role/answer.json", 'j'},
    {"cases/oracle/208-out-meta-full-json/answer.json", 'j'},
    {"cases/oracle/181-out-noids-json/answer.json", 'j'},
    {"cases/oracle/159-convert-rel-geom/answer.json", 'j'},
    {"cases/oracle/248-raw-counts/answer.json", 'j'},
    {"cases/oracle/210-out-escaping-xml/answer.xml", 'x'},
    {"cases/oracle/193-out-meta-xml/answer.xml", 'x'},
    {"cases/oracle/196-out-bb-xml/answer.xml", 'x'},
    {"cases/oracle/198-out-noids-xml/answer.xml", 'x'},
    {"cases/oracle/203-out-geom-rel-missing-members-xml/answer.xml", 'x'},
    {"cases/oracle/158-convert-xml-geom/answer.xml", 'x'},
    {"cases/oracle/003-xml-explicit-timeout-maxsize/answer.xml", 'x'},
    {"cases/oracle/240-raw-way-missing-nodes-geom-xml/answer.xml", 'x'},
    {"cases/oracle/189-out-ids-xml/answer.xml", 'x'},
    {"cases/oracle/152-make-xml/answer.xml", 'x'},
    {"cases/oracle/012-csv-quotes-and-separators/answer.csv", 'c'},
    {"cases/oracle/010-csv-all-pseudo-columns-meta/answer.csv", 'c'},
    {"cases/oracle/008-csv-header-tab/answer.csv", 'c'},
};

static const answer LARGE[] = {
    {"cases/oracle/252-big-around-restaurants/answer.json", 'j'},
    {"cases/oracle/249-big-all-buildings/answer.json", 'j'},
    {"cases/oracle/253-big-monaco-all-amenity-meta-xml/answer.xml", 'x'},
};

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static int has_shared, is_quick;

/* SplitMix64: the same numbers in every run. */
static uint64_t state = 20240331;
static uint64_t below(uint64_t bound) {
  uint64_t value = state += UINT64_C(0x9E3779B97F4A7C15);
  value = (value ^ (value >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  value = (value ^ (value >> 27)) * UINT64_C(0x94D049BB133111EB);
  return (value ^ (value >> 31)) % bound;
}

static uint8_t *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  uint8_t *bytes = NULL;
  size_t capacity = 0, got = 1;
  *size = 0;
  while (file && got > 0) {
    if (*size == capacity) bytes = realloc(bytes, capacity = capacity ? capacity * 2 : 65536);
    got = fread(bytes + *size, 1, capacity - *size, file);
    *size += got;
  }
  if (file) fclose(file);
  return bytes;
}

static uint8_t *read_answer(const answer *of, int is_fixture, size_t *size) {
  char path[4096];
  uint8_t *bytes;
  if (is_fixture) return read_file(fixture(of->path), size);
  snprintf(path, sizeof path, "%s/%s", getenv("OPK_SHARED"), of->path);
  bytes = read_file(path, size);
  opk_checks++;
  if (!bytes) FAIL("%s is missing", path);
  return bytes;
}

static opk_status decode(char format, const uint8_t *bytes, size_t size, uint32_t flags,
                         opk_response **out, opk_error *error) {
  opk_decode_options options = OPK_DECODE_OPTIONS_INIT;
  options.flags = flags;
  switch (format) {
  case 'j': return opk_response_decode_json(bytes, size, &options, out, error);
  case 'x': return opk_response_decode_xml(bytes, size, &options, out, error);
  default: return opk_response_decode(bytes, size, &options, out, error);
  }
}

/* A table that is cut in a line says so; between lines nothing can tell. */
static void cut_table(const uint8_t *bytes, size_t cut) {
  opk_csv_options options = OPK_CSV_OPTIONS_INIT;
  opk_table *table = NULL;
  options.separator = ";";
  if (opk_table_decode_csv(bytes, cut, &options, &table, NULL) == OPK_OK && cut > 0 &&
      bytes[cut - 1] != '\n')
    CHECK_INT(opk_table_is_complete(table), 0);
  opk_table_free(table);
}

/* The text ends here, but for white space behind it. */
static size_t end_of(const uint8_t *bytes, size_t size) {
  while (size > 0 && bytes[size - 1] <= ' ') size--;
  return size;
}

static void cut(char format, const uint8_t *bytes, size_t cut, int try_partial) {
  opk_response *response = NULL;
  opk_error error = OPK_ERROR_INIT;
  opk_status status;
  if (format == 'c') {
    cut_table(bytes, cut);
    return;
  }
  status = decode(format, bytes, cut, 0, &response, &error);
  opk_checks++;
  if (status != OPK_ERR_DECODE_TRUNCATED || response ||
      (format != 'z' && error.byte_offset != (int64_t)cut))
    FAIL("cut at byte %zu: %s", cut, opk_status_name(status));
  if (!try_partial) return;
  CHECK_STATUS(decode(format, bytes, cut, OPK_DECODE_ALLOW_TRUNCATED, &response, &error), OPK_OK);
  CHECK_INT(opk_response_is_complete(response), 0);
  if (format != 'z') CHECK_INT(opk_response_truncated_at(response), cut);
  opk_response_free(response);
}

static void cut_everywhere(const answer *of, int is_fixture) {
  size_t size, each, end, step;
  uint8_t *bytes = read_answer(of, is_fixture, &size);
  if (!bytes) return;
  CHECK(size <= 65536);
  end = of->format == 'c' ? size : end_of(bytes, size);
  step = is_quick ? 97 : 1;
  for (each = 1; each < end; each += step) cut(of->format, bytes, each, each % 64 == 1);
  free(bytes);
}

TEST(test_cut_at_every_byte) {
  size_t index;
  for (index = 0; index < COUNT(FIXTURES); index++) cut_everywhere(&FIXTURES[index], 1);
  if (!has_shared || is_quick) return;
  for (index = 0; index < COUNT(SMALL); index++) cut_everywhere(&SMALL[index], 0);
}

TEST(test_cut_large_answers) {
  size_t index, each;
  if (!has_shared || is_quick) return;
  for (index = 0; index < COUNT(LARGE); index++) {
    size_t size, end;
    uint8_t *bytes = read_answer(&LARGE[index], 0, &size);
    if (!bytes) continue;
    end = end_of(bytes, size);
    for (each = 0; each < 2000; each++)
      cut(LARGE[index].format, bytes, 1 + (size_t)below(end - 1), each % 100 == 0);
    for (each = end - 4096; each < end; each++) cut(LARGE[index].format, bytes, each, 0);
    free(bytes);
  }
}

/* The trailer of gzip is not missed either. */
TEST(test_cut_compressed_answers) {
  const answer of = {"data/responses/answer-3.json.gz", 'z'};
  size_t size, each;
  uint8_t *bytes;
  if (!has_shared || is_quick || !(bytes = read_answer(&of, 0, &size))) return;
  for (each = 0; each < 300; each++) cut('z', bytes, 20 + (size_t)below(size - 20), each % 50 == 0);
  for (each = size - 64; each < size; each++) cut('z', bytes, each, 0);
  free(bytes);
}

/* Reads all of a response that was decoded, and writes it. */
static void use(const opk_response *response) {
  opk_write_options options = OPK_WRITE_OPTIONS_INIT;
  opk_element element = OPK_ELEMENT_INIT;
  opk_bytes *bytes = NULL;
  size_t count = opk_response_element_count(response, 0), index;
  for (index = 0; index < count; index++)
    CHECK_STATUS(opk_response_element(response, index, &element), OPK_OK);
  options.flags = OPK_WRITE_ALLOW_LOSS;
  for (options.format = OPK_FORMAT_OVERPASS_JSON; options.format <= OPK_FORMAT_OSM_CHANGE;
       options.format++) {
    CHECK_STATUS(opk_response_write(response, &options, &bytes, NULL), OPK_OK);
    opk_bytes_free(bytes);
  }
}

static void flip(char format, const uint8_t *bytes, size_t size) {
  opk_csv_options options = OPK_CSV_OPTIONS_INIT;
  opk_response *response = NULL;
  opk_table *table = NULL;
  uint8_t *damaged = malloc(size);
  uint64_t flips = 1 + below(4);
  if (!damaged) return;
  memcpy(damaged, bytes, size);
  while (flips-- > 0) damaged[below(size)] = (uint8_t)below(256);
  if (format == 'c') {
    opk_table_decode_csv(damaged, size, &options, &table, NULL);
    opk_table_free(table);
  } else if (decode(format, damaged, size, below(2) ? OPK_DECODE_ALLOW_TRUNCATED : 0, &response,
                    NULL) == OPK_OK) {
    use(response);
    opk_response_free(response);
  }
  free(damaged);
}

TEST(test_flipped_bytes) {
  const answer *list = has_shared && !is_quick ? SMALL : FIXTURES;
  size_t count = has_shared && !is_quick ? COUNT(SMALL) : COUNT(FIXTURES), index;
  size_t rounds = (is_quick ? 150 : 10000) / count + 1;
  for (index = 0; index < count; index++) {
    size_t size, round;
    uint8_t *bytes = read_answer(&list[index], list == FIXTURES, &size);
    if (!bytes) continue;
    for (round = 0; round < rounds; round++) flip(list[index].format, bytes, size);
    free(bytes);
  }
}

int main(void) {
  const char *shared = getenv("OPK_SHARED");
  char path[4096];
  FILE *file;
  snprintf(path, sizeof path, "%s/cases/README.md", shared ? shared : "");
  file = fopen(path, "rb");
  has_shared = file != NULL;
  if (file) fclose(file);
  is_quick = getenv("OPK_UNDER_VALGRIND") != NULL;
  if (!has_shared) fprintf(stderr, "no recorded answers in OPK_SHARED: only fixtures are damaged\n");
  RUN(test_cut_at_every_byte);
  RUN(test_cut_large_answers);
  RUN(test_cut_compressed_answers);
  RUN(test_flipped_bytes);
  return FINISH();
}
