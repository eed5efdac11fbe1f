/* CSV answers as tables. */
#include "opk_test.h"

static const char *const ANSWER =
    "@id\t@lat\t@timestamp\tname\n"
    "12345678901\t43.7332553\t2012-03-19T18:11:21Z\tK\xc3\xb6ti\n"
    "x\t\t\t\n"
    "3\t1\t\ta\tb\n";

static opk_status decode(const char *text, const opk_csv_options *options, opk_table **out,
                         opk_error *error) {
  return opk_table_decode_csv((const uint8_t *)text, strlen(text), options, out, error);
}

TEST(test_columns) {
  opk_table *table = NULL;
  opk_column column = OPK_COLUMN_INIT;
  CHECK_STATUS(decode(ANSWER, NULL, &table, NULL), OPK_OK);
  CHECK_INT(opk_table_row_count(table), 3);
  CHECK_INT(opk_table_column_count(table), 4);
  CHECK_INT(opk_table_is_complete(table), -1);
  CHECK_STATUS(opk_table_column(table, 0, &column), OPK_OK);
  CHECK_TEXT(column.name, "id");
  CHECK_INT(column.kind, OPK_COLUMN_INTEGER);
  CHECK_INT(column.is_field, 1);
  CHECK_STATUS(opk_table_column(table, 1, &column), OPK_OK);
  CHECK_INT(column.kind, OPK_COLUMN_DEGREES);
  CHECK_STATUS(opk_table_column(table, 2, &column), OPK_OK);
  CHECK_INT(column.kind, OPK_COLUMN_TIMESTAMP);
  CHECK_STATUS(opk_table_column(table, 3, &column), OPK_OK);
  CHECK_TEXT(column.name, "name");
  CHECK_INT(column.kind, OPK_COLUMN_TEXT);
  CHECK_INT(column.is_field, 0);
  CHECK_STATUS(opk_table_column(table, 4, &column), OPK_ERR_MISUSE);
  opk_table_free(table);
}

TEST(test_cells) {
  opk_table *table = NULL;
  int64_t numbers[3] = {7, 7, 7};
  opk_str texts[3];
  CHECK_STATUS(decode(ANSWER, NULL, &table, NULL), OPK_OK);
  CHECK_INT(opk_table_numbers(table, 0, numbers, 3), 3);
  CHECK_INT(numbers[0], INT64_C(12345678901));
  CHECK_INT(numbers[1], OPK_NO_NUMBER);
  CHECK_INT(numbers[2], 3);
  CHECK_INT(opk_table_numbers(table, 1, numbers, 1), 3);
  CHECK_INT(numbers[0], 437332553);
  CHECK_INT(numbers[2], 3); /* beyond the capacity */
  CHECK_INT(opk_table_numbers(table, 2, numbers, 3), 3);
  CHECK_INT(numbers[0], 1332180681);
  CHECK_INT(opk_table_texts(table, 3, texts, 3), 3);
  CHECK_TEXT(texts[0], "K\xc3\xb6ti");
  CHECK_TEXT(texts[1], NULL);
  CHECK_TEXT(texts[2], "a");
  CHECK_INT(opk_table_numbers(table, 3, numbers, 3), 0);
  CHECK_INT(opk_table_texts(table, 0, texts, 3), 0);
  CHECK_INT(opk_table_texts(table, 9, texts, 3), 0);
  CHECK_INT(opk_table_numbers(table, 0, NULL, 0), 3);
  opk_table_free(table);
}

TEST(test_problems) {
  opk_table *table = NULL;
  opk_table_problem problem = OPK_TABLE_PROBLEM_INIT;
  CHECK_STATUS(decode(ANSWER, NULL, &table, NULL), OPK_OK);
  CHECK_INT(opk_table_problem_count(table), 2);
  CHECK_STATUS(opk_table_get_problem(table, 0, &problem), OPK_OK);
  CHECK_INT(problem.kind, OPK_TABLE_VALUE);
  CHECK_INT(problem.row, 1);
  CHECK_INT(problem.number, 0);
  CHECK_STATUS(opk_table_get_problem(table, 1, &problem), OPK_OK);
  CHECK_INT(problem.kind, OPK_TABLE_CELL_COUNT);
  CHECK_INT(problem.row, 2);
  CHECK_INT(problem.number, 5);
  CHECK_STATUS(opk_table_get_problem(table, 2, &problem), OPK_ERR_MISUSE);
  opk_table_free(table);
}

TEST(test_layouts) {
  static const char *const columns[] = {"::id", "name"};
  opk_csv_options options = OPK_CSV_OPTIONS_INIT;
  opk_table *table = NULL;
  opk_error error = OPK_ERROR_INIT;
  int64_t id = 0;
  opk_str name;
  options.flags = OPK_CSV_NO_HEAD;
  options.separator = "||";
  CHECK_STATUS(decode("1||A\n", &options, &table, &error), OPK_ERR_DECODE_FORMAT);
  CHECK(table == NULL);
  options.columns = columns;
  options.column_count = 2;
  CHECK_STATUS(decode("1||A\n", &options, &table, &error), OPK_OK);
  CHECK_INT(opk_table_numbers(table, 0, &id, 1), 1);
  CHECK_INT(id, 1);
  CHECK_INT(opk_table_texts(table, 1, &name, 1), 1);
  CHECK_TEXT(name, "A");
  opk_table_free(table);
  CHECK_STATUS(decode("1||A", &options, &table, &error), OPK_OK);
  CHECK_INT(opk_table_is_complete(table), 0);
  opk_table_free(table);
  options.separator = "";
  CHECK_STATUS(decode("1", &options, &table, &error), OPK_ERR_MISUSE);
  options.separator = NULL;
  options.flags = 8;
  CHECK_STATUS(decode("1", &options, &table, &error), OPK_ERR_MISUSE);
  options.flags = 0;
  options.max_bytes = 3;
  CHECK_STATUS(decode("name\nA\n", &options, &table, &error), OPK_ERR_LIMIT);
}

TEST(test_other_trouble) {
  opk_table *table = NULL;
  opk_error error = OPK_ERROR_INIT;
  CHECK_STATUS(decode("<html><p><strong>Error</strong>: line 1: parse error: x </p></html>", NULL,
                      &table, &error), OPK_ERR_SERVER_BAD_REQUEST);
  CHECK(table == NULL);
  CHECK_STATUS(opk_table_decode_csv_file("/does/not/exist", NULL, &table, &error),
               OPK_ERR_FILE_OPEN);
  CHECK_STATUS(opk_table_decode_csv_file(NULL, NULL, &table, &error), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_table_decode_csv(NULL, 1, NULL, &table, &error), OPK_ERR_MISUSE);
  CHECK_STATUS(decode("a\n", NULL, NULL, &error), OPK_ERR_MISUSE);
  CHECK_INT(opk_table_row_count(NULL), 0);
  CHECK_INT(opk_table_column_count(NULL), 0);
  CHECK_INT(opk_table_problem_count(NULL), 0);
  CHECK_INT(opk_table_is_complete(NULL), 0);
  CHECK_INT(opk_table_numbers(NULL, 0, NULL, 0), 0);
  CHECK_INT(opk_table_texts(NULL, 0, NULL, 0), 0);
  opk_table_free(NULL);
}

int main(void) {
  RUN(test_columns);
  RUN(test_cells);
  RUN(test_problems);
  RUN(test_layouts);
  RUN(test_other_trouble);
  return FINISH();
}
