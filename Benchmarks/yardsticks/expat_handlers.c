/* Yardstick: expat over a file in memory, with handlers for start, end and characters that only
 * count. Prints the CPU seconds, without reading the file.
 * usage: expat_handlers FILE */
#include <expat.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static size_t starts, ends, characters;

static void start(void *context, const char *name, const char **attributes) {
  (void)context, (void)name;
  while (*attributes) attributes += 2, starts++;
}

static void end(void *context, const char *name) { (void)context, (void)name, ends++; }

static void text(void *context, const char *bytes, int count) {
  (void)context, (void)bytes, characters += (size_t)count;
}

int main(int count, char **arguments) {
  FILE *file = count == 2 ? fopen(arguments[1], "rb") : NULL;
  XML_Parser parser = XML_ParserCreate(NULL);
  struct timespec before, after;
  size_t size, place;
  char *bytes;
  if (!file || !parser) return 2;
  fseek(file, 0, SEEK_END);
  size = (size_t)ftell(file);
  rewind(file);
  bytes = malloc(size);
  if (!bytes || fread(bytes, 1, size, file) != size) return 2;
  XML_SetElementHandler(parser, start, end);
  XML_SetCharacterDataHandler(parser, text);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
  for (place = 0; place < size; place += 1 << 16) {
    size_t portion = size - place < 1 << 16 ? size - place : 1 << 16;
    if (XML_Parse(parser, bytes + place, (int)portion, 0) != XML_STATUS_OK) return 1;
  }
  if (XML_Parse(parser, NULL, 0, 1) != XML_STATUS_OK) return 1;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
  printf("%f %zu %zu %zu\n",
         (double)(after.tv_sec - before.tv_sec) + (double)(after.tv_nsec - before.tv_nsec) / 1e9,
         starts, ends, characters);
  return 0;
}
