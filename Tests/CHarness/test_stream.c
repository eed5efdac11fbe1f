/* Decoding in portions and from descriptors, with progress and cancellation. */
#define _POSIX_C_SOURCE 200809L /* fileno, pipe */
#include <overpasskit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "opk_test.h"

static const char *answer_start =
    "{\"elements\":[{\"type\":\"node\",\"id\":1,\"lat\":52.5,\"lon\":13.4,"
    "\"tags\":{\"name\":\"\xc3\xa4\"}}";

static opk_status push_text(opk_decoder *decoder, const char *text, opk_error *error) {
  return opk_decoder_push(decoder, (const uint8_t *)text, strlen(text), error);
}

TEST(test_portions_of_every_size) {
  char text[200];
  size_t length, size;
  length = (size_t)sprintf(text, "%s]}", answer_start);
  for (size = 1; size <= length; size++) {
    opk_decoder *decoder = NULL;
    opk_response *response = NULL;
    size_t start;
    CHECK_STATUS(opk_decoder_new(NULL, &decoder, NULL), OPK_OK);
    for (start = 0; start < length; start += size) {
      size_t count = length - start < size ? length - start : size;
      uint8_t *exact = malloc(count); /* so that valgrind sees a read of what was pushed before */
      memcpy(exact, text + start, count);
      CHECK_STATUS(opk_decoder_push(decoder, exact, count, NULL), OPK_OK);
      free(exact);
    }
    CHECK_INT(opk_decoder_byte_count(decoder), length);
    CHECK_STATUS(opk_decoder_finish(decoder, &response, NULL), OPK_OK);
    CHECK_INT(opk_response_element_count(response, OPK_NODE), 1);
    CHECK_INT(opk_response_is_complete(response), 1);
    opk_response_free(response);
    opk_decoder_free(decoder);
  }
}

TEST(test_end_in_the_middle) {
  opk_decode_options options = OPK_DECODE_OPTIONS_INIT;
  opk_decoder *decoder = NULL;
  opk_response *response = NULL;
  opk_error error = OPK_ERROR_INIT;
  CHECK_STATUS(opk_decoder_new(NULL, &decoder, &error), OPK_OK);
  CHECK_STATUS(push_text(decoder, answer_start, &error), OPK_OK);
  CHECK_STATUS(opk_decoder_finish(decoder, &response, &error), OPK_ERR_DECODE_TRUNCATED);
  CHECK(response == NULL);
  CHECK_INT(error.byte_offset, strlen(answer_start));
  opk_decoder_free(decoder);
  options.flags = OPK_DECODE_ALLOW_TRUNCATED;
  CHECK_STATUS(opk_decoder_new(&options, &decoder, &error), OPK_OK);
  CHECK_STATUS(push_text(decoder, answer_start, &error), OPK_OK);
  CHECK_STATUS(opk_decoder_finish(decoder, &response, &error), OPK_OK);
  CHECK_INT(opk_response_is_complete(response), 0);
  CHECK_INT(opk_response_element_count(response, 0), 1);
  opk_response_free(response);
  opk_decoder_free(decoder);
}

