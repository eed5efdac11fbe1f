/* The server of Tests/Server beside a C test: started, told what to answer, asked what came.
 *
 * Include it before any system header, or define _POSIX_C_SOURCE as it does.
 */
#ifndef OPK_SERVER_H
#define OPK_SERVER_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct test_server {
  pid_t process;
  int input; /* The server stops when this is closed. */
  int port;
} test_server;

/* Starts a server, with TLS or without; the program ends when there is none. */
static inline test_server server_start(int with_tls) {
  const char *program = getenv("OPK_SERVER"), *option = with_tls ? "--tls" : NULL;
  int input[2], output[2];
  test_server self = {-1, -1, 0};
  FILE *lines;
  if (!program) program = "Tests/Server/overpass_server.py";
  if (pipe(input) || pipe(output) || (self.process = fork()) < 0) exit(EXIT_FAILURE);
  if (self.process == 0) {
    dup2(input[0], 0);
    dup2(output[1], 1);
    close(input[0]), close(input[1]), close(output[0]), close(output[1]);
    execlp("python3", "python3", program, option, (char *)NULL);
    _exit(127);
  }
  close(input[0]), close(output[1]);
  self.input = input[1];
  lines = fdopen(output[0], "r");
  if (!lines || fscanf(lines, "%d", &self.port) != 1) {
    fprintf(stderr, "%s does not start\n", program);
    exit(EXIT_FAILURE);
  }
  fclose(lines);
  return self;
}

static inline void server_stop(test_server *self) {
  int status;
  close(self->input);
  waitpid(self->process, &status, 0);
}

/* Speaks with the control channel. Gives the body of the reply, to be freed; NULL unless it is 200. */
static inline char *server_control(const test_server *self, const char *line, const char *body) {
  struct sockaddr_in address = {0};
  int connection = socket(AF_INET, SOCK_STREAM, 0);
  size_t capacity = 4096, len = 0, sent = 0, total;
  char *text = malloc(strlen(line) + strlen(body) + 128), *start;
  ssize_t count;
  address.sin_family = AF_INET;
  address.sin_port = htons((uint16_t)self->port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (!text || connect(connection, (struct sockaddr *)&address, sizeof address)) exit(EXIT_FAILURE);
  total = (size_t)sprintf(text, "%s HTTP/1.1\r\nConnection: close\r\nContent-Length: %zu\r\n\r\n%s",
                          line, strlen(body), body);
  while (sent < total && (count = write(connection, text + sent, total - sent)) > 0) {
    sent += (size_t)count;
  }
  free(text);
  text = malloc(capacity + 1);
  while (text && (count = read(connection, text + len, capacity - len)) > 0) {
    len += (size_t)count;
    if (len == capacity) text = realloc(text, (capacity *= 2) + 1);
  }
  close(connection);
  if (!text) exit(EXIT_FAILURE);
  text[len] = 0;
  start = strstr(text, "\r\n\r\n");
  if (!start || strncmp(text, "HTTP/1.1 200", 12) != 0) {
    free(text);
    return NULL;
  }
  memmove(text, start + 4, strlen(start + 4) + 1);
  return text;
}

/* Adds replies, as JSON: {"/path": [{"status": 200}]}. Gives whether they were understood. */
static inline int server_script(const test_server *self, const char *json) {
  char *reply = server_control(self, "POST /control/script", json);
  int is_understood = reply != NULL;
  free(reply);
  return is_understood;
}

/* What came so far, as JSON, to be freed. */
static inline char *server_requests(const test_server *self) {
  return server_control(self, "GET /control/requests", "");
}

#endif