TEST(test_wrong_use) {
  opk_decode_options options = OPK_DECODE_OPTIONS_INIT;
  opk_decoder *decoder = NULL;
  opk_response *response = NULL;
  options.flags = 1u << 30;
  CHECK_STATUS(opk_decoder_new(&options, &decoder, NULL), OPK_ERR_MISUSE);
  CHECK(decoder == NULL);
  CHECK_STATUS(opk_decoder_new(NULL, NULL, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(push_text(NULL, "{}", NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_decoder_finish(NULL, &response, NULL), OPK_ERR_MISUSE);
  CHECK_INT(opk_decoder_byte_count(NULL) + opk_decoder_element_count(NULL), 0);
  opk_decoder_free(NULL);
  CHECK_STATUS(opk_decoder_new(NULL, &decoder, NULL), OPK_OK);
  CHECK_STATUS(opk_decoder_push(decoder, NULL, 1, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_decoder_push(decoder, NULL, 0, NULL), OPK_OK);
  CHECK_STATUS(push_text(decoder, "{\"elements\":[]}", NULL), OPK_OK);
  CHECK_STATUS(opk_decoder_finish(decoder, &response, NULL), OPK_OK);
  opk_response_free(response);
  CHECK_STATUS(push_text(decoder, "x", NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_decoder_finish(decoder, &response, NULL), OPK_ERR_MISUSE);
  CHECK(response == NULL);
  opk_decoder_free(decoder);
  /* Let go in the middle. */
  CHECK_STATUS(opk_decoder_new(NULL, &decoder, NULL), OPK_OK);
  CHECK_STATUS(push_text(decoder, answer_start, NULL), OPK_OK);
  opk_decoder_free(decoder);
}

TEST(test_errors_stay) {
  opk_decoder *decoder = NULL;
  opk_response *response = NULL;
  opk_error error = OPK_ERROR_INIT;
  CHECK_STATUS(opk_decoder_new(NULL, &decoder, &error), OPK_OK);
  CHECK_STATUS(push_text(decoder, "no answer\n", &error), OPK_ERR_DECODE_FORMAT);
  CHECK_STATUS(push_text(decoder, "{}", &error), OPK_ERR_DECODE_FORMAT);
  CHECK_STATUS(opk_decoder_finish(decoder, &response, &error), OPK_ERR_DECODE_FORMAT);
  opk_decoder_free(decoder);
}

/* A file of some megabytes. */
static FILE *large_answer(void) {
  FILE *file = tmpfile();
  int id;
  fputs("{\"elements\":[", file);
  for (id = 1; id <= 60000; id++) {
    fprintf(file, "%s\n{\"type\":\"node\",\"id\":%d,\"lat\":1.5,\"lon\":2.5}", id > 1 ? "," : "",
            id);
  }
  fputs("]}", file);
  fflush(file);
  rewind(file);
  return file;
}

struct calls {
  int count, allowed;
  uint64_t last_bytes, last_elements, total;
};

static int32_t note_progress(void *context, const opk_decode_progress *progress) {
  struct calls *calls = context;
  CHECK_INT(progress->struct_size, sizeof *progress);
  CHECK(progress->bytes >= calls->last_bytes && progress->elements >= calls->last_elements);
  calls->last_bytes = progress->bytes;
  calls->last_elements = progress->elements;
  calls->total = progress->total_bytes;
  return ++calls->count > calls->allowed;
}

TEST(test_descriptor_with_progress) {
  opk_decode_options options = OPK_DECODE_OPTIONS_INIT;
  opk_error error = OPK_ERROR_INIT;
  opk_response *response = NULL;
  struct calls calls = {0, 1000, 0, 0, 0};
  FILE *file = large_answer();
  options.progress = note_progress;
  options.progress_context = &calls;
  CHECK_STATUS(opk_response_decode_fd(fileno(file), &options, &response, &error), OPK_OK);
  CHECK_INT(opk_response_element_count(response, 0), 60000);
  CHECK_INT(calls.last_elements, 60000);
  CHECK(calls.count >= 2);
  CHECK_INT(calls.last_bytes, calls.total);
  opk_response_free(response);

  memset(&calls, 0, sizeof calls);
  calls.allowed = 1;
  CHECK_STATUS(opk_response_decode_fd(fileno(file), &options, &response, &error),
               OPK_ERR_CANCELLED);
  CHECK(response == NULL);
  CHECK_INT(error.byte_offset, -1);
  CHECK_INT(calls.count, 2);
  fclose(file);
  CHECK_STATUS(opk_response_decode_fd(-1, NULL, &response, NULL), OPK_ERR_MISUSE);
  CHECK_STATUS(opk_response_decode_fd(9999, NULL, &response, NULL), OPK_ERR_FILE_READ);
}

TEST(test_pipe) {
  opk_response *response = NULL;
  int ends[2];
  CHECK(pipe(ends) == 0);
  CHECK(write(ends[1], answer_start, strlen(answer_start)) > 0);
  CHECK(write(ends[1], "]}", 2) == 2);
  close(ends[1]);
  CHECK_STATUS(opk_response_decode_fd(ends[0], NULL, &response, NULL), OPK_OK);
  CHECK_INT(opk_response_element_count(response, 0), 1);
  opk_response_free(response);
  CHECK_STATUS(opk_response_decode_fd(ends[0], NULL, &response, NULL), OPK_ERR_DECODE_TRUNCATED);
  close(ends[0]);
}

int main(void) {
  RUN(test_portions_of_every_size);
  RUN(test_end_in_the_middle);
  RUN(test_wrong_use);
  RUN(test_errors_stay);
  RUN(test_descriptor_with_progress);
  RUN(test_pipe);
  return FINISH();
}
