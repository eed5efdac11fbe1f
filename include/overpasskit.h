/* OverpassKit: from a question about OpenStreetMap to features.
 *
 *   build a query -> run it -> decode the answer -> rebuild the geometry -> hand it over
 *
 * Rules that hold everywhere
 *  - Handles (`opk_query`, `opk_response`, ...) are opaque. A handle that a call gives out is
 *    *owned*: free it with the function named there; freeing NULL does nothing. What a getter gives
 *    out is *borrowed*: valid until the handle it came from is freed.
 *  - A call that can fail returns an `opk_status`, gives its result through the last pointer but
 *    one, which is NULL after a failure, and fills the optional caller-owned `opk_error`.
 *  - Texts going in are UTF-8 and NUL-terminated, and are copied. Texts coming out are `opk_str`:
 *    pointer and length, UTF-8, not NUL-terminated.
 *  - NULL for a handle gives 0, NULL or OPK_ERR_MISUSE; NULL options mean the defaults; a NULL
 *    `opk_error` is fine.
 *  - Structs that start with `struct_size` must have it set (the OPK_..._INIT macros do); they grow
 *    at their end, so that older callers stay compatible.
 *  - Distinct handles may be used by distinct threads at the same time. `opk_response` and
 *    `opk_features` never change and may be read by many threads. An `opk_query` belongs to one.
 *    Freeing a handle must not race with its use. The library prints nothing and keeps no state but
 *    the turns of queries at servers, which are of the whole process.
 *  - Positions are WGS84. `_e7` means whole numbers of 1e-7 degrees, OSM's own resolution. In
 *    arrays the order is longitude, latitude.
 *
 * SPDX-License-Identifier: MIT
 */
#ifndef OVERPASSKIT_H
#define OVERPASSKIT_H

#include <math.h> /* NAN */
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__) || defined(__clang__)
#define OPK_API __attribute__((visibility("default")))
#else
#define OPK_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------ Section: version
 * The macros are the version of this header, the functions that of the library loaded. */

#define OPK_VERSION_MAJOR 0
#define OPK_VERSION_MINOR 1
#define OPK_VERSION_PATCH 0
#define OPK_VERSION_STRING "0.1.0"
/* Rises only when a function is removed or a layout changes; part of the soname. */
#define OPK_ABI_VERSION 0

/** The library's version as text, such as "0.1.0".
 *  @return borrowed, NUL-terminated, valid for ever
 *  @since 0.1 */
OPK_API const char *opk_version_string(void);

/** The library's version as a number: major * 10000 + minor * 100 + patch.
 *  @return the number
 *  @since 0.1 */
OPK_API uint32_t opk_version(void);

/** The number of the binary interface the library speaks; compare it with OPK_ABI_VERSION.
 *  @return the number
 *  @since 0.1 */
OPK_API uint32_t opk_abi_version(void);

/* ------------------------------------------------------------------ Section: status and errors
 * Codes come in families and are never used again for something else:
 * 1xx query, 2xx decoding, 3xx geometry, 4xx server, 5xx files and transport, 6xx writers,
 * 7xx engine, 8xx limits and cancellation, 9xx misuse and internal. */

typedef int32_t opk_status;

enum {
  OPK_OK = 0,
  OPK_ERR_QUERY_NO_TYPE = 101,     /* no element type was chosen */
  OPK_ERR_QUERY_NO_FILTER = 102,   /* neither a filter nor an area: would ask for the planet */
  OPK_ERR_QUERY_SETTING = 103,     /* a timeout, maxsize or limit that is not allowed */
  OPK_ERR_QUERY_COORDINATE = 104,  /* a position, box or radius out of range, or not a number */
  OPK_ERR_QUERY_VALUE = 105,       /* a key or value that no query can carry */
  OPK_ERR_QUERY_UNSUPPORTED = 106, /* the chosen form (QL or XML) has no words for it */
  OPK_ERR_QUERY_SYNTAX = 107,      /* text that is not a query */
  OPK_ERR_DECODE_SYNTAX = 201,     /* bytes that break the format; offset, line and column are set */
  OPK_ERR_DECODE_TRUNCATED = 202,  /* the answer stops in the middle */
  OPK_ERR_DECODE_NOT_OVERPASS = 203, /* well-formed, but no answer of Overpass */
  OPK_ERR_DECODE_VALUE = 204,      /* a value that cannot be held, such as an id beyond 64 bits */
  OPK_ERR_DECODE_FORMAT = 205,     /* another format than asked for, such as HTML */
  OPK_ERR_DECODE_COMPRESSION = 206, /* compressed data that is damaged */
  OPK_ERR_DECODE_TEXT = 207,       /* text that is not UTF-8, where that was asked for */
  OPK_ERR_SERVER_BAD_REQUEST = 401,  /* the server refused the query; the message is its own */
  OPK_ERR_SERVER_RATE_LIMITED = 402, /* too many queries from this address */
  OPK_ERR_SERVER_BUSY = 403,         /* too many queries from everybody */
  OPK_ERR_SERVER_TIMEOUT = 404,      /* the query ran out of its time */
  OPK_ERR_SERVER_MEMORY = 405,       /* the query ran out of its memory */
  OPK_ERR_SERVER_RUNTIME = 406,      /* another runtime error of the server */
  OPK_ERR_SERVER_OTHER = 407,        /* a page that is no answer, for other reasons */
  OPK_ERR_SERVER_REFUSED = 408,      /* the server refuses this client (HTTP 401, 403, 406) */
  OPK_ERR_FILE_OPEN = 501,
  OPK_ERR_FILE_READ = 502,
  OPK_ERR_FILE_WRITE = 503,
  OPK_ERR_TRANSPORT_UNAVAILABLE = 511, /* nothing carries requests, because libcurl is not there */
  OPK_ERR_TRANSPORT_RESOLVE = 512,     /* the host's name is unknown */
  OPK_ERR_TRANSPORT_CONNECT = 513,     /* the host does not answer */
  OPK_ERR_TRANSPORT_TLS = 514,         /* the connection cannot be made safe */
  OPK_ERR_TRANSPORT_TIMEOUT = 515,     /* nothing came for too long */
  OPK_ERR_TRANSPORT_INTERRUPTED = 516, /* the connection broke, or the reply stopped in the middle */
  OPK_ERR_TRANSPORT_OTHER = 517,
  OPK_ERR_CLIENT_APPLICATION = 521,    /* the application has no name, or one that servers block */
  OPK_ERR_CLIENT_ENDPOINT = 522,       /* neither a server's URL nor the name of a known one */
  OPK_ERR_CLIENT_QUERY = 523,          /* a query that the call cannot do */
  OPK_ERR_WRITE_LOSS = 601,        /* the format has no words for something; the message names it */
  OPK_ERR_MAP_NAME = 621,      /* a part of a map without a name, or with control characters in it */
  OPK_ERR_MAP_DUPLICATE = 622, /* a name that another part has already, a value with two colours */
  OPK_ERR_MAP_TILES = 623,     /* a tile URL that no viewer can fill in */
  OPK_ERR_MAP_ZOOM = 624,      /* a zoom level or position out of range */
  OPK_ERR_MAP_COLOR = 625,     /* a text that is no colour */
  OPK_ERR_MAP_URL = 626,       /* a URL that is not complete, or of a kind not allowed there */
  OPK_ERR_MAP_VALUE = 627,     /* a number, key or text that makes no sense there */
  OPK_ERR_LIMIT = 801,             /* a limit was reached; the message names it */
  OPK_ERR_CANCELLED = 802,         /* the caller's progress function asked to stop */
  OPK_ERR_MISUSE = 901,            /* NULL where a handle is needed, index out of range, bad option */
  OPK_STATUS_END = 902             /* one past the last code */
};

/** The name of a status, such as "OPK_ERR_DECODE_SYNTAX".
 *  @return borrowed, NUL-terminated, valid for ever; NULL for a number that is no status
 *  @since 0.1 */
OPK_API const char *opk_status_name(opk_status status);

enum { OPK_ERROR_MESSAGE_SIZE = 240 };

/** What went wrong, filled by a call that failed. Owned by the caller; needs no freeing. */
typedef struct opk_error {
  uint32_t struct_size;
  opk_status status;
  int64_t byte_offset;   /* where in the input; -1 when unknown */
  uint32_t line;         /* from 1; 0 when unknown */
  uint32_t column;       /* from 1; 0 when unknown. In data bytes are counted, in queries characters,
                            as editors do */
  uint32_t element_type; /* OPK_NODE ...; 0 when no element is concerned */
  uint32_t reserved;
  int64_t element_id;
  char message[OPK_ERROR_MESSAGE_SIZE]; /* UTF-8, NUL-terminated, cut between characters */
} opk_error;

#define OPK_ERROR_INIT {sizeof(opk_error), 0, -1, 0, 0, 0, 0, 0, {0}}

/* ------------------------------------------------------------------ Section: texts and bytes */

/** A borrowed text: UTF-8, not NUL-terminated. */
typedef struct opk_str {
  const char *ptr;
  size_t len;
} opk_str;

/** An owned block of bytes that a call produced. */
typedef struct opk_bytes opk_bytes;

/** The bytes of a block.
 *  @return borrowed; NULL for NULL
 *  @since 0.1 */
OPK_API const uint8_t *opk_bytes_data(const opk_bytes *bytes);

/** The number of bytes in a block.
 *  @return the number; 0 for NULL
 *  @since 0.1 */
OPK_API size_t opk_bytes_size(const opk_bytes *bytes);

/** Frees a block.
 *  @return nothing
 *  @since 0.1 */
OPK_API void opk_bytes_free(opk_bytes *bytes);

/** How many handles are alive in this process; for tests that look for leaks.
 *  @return the number
 *  @since 0.1 */
OPK_API int64_t opk_x_live_handles(void);

/* ------------------------------------------------------------------ Section: queries
 * A builder for the common query: which elements, with which tags, where, printed how.
 * Setters check their arguments at once; after a failure the query is as it was. */

typedef struct opk_query opk_query;

/* Element types, as codes and as bits of a set. */
enum { OPK_NODE = 1, OPK_WAY = 2, OPK_RELATION = 3, OPK_AREA = 4, OPK_DERIVED = 5 };
enum { OPK_NODES = 1, OPK_WAYS = 2, OPK_RELATIONS = 4 };

/* How a tag filter compares. */
enum {
  OPK_TAG_EXISTS = 1,      /* the key is there; no value */
  OPK_TAG_NOT_EXISTS = 2,  /* the key is not there; no value */
  OPK_TAG_EQUALS = 3,
  OPK_TAG_NOT_EQUALS = 4,  /* also true where the key is not there */
  OPK_TAG_CONTAINS = 5,    /* literal text anywhere in the value */
  OPK_TAG_NOT_CONTAINS = 6,
  OPK_TAG_STARTS_WITH = 7, /* literal text at the beginning */
  OPK_TAG_MATCHES = 8,     /* POSIX extended regular expression */
  OPK_TAG_NOT_MATCHES = 9
};
enum { OPK_TAG_IGNORE_CASE = 1 };

/* What is printed. */
enum {
  OPK_OUTPUT_STANDARD = 0,         /* elements with tags, node refs and members */
  OPK_OUTPUT_CENTER = 1,           /* and the centre of their bounding box */
  OPK_OUTPUT_GEOMETRY = 2,         /* and all positions */
  OPK_OUTPUT_RECURSE_DOWN = 3,     /* and everything they consist of */
  OPK_OUTPUT_RECURSE_UP = 4,       /* and everything they are part of */
  OPK_OUTPUT_RECURSE_UP_AND_DOWN = 5
};

/** Starts a query for the given element types.
 *  @param types  any of OPK_NODES, OPK_WAYS, OPK_RELATIONS together; 0 is refused on rendering
 *  @return owned: free with opk_query_free
 *  @since 0.1 */
OPK_API opk_query *opk_query_new(uint32_t types);

/** Copies a query.
 *  @return owned: free with opk_query_free; NULL for NULL
 *  @since 0.1 */
OPK_API opk_query *opk_query_clone(const opk_query *query);

/** Frees a query.
 *  @return nothing
 *  @since 0.1 */
OPK_API void opk_query_free(opk_query *query);

/** Adds a filter on one key; all filters must hold.
 *  @param comparison  OPK_TAG_...
 *  @param key    borrowed for the call
 *  @param value  borrowed for the call; NULL for OPK_TAG_EXISTS and OPK_TAG_NOT_EXISTS
 *  @param flags  0 or OPK_TAG_IGNORE_CASE
 *  @return OPK_OK; OPK_ERR_QUERY_VALUE for an empty key, a control character or text that is not
 *          UTF-8; OPK_ERR_MISUSE
 *  @since 0.1  @source Overpass QL, "By tag" */
OPK_API opk_status opk_query_add_tag(opk_query *query, int32_t comparison, const char *key,
                                     const char *value, uint32_t flags, opk_error *err);

/** Adds a filter that takes any of several values of one key.
 *  @param values  borrowed for the call: `count` texts, at least one
 *  @param flags   0 or OPK_TAG_IGNORE_CASE
 *  @return OPK_OK; OPK_ERR_QUERY_VALUE, also when the list is empty; OPK_ERR_MISUSE
 *  @since 0.1 */
OPK_API opk_status opk_query_add_tag_one_of(opk_query *query, const char *key,
                                            const char *const *values, size_t count,
                                            uint32_t flags, opk_error *err);

/** Limits the query to a box; west > east crosses the antimeridian. Replaces an earlier box.
 *  units: degrees
 *  @return OPK_OK; OPK_ERR_QUERY_COORDINATE; OPK_ERR_MISUSE
 *  @since 0.1  @source Overpass QL, "Bounding box" */
OPK_API opk_status opk_query_set_bbox(opk_query *query, double south, double west, double north,
                                      double east, opk_error *err);

/** Limits the query to a box around a centre. Near a pole it takes in the pole, across the
 *  antimeridian west > east.
 *  units: degrees; width (east-west) and height (north-south) of the whole box in metres
 *  @return OPK_OK; OPK_ERR_QUERY_COORDINATE; OPK_ERR_MISUSE
 *  @since 0.1 */
OPK_API opk_status opk_query_set_bbox_center(opk_query *query, double lat, double lon,
                                             double width_m, double height_m, opk_error *err);

/** Limits the query to what lies within a distance of a position. Replaces an earlier one.
 *  units: degrees; metres
 *  @return OPK_OK; OPK_ERR_QUERY_COORDINATE; OPK_ERR_MISUSE
 *  @since 0.1  @source Overpass QL, "Relative to other elements (around)" */
OPK_API opk_status opk_query_set_around(opk_query *query, double lat, double lon, double radius_m,
                                        opk_error *err);

/** Starts the query of an amenities app: nodes, ways and relations with one tag within a distance of a
 *  position, printed with their geometry. More filters and settings may follow. What
 *  opk_query_render_xml makes of it is a whole document, to be posted as it is with the content type
 *  text/xml.
 *  units: degrees; metres
 *  @param key    borrowed for the call; NULL = "amenity"
 *  @param value  borrowed for the call; such as "toilets"
 *  @param out    owned: free with opk_query_free; NULL on failure
 *  @return OPK_OK; OPK_ERR_QUERY_VALUE; OPK_ERR_QUERY_COORDINATE; OPK_ERR_MISUSE
 *  @since 0.1  @source OSM wiki, "Key:amenity" */
OPK_API opk_status opk_query_new_amenity(const char *key, const char *value, double lat, double lon,
                                         double radius_m, opk_query **out, opk_error *err);

/** Sets how long the server may work on the query.
 *  units: whole seconds, at least 1
 *  @return OPK_OK; OPK_ERR_QUERY_SETTING; OPK_ERR_MISUSE
 *  @since 0.1  @source Overpass QL, "timeout" */
OPK_API opk_status opk_query_set_timeout(opk_query *query, int64_t seconds, opk_error *err);

/** Sets how much memory the server may use for the query.
 *  units: bytes, at least 1
 *  @return OPK_OK; OPK_ERR_QUERY_SETTING; OPK_ERR_MISUSE
 *  @since 0.1  @source Overpass QL, "maxsize" */
OPK_API opk_status opk_query_set_maxsize(opk_query *query, int64_t bytes, opk_error *err);

/** Chooses what is printed.
 *  @param output  OPK_OUTPUT_...
 *  @return OPK_OK; OPK_ERR_MISUSE
 *  @since 0.1  @source Overpass QL, "The statement out" */
OPK_API opk_status opk_query_set_output(opk_query *query, int32_t output, opk_error *err);

enum { OPK_RENDER_PRETTY = 1 }; /* a statement a line, indented */

/** Prints the query as Overpass QL. Equal queries give equal bytes.
 *  @param flags  0 or OPK_RENDER_PRETTY
 *  @param out    owned: free with opk_bytes_free; UTF-8; NULL on failure
 *  @return OPK_OK; OPK_ERR_QUERY_NO_TYPE; OPK_ERR_QUERY_NO_FILTER; OPK_ERR_MISUSE
 *  @since 0.1  @source Overpass QL, OSM wiki */
OPK_API opk_status opk_query_render_ql(const opk_query *query, uint32_t flags, opk_bytes **out,
                                       opk_error *err);

/** Prints the query in Overpass's XML form.
 *  @param flags  0 or OPK_RENDER_PRETTY
 *  @param out    owned: free with opk_bytes_free; UTF-8; NULL on failure
 *  @return as opk_query_render_ql, and OPK_ERR_QUERY_UNSUPPORTED where XML has no words for it
 *  @since 0.1  @source Overpass XML, OSM wiki */
OPK_API opk_status opk_query_render_xml(const opk_query *query, uint32_t flags, opk_bytes **out,
                                        opk_error *err);

/** Reads a query from text, Overpass QL or XML by its look. It can be printed, checked and cloned;
 *  of the setters it takes timeout and maxsize.
 *  @param text  borrowed for the call: `len` bytes of UTF-8
 *  @param out   owned: free with opk_query_free; NULL on failure
 *  @return OPK_OK; OPK_ERR_QUERY_SYNTAX with offset, line and column of the first error (all of
 *          them: opk_query_check_text); OPK_ERR_MISUSE
 *  @since 0.1  @source Overpass QL and XML as server 0.7.62 reads them */
OPK_API opk_status opk_query_parse(const char *text, size_t len, opk_query **out, opk_error *err);

/** What is wrong or suspicious about a query. */
typedef struct opk_diagnostics opk_diagnostics;

/** Checks a query for what the server would refuse and for what is probably not meant.
 *  @param out  owned: free with opk_diagnostics_free; NULL on failure
 *  @return OPK_OK, also when something was found; OPK_ERR_MISUSE
 *  @since 0.1 */
OPK_API opk_status opk_query_check(const opk_query *query, opk_diagnostics **out, opk_error *err);

/** Reads and checks the text of a query; what is found has positions in the text.
 *  @param text  borrowed for the call: `len` bytes of UTF-8
 *  @param out   owned: free with opk_diagnostics_free; NULL on failure
 *  @return OPK_OK, also when something was found; OPK_ERR_MISUSE
 *  @since 0.1 */
OPK_API opk_status opk_query_check_text(const char *text, size_t len, opk_diagnostics **out,
                                        opk_error *err);

/** One thing found in a query. All texts are borrowed. */
typedef struct opk_diagnostic {
  uint32_t struct_size;
  uint32_t is_error;   /* 1: the server would refuse it; 0: a warning */
  uint32_t code;       /* stable; see Diagnostic.Code of the Swift module */
  uint32_t line;       /* from 1; 0 for a query that comes from no text */
  uint32_t column;     /* from 1, in characters, as editors count */
  uint32_t length;     /* how many bytes are concerned */
  int64_t byte_offset; /* -1 for a query that comes from no text */
  opk_str message;
  opk_str found;       /* what stands there; ptr NULL when that is no matter */
  opk_str expected;    /* what could stand there, separated by newlines; ptr NULL likewise */
  opk_str suggestion;  /* what was probably meant; ptr NULL when nothing suggests itself */
} opk_diagnostic;

#define OPK_DIAGNOSTIC_INIT \
  {sizeof(opk_diagnostic), 0, 0, 0, 0, 0, -1, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}}

/** How many things were found.
 *  @return the number; 0 for NULL
 *  @since 0.1 */
OPK_API size_t opk_diagnostics_count(const opk_diagnostics *diagnostics);

/** Reads one of them; errors and warnings stand in the order of the text.
 *  @param out  filled; its texts are borrowed
 *  @return OPK_OK; OPK_ERR_MISUSE when there is no such diagnostic
 *  @since 0.1 */
OPK_API opk_status opk_diagnostics_get(const opk_diagnostics *diagnostics, size_t index,
                                       opk_diagnostic *out);

/** Frees diagnostics.
 *  @return nothing
 *  @since 0.1 */
OPK_API void opk_diagnostics_free(opk_diagnostics *diagnostics);

/* ------------------------------------------------------------------ Section: sets
 * Sets of elements as values: composed, filtered, walked from. Names of sets in the query are chosen
 * by the library; equal parts are asked for once. A set never changes; each function gives a new
 * one. All of them return OPK_OK, OPK_ERR_QUERY_... for what no query can say, or OPK_ERR_MISUSE. */

typedef struct opk_set opk_set;

/** The elements a query looks for. A query with settings or an output of its own is refused.
 *  @param out  owned: free with opk_set_free; NULL on failure
 *  @return see the section's head
 *  @since 0.1 */
OPK_API opk_status opk_set_from_query(const opk_query *query, opk_set **out, opk_error *err);

/** Elements by their numbers.
 *  @param types  borrowed for the call: OPK_NODE, OPK_WAY, OPK_RELATION or OPK_AREA, `count` times
 *  @param ids    borrowed for the call: as many
 *  @param out    owned: free with opk_set_free; NULL on failure
 *  @return see the section's head
 *  @since 0.1 */
OPK_API opk_status opk_set_from_ids(const uint32_t *types, const int64_t *ids, size_t count,
                                    opk_set **out, opk_error *err);

/** Areas with a name and, to tell equal names apart, other tags, such as admin_level.
 *  @param keys, values  borrowed for the call: `tag_count` texts each; NULL = none
 *  @param out           owned: free with opk_set_free; NULL on failure
 *  @return see the section's head
 *  @since 0.1 */
OPK_API opk_status opk_set_area_named(const char *name, const char *const *keys,
                                      const char *const *values, size_t tag_count,
                                      opk_set **out, opk_error *err);

/** The area that the server makes of a way or relation.
 *  @param out  owned: free with opk_set_free; NULL on failure
 *  @return see the section's head
 *  @since 0.1 */
OPK_API opk_status opk_set_area_of(uint32_t type, int64_t id, opk_set **out, opk_error *err);

/** The areas in which a position lies.
 *  units: degrees
 *  @param out  owned: free with opk_set_free; NULL on failure
 *  @return see the section's head
 *  @since 0.1  @source Overpass QL, "is_in" */
OPK_API opk_status opk_set_areas_at(double lat, double lon, opk_set **out, opk_error *err);

/** Frees a set.
 *  @return nothing
 *  @since 0.1 */
OPK_API void opk_set_free(opk_set *set);

/* How two sets become one. */
enum {
  OPK_SET_UNION = 1,
  OPK_SET_DIFFERENCE = 2,   /* in the first, not in the second */
  OPK_SET_INTERSECTION = 3,
  OPK_SET_WITHIN = 4        /* of the first, what lies in areas of the second */
};

/** Composes two sets.
 *  @param operation  OPK_SET_...
 *  @param out        owned: free with opk_set_free; NULL on failure
 *  @return see the section's head
 *  @since 0.1  @source Overpass QL, "Block statements", "Area filter" */
OPK_API opk_status opk_set_compose(const opk_set *first, int32_t operation, const opk_set *second,
                                   opk_set **out, opk_error *err);

/** Of a set, what lies within a distance of another set.
 *  units: metres
 *  @param out  owned: free with opk_set_free; NULL on failure
 *  @return see the section's head
 *  @since 0.1  @source Overpass QL, "Relative to other elements (around)" */
OPK_API opk_status opk_set_around(const opk_set *set, const opk_set *other, double radius_m,
                                  opk_set **out, opk_error *err);

/** Of a set, the elements of some types.
 *  @param types  any of OPK_NODES, OPK_WAYS, OPK_RELATIONS together
 *  @param out    owned: free with opk_set_free; NULL on failure
 *  @return see the section's head
 *  @since 0.1 */
OPK_API opk_status opk_set_only(const opk_set *set, uint32_t types, opk_set **out,
                                opk_error *err);

/** Of a set, the elements with a tag; parameters as of opk_query_add_tag.
 *  @param out  owned: free with opk_set_free; NULL on failure
 *  @return see the section's head
 *  @since 0.1 */
OPK_API opk_status opk_set_tag(const opk_set *set, int32_t comparison, const char *key,
                               const char *value, uint32_t flags, opk_set **out, opk_error *err);

/** Of a set, the elements on which one key has any of several values.
 *  @param values  borrowed for the call: `count` texts, at least one
 *  @param flags   0 or OPK_TAG_IGNORE_CASE
 *  @param out     owned: free with opk_set_free; NULL on failure
 *  @return see the section's head
 *  @since 0.1 */
OPK_API opk_status opk_set_tag_one_of(const opk_set *set, const char *key,
                                      const char *const *values, size_t count, uint32_t flags,
                                      opk_set **out, opk_error *err);

/** Of a set, the elements for which a condition of the language holds, such as "count_tags()>6" or
 *  "a.count(nodes)>1", where `a` is one of the sets named.
 *  @param condition  borrowed for the call: an evaluator of Overpass QL
 *  @param names      borrowed for the call: how the condition calls each set; NULL = none
 *  @param sets       borrowed for the call
 *  @param out        owned: free with opk_set_free; NULL on failure
 *  @return see the section's head; OPK_ERR_QUERY_VALUE for a condition that is none
 *  @since 0.1  @source Overpass QL, "The evaluators" */
OPK_API opk_status opk_set_where(const opk_set *set, const char *condition,
                                 const char *const *names, const opk_set *const *sets,
                                 size_t set_count, opk_set **out, opk_error *err);

/* What recursion leads to. */
enum {
  OPK_RECURSE_DOWN = 1,           /* `>`: nodes of ways, members of relations and their nodes */
  OPK_RECURSE_DOWN_RELATIONS = 2, /* `>>`: the same, also through member relations */
  OPK_RECURSE_UP = 3,             /* `<`: ways and relations that refer to the elements */
  OPK_RECURSE_UP_RELATIONS = 4    /* `<<`: the same, also through relations of relations */
};

/** What the elements of a set consist of, or belong to.
 *  @param recursion  OPK_RECURSE_...
 *  @param keep       1 to keep the set itself as well
 *  @param out        owned: free with opk_set_free; NULL on failure
 *  @return see the section's head
 *  @since 0.1  @source Overpass QL, "Recurse" */
OPK_API opk_status opk_set_recurse(const opk_set *set, int32_t recursion, int32_t keep,
                                   opk_set **out, opk_error *err);

/* One step from a set. */
enum {
  OPK_STEP_WAY_NODES = 1,   /* the nodes of its ways */
  OPK_STEP_MEMBERS = 2,     /* the members of its relations; `types` and `role` count */
  OPK_STEP_WAYS = 3,        /* the ways that have one of its nodes */
  OPK_STEP_RELATIONS = 4,   /* the relations that have it as a member; `role` counts */
  OPK_STEP_AREAS = 5,       /* the areas its ways and relations make */
  OPK_STEP_ENCLOSING = 6,   /* the areas in which its nodes lie */
  OPK_STEP_PIVOTS = 7       /* the ways and relations its areas were made of; `types` counts */
};

/** What one step leads to.
 *  @param step   OPK_STEP_...
 *  @param types  any of OPK_NODES, OPK_WAYS, OPK_RELATIONS together; 0 = all that can be
 *  @param role   borrowed for the call: only members with this role; NULL = any
 *  @param out    owned: free with opk_set_free; NULL on failure
 *  @return see the section's head
 *  @since 0.1  @source Overpass QL, "Recurse" filters, "map_to_area", "is_in", "pivot" */
OPK_API opk_status opk_set_step(const opk_set *set, int32_t step, uint32_t types,
                                const char *role, opk_set **out, opk_error *err);

/** Of a set, what was changed in a span of time.
 *  @param from  borrowed for the call: such as "2024-05-01T00:00:00Z"
 *  @param to    borrowed for the call; NULL = until now
 *  @param out   owned: free with opk_set_free; NULL on failure
 *  @return see the section's head
 *  @since 0.1  @source Overpass QL, "By date of change (changed)" */
OPK_API opk_status opk_set_changed(const opk_set *set, const char *from, const char *to,
                                   opk_set **out, opk_error *err);

/** Of a set, what was last edited by certain users.
 *  @param users  borrowed for the call: `count` names
 *  @param ever   1 for whatever these users have ever edited
 *  @param out    owned: free with opk_set_free; NULL on failure
 *  @return see the section's head
 *  @since 0.1  @source Overpass QL, "By user" */
OPK_API opk_status opk_set_edited_by(const opk_set *set, const char *const *users, size_t count,
                                     int32_t ever, opk_set **out, opk_error *err);

/* How much is printed of each element. */
enum {
  OPK_VERBOSITY_BODY = 0,
  OPK_VERBOSITY_IDS = 1,
  OPK_VERBOSITY_SKEL = 2,
  OPK_VERBOSITY_TAGS = 3,
  OPK_VERBOSITY_META = 4,
  OPK_VERBOSITY_COUNT = 5 /* only how many there are */
};

/* Which geometry is printed with ways and relations. */
enum { OPK_OUT_NONE = 0, OPK_OUT_CENTER = 1, OPK_OUT_GEOM = 2, OPK_OUT_BB = 3 };

/** How a set is printed. */
typedef struct opk_out_options {
  uint32_t struct_size;
  uint32_t verbosity; /* OPK_VERBOSITY_... */
  uint32_t geometry;  /* OPK_OUT_... */
  uint32_t by_place;  /* 1: ordered by place (`qt`), which is quicker for the server */
  int64_t limit;      /* at most so many elements; 0 = all */
} opk_out_options;

#define OPK_OUT_OPTIONS_INIT {sizeof(opk_out_options), 0, 0, 0, 0}

/** Starts a query that prints sets: give it at least one with opk_query_add_output. Of the setters
 *  it takes timeout and maxsize.
 *  @return owned: free with opk_query_free
 *  @since 0.1 */
OPK_API opk_query *opk_query_new_outputs(void);

/** Prints a set, after what the query prints already.
 *  @param query  of opk_query_new_outputs
 *  @param opt    NULL = defaults
 *  @return OPK_OK; OPK_ERR_QUERY_SETTING; OPK_ERR_MISUSE
 *  @since 0.1  @source Overpass QL, "The statement out" */
OPK_API opk_status opk_query_add_output(opk_query *query, const opk_set *set,
                                        const opk_out_options *opt, opk_error *err);

/* ------------------------------------------------------------------ Section: searches and macros */

/** The number of the area that the server makes from a way or relation.
 *  @param type  OPK_WAY or OPK_RELATION
 *  @return the number; -1 for other types and for ids out of range
 *  @since 0.1  @source Overpass QL, "Map way/relation to area" */
OPK_API int64_t opk_area_id(uint32_t type, int64_t id);

/** A word that stands for tags in searches of the wizard, such as "Hospital". */
typedef struct opk_preset {
  uint32_t struct_size;
  uint32_t types;           /* OPK_NODES | ...: which elements it applies to */
  const char *name;
  const char *const *terms; /* other words for it */
  size_t term_count;
  const char *const *keys;
  const char *const *values; /* as many as keys; "*" stands for any value */
  size_t tag_count;
} opk_preset;

#define OPK_PRESET_INIT {sizeof(opk_preset), 0, NULL, NULL, 0, NULL, NULL, 0}

/** Writes the query for a search in the wizard's language, such as "amenity=cafe in Berlin": a text
 *  in Overpass QL with macros for opk_query_expand_macros.
 *  @param search   borrowed for the call
 *  @param presets  borrowed for the call: `preset_count` structs; NULL = none
 *  @param out      owned: free with opk_bytes_free; UTF-8; NULL on failure
 *  @return OPK_OK; OPK_ERR_QUERY_SYNTAX with the place in the search; OPK_ERR_MISUSE
 *  @since 0.1  @source OSM wiki, "Overpass turbo/Wizard" */
OPK_API opk_status opk_query_wizard(const char *search, const opk_preset *presets,
                                    size_t preset_count, opk_bytes **out, opk_error *err);

/** A place that a geocoder has found. Values that are not known are NaN, or 0 for `type`. */
typedef struct opk_place {
  uint32_t struct_size;
  uint32_t type; /* OPK_NODE ... */
  int64_t id;
  double importance; /* higher is better */
  double lat, lon;
  double south, west, north, east;
} opk_place;

/** Finds places by name: writes up to `capacity` of them to `places` and returns how many. The places
 *  come initialised, with struct_size set and nothing known, so that only what was found has to be
 *  written. Called on the calling thread during opk_query_expand_macros, once for each name. */
typedef size_t (*opk_geocoder)(void *context, const char *name, opk_place *places,
                               size_t capacity);

enum {
  OPK_MACROS_REMOVE_UNKNOWN = 1,   /* as overpass turbo does, instead of an error */
  OPK_MACROS_REFUSE_AMBIGUITY = 2  /* several places of one name are an error */
};

/** What macros stand for. Values that are not known are NaN, or INT64_MIN for `now`; they are so in
 *  OPK_MACRO_OPTIONS_INIT. */
typedef struct opk_macro_options {
  uint32_t struct_size;
  uint32_t flags;                   /* OPK_MACROS_... */
  double south, west, north, east;  /* {{bbox}} */
  double center_lat, center_lon;    /* {{center}}; otherwise the middle of the box */
  int64_t now;                      /* {{date}}: seconds since 1970-01-01T00:00:00Z */
  const char *const *names;         /* constants; borrowed for the call */
  const char *const *values;
  size_t constant_count;
  opk_geocoder geocode;             /* NULL = places by name are errors */
  void *context;                    /* handed to `geocode` */
} opk_macro_options;

#define OPK_MACRO_OPTIONS_INIT                                                                  \
  {sizeof(opk_macro_options), 0, NAN, NAN, NAN, NAN, NAN, NAN, INT64_MIN, NULL, NULL, 0, NULL, NULL}

/** Replaces the macros of overpass turbo in the text of a query: bbox, center, date:..., constants,
 *  geocodeId|Area|Bbox|Coords:..., style:... and data:... (these two are taken out). Line breaks
 *  are kept. Nothing is looked up but by the caller's geocoder.
 *  @param text  borrowed for the call: `len` bytes of UTF-8, Overpass QL or XML
 *  @param out   owned: free with opk_bytes_free; UTF-8; NULL on failure
 *  @return OPK_OK; OPK_ERR_QUERY_SYNTAX with the place of the first macro that has no value;
 *          OPK_ERR_QUERY_COORDINATE; OPK_ERR_MISUSE
 *  @since 0.1  @source OSM wiki, "Overpass turbo/Extended Overpass Turbo Queries" */
OPK_API opk_status opk_query_expand_macros(const char *text, size_t len,
                                           const opk_macro_options *opt, opk_bytes **out,
                                           opk_error *err);

/* ------------------------------------------------------------------ Section: responses
 * A decoded answer. Imperfect OSM data is not an error. Copies of one element are merged: each
 * (type, id) occurs once, at its first place in the answer; documents that list several states of
 * elements (augmented diffs, change files) keep them all, and features are made of those of today. */

typedef struct opk_response opk_response;

/** A geometry in memory. */
typedef struct opk_geometry opk_geometry;

enum {
  /* Keep what was decoded before the end of a truncated answer; it then counts as incomplete. */
  OPK_DECODE_ALLOW_TRUNCATED = 1,
  /* Refuse text that is not UTF-8, instead of replacing it by U+FFFD with a diagnostic. */
  OPK_DECODE_STRICT_TEXT = 2
};

/** How far decoding has come. */
typedef struct opk_decode_progress {
  uint32_t struct_size;
  uint32_t reserved;
  uint64_t bytes;        /* of the input, as they came: compressed ones where it is compressed */
  uint64_t total_bytes;  /* the size of the input; 0 when it is not known */
  uint64_t elements;     /* decoded so far */
} opk_decode_progress;

/** Told how far decoding has come, every megabyte or so and at the end, on the thread that asked for
 *  decoding.
 *  @param context   as given with the options
 *  @param progress  borrowed for the call
 *  @return 0 to go on; anything else stops decoding with OPK_ERR_CANCELLED */
typedef int32_t (*opk_decode_progress_fn)(void *context, const opk_decode_progress *progress);

/** How to decode. Zero in a limit means its default. */
typedef struct opk_decode_options {
  uint32_t struct_size;
  uint32_t flags;          /* OPK_DECODE_... */
  uint64_t max_bytes;      /* of the decompressed answer; default 2^40 */
  uint32_t max_depth;      /* of nested JSON values; default 64 */
  uint32_t max_threads;    /* for large answers that are at hand as a whole; 0 = all processors */
  uint64_t max_elements;   /* default 2^32 */
  uint64_t max_text_bytes; /* of keys, values, roles and names of users, each distinct text once;
                              default 2^32 */
  opk_decode_progress_fn progress; /* NULL = none; opk_decoder_... do not call it */
  void *progress_context;
} opk_decode_options;

#define OPK_DECODE_OPTIONS_INIT {sizeof(opk_decode_options), 0, 0, 0, 0, 0, 0, NULL, NULL}

/** Decodes one Overpass JSON answer, plain or compressed with gzip or bzip2.
 *  shape:   elements keep the order of the answer
 *  @param bytes  borrowed for the call
 *  @param opt    NULL = defaults
 *  @param out    owned: free with opk_response_free; NULL on failure
 *  @return OPK_OK; OPK_ERR_DECODE_SYNTAX or OPK_ERR_DECODE_TRUNCATED with offset, line and column
 *          (of the decompressed text); another OPK_ERR_DECODE_...; OPK_ERR_LIMIT; OPK_ERR_MISUSE
 *  @since 0.1  @source Overpass API "Output formats", OSM wiki */
OPK_API opk_status opk_response_decode_json(const uint8_t *bytes, size_t len,
                                            const opk_decode_options *opt, opk_response **out,
                                            opk_error *err);

/** Decodes one answer in XML: of Overpass, of the OSM API, a file of JOSM, a change file or an
 *  augmented diff; plain or compressed with gzip or bzip2. Entities are not expanded.
 *  shape, parameters and errors as opk_response_decode_json
 *  @param out  owned: free with opk_response_free; NULL on failure
 *  @return as opk_response_decode_json
 *  @since 0.1  @source OSM wiki "OSM XML", "OsmChange", "Overpass API/Augmented Diffs" */
OPK_API opk_status opk_response_decode_xml(const uint8_t *bytes, size_t len,
                                           const opk_decode_options *opt, opk_response **out,
                                           opk_error *err);

/** Decodes an answer in JSON or XML, plain or compressed with gzip or bzip2: what the bytes are
 *  counts, not what was asked for. A page with errors in place of an answer is an error.
 *  @param bytes  borrowed for the call
 *  @param opt    NULL = defaults
 *  @param out    owned: free with opk_response_free; NULL on failure
 *  @return as opk_response_decode_json, and OPK_ERR_SERVER_... with the server's message
 *  @since 0.1 */
OPK_API opk_status opk_response_decode(const uint8_t *bytes, size_t len,
                                       const opk_decode_options *opt, opk_response **out,
                                       opk_error *err);

/** Decodes an answer in a file, as opk_response_decode does. The file is mapped where that is
 *  possible; it must not shrink during the call.
 *  @param path  borrowed for the call
 *  @param opt   NULL = defaults
 *  @param out   owned: free with opk_response_free; NULL on failure
 *  @return as opk_response_decode, and OPK_ERR_FILE_OPEN, OPK_ERR_FILE_READ
 *  @since 0.1 */
OPK_API opk_status opk_response_decode_file(const char *path, const opk_decode_options *opt,
                                            opk_response **out, opk_error *err);

/** Decodes an answer from an open descriptor (file, pipe, socket), as opk_response_decode does. It is
 *  read to its end as bytes come, or mapped where that is possible; its position afterwards is not
 *  defined, and it is not closed.
 *  @param descriptor  borrowed for the call; open for reading, and blocking
 *  @param opt         NULL = defaults
 *  @param out         owned: free with opk_response_free; NULL on failure
 *  @return as opk_response_decode, and OPK_ERR_FILE_READ
 *  @since 0.1 */
OPK_API opk_status opk_response_decode_fd(int32_t descriptor, const opk_decode_options *opt,
                                          opk_response **out, opk_error *err);

/** Decodes an answer in portions, as they come from a socket. It belongs to one thread at a time. */
typedef struct opk_decoder opk_decoder;

/** Begins decoding an answer in JSON or XML, plain or compressed, that comes in portions.
 *  To cancel, free the decoder.
 *  @param opt  NULL = defaults
 *  @param out  owned: free with opk_decoder_free; NULL on failure
 *  @return OPK_OK; OPK_ERR_MISUSE
 *  @since 0.1 */
OPK_API opk_status opk_decoder_new(const opk_decode_options *opt, opk_decoder **out,
                                   opk_error *err);

/** Decodes the next bytes. Portions of any size give the same response, or the same error.
 *  @param bytes  borrowed for the call
 *  @return OPK_OK; as opk_response_decode, and then the same in all later calls; OPK_ERR_MISUSE
 *          after opk_decoder_finish
 *  @since 0.1 */
OPK_API opk_status opk_decoder_push(opk_decoder *decoder, const uint8_t *bytes, size_t len,
                                    opk_error *err);

/** Tells that there are no more bytes, and gives the response. The decoder is of no more use then,
 *  and still to be freed.
 *  @param out  owned: free with opk_response_free; NULL on failure
 *  @return as opk_response_decode
 *  @since 0.1 */
OPK_API opk_status opk_decoder_finish(opk_decoder *decoder, opk_response **out, opk_error *err);

/** The bytes pushed so far.
 *  @return their number; 0 for NULL
 *  @since 0.1 */
OPK_API uint64_t opk_decoder_byte_count(const opk_decoder *decoder);

/** The elements decoded so far; some more may be waiting for the rest of a portion.
 *  @return their number; 0 for NULL and after opk_decoder_finish
 *  @since 0.1 */
OPK_API uint64_t opk_decoder_element_count(const opk_decoder *decoder);

/** Frees a decoder, and what it decoded so far.
 *  @return nothing
 *  @since 0.1 */
OPK_API void opk_decoder_free(opk_decoder *decoder);

/** Frees a response. Features built from it stay valid: they keep the data alive.
 *  @return nothing
 *  @since 0.1 */
OPK_API void opk_response_free(opk_response *response);

/** Whether the answer is whole: no remark of a runtime error, not truncated.
 *  @return 1 when it is; 0 when data is missing, and for NULL; -1 when the server added a remark of
 *          a kind that is not known
 *  @since 0.1 */
OPK_API int32_t opk_response_is_complete(const opk_response *response);

/** Where a truncated answer stopped (OPK_DECODE_ALLOW_TRUNCATED).
 *  units: bytes of the decompressed answer
 *  @return the offset; -1 when the answer was not truncated
 *  @since 0.1 */
OPK_API int64_t opk_response_truncated_at(const opk_response *response);

/* Texts in the head of an answer. */
enum {
  OPK_HEADER_VERSION = 1,         /* of the format, such as "0.6" */
  OPK_HEADER_GENERATOR = 2,
  OPK_HEADER_TIMESTAMP = 3,       /* of the data: osm3s.timestamp_osm_base */
  OPK_HEADER_AREAS_TIMESTAMP = 4, /* of the areas: osm3s.timestamp_areas_base */
  OPK_HEADER_COPYRIGHT = 5
};

/** One text of the answer's head.
 *  @param field  OPK_HEADER_...
 *  @return borrowed; ptr NULL where the answer does not have it
 *  @since 0.1 */
OPK_API opk_str opk_response_header(const opk_response *response, int32_t field);

/** How many remarks the server added.
 *  @return the number; 0 for NULL
 *  @since 0.1 */
OPK_API size_t opk_response_remark_count(const opk_response *response);

/** One remark, such as "runtime error: Query timed out ...".
 *  @return borrowed; ptr NULL when there is no remark `index`
 *  @since 0.1 */
OPK_API opk_str opk_response_remark(const opk_response *response, size_t index);

/** What a message of the server says. All texts are borrowed. */
typedef struct opk_server_message {
  uint32_t struct_size;
  uint32_t line;      /* of the query, from 1; 0 when it names none */
  opk_str category;   /* such as "query_timeout", "out_of_memory" or "runtime_remark" */
  opk_str text;       /* in the server's words */
  opk_str statement;  /* at work, such as "recurse"; ptr NULL when it names none */
  int64_t seconds;    /* the query had run; -1 when it does not say */
  int64_t megabytes;  /* the query used or needed; -1 when it does not say */
} opk_server_message;

#define OPK_SERVER_MESSAGE_INIT \
  {sizeof(opk_server_message), 0, {NULL, 0}, {NULL, 0}, {NULL, 0}, -1, -1}

/** How many messages the remarks hold: the server joins several in one remark.
 *  @return the number; 0 for NULL
 *  @since 0.1 */
OPK_API size_t opk_response_message_count(const opk_response *response);

/** Reads one message.
 *  @param out  filled; its texts are borrowed
 *  @return OPK_OK; OPK_ERR_MISUSE when there is no such message
 *  @since 0.1 */
OPK_API opk_status opk_response_message(const opk_response *response, size_t index,
                                        opk_server_message *out);

/** What an HTTP reply means: an answer, an error page, or neither. */
typedef struct opk_reply opk_reply;

/** Reads what a reply of a server means.
 *  @param http_status   such as 429; 0 when it is not known
 *  @param content_type  borrowed for the call; NULL when it is not known
 *  @param body          borrowed for the call
 *  @param out           owned: free with opk_reply_free; NULL on failure
 *  @return OPK_OK, also for a reply that reports an error; OPK_ERR_MISUSE
 *  @since 0.1  @source Overpass API, web_query.cc, dispatcher_client.cc */
OPK_API opk_status opk_reply_classify(int32_t http_status, const char *content_type,
                                      const uint8_t *body, size_t len, opk_reply **out,
                                      opk_error *err);

/** The category of a reply, such as "rate_limited".
 *  @return borrowed; ptr NULL for a good answer without remarks
 *  @since 0.1 */
OPK_API opk_str opk_reply_category(const opk_reply *reply);

/** Whether the same query may well succeed a little later.
 *  @return 1 or 0; 0 for NULL
 *  @since 0.1 */
OPK_API int32_t opk_reply_is_retryable(const opk_reply *reply);

/** How many messages of the server a reply holds.
 *  @return the number; 0 for NULL
 *  @since 0.1 */
OPK_API size_t opk_reply_message_count(const opk_reply *reply);

/** Reads one message of a reply.
 *  @param out  filled; its texts are borrowed
 *  @return OPK_OK; OPK_ERR_MISUSE when there is no such message
 *  @since 0.1 */
OPK_API opk_status opk_reply_message(const opk_reply *reply, size_t index,
                                     opk_server_message *out);

/** Frees what opk_reply_classify gave.
 *  @return nothing
 *  @since 0.1 */
OPK_API void opk_reply_free(opk_reply *reply);

/** When an address may send its next query, as a server's page "/api/status" tells. */
typedef struct opk_slots opk_slots;

/** Reads a status page. Lines that are not known are passed over, whatever their order.
 *  @param page  borrowed for the call: `len` bytes
 *  @param out   owned: free with opk_slots_free; NULL on failure
 *  @return OPK_OK; OPK_ERR_DECODE_NOT_OVERPASS when no line is known; OPK_ERR_MISUSE
 *  @since 0.1  @source Overpass API, public_status.cc */
OPK_API opk_status opk_slots_parse(const char *page, size_t len, opk_slots **out, opk_error *err);

/** What a status page says. All texts are borrowed. */
typedef struct opk_slots_info {
  uint32_t struct_size;
  uint32_t reserved;
  int64_t rate_limit;         /* how many queries may run at once; -1 without limit */
  int64_t free_slots;         /* how many more may be sent now; -1 without limit */
  int64_t wait_seconds;       /* until a slot is free; 0 now; -1 when nobody knows */
  size_t waiting_count;       /* slots that become free at a known time */
  size_t running_count;       /* queries at work */
  opk_str announced_endpoint; /* the machine to ask; ptr NULL for none */
} opk_slots_info;

#define OPK_SLOTS_INFO_INIT {sizeof(opk_slots_info), 0, -1, -1, -1, 0, 0, {NULL, 0}}

/** Reads what a status page says.
 *  @param out  filled; its text is borrowed
 *  @return OPK_OK; OPK_ERR_MISUSE
 *  @since 0.1 */
OPK_API opk_status opk_slots_get(const opk_slots *slots, opk_slots_info *out);

/** When a slot becomes free.
 *  @param time     receives a borrowed text, as the server prints it
 *  @param seconds  receives how long that is from the server's present time; may be NULL
 *  @return OPK_OK; OPK_ERR_MISUSE when there is no such slot
 *  @since 0.1 */
OPK_API opk_status opk_slots_waiting(const opk_slots *slots, size_t index, opk_str *time,
                                     int64_t *seconds);

/** When a query at work was started.
 *  @param start  receives a borrowed text, as the server prints it
 *  @return OPK_OK; OPK_ERR_MISUSE when there is no such query
 *  @since 0.1 */
OPK_API opk_status opk_slots_running(const opk_slots *slots, size_t index, opk_str *start);

/** Frees what opk_slots_parse gave.
 *  @return nothing
 *  @since 0.1 */
OPK_API void opk_slots_free(opk_slots *slots);

/* The kinds of changes in augmented diffs and change files. */
enum {
  OPK_ACTION_CREATE = 1,
  OPK_ACTION_MODIFY = 2,
  OPK_ACTION_DELETE = 3,
  OPK_ACTION_SHOW_INITIAL = 4, /* in the earlier result, not in the later one */
  OPK_ACTION_SHOW_FINAL = 5    /* in the later result, not in the earlier one */
};

/** One change, in the order of the document. */
typedef struct opk_action {
  uint32_t struct_size;
  uint32_t kind;     /* OPK_ACTION_... */
  int64_t old_index; /* of the state before, for opk_response_element; -1 when there is none */
  int64_t new_index; /* of the state after; -1 when there is none */
} opk_action;

#define OPK_ACTION_INIT {sizeof(opk_action), 0, -1, -1}

/** How many changes the document lists: augmented diffs and change files only.
 *  @return the number; 0 for NULL
 *  @since 0.1 */
OPK_API size_t opk_response_action_count(const opk_response *response);

/** Reads one change.
 *  @param out  filled
 *  @return OPK_OK; OPK_ERR_MISUSE when there is no such change
 *  @since 0.1 */
OPK_API opk_status opk_response_action(const opk_response *response, size_t index,
                                       opk_action *out);

/** How many things the decoder had to mend or found contradictory (text that was not UTF-8,
 *  copies of an element at different positions, ...).
 *  @return the number; 0 for NULL
 *  @since 0.1 */
OPK_API size_t opk_response_diagnostic_count(const opk_response *response);

/** One diagnostic, as text.
 *  @return borrowed; ptr NULL when there is no diagnostic `index`
 *  @since 0.1 */
OPK_API opk_str opk_response_diagnostic(const opk_response *response, size_t index);

/** How many elements there are.
 *  @param type  OPK_NODE ..., or 0 for all
 *  @return the number; 0 for NULL
 *  @since 0.1 */
OPK_API size_t opk_response_element_count(const opk_response *response, uint32_t type);

/** Where an element stands.
 *  @param type  OPK_NODE, OPK_WAY, OPK_RELATION or OPK_AREA
 *  @return its index for opk_response_element; -1 when the answer does not hold it
 *  @since 0.1 */
OPK_API int64_t opk_response_find(const opk_response *response, uint32_t type, int64_t id);

/** One tag: numbers of texts, see opk_response_string. */
typedef struct opk_tag {
  uint32_t key;
  uint32_t value;
} opk_tag;

/** One member of a relation. */
typedef struct opk_member {
  int64_t ref;
  uint32_t role; /* number of a text, see opk_response_string */
  uint8_t type;  /* OPK_NODE ... */
  uint8_t reserved[3];
} opk_member;

/** A position. */
typedef struct opk_position {
  int32_t lon_e7;
  int32_t lat_e7;
} opk_position;

/* The value of both parts of a position that is not known, or was clipped away. */
#define OPK_POSITION_UNDEFINED INT32_MAX

/* Which optional parts an element has: bits of `opk_element.has`. */
enum {
  OPK_HAS_POSITION = 1,
  OPK_HAS_CENTER = 2,
  OPK_HAS_BOUNDS = 4,
  OPK_HAS_GEOMETRY = 8, /* `geometry`, even if it is empty */
  OPK_HAS_VERSION = 16,
  OPK_HAS_TIMESTAMP = 32,
  OPK_HAS_CHANGESET = 64,
  OPK_HAS_UID = 128,
  OPK_HAS_USER = 256,
  OPK_HAS_ID = 512,     /* not after `out noids` */
  OPK_HAS_VISIBLE = 1024
};

/** One element as it stands in the answer. All pointers are borrowed from the response. */
typedef struct opk_element {
  uint32_t struct_size;
  uint32_t type; /* OPK_NODE ... */
  uint32_t has;  /* OPK_HAS_... */
  int32_t version;
  int64_t id;
  int64_t timestamp; /* seconds since 1970-01-01T00:00:00Z */
  int64_t changeset;
  int64_t uid;
  opk_str user;
  opk_str type_name; /* "node", ..., or the name a query gave to what it made */
  opk_position position;
  opk_position center;
  opk_position southwest; /* of the bounds */
  opk_position northeast;
  const opk_tag *tags;
  size_t tag_count;
  const int64_t *nodes; /* of a way */
  size_t node_count;
  const opk_member *members; /* of a relation */
  size_t member_count;
  const opk_position *geometry; /* printed with a way by `out geom` */
  size_t geometry_count;
  uint32_t visible;
  uint32_t reserved;
} opk_element;

#define OPK_ELEMENT_INIT                                                                        \
  {sizeof(opk_element), 0, 0, 0, 0, 0, 0, 0, {NULL, 0}, {NULL, 0}, {0, 0}, {0, 0}, {0, 0},      \
   {0, 0}, NULL, 0, NULL, 0, NULL, 0, NULL, 0, 0, 0}

/** Reads one element.
 *  @param index  place in the answer, from 0
 *  @param out    filled; its pointers are borrowed
 *  @return OPK_OK; OPK_ERR_MISUSE when there is no such element
 *  @since 0.1 */
OPK_API opk_status opk_response_element(const opk_response *response, size_t index,
                                        opk_element *out);

/** The positions printed with a member of a relation by `out geom`: those of a way, or the one of
 *  a node.
 *  @param index   of the relation in the answer
 *  @param member  from 0
 *  @param count   receives their number
 *  @return borrowed; NULL when nothing was printed there
 *  @since 0.1 */
OPK_API const opk_position *opk_response_member_geometry(const opk_response *response,
                                                         size_t index, size_t member,
                                                         size_t *count);

/** The geometry that the answer gives a derived element (`make`, `convert`).
 *  @param index  of the element in the answer
 *  @param out    owned: free with opk_geometry_free; NULL where there is none
 *  @return OPK_OK; OPK_ERR_MISUSE
 *  @since 0.1 */
OPK_API opk_status opk_response_derived_geometry(const opk_response *response, size_t index,
                                                 opk_geometry **out, opk_error *err);

/** How many distinct texts (keys, values, roles, user names) the answer holds.
 *  @return the number; texts are numbered from 0
 *  @since 0.1 */
OPK_API size_t opk_response_string_count(const opk_response *response);

/** One text by its number.
 *  @return borrowed; ptr NULL when there is no such text
 *  @since 0.1 */
OPK_API opk_str opk_response_string(const opk_response *response, uint32_t number);

/* ------------------------------------------------------------------ Section: responses from responses
 * Each of these gives a new response and leaves the ones it was made of as they are. */

/** Unites responses, such as those for the tiles of a large box, by (type, id). Of copies the highest
 *  version wins; among copies of that version, or without one, each part (tags, metadata, nodes,
 *  members, position, centre) comes from the first that has it. Boxes are united, and so are the
 *  positions of `out geom`, so that the gaps that a clipping box leaves are filled. Areas are united by
 *  id, too; other derived elements, such as counts, are all kept.
 *  The head tells the oldest state of the data; a diagnostic says where states differ. The result is
 *  complete where all are. Where one is cut off, opk_response_truncated_at is that of the first.
 *  shape:   nodes, ways, relations by ascending ids, as servers print, where all responses have that
 *           order; otherwise each element stands where it came first
 *  @param responses  borrowed for the call: `count` handles; none give an empty response
 *  @param out        owned: free with opk_response_free; NULL on failure
 *  @return OPK_OK; OPK_ERR_MISUSE also for a response that lists changes, which opk_response_apply
 *          takes; OPK_ERR_LIMIT for more than 2^32 elements, tags, nodes of ways or members
 *  @since 0.1 */
OPK_API opk_status opk_response_merge(const opk_response *const *responses, size_t count,
                                      opk_response **out, opk_error *err);

/** Applies changes to a response: those of change files (OsmChange) or augmented diffs, in their order.
 *  Creating and modifying puts the state that a change tells in the place of the present one, which may
 *  be missing; deleting takes the element away. A change of an older version than the present one is
 *  left out, with a diagnostic. Positions printed with ways and relations follow their nodes as far as
 *  these are known; boxes and centres of what a change touches are dropped. The head tells the newest
 *  state that any of the documents names.
 *  shape:   elements keep their places and new ones follow; all are sorted as servers print them where
 *           they were before
 *  @param changes  borrowed for the call: `count` handles of responses that list changes
 *  @param out      owned: free with opk_response_free; NULL on failure
 *  @return OPK_OK; OPK_ERR_MISUSE also when `response` lists changes, or one of `changes` lists
 *          elements instead; OPK_ERR_LIMIT
 *  @since 0.1  @source OSM wiki "OsmChange", "Overpass API/Augmented Diffs" */
OPK_API opk_status opk_response_apply(const opk_response *response,
                                      const opk_response *const *changes, size_t count,
                                      opk_response **out, opk_error *err);

/** A condition on the tags of an element. */
typedef struct opk_tag_condition {
  int32_t comparison;        /* OPK_TAG_EXISTS and OPK_TAG_NOT_EXISTS; OPK_TAG_EQUALS: one of the
                                values; OPK_TAG_NOT_EQUALS: none of them, or no such key */
  uint32_t reserved;
  const char *key;
  const char *const *values;
  size_t value_count;        /* 0 for the first two, at least 1 for the others */
} opk_tag_condition;

/* Element types for a filter, beside OPK_NODES, OPK_WAYS and OPK_RELATIONS. */
enum { OPK_AREAS = 8, OPK_OTHERS = 16 /* counts, and what queries make */ };

/* Flags of opk_filter_options. */
enum {
  OPK_FILTER_BOX = 1,            /* the box counts */
  OPK_FILTER_KEEP_REFERENCES = 2 /* keep what kept elements refer to as well: nodes of ways, members
                                    of relations, their members and nodes */
};

/** Which elements to keep; all that is given must hold. */
typedef struct opk_filter_options {
  uint32_t struct_size;
  uint32_t types;                /* any of OPK_NODES ... OPK_OTHERS together; 0 = all */
  const opk_tag_condition *tags; /* all must hold */
  size_t tag_count;
  double south; /* degrees; west > east crosses the antimeridian */
  double west;
  double north;
  double east;
  uint32_t flags;
  uint32_t reserved;
} opk_filter_options;

#define OPK_FILTER_OPTIONS_INIT {sizeof(opk_filter_options), 0, NULL, 0, 0, 0, 0, 0, 0, 0}

/** Keeps the elements that a filter takes, in their order.
 *  An element lies in a box when one of its positions does, or lies on the edge: of a way that of one
 *  of its nodes, of a relation that of one of its members, members of members included, as far as the
 *  response knows them. Of elements without known positions the centre, or a box that meets this one,
 *  decides. A way that crosses the box with no node inside is not found.
 *  @param opt  borrowed for the call; NULL keeps all
 *  @param out  owned: free with opk_response_free; NULL on failure
 *  @return OPK_OK; OPK_ERR_MISUSE also for a box out of range, and for a response that lists changes;
 *          OPK_ERR_QUERY_VALUE for text that is not UTF-8
 *  @since 0.1 */
OPK_API opk_status opk_response_filter(const opk_response *response, const opk_filter_options *opt,
                                       opk_response **out, opk_error *err);

/* ------------------------------------------------------------------ Section: features
 * What the elements are on a map. Features stand in the order of the answer; geometry is put
 * together when it is asked for. */

typedef struct opk_features opk_features;

enum { OPK_PROFILE_DEFAULT = 0, OPK_PROFILE_OSMTOGEOJSON = 1 };

/* Which nodes are features. */
enum {
  OPK_POINTS_AUTO = 0,   /* tagged or unconnected ones, and those the query printed on their own */
  OPK_POINTS_TAGGED = 1, /* only those with tags that say something */
  OPK_POINTS_ALL = 2
};

/* What becomes of rings that do not form a sound area. Nothing unsound is ever given as an area. */
enum {
  OPK_REPAIR_LARGEST = 0, /* rings that are valid on their own are kept */
  OPK_REPAIR_NONE = 1,    /* any fault leaves the element without an area */
  OPK_REPAIR_FULL = 2     /* ends that lie together are joined, small gaps closed, too */
};

/* What becomes of geometries that cross the antimeridian. Areas around a pole reach the pole where
 * they are cut. */
enum {
  OPK_ANTIMERIDIAN_PROFILE = 0, /* the default profile cuts, osmtogeojson keeps */
  OPK_ANTIMERIDIAN_CUT = 1,     /* cut at +-180 degrees (RFC 7946 3.1.9) */
  OPK_ANTIMERIDIAN_KEEP = 2
};

/* Flags of opk_feature_options. */
enum {
  OPK_FEATURES_COLLECTIONS = 1, /* relations that stand for no area and no line are collections of
                                   their members' geometries */
  OPK_FEATURES_RAW_RINGS = 2,   /* closed ways that should be areas but cross themselves are polygons,
                                   marked by `is_invalid`, instead of lines */
  OPK_FEATURES_OMIT_PARTS = 4,  /* elements that help to draw another one are no features */
  OPK_FEATURES_DRAW_BOUNDS = 8, /* elements of which only the box is known are rectangles, marked by
                                   `origin`, or lines or points where the box has no width or
                                   height; so they are in profile osmtogeojson */
  OPK_FEATURES_STRAY_RINGS = 16, /* rings of `inner` members outside of all others are areas */
  OPK_FEATURES_FOLLOW_ROUNDABOUTS = 32 /* routes go along closed ways from where they come in to
                                          where they go out, instead of all around */
};

/** How elements become features. Rules are given as a table of lines or as JSON. */
typedef struct opk_feature_options {
  uint32_t struct_size;
  uint32_t profile; /* OPK_PROFILE_... */
  uint32_t points;  /* OPK_POINTS_... */
  uint32_t repair;  /* OPK_REPAIR_... */
  const char *const *uninteresting_keys; /* borrowed for the call: keys that make no node a
                                            feature, besides the built-in ones; NULL = none */
  size_t uninteresting_key_count;
  const char *area_rules; /* borrowed for the call: rules in place of the profile's, a line a key
                             ("landuse *", "highway + services platform", "natural - cliff",
                             "decide area=no line"), or JSON (see opk_area_rules); NULL = the
                             profile's */
  const char *uninteresting_tags; /* borrowed for the call: tags that say nothing, in place of the
                                     profile's, a line a key ("source", "note + fixme todo"), or
                                     JSON (see opk_uninteresting_tags); NULL = the profile's */
  uint32_t flags;                 /* OPK_FEATURES_... */
  uint32_t antimeridian;          /* OPK_ANTIMERIDIAN_... */
} opk_feature_options;

#define OPK_FEATURE_OPTIONS_INIT {sizeof(opk_feature_options), 0, 0, 0, NULL, 0, NULL, NULL, 0, 0}

/** A profile's rules for closed ways, to change and give back as `area_rules`: JSON
 *  {"version": "1", "decide": [{"key": "area", "value": "no", "area": false}, ...], "keys":
 *  {"landuse": true, "highway": {"only": ["services"]}, "natural": {"except": ["cliff"]}, ...}}.
 *  The object of `keys` alone, with `included_values` and `excluded_values`, and the list of
 *  osm-polygon-features are read, too.
 *  @param profile  OPK_PROFILE_...
 *  @param out      owned: free with opk_bytes_free; UTF-8; NULL on failure
 *  @return OPK_OK; OPK_ERR_MISUSE for an unknown profile
 *  @since 0.1 */
OPK_API opk_status opk_area_rules(uint32_t profile, opk_bytes **out, opk_error *err);

/** A profile's tags that do not make an element interesting, to change and give back as
 *  `uninteresting_tags`: JSON {"version": "1", "tags": {"source": true, "note": ["fixme"], ...}}.
 *  The object of `tags` alone and a list of keys are read, too.
 *  @param profile  OPK_PROFILE_...
 *  @param out      owned: free with opk_bytes_free; UTF-8; NULL on failure
 *  @return OPK_OK; OPK_ERR_MISUSE for an unknown profile
 *  @since 0.1 */
OPK_API opk_status opk_uninteresting_tags(uint32_t profile, opk_bytes **out, opk_error *err);

/** Whether a closed way with these tags is an area.
 *  @param profile       OPK_PROFILE_...
 *  @param keys, values  borrowed for the call: `tag_count` texts each
 *  @return 1 or 0; -1 for NULL or an unknown profile
 *  @since 0.1 */
OPK_API int32_t opk_is_area(uint32_t profile, const char *const *keys, const char *const *values,
                            size_t tag_count);

/** Finds the features of a response.
 *  @param opt  NULL = defaults
 *  @param out  owned: free with opk_features_free; NULL on failure
 *  @return OPK_OK; OPK_ERR_MISUSE, also for rules that cannot be read (with their line)
 *  @since 0.1 */
OPK_API opk_status opk_features_build(const opk_response *response, const opk_feature_options *opt,
                                      opk_features **out, opk_error *err);

/** Frees features.
 *  @return nothing
 *  @since 0.1 */
OPK_API void opk_features_free(opk_features *features);

/** How many features there are, counting those of which nothing can be drawn.
 *  @return the number; 0 for NULL
 *  @since 0.1 */
OPK_API size_t opk_features_count(const opk_features *features);

/* Kinds of geometry. */
enum {
  OPK_GEOMETRY_NONE = 0,
  OPK_GEOMETRY_POINT = 1,
  OPK_GEOMETRY_LINESTRING = 2,
  OPK_GEOMETRY_POLYGON = 3,
  OPK_GEOMETRY_MULTIPOINT = 4,
  OPK_GEOMETRY_MULTILINESTRING = 5,
  OPK_GEOMETRY_MULTIPOLYGON = 6,
  OPK_GEOMETRY_COLLECTION = 7
};

/** The kinds of all geometries at once. OPK_GEOMETRY_NONE stands for elements of which nothing can
 *  be drawn, and for ways that an area of their relation stands for; GeoJSON leaves them out.
 *  @param buffer    receives OPK_GEOMETRY_... of the first `capacity` features; may be NULL when
 *                   capacity is 0
 *  @param capacity  how many kinds the buffer can take
 *  @return how many features there are; 0 for NULL
 *  @since 0.1 */
OPK_API size_t opk_features_kinds(const opk_features *features, uint8_t *buffer, size_t capacity);

/* Where a geometry comes from. */
enum {
  OPK_ORIGIN_ELEMENT = 0, /* put together from positions */
  OPK_ORIGIN_CENTER = 1,  /* only a placeholder: the centre that `out center` printed */
  OPK_ORIGIN_BOUNDS = 2   /* only a placeholder: the box that `out bb` printed */
};

/** One feature. */
typedef struct opk_feature {
  uint32_t struct_size;
  uint32_t type;          /* OPK_NODE ... */
  int64_t id;             /* 0 where the answer names none (out noids) */
  opk_str type_name;      /* borrowed */
  int64_t element_index;  /* for opk_response_element; -1 when the answer only mentions it */
  uint32_t geometry_kind; /* OPK_GEOMETRY_... */
  uint32_t origin;        /* OPK_ORIGIN_... */
  uint32_t is_tainted;    /* 1 when parts of the geometry were missing */
  uint32_t is_invalid;    /* 1 for a raw ring that crosses itself (OPK_FEATURES_RAW_RINGS) */
  size_t tag_count;
  opk_position label;        /* of a relation's member `label`; OPK_POSITION_UNDEFINED without */
  opk_position admin_centre; /* of a relation's member `admin_centre`, likewise */
} opk_feature;

#define OPK_FEATURE_INIT \
  {sizeof(opk_feature), 0, 0, {NULL, 0}, 0, 0, 0, 0, 0, 0, {0, 0}, {0, 0}}

/** Reads one feature; puts its geometry together to tell its kind.
 *  @param out  filled; its pointers are borrowed
 *  @return OPK_OK; OPK_ERR_MISUSE when there is no such feature
 *  @since 0.1 */
OPK_API opk_status opk_features_get(const opk_features *features, size_t index, opk_feature *out);

/** Finds the feature of an element.
 *  @param type  OPK_NODE ...
 *  @return its place, from 0; -1 when the element is no feature: it says nothing, or another one is
 *          drawn in its place
 *  @since 0.1 */
OPK_API int64_t opk_features_find(const opk_features *features, uint32_t type, int64_t id);

/** The tags of a feature, as numbers of texts (opk_response_string of its response).
 *  @param buffer    receives the first `capacity` tags; may be NULL when capacity is 0
 *  @param capacity  how many tags the buffer can take
 *  @return how many tags the feature has; 0 when there is no such feature
 *  @since 0.1 */
OPK_API size_t opk_features_tags(const opk_features *features, size_t index, opk_tag *buffer,
                                 size_t capacity);

/* Flags of opk_features_arrays. */
enum { OPK_ARRAYS_COORDINATES = 1 /* with all positions */ };

typedef struct opk_arrays opk_arrays;

/** All features that can be drawn, as arrays; borrowed from their handle. Features stand in their
 *  order, each at the same place of all arrays but `tags` and `coordinates`. */
typedef struct opk_feature_arrays {
  uint32_t struct_size;
  size_t count;
  const size_t *indices;      /* for opk_features_get and others */
  const int64_t *ids;         /* 0 where the answer names none */
  const uint8_t *types;       /* OPK_NODE ... */
  const uint8_t *kinds;       /* OPK_GEOMETRY_... */
  const size_t *tag_ends;     /* the end of each feature's tags in `tags` */
  const opk_tag *tags;        /* numbers of texts, for opk_response_string */
  const size_t *position_ends; /* the end of each feature's positions, counted in positions; NULL
                                  unless OPK_ARRAYS_COORDINATES was given, as is the next */
  const double *coordinates;  /* longitude and latitude in degrees, position by position; the parts of
                                 a geometry stand one behind the other */
  size_t text_count;          /* how many texts the response has */
  const uint32_t *text_starts; /* where each starts in `texts`; one more than there are texts */
  const uint8_t *texts;       /* all texts, one behind the other: UTF-8 */
  const size_t *part_ends;    /* the end of each line or ring, counted in positions; a feature's first
                                 starts where its positions do. NULL unless OPK_ARRAYS_COORDINATES was
                                 given, as are the next */
  const size_t *feature_part_ends; /* the end of each feature's lines and rings in `part_ends`; points
                                      and collections have none */
  const size_t *polygon_ends;      /* the end of each polygon in `part_ends`; its first ring is the
                                      exterior */
  const size_t *feature_polygon_ends; /* the end of each feature's polygons in `polygon_ends` */
} opk_feature_arrays;

#define OPK_FEATURE_ARRAYS_INIT                                                               \
  {sizeof(opk_feature_arrays), 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, NULL,    \
   NULL, NULL, NULL, NULL, NULL}

/** Reads identities, tags and kinds of geometry of all features at once.
 *  @param flags  OPK_ARRAYS_...
 *  @param out    owned: free with opk_arrays_free; NULL on failure
 *  @return OPK_OK; OPK_ERR_MISUSE
 *  @since 0.1 */
OPK_API opk_status opk_features_arrays(const opk_features *features, uint32_t flags,
                                       opk_arrays **out, opk_error *err);

/** The arrays themselves.
 *  @param out  filled; its pointers are borrowed
 *  @return OPK_OK; OPK_ERR_MISUSE
 *  @since 0.1 */
OPK_API opk_status opk_arrays_get(const opk_arrays *arrays, opk_feature_arrays *out);

/** Frees arrays.
 *  @return nothing
 *  @since 0.1 */
OPK_API void opk_arrays_free(opk_arrays *arrays);

/** One tag of a feature. A multipolygon tagged on its outer way has that way's tags.
 *  @param key    receives a borrowed text
 *  @param value  receives a borrowed text
 *  @return OPK_OK; OPK_ERR_MISUSE when there is no such tag
 *  @since 0.1 */
OPK_API opk_status opk_features_tag(const opk_features *features, size_t index, size_t tag,
                                    opk_str *key, opk_str *value);

/** Puts a feature's geometry together.
 *  @param out  owned: free with opk_geometry_free; NULL on failure
 *  @return OPK_OK; OPK_ERR_MISUSE
 *  @since 0.1 */
OPK_API opk_status opk_features_geometry(const opk_features *features, size_t index,
                                         opk_geometry **out, opk_error *err);

/** Puts a feature's geometry together as OGC well-known binary (little-endian, two dimensions).
 *  @param out  owned: free with opk_bytes_free; NULL on failure
 *  @return OPK_OK; OPK_ERR_MISUSE
 *  @since 0.1  @source OGC 06-103r4 Simple Feature Access, 8.2 */
OPK_API opk_status opk_features_wkb(const opk_features *features, size_t index, opk_bytes **out,
                                    opk_error *err);

/** Measures of a geometry on the ellipsoid WGS84; lines between positions are geodesics. */
typedef struct opk_measures {
  uint32_t struct_size;
  uint32_t reserved;
  double length;          /* metres: of lines, and of the boundaries of areas; 0 for points */
  double area;            /* square metres, holes subtracted; 0 for points and lines */
  opk_position centroid;  /* of the areas, else of the lines, else of the points */
  opk_position point_on_surface; /* lies in the area, or on the line */
  opk_position southwest; /* of the bounding box; west > east crosses the antimeridian */
  opk_position northeast;
} opk_measures;

#define OPK_MEASURES_INIT {sizeof(opk_measures), 0, 0, 0, {0, 0}, {0, 0}, {0, 0}, {0, 0}}

/** Puts a feature's geometry together and measures it.
 *  @param out  filled; NAN and OPK_POSITION_UNDEFINED where there is no geometry
 *  @return OPK_OK; OPK_ERR_MISUSE when there is no such feature
 *  @since 0.1  @source Karney, Algorithms for geodesics, 2013, doi 10.1007/s00190-012-0578-z */
OPK_API opk_status opk_features_measure(const opk_features *features, size_t index,
                                        opk_measures *out);

/** The smallest box around all features. Puts every geometry together.
 *  @param southwest  receives that corner; OPK_POSITION_UNDEFINED when nothing is drawn
 *  @param northeast  receives the other; west > east crosses the antimeridian
 *  @return OPK_OK; OPK_ERR_MISUSE for NULL
 *  @since 0.1  @source RFC 7946 5 */
OPK_API opk_status opk_features_bounds(const opk_features *features, opk_position *southwest,
                                       opk_position *northeast);

/** What the answer lacks for a feature: nodes of ways and members of relations.
 *  @param types     receives OPK_NODE ... of the first `capacity`; may be NULL
 *  @param ids       receives their ids; may be NULL
 *  @param capacity  how many each buffer can take
 *  @return how many are missing; 0 when there is no such feature
 *  @since 0.1 */
OPK_API size_t opk_features_missing(const opk_features *features, size_t index, uint8_t *types,
                                    int64_t *ids, size_t capacity);

/** Frees a geometry.
 *  @return nothing
 *  @since 0.1 */
OPK_API void opk_geometry_free(opk_geometry *geometry);

/** The kind of a geometry.
 *  @return OPK_GEOMETRY_...; OPK_GEOMETRY_NONE for NULL
 *  @since 0.1 */
OPK_API uint32_t opk_geometry_kind(const opk_geometry *geometry);

/** All positions, ring after ring and line after line. Rings are closed; exteriors run
 *  counter-clockwise, holes clockwise.
 *  @param count  receives their number
 *  @return borrowed; NULL when there are none
 *  @since 0.1  @source RFC 7946 3.1.6 */
OPK_API const opk_position *opk_geometry_positions(const opk_geometry *geometry, size_t *count);

/** Where each line or ring ends in the positions.
 *  @param count  receives the number of lines or rings
 *  @return borrowed; NULL for points
 *  @since 0.1 */
OPK_API const size_t *opk_geometry_part_ends(const opk_geometry *geometry, size_t *count);

/** Where each polygon ends in the rings; the first ring of each is its exterior.
 *  @param count  receives the number of polygons
 *  @return borrowed; NULL for points and lines
 *  @since 0.1 */
OPK_API const size_t *opk_geometry_polygon_ends(const opk_geometry *geometry, size_t *count);

/** How many geometries a collection holds.
 *  @return the number; 0 for other kinds
 *  @since 0.1 */
OPK_API size_t opk_geometry_member_count(const opk_geometry *geometry);

/** One geometry of a collection.
 *  @return borrowed; NULL when there is none
 *  @since 0.1 */
OPK_API const opk_geometry *opk_geometry_member(const opk_geometry *geometry, size_t index);

/** A geometry as OGC well-known text, such as "POINT (24.94 60.17)".
 *  @param out  owned: free with opk_bytes_free; ASCII; NULL on failure
 *  @return OPK_OK; OPK_ERR_MISUSE
 *  @since 0.1  @source OGC 06-103r4 Simple Feature Access, 7 */
OPK_API opk_status opk_geometry_wkt(const opk_geometry *geometry, opk_bytes **out, opk_error *err);

/** A geometry as EWKT: its reference system, "SRID=4326;", and well-known text.
 *  @param out  owned: free with opk_bytes_free; ASCII; NULL on failure
 *  @return OPK_OK; OPK_ERR_MISUSE
 *  @since 0.1  @source PostGIS manual, ST_AsEWKT */
OPK_API opk_status opk_geometry_ewkt(const opk_geometry *geometry, opk_bytes **out,
                                     opk_error *err);

/** A geometry as OGC well-known binary, as opk_features_wkb gives it.
 *  @param out  owned: free with opk_bytes_free; NULL on failure
 *  @return OPK_OK; OPK_ERR_MISUSE
 *  @since 0.1  @source OGC 06-103r4 Simple Feature Access, 8.2 */
OPK_API opk_status opk_geometry_wkb(const opk_geometry *geometry, opk_bytes **out, opk_error *err);

/** A geometry as EWKB: well-known binary that names its reference system, SRID 4326. Members of
 *  collections carry none of their own.
 *  @param out  owned: free with opk_bytes_free; NULL on failure
 *  @return OPK_OK; OPK_ERR_MISUSE
 *  @since 0.1  @source PostGIS manual, ST_AsEWKB */
OPK_API opk_status opk_geometry_ewkb(const opk_geometry *geometry, opk_bytes **out,
                                     opk_error *err);

/** Measures a geometry.
 *  @param out  filled; NAN and OPK_POSITION_UNDEFINED for an empty geometry
 *  @return OPK_OK; OPK_ERR_MISUSE for NULL
 *  @since 0.1 */
OPK_API opk_status opk_geometry_measure(const opk_geometry *geometry, opk_measures *out);

/* ------------------------------------------------------------------ Section: writing answers back
 * Answers in the formats they come in. What is written decodes to the same response; where a format
 * has no words for something, the call fails with OPK_ERR_WRITE_LOSS and names it, before anything is
 * written. An answer that is cut off gets a remark that says so. Nodes that the answer held more than
 * once are written twice. Equal responses give equal bytes. */

enum {
  OPK_FORMAT_OVERPASS_JSON = 0, /* as a server answers to [out:json] */
  OPK_FORMAT_OSM_XML = 1,       /* as a server answers to [out:xml]; changes as an augmented diff */
  OPK_FORMAT_OSM_CHANGE = 2     /* OsmChange (.osc): create, modify, delete */
};

enum {
  /* JSON without line breaks and blanks. */
  OPK_WRITE_COMPACT = 1,
  /* Leave out what the format cannot say, instead of failing. */
  OPK_WRITE_ALLOW_LOSS = 2
};

/** How to write a response. */
typedef struct opk_write_options {
  uint32_t struct_size;
  uint32_t format; /* OPK_FORMAT_... */
  uint32_t flags;  /* OPK_WRITE_... */
  uint32_t reserved;
} opk_write_options;

#define OPK_WRITE_OPTIONS_INIT {sizeof(opk_write_options), 0, 0, 0}

/** Writes a response into memory.
 *  @param opt  NULL = Overpass JSON
 *  @param out  owned: free with opk_bytes_free; UTF-8; NULL on failure
 *  @return OPK_OK; OPK_ERR_WRITE_LOSS with the element concerned, if there is one; OPK_ERR_MISUSE
 *  @since 0.1  @source Overpass API "Output formats", "OSM XML", "OsmChange", OSM wiki */
OPK_API opk_status opk_response_write(const opk_response *response, const opk_write_options *opt,
                                      opk_bytes **out, opk_error *err);

/** Writes a response into a file, which is created or replaced.
 *  @param opt   NULL = Overpass JSON
 *  @param path  borrowed for the call
 *  @return as opk_response_write, and OPK_ERR_FILE_OPEN, OPK_ERR_FILE_WRITE
 *  @since 0.1 */
OPK_API opk_status opk_response_write_file(const opk_response *response,
                                           const opk_write_options *opt, const char *path,
                                           opk_error *err);

/** Writes a response piece by piece into an open file, which stays open.
 *  @param opt  NULL = Overpass JSON
 *  @param fd   a file descriptor
 *  @return as opk_response_write, and OPK_ERR_FILE_WRITE
 *  @since 0.1 */
OPK_API opk_status opk_response_write_fd(const opk_response *response,
                                         const opk_write_options *opt, int32_t fd, opk_error *err);

/* ------------------------------------------------------------------ Section: tables
 * Answers to [out:csv(...)]. The text carries neither remarks nor an end mark: when a query ran out of
 * time or memory, the table just ends early. A table never changes and may be read by many threads. */

/** A table with typed columns. */
typedef struct opk_table opk_table;

enum { OPK_CSV_NO_HEAD = 1 }; /* there is no head line */

/** How the query asked for its table. */
typedef struct opk_csv_options {
  uint32_t struct_size;
  uint32_t flags;             /* 0 or OPK_CSV_NO_HEAD */
  const char *separator;      /* any text; NULL for a tab */
  const char *const *columns; /* as in the query: keys, and fields such as "::id". Needed without a
                                 head line; otherwise taken in place of it. NULL for none */
  size_t column_count;
  uint32_t decode_flags;      /* OPK_DECODE_... */
  uint32_t reserved;
  uint64_t max_bytes;         /* of the decompressed answer; 0 for 2^40 */
} opk_csv_options;

#define OPK_CSV_OPTIONS_INIT {sizeof(opk_csv_options), 0, NULL, NULL, 0, 0, 0, 0}

/* What the cells of a column are. */
enum {
  OPK_COLUMN_TEXT = 0,
  OPK_COLUMN_INTEGER = 1,  /* ids, versions, changesets, user ids, counts */
  OPK_COLUMN_DEGREES = 2,  /* ::lat and ::lon, in units of 1e-7 degrees */
  OPK_COLUMN_TIMESTAMP = 3 /* ::timestamp, in seconds since 1970-01-01T00:00:00Z */
};

#define OPK_NO_NUMBER INT64_MIN /* an empty cell */

/** Decodes a table, plain or compressed with gzip or bzip2.
 *  @param bytes  borrowed for the call
 *  @param opt    NULL = tabs and a head line
 *  @param out    owned: free with opk_table_free; NULL on failure
 *  @return OPK_OK; OPK_ERR_DECODE_... with offset, line and column; OPK_ERR_SERVER_... for a page with
 *          errors; OPK_ERR_LIMIT; OPK_ERR_MISUSE
 *  @since 0.1  @source Overpass QL "Output Format (out:csv)", OSM wiki */
OPK_API opk_status opk_table_decode_csv(const uint8_t *bytes, size_t len,
                                        const opk_csv_options *opt, opk_table **out,
                                        opk_error *err);

/** Decodes a table in a file, as opk_table_decode_csv does.
 *  @param path  borrowed for the call
 *  @param opt   NULL = tabs and a head line
 *  @param out   owned: free with opk_table_free; NULL on failure
 *  @return as opk_table_decode_csv, and OPK_ERR_FILE_OPEN, OPK_ERR_FILE_READ
 *  @since 0.1 */
OPK_API opk_status opk_table_decode_csv_file(const char *path, const opk_csv_options *opt,
                                             opk_table **out, opk_error *err);

/** Frees a table.
 *  @return nothing
 *  @since 0.1 */
OPK_API void opk_table_free(opk_table *table);

/** How many rows there are, without the head line.
 *  @return the number; 0 for NULL
 *  @since 0.1 */
OPK_API size_t opk_table_row_count(const opk_table *table);

/** How many columns there are.
 *  @return the number; 0 for NULL
 *  @since 0.1 */
OPK_API size_t opk_table_column_count(const opk_table *table);

/** Whether the table is whole.
 *  @return 0 when its last line or a cell in quotes is cut, and for NULL; -1 otherwise: nothing tells
 *          the end of a table
 *  @since 0.1 */
OPK_API int32_t opk_table_is_complete(const opk_table *table);

/** One column. */
typedef struct opk_column {
  uint32_t struct_size;
  uint32_t kind;     /* OPK_COLUMN_... */
  opk_str name;      /* borrowed: a key, or the name of a field without its mark (id for ::id) */
  uint32_t is_field; /* 1 for a field of the element, 0 for a tag */
  uint32_t reserved;
} opk_column;

#define OPK_COLUMN_INIT {sizeof(opk_column), 0, {NULL, 0}, 0, 0}

/** Reads what one column is.
 *  @param out  filled; its pointers are borrowed
 *  @return OPK_OK; OPK_ERR_MISUSE when there is no such column
 *  @since 0.1 */
OPK_API opk_status opk_table_column(const opk_table *table, size_t column, opk_column *out);

/** All cells of a column of numbers; OPK_NO_NUMBER for empty ones and for those that are not of the
 *  column's kind.
 *  @param buffer    receives the cells of the first `capacity` rows; may be NULL when capacity is 0
 *  @param capacity  how many cells the buffer can take
 *  @return how many rows there are; 0 for a column of texts, and when there is no such column
 *  @since 0.1 */
OPK_API size_t opk_table_numbers(const opk_table *table, size_t column, int64_t *buffer,
                                 size_t capacity);

/** All cells of a column of texts; ptr is NULL for empty ones: CSV does not tell an absent key from an
 *  empty value.
 *  @param buffer    receives borrowed texts of the first `capacity` rows; may be NULL when capacity
 *                   is 0
 *  @param capacity  how many cells the buffer can take
 *  @return how many rows there are; 0 for a column of numbers, and when there is no such column
 *  @since 0.1 */
OPK_API size_t opk_table_texts(const opk_table *table, size_t column, opk_str *buffer,
                               size_t capacity);

/* What is not certain about the text of a table. */
enum {
  OPK_TABLE_CELL_COUNT = 0, /* a row has more or fewer cells than there are columns: the server does
                               not quote for every separator. `number` is how many it has */
  OPK_TABLE_VALUE = 1,      /* a cell is not of its column's kind and counts as empty; `number` is its
                               column */
  OPK_TABLE_TEXT = 2        /* text was not UTF-8; U+FFFD stands in its place; `number` as above */
};

/** Something in the text of a table that has no certain meaning. */
typedef struct opk_table_problem {
  uint32_t struct_size;
  uint32_t kind; /* OPK_TABLE_... */
  uint64_t row;  /* from 0, without the head line */
  uint64_t number;
} opk_table_problem;

#define OPK_TABLE_PROBLEM_INIT {sizeof(opk_table_problem), 0, 0, 0}

/** How many problems are known; at most a thousand are kept.
 *  @return the number; 0 for NULL
 *  @since 0.1 */
OPK_API size_t opk_table_problem_count(const opk_table *table);

/** Reads one problem.
 *  @param out  filled
 *  @return OPK_OK; OPK_ERR_MISUSE when there is no such problem
 *  @since 0.1 */
OPK_API opk_status opk_table_get_problem(const opk_table *table, size_t index,
                                         opk_table_problem *out);

/* ------------------------------------------------------------------ Section: GeoJSON */

/* How properties are laid out. */
enum {
  OPK_PROPERTIES_FLAT = 0,  /* tags as they are; @id, @type, @version ... beside them */
  OPK_PROPERTIES_NESTED = 1 /* type, id, tags, meta, relations, tainted, geometry */
};

/** How GeoJSON is written. */
typedef struct opk_geojson_options {
  uint32_t struct_size;
  uint32_t properties; /* OPK_PROPERTIES_... */
} opk_geojson_options;

#define OPK_GEOJSON_OPTIONS_INIT {sizeof(opk_geojson_options), 0}

/** Writes all features as one GeoJSON FeatureCollection into memory.
 *  @param opt  NULL = defaults
 *  @param out  owned: free with opk_bytes_free; UTF-8; NULL on failure
 *  @return OPK_OK; OPK_ERR_MISUSE
 *  @since 0.1  @source RFC 7946 */
OPK_API opk_status opk_features_write_geojson(const opk_features *features,
                                              const opk_geojson_options *opt, opk_bytes **out,
                                              opk_error *err);

/** Writes all features as one GeoJSON FeatureCollection into a file, which is created or replaced.
 *  @param path  borrowed for the call
 *  @param opt   NULL = defaults
 *  @return OPK_OK; OPK_ERR_FILE_OPEN; OPK_ERR_FILE_WRITE; OPK_ERR_MISUSE
 *  @since 0.1  @source RFC 7946 */
OPK_API opk_status opk_features_write_geojson_file(const opk_features *features,
                                                   const opk_geojson_options *opt,
                                                   const char *path, opk_error *err);

/** Writes one feature as GeoJSON.
 *  @param opt  NULL = defaults
 *  @param out  owned: free with opk_bytes_free; UTF-8; NULL on failure
 *  @return OPK_OK; OPK_ERR_MISUSE
 *  @since 0.1  @source RFC 7946 3.2 */
OPK_API opk_status opk_features_feature_geojson(const opk_features *features, size_t index,
                                                const opk_geojson_options *opt, opk_bytes **out,
                                                opk_error *err);

/* ------------------------------------------------------------------ Section: writing features
 * Features in the formats of maps, devices, data bases and spreadsheets. Elements of which no geometry
 * can be built are left out. Positions are WGS84 in all of them. GeoJSON, GPX and KML say whose data it
 * is; a table can have a column for it. Characters that a format does not have become U+FFFD. Equal
 * features give equal bytes. */

/* Formats of features; their numbers differ from those of responses. */
enum {
  OPK_FORMAT_GEOJSON = 16,       /* one FeatureCollection, RFC 7946 */
  OPK_FORMAT_GEOJSON_SEQ = 17,   /* GeoJSON text sequence, RFC 8142 */
  OPK_FORMAT_GEOJSON_LINES = 18, /* a feature a line */
  OPK_FORMAT_GPX = 19,           /* GPX 1.1: points as waypoints, lines and rings as tracks */
  OPK_FORMAT_KML = 20,           /* KML 2.2 */
  OPK_FORMAT_CSV = 21,           /* a table with commas, RFC 4180 */
  OPK_FORMAT_TSV = 22,           /* a table with tabs */
  OPK_FORMAT_CSVT = 23,          /* the types of a table's columns, for GDAL */
  OPK_FORMAT_WKT = 24,           /* a geometry a line */
  OPK_FORMAT_EWKT = 25,          /* the same with the reference system */
  OPK_FORMAT_WKB = 26,           /* all geometries as one GEOMETRYCOLLECTION */
  OPK_FORMAT_EWKB = 27           /* the same with the reference system */
};

enum {
  /* GPX: lines as routes in place of tracks. */
  OPK_WRITE_ROUTES = 4,
  /* Tables: no line with headings. */
  OPK_WRITE_NO_HEADINGS = 8,
  /* Tables: leave cells as they are that a spreadsheet would take for a formula: those that begin
     with = + - @, a tab or a line break and are no numbers. Otherwise they get an apostrophe. */
  OPK_WRITE_KEEP_FORMULAS = 16
};

/** How to write features. */
typedef struct opk_features_write_options {
  uint32_t struct_size;
  uint32_t format;     /* OPK_FORMAT_GEOJSON ... */
  uint32_t flags;      /* OPK_WRITE_ROUTES ... */
  uint32_t properties; /* GeoJSON: OPK_PROPERTIES_... */
  /* Tables: the headings of the columns. osm_type, osm_id, osm_version, osm_timestamp, osm_changeset,
     osm_uid, osm_user, lon, lat (of a position on the geometry), wkt, osm_tags (all, as JSON) and
     osm_attribution are fields; anything else is a key of tags; "tag:" before a key, which stays in the
     heading, tells it from a field. NULL for type, id, lon, lat and the keys that occur, the most
     frequent first; beyond 200 keys osm_tags is added. */
  const char *const *columns;
  size_t column_count;
} opk_features_write_options;

#define OPK_FEATURES_WRITE_OPTIONS_INIT                                                           \
  {sizeof(opk_features_write_options), OPK_FORMAT_GEOJSON, 0, 0, NULL, 0}

/** Takes bytes as they are written, on the thread that asked for writing.
 *  @param context  as given with the function
 *  @param bytes    borrowed for the call; never empty
 *  @return 0 to go on; anything else stops writing with OPK_ERR_FILE_WRITE */
typedef int32_t (*opk_write_fn)(void *context, const uint8_t *bytes, size_t len);

/** Writes all features into memory.
 *  @param opt  NULL = GeoJSON
 *  @param out  owned: free with opk_bytes_free; UTF-8, but for WKB and EWKB; NULL on failure
 *  @return OPK_OK; OPK_ERR_MISUSE for options that make no sense, such as the same column twice
 *  @since 0.1  @source RFC 8142, GPX 1.1, OGC 07-147r2 KML 2.2, RFC 4180, OGC 06-103r4 */
OPK_API opk_status opk_features_write(const opk_features *features,
                                      const opk_features_write_options *opt, opk_bytes **out,
                                      opk_error *err);

/** Writes all features into a file, which is created or replaced once it is whole. What is no regular
 *  file, such as a pipe, is written directly.
 *  @param opt   NULL = GeoJSON
 *  @param path  borrowed for the call
 *  @return as opk_features_write, and OPK_ERR_FILE_OPEN, OPK_ERR_FILE_WRITE
 *  @since 0.1 */
OPK_API opk_status opk_features_write_file(const opk_features *features,
                                           const opk_features_write_options *opt, const char *path,
                                           opk_error *err);

/** Writes all features piece by piece into an open file, which stays open.
 *  @param opt  NULL = GeoJSON
 *  @param fd   a file descriptor
 *  @return as opk_features_write, and OPK_ERR_FILE_WRITE
 *  @since 0.1 */
OPK_API opk_status opk_features_write_fd(const opk_features *features,
                                         const opk_features_write_options *opt, int32_t fd,
                                         opk_error *err);

/** Writes all features piece by piece to a function of the caller.
 *  @param opt      NULL = GeoJSON
 *  @param write    takes the bytes, in order
 *  @param context  handed to it; may be NULL
 *  @return as opk_features_write, and OPK_ERR_FILE_WRITE when the function says so
 *  @since 0.1 */
OPK_API opk_status opk_features_write_call(const opk_features *features,
                                           const opk_features_write_options *opt,
                                           opk_write_fn write, void *context, opk_error *err);

/* ------------------------------------------------------------------ Section: Arrow
 * Features as a table that analytic tools (pyarrow, pandas, Polars, DuckDB, GDAL) read where it lies,
 * by the Arrow C stream interface. The structs are Arrow's own; the guards let them meet other
 * declarations of the same. Behind a header that declares them without guards (GDAL 3.6), define
 * ARROW_C_DATA_INTERFACE and ARROW_C_STREAM_INTERFACE before this one is read. */

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  const char *format;
  const char *name;
  const char *metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema **children;
  struct ArrowSchema *dictionary;
  void (*release)(struct ArrowSchema *);
  void *private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void **buffers;
  struct ArrowArray **children;
  struct ArrowArray *dictionary;
  void (*release)(struct ArrowArray *);
  void *private_data;
};
#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
  int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
  const char *(*get_last_error)(struct ArrowArrayStream *);
  void (*release)(struct ArrowArrayStream *);
  void *private_data;
};
#endif

/* Flags of opk_arrow_options. */
enum {
  OPK_ARROW_WITHOUT_TAGS = 1, /* no column `tags` */
  OPK_ARROW_METADATA = 2      /* columns `version`, `timestamp`, `changeset`, `uid` and `user` */
};

/** The columns of a table of features. All texts are borrowed for the call. */
typedef struct opk_arrow_options {
  uint32_t struct_size;
  uint32_t flags;             /* OPK_ARROW_... */
  const char *const *columns; /* keys of tags that get columns of their own */
  size_t column_count;
  size_t batch_size;          /* how many rows a batch has at most; 0: 65536 */
} opk_arrow_options;

#define OPK_ARROW_OPTIONS_INIT {sizeof(opk_arrow_options), 0, NULL, 0, 0}

/** Hands features over as a stream of record batches. Those of which nothing can be drawn are left
 *  out.
 *  shape:   id int64, null where the answer names none; type dictionary<int8, utf8> (wider numbers
 *           where a query made more than 128 types); the chosen keys, utf8, null where the tag is
 *           missing, named `tag:` and the key where the key is another column's name; tags
 *           map<utf8, utf8>; version int32, timestamp timestamp[ms, UTC], changeset int64, uid int64,
 *           user dictionary<int32, utf8>; geometry binary, the WKB of opk_features_wkb, as
 *           geoarrow.wkb with the CRS OGC:CRS84. The schema's metadata has generator, attribution,
 *           timestamp and remarks (a JSON array), as far as the answer has them: a runtime error
 *           among the remarks means that features are missing. Its `geo` makes a Parquet file of the
 *           table a GeoParquet file.
 *  @param opt  NULL = defaults
 *  @param out  owned: call its `release`. What it pointed to before is not looked at; its `release` is
 *              NULL on failure. The stream does not need the features' handle any more, and what came
 *              out of it does not need the stream. It counts as one handle until all of that is
 *              released
 *  @return OPK_OK; OPK_ERR_QUERY_VALUE for a key that is not UTF-8; OPK_ERR_MISUSE, also for a key
 *          that is named twice
 *  @since 0.1  @source Arrow "C stream interface"; GeoArrow "Extension types"; GeoParquet 1.1 */
OPK_API opk_status opk_features_arrow(const opk_features *features, const opk_arrow_options *opt,
                                      struct ArrowArrayStream *out, opk_error *err);

/* ------------------------------------------------------------------ Section: maps
 * A map put together in code: basemaps, features on them, and how they are drawn. It is written as a
 * style document for MapLibre and Mapbox viewers, or as one HTML page that shows itself.
 * A style belongs to one thread. Everything is checked when it is added, because a viewer that finds
 * one fault in a style draws nothing; after a failure the style is as it was.
 * Colours are #rgb, #rgba, #rrggbb, #rrggbbaa or CSS names such as "teal". */

typedef struct opk_style opk_style;

/** Starts a map with a background and nothing on it.
 *  @param name  borrowed for the call; what the map is called
 *  @param out   owned: free with opk_style_free; NULL on failure
 *  @return OPK_OK; OPK_ERR_MAP_NAME; OPK_ERR_MAP_VALUE for text that is not UTF-8; OPK_ERR_MISUSE
 *  @since 0.1  @source MapLibre style specification, version 8 */
OPK_API opk_status opk_style_new(const char *name, opk_style **out, opk_error *err);

/** Copies a style.
 *  @return owned: free with opk_style_free; NULL for NULL
 *  @since 0.1 */
OPK_API opk_style *opk_style_clone(const opk_style *style);

/** Frees a style.
 *  @return nothing
 *  @since 0.1 */
OPK_API void opk_style_free(opk_style *style);

/** Sets the colour below everything.
 *  @param color  borrowed for the call; NULL for none
 *  @return OPK_OK; OPK_ERR_MAP_COLOR; OPK_ERR_MISUSE
 *  @since 0.1 */
OPK_API opk_status opk_style_set_background(opk_style *style, const char *color, opk_error *err);

/** Sets from where viewers get the shapes of letters. MapLibre GL JS from 5.11 on draws labels
 *  without; others refuse a style that has labels but no such URL.
 *  @param url  borrowed for the call; holds {fontstack} and {range}
 *  @return OPK_OK; OPK_ERR_MAP_URL; OPK_ERR_MISUSE
 *  @since 0.1 */
OPK_API opk_status opk_style_set_glyphs(opk_style *style, const char *url, opk_error *err);

/** Sets where the map opens; otherwise it shows all features that are part of it.
 *  units: degrees; zoom 0 to 24, at 0 the world is 512 pixels wide
 *  @return OPK_OK; OPK_ERR_MAP_ZOOM; OPK_ERR_MISUSE
 *  @since 0.1 */
OPK_API opk_status opk_style_set_view(opk_style *style, double lat, double lon, double zoom,
                                      opk_error *err);

/* How rows of tiles are counted. */
enum { OPK_TILES_XYZ = 0 /* from the north */, OPK_TILES_TMS = 1 /* from the south */ };

/** A basemap of pictures. All texts are borrowed for the call. */
typedef struct opk_basemap {
  uint32_t struct_size;
  uint32_t tile_size; /* in pixels */
  uint32_t min_zoom;  /* zooms for which there are tiles, 0 to 24 */
  uint32_t max_zoom;  /* beyond it, tiles are magnified */
  uint32_t scheme;    /* OPK_TILES_... */
  uint32_t is_hidden; /* 1: not shown when the map opens */
  double opacity;     /* 0 to 1 */
  const char *name;   /* shown to people; each part of a map has a name of its own */
  const char *const *tiles; /* URLs with {z}, {x} and {y}, or {quadkey}, or {bbox-epsg-3857} */
  size_t tile_count;
  const char *attribution;  /* who made it; NULL for nobody */
  const char *attribution_link; /* a http or https URL; NULL for none */
} opk_basemap;

#define OPK_BASEMAP_INIT \
  {sizeof(opk_basemap), 256, 0, 18, OPK_TILES_XYZ, 0, 1.0, NULL, NULL, 0, NULL, NULL}

/** Adds a basemap above those there are.
 *  @return OPK_OK; OPK_ERR_MAP_NAME; OPK_ERR_MAP_DUPLICATE; OPK_ERR_MAP_TILES; OPK_ERR_MAP_ZOOM;
 *          OPK_ERR_MAP_URL; OPK_ERR_MAP_VALUE; OPK_ERR_MISUSE
 *  @since 0.1 */
OPK_API opk_status opk_style_add_basemap(opk_style *style, const opk_basemap *basemap,
                                         opk_error *err);

/* What is not drawn. */
enum { OPK_HIDE_AREAS = 1, OPK_HIDE_LINES = 2, OPK_HIDE_POINTS = 4 };

/** How features look, by the kind of their geometry and by a tag. All texts are borrowed for the
 *  call; NULL, NAN and counts of 0 stand for the defaults. */
typedef struct opk_appearance {
  uint32_t struct_size;
  uint32_t flags; /* OPK_HIDE_... */
  const char *area_color;
  const char *outline_color;
  const char *line_color;
  const char *point_color;
  double area_opacity;  /* 0 to 1 */
  double outline_width; /* all sizes in pixels */
  double line_width;
  double point_radius;
  double label_size;
  const char *const *label_keys; /* the first of these tags that a feature has is its label */
  size_t label_key_count;        /* 0: no labels */
  const char *color_key; /* the tag whose values choose the colours; NULL: the kinds do */
  const char *const *color_values; /* each value once */
  const char *const *colors;       /* as many; NULL: colours of the library's choice */
  size_t color_count; /* 0: the most frequent values of the features, at most 12 */
  const char *other_color; /* for all other values and for features without the tag */
  const char *attribution; /* who has to be named for the features; NULL: "© OpenStreetMap
                              contributors" with a link; "": nobody */
  const char *attribution_link;
} opk_appearance;

#define OPK_APPEARANCE_INIT                                                                      \
  {sizeof(opk_appearance), 0, NULL, NULL, NULL, NULL, NAN, NAN, NAN, NAN, NAN, NULL, 0, NULL, NULL, \
   NULL, 0, NULL, NULL, NULL}

/** Adds features, which become part of the map and stay alive with it.
 *  @param name  borrowed for the call
 *  @param opt   NULL = defaults
 *  @return OPK_OK; OPK_ERR_MAP_NAME; OPK_ERR_MAP_DUPLICATE; OPK_ERR_MAP_COLOR; OPK_ERR_MAP_URL;
 *          OPK_ERR_MAP_VALUE; OPK_ERR_MISUSE
 *  @since 0.1 */
OPK_API opk_status opk_style_add_features(opk_style *style, const char *name,
                                          const opk_features *features, const opk_appearance *opt,
                                          opk_error *err);

/** Adds features that the viewer fetches as GeoJSON, with flat properties.
 *  @param url  borrowed for the call; complete, or relative to where the viewer is
 *  @param opt  NULL = defaults; colours by a tag need their values
 *  @return as opk_style_add_features
 *  @since 0.1 */
OPK_API opk_status opk_style_add_geojson_url(opk_style *style, const char *name, const char *url,
                                             const opk_appearance *opt, opk_error *err);

/** Writes the style document into memory. Equal styles give equal bytes.
 *  @param out  owned: free with opk_bytes_free; JSON; NULL on failure
 *  @return OPK_OK; OPK_ERR_MISUSE
 *  @since 0.1  @source MapLibre style specification, version 8 */
OPK_API opk_status opk_style_render(const opk_style *style, opk_bytes **out, opk_error *err);

/** A style document in a file. */
typedef struct opk_style_file opk_style_file;

/** Writes the style document into a file, which takes the place of an older one when it is whole.
 *  @param path  borrowed for the call; NULL for a new file in the system's folder for temporary
 *               files, which only its owner can read and the caller removes
 *  @param out   owned: free with opk_style_file_free, which leaves the file; NULL on failure
 *  @return OPK_OK; OPK_ERR_FILE_OPEN; OPK_ERR_FILE_WRITE; OPK_ERR_MISUSE
 *  @since 0.1 */
OPK_API opk_status opk_style_write_file(const opk_style *style, const char *path,
                                        opk_style_file **out, opk_error *err);

/** The path of a style document, from the root.
 *  @return borrowed; ptr NULL for NULL
 *  @since 0.1 */
OPK_API opk_str opk_style_file_path(const opk_style_file *file);

/** The file:// URL of a style document, percent-encoded.
 *  @return borrowed; ptr NULL for NULL
 *  @since 0.1  @source RFC 8089 */
OPK_API opk_str opk_style_file_url(const opk_style_file *file);

/** Forgets where a style document is; the file stays.
 *  @return nothing
 *  @since 0.1 */
OPK_API void opk_style_file_free(opk_style_file *file);

/** What goes into a page besides the map: MapLibre GL JS 5.11 or later, which the library does not
 *  contain. All borrowed for the call. */
typedef struct opk_html_options {
  uint32_t struct_size;
  uint32_t reserved;
  const uint8_t *script; /* maplibre-gl.js */
  size_t script_size;
  const uint8_t *css; /* maplibre-gl.css */
  size_t css_size;
  const uint8_t *licence; /* LICENSE.txt, which has to go with the script */
  size_t licence_size;
  const char *title; /* NULL: the style's name */
} opk_html_options;

#define OPK_HTML_OPTIONS_INIT {sizeof(opk_html_options), 0, NULL, 0, NULL, 0, NULL, 0, NULL}

/** Writes the map as one HTML page that needs no network but for tiles and GeoJSON given by URL. A
 *  click on a feature shows its tags; remarks of servers are shown, too. What comes from the data is
 *  text and never markup or script.
 *  @param opt  script, css and licence are needed
 *  @param out  owned: free with opk_bytes_free; UTF-8; NULL on failure
 *  @return OPK_OK; OPK_ERR_MISUSE
 *  @since 0.1 */
OPK_API opk_status opk_style_write_html(const opk_style *style, const opk_html_options *opt,
                                        opk_bytes **out, opk_error *err);

/** Writes the page into a file, which takes the place of an older one when it is whole.
 *  @param opt   script, css and licence are needed
 *  @param path  borrowed for the call
 *  @return OPK_OK; OPK_ERR_FILE_OPEN; OPK_ERR_FILE_WRITE; OPK_ERR_MISUSE
 *  @since 0.1 */
OPK_API opk_status opk_style_write_html_file(const opk_style *style, const opk_html_options *opt,
                                             const char *path, opk_error *err);

/** How a picture is drawn. */
typedef struct opk_svg_options {
  uint32_t struct_size;
  uint32_t width;  /* in pixels, 32 to 10000 */
  uint32_t height;
  uint32_t reserved;
  size_t limit;    /* at most so many features are drawn, the first ones; 0: all */
  const char *background; /* NULL: a light one; "": none */
  const opk_appearance *appearance; /* NULL = defaults; labels are not drawn */
} opk_svg_options;

#define OPK_SVG_OPTIONS_INIT {sizeof(opk_svg_options), 640, 420, 0, 0, NULL, NULL}

/** Writes the features as a picture in SVG.
 *  @param opt  NULL = defaults
 *  @param out  owned: free with opk_bytes_free; UTF-8; NULL on failure
 *  @return OPK_OK; OPK_ERR_MAP_COLOR; OPK_ERR_MAP_URL; OPK_ERR_MAP_VALUE; OPK_ERR_MISUSE
 *  @since 0.1  @source SVG 1.1 */
OPK_API opk_status opk_features_write_svg(const opk_features *features, const opk_svg_options *opt,
                                          opk_bytes **out, opk_error *err);

/* ------------------------------------------------------------------ Section: problems
 * What is wrong with the data, found while geometry is put together. None of it is an error. */

typedef struct opk_problems opk_problems;

/** One problem. All pointers are borrowed. */
typedef struct opk_problem {
  uint32_t struct_size;
  uint32_t element_type; /* OPK_NODE ...: the element whose geometry suffers */
  int64_t element_id;
  opk_str kind;          /* such as "open-ring" or "missing-nodes" */
  const int64_t *ways;   /* ids of ways concerned */
  size_t way_count;
  const int64_t *nodes;  /* ids of nodes concerned */
  size_t node_count;
  opk_position position; /* where it is; OPK_POSITION_UNDEFINED when that is not known */
} opk_problem;

#define OPK_PROBLEM_INIT {sizeof(opk_problem), 0, 0, {NULL, 0}, NULL, 0, NULL, 0, {0, 0}}

/** Finds the problems of all features.
 *  @param out  owned: free with opk_problems_free; NULL on failure
 *  @return OPK_OK; OPK_ERR_MISUSE
 *  @since 0.1 */
OPK_API opk_status opk_features_problems(const opk_features *features, opk_problems **out,
                                         opk_error *err);

/** How many problems there are.
 *  @return the number; 0 for NULL
 *  @since 0.1 */
OPK_API size_t opk_problems_count(const opk_problems *problems);

/** Reads one problem.
 *  @param out  filled; its pointers are borrowed
 *  @return OPK_OK; OPK_ERR_MISUSE when there is no such problem
 *  @since 0.1 */
OPK_API opk_status opk_problems_get(const opk_problems *problems, size_t index, opk_problem *out);

/** Frees problems.
 *  @return nothing
 *  @since 0.1 */
OPK_API void opk_problems_free(opk_problems *problems);

/* ------------------------------------------------------------------ Section: visualizations
 * What a map shows of each element: a pin, lines or areas. Elements that say nothing, and parts that
 * another element is drawn of, are left out by the rules of the features.
 *
 * `languages` are codes such as "fi" or "pt-BR", the preferred one first, `language_count` of them,
 * borrowed for the call: titles are name:fi, then name:pt-BR, then name:pt, then name. NULL and 0 for
 * plain names. */

typedef struct opk_visualizations opk_visualizations;

/* What is drawn. */
enum {
  OPK_SHAPE_ANNOTATION = 1,  /* a pin at `position` */
  OPK_SHAPE_POLYLINE = 2,    /* the one part of `geometry` */
  OPK_SHAPE_POLYLINES = 3,   /* a line for each part */
  OPK_SHAPE_POLYGON = 4,     /* a ring for each part: the exterior, then holes */
  OPK_SHAPE_POLYGONS = 5,    /* rings of several polygons, see opk_geometry_polygon_ends */
  OPK_SHAPE_ANNOTATIONS = 6, /* several pins; only of what a query made */
  OPK_SHAPE_COLLECTION = 7   /* members of several kinds */
};

/** One element as a map shows it. All pointers are borrowed. */
typedef struct opk_visualization {
  uint32_t struct_size;
  uint32_t type;           /* OPK_NODE ... */
  int64_t id;              /* 0 where what a query made has none */
  opk_str title;           /* the name; ptr NULL when there is none */
  uint32_t shape;          /* OPK_SHAPE_... */
  uint32_t origin;         /* OPK_ORIGIN_... */
  uint32_t is_tainted;     /* 1 when parts were missing */
  uint32_t reserved;
  opk_position position;   /* of the pin; OPK_POSITION_UNDEFINED for other shapes */
  const opk_geometry *geometry; /* all positions; not to be freed */
} opk_visualization;

#define OPK_VISUALIZATION_INIT \
  {sizeof(opk_visualization), 0, 0, {NULL, 0}, 0, 0, 0, 0, {0, 0}, NULL}

/** Puts together what a map shows of all elements, in the order of the answer.
 *  @param out  owned: free with opk_visualizations_free; NULL on failure
 *  @return OPK_OK; OPK_ERR_QUERY_VALUE for a language that is not UTF-8; OPK_ERR_MISUSE
 *  @since 0.1 */
OPK_API opk_status opk_visualizations_build(const opk_features *features,
                                            const char *const *languages, size_t language_count,
                                            opk_visualizations **out, opk_error *err);

/** Puts together what a map shows of one element: one visualization, or none when nothing is drawn for
 *  it.
 *  @param type  OPK_NODE ...
 *  @param out   owned: free with opk_visualizations_free; NULL on failure
 *  @return as opk_visualizations_build; OPK_ERR_MISUSE also for an unknown type
 *  @since 0.1 */
OPK_API opk_status opk_visualizations_build_one(const opk_features *features, uint32_t type,
                                                int64_t id, const char *const *languages,
                                                size_t language_count, opk_visualizations **out,
                                                opk_error *err);

/** How many visualizations there are.
 *  @return the number; 0 for NULL
 *  @since 0.1 */
OPK_API size_t opk_visualizations_count(const opk_visualizations *visualizations);

/** Reads one visualization.
 *  @param out  filled; its pointers are borrowed
 *  @return OPK_OK; OPK_ERR_MISUSE when there is no such visualization
 *  @since 0.1 */
OPK_API opk_status opk_visualizations_get(const opk_visualizations *visualizations, size_t index,
                                          opk_visualization *out);

/** Finds the visualization of an element. What a query made has no identity and is not found.
 *  @param type  OPK_NODE ...
 *  @return its place, from 0; -1 when nothing is drawn for the element
 *  @since 0.1 */
OPK_API int64_t opk_visualizations_find(const opk_visualizations *visualizations, uint32_t type,
                                        int64_t id);

/** Frees visualizations.
 *  @return nothing
 *  @since 0.1 */
OPK_API void opk_visualizations_free(opk_visualizations *visualizations);

/* ------------------------------------------------------------------ Section: places
 * The amenities, shops and sights near a position. They say what the tags say and nothing more: a key
 * that is missing, or has a value that is neither yes nor no, leaves the matter unknown. */

typedef struct opk_places opk_places;

/** Which places are looked for. */
typedef struct opk_place_options {
  uint32_t struct_size;
  uint32_t reserved;
  const char *const *languages; /* borrowed for the call: codes such as "fi", the preferred one first,
                                   for names and descriptions; NULL = plain names */
  size_t language_count;
  const char *const *kind_keys; /* borrowed for the call: keys that make a feature a place, of which
                                   the first that it has tells its kind; NULL = amenity, shop,
                                   tourism */
  size_t kind_key_count;
  double radius_m;              /* metres; NaN = however far away */
} opk_place_options;

#define OPK_PLACE_OPTIONS_INIT {sizeof(opk_place_options), 0, NULL, 0, NULL, 0, NAN}

/* Whether one has to pay (`fee`). */
enum { OPK_FEE_UNKNOWN = 0, OPK_FEE_YES = 1, OPK_FEE_NO = 2 };

/* Whether people in wheelchairs can go there (`wheelchair`). */
enum {
  OPK_WHEELCHAIR_UNKNOWN = 0,
  OPK_WHEELCHAIR_YES = 1,
  OPK_WHEELCHAIR_NO = 2,
  OPK_WHEELCHAIR_LIMITED = 3
};

/** One place. Texts are borrowed; ptr is NULL where the tags do not tell. */
typedef struct opk_nearby_place {
  uint32_t struct_size;
  uint32_t type;               /* OPK_NODE ... */
  int64_t id;
  size_t feature_index;        /* for opk_features_get */
  opk_position position;       /* of a node; on the surface of an area, on a line */
  double distance_m;           /* metres from the position asked about */
  double bearing_deg;          /* towards the place, clockwise from north, at least 0 and below 360;
                                  NaN when the distance is 0 */
  uint32_t origin;             /* OPK_ORIGIN_CENTER: the position may lie outside of the place */
  uint32_t is_named;           /* 1 when the title is a name */
  uint32_t fee;                /* OPK_FEE_... */
  uint32_t wheelchair;         /* OPK_WHEELCHAIR_...; of toilets, `toilets:wheelchair` counts where
                                  `wheelchair` does not tell */
  uint32_t toilets_wheelchair; /* OPK_WHEELCHAIR_..., of the toilets there */
  uint32_t reserved;
  opk_str title;               /* the name, or the kind in words; never NULL */
  opk_str kind_key;            /* such as "amenity"; never NULL */
  opk_str kind;                /* its value, such as "drinking_water"; never NULL */
  opk_str kind_title;          /* that in English words, such as "Drinking water"; never NULL */
  opk_str description;
  opk_str charge;              /* the amount, such as "0.50 EUR" */
  opk_str fee_text;            /* what `fee` says that is neither yes nor no, or `fee:conditional` */
  opk_str opening_hours;
} opk_nearby_place;

#define OPK_NEARBY_PLACE_INIT                                                                    \
  {sizeof(opk_nearby_place), 0, 0, 0, {0, 0}, 0, 0, 0, 0, 0, 0, 0, 0, {NULL, 0}, {NULL, 0},       \
   {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}}

/** Finds the places near a position, the nearest first; those at the same distance in the order of the
 *  answer. Distances and bearings are those of geodesics.
 *  units: degrees
 *  @param opt  NULL = defaults
 *  @param out  owned: free with opk_places_free; NULL on failure
 *  @return OPK_OK, also when there are none; OPK_ERR_QUERY_VALUE for a text that is not UTF-8;
 *          OPK_ERR_MISUSE, also for a position or radius out of range
 *  @since 0.1  @source OSM wiki, "Key:amenity", "Key:fee", "Key:wheelchair" */
OPK_API opk_status opk_places_find(const opk_features *features, double lat, double lon,
                                   const opk_place_options *opt, opk_places **out, opk_error *err);

/** How many places there are.
 *  @return the number; 0 for NULL
 *  @since 0.1 */
OPK_API size_t opk_places_count(const opk_places *places);

/** Reads one place.
 *  @param out  filled; its pointers are borrowed
 *  @return OPK_OK; OPK_ERR_MISUSE when there is no such place
 *  @since 0.1 */
OPK_API opk_status opk_places_get(const opk_places *places, size_t index, opk_nearby_place *out);

/** Frees places.
 *  @return nothing
 *  @since 0.1 */
OPK_API void opk_places_free(opk_places *places);

/* ------------------------------------------------------------------ Section: asking servers
 * A client sends queries to Overpass servers, the way their operators want it: it says who asks, sends
 * one query at a time to a server, waits when it is told to, and repeats only what may help. Clients may
 * be used by several threads at once; calls block the calling thread. */

/** A public server that is known by name. All texts are borrowed, valid for ever. */
typedef struct opk_endpoint {
  uint32_t struct_size;
  uint32_t reserved;
  opk_str name;     /* such as "main" */
  opk_str url;
  opk_str coverage; /* the part of the world that it has data of */
  opk_str provider; /* who runs it */
} opk_endpoint;

#define OPK_ENDPOINT_INIT \
  {sizeof(opk_endpoint), 0, {NULL, 0}, {NULL, 0}, {NULL, 0}, {NULL, 0}}

/** How many public servers are known by name.
 *  @return the number
 *  @since 0.1  @source OSM wiki "Overpass API", "Public Overpass API instances" */
OPK_API size_t opk_endpoint_count(void);

/** Reads one of the public servers; the first is asked by default.
 *  @param out  filled; its texts are borrowed
 *  @return OPK_OK; OPK_ERR_MISUSE when there is no such server
 *  @since 0.1 */
OPK_API opk_status opk_endpoint_get(size_t index, opk_endpoint *out);

/** One line of the head of a request or reply. */
typedef struct opk_http_header {
  opk_str name;
  opk_str value;
} opk_http_header;

/** What a host's own transport is to send. Everything in it is borrowed for the call. */
typedef struct opk_http_request {
  uint32_t struct_size;
  uint32_t reserved;
  uint64_t number;           /* tells apart requests that are under way at the same time */
  const char *method;        /* "GET" or "POST" */
  const char *url;
  const opk_http_header *headers; /* also User-Agent and Accept-Encoding */
  size_t header_count;
  const uint8_t *body;
  size_t body_size;
  double connect_timeout_s;  /* for making the connection */
  double idle_timeout_s;     /* for which nothing may come */
} opk_http_request;

/** Takes a reply from a host's own transport; borrowed for the call of `perform`. */
typedef struct opk_http_reply opk_http_reply;

/** Hands over the head of the reply, once.
 *  @param headers  borrowed for the call
 *  @return 0 to go on; 1 when the request is to end here
 *  @since 0.1 */
OPK_API int32_t opk_http_reply_head(opk_http_reply *reply, int32_t http_status,
                                    const opk_http_header *headers, size_t count);

/** Hands over the next bytes of the body, as they came or decompressed.
 *  @param bytes  borrowed for the call
 *  @return 0 to go on; 1 when the request is to end here
 *  @since 0.1 */
OPK_API int32_t opk_http_reply_body(opk_http_reply *reply, const uint8_t *bytes, size_t len);

/** To be called about once a second while nothing comes.
 *  @return 0 to go on; 1 when the request is to end here
 *  @since 0.1 */
OPK_API int32_t opk_http_reply_wait(opk_http_reply *reply);

/** Sends a request, hands over the reply as it comes, from the calling thread, and returns when that
 *  is at its end. Redirects are not to be followed.
 *  @param context  as given with the transport
 *  @param request  borrowed for the call
 *  @param reply    borrowed for the call
 *  @param err      to be given a message after a failure
 *  @return OPK_OK; OPK_ERR_TRANSPORT_... */
typedef opk_status (*opk_transport_perform_fn)(void *context, const opk_http_request *request,
                                               opk_http_reply *reply, opk_error *err);

/** Asks, from another thread, for the end of a request that may be blocked, or just over.
 *  @param number  that of the request */
typedef void (*opk_transport_interrupt_fn)(void *context, uint64_t number);

/** Called once, when no client needs the transport any more; at once where opk_client_new fails. */
typedef void (*opk_transport_release_fn)(void *context);

/** A host's own way to send requests. The functions may be called by several threads at once. */
typedef struct opk_transport {
  uint32_t struct_size;
  uint32_t reserved;
  void *context;
  opk_transport_perform_fn perform;     /* required */
  opk_transport_interrupt_fn interrupt; /* NULL: a request ends when opk_http_reply_... returns 1 */
  opk_transport_release_fn release;     /* NULL: nothing is to be done */
} opk_transport;

#define OPK_TRANSPORT_INIT {sizeof(opk_transport), 0, NULL, NULL, NULL, NULL}

/** Sends queries to servers. */
typedef struct opk_client opk_client;

enum {
  /* End a query at the server, too, when it is cancelled. That ends all queries of this address
   * there, also those of other programs. */
  OPK_CLIENT_KILL_ON_CANCEL = 1
};

/** How a client behaves. Zero and NULL mean the defaults; everything is copied. */
typedef struct opk_client_options {
  uint32_t struct_size;
  uint32_t flags;                 /* OPK_CLIENT_... */
  const char *application;        /* required: "my-app/1.0 (me@example.org)" */
  const char *const *endpoints;   /* names or URLs, in the order in which they are asked: the next one
                                     only when the one before is overloaded, broken or out of reach */
  size_t endpoint_count;          /* 0 = the first of the known servers */
  const opk_http_header *headers; /* sent with every request: credentials, for example */
  size_t header_count;
  uint32_t max_attempts;          /* how often a query is sent to one server at most; default 5 */
  uint32_t reserved;
  double busy_wait_s;             /* before the first repetition, then twice as long; default 15 */
  double max_wait_s;              /* a server that wants more gets no second try; default 900 */
  double connect_timeout_s;       /* default 30 */
  const char *cache_folder;       /* NULL = answers are not kept */
  double cache_max_age_s;         /* how old an answer may be; required with a folder */
  uint64_t cache_max_bytes;       /* what all answers may take; default 2^30 */
  const char *ca_file;            /* certificates that are trusted, PEM; NULL = those of libcurl */
  const opk_transport *transport; /* NULL = libcurl, opened when it is first needed */
} opk_client_options;

#define OPK_CLIENT_OPTIONS_INIT                                                              \
  {sizeof(opk_client_options), 0, NULL, NULL, 0, NULL, 0, 0, 0, 0, 0, 0, NULL, 0, 0, NULL, NULL}

/** Makes a client.
 *  @param opt  required, because of the application's name
 *  @param out  owned: free with opk_client_free; NULL on failure
 *  @return OPK_OK; OPK_ERR_CLIENT_APPLICATION; OPK_ERR_CLIENT_ENDPOINT; OPK_ERR_MISUSE
 *  @since 0.1  @source OSM wiki "Overpass API"; drolbr/Overpass-API issue 791 */
OPK_API opk_status opk_client_new(const opk_client_options *opt, opk_client **out,
                                  opk_error *err);

/** Frees a client. Queries that are under way keep what they need.
 *  @return nothing
 *  @since 0.1 */
OPK_API void opk_client_free(opk_client *client);

/** What a query on its way is doing. */
enum {
  OPK_PHASE_WAITING = 1,     /* nothing is sent for a while */
  OPK_PHASE_RUNNING = 2,     /* the query is at the server; nothing came yet */
  OPK_PHASE_DOWNLOADING = 3, /* the answer comes and is decoded meanwhile */
  OPK_PHASE_DECODING = 4     /* all bytes are there; the rest of them is decoded */
};

/** Why a query waits. */
enum {
  OPK_WAIT_TURN = 1,         /* another query of this process is at the server */
  OPK_WAIT_RATE_LIMIT = 2,   /* the server had too many queries from this address */
  OPK_WAIT_SERVER_BUSY = 3,  /* the server is overloaded or out of order */
  OPK_WAIT_CONNECTION = 4,   /* the server was out of reach, or the connection broke */
  OPK_WAIT_SAME_QUERY = 5    /* the same query is being answered already */
};

/** How far a query has come. */
typedef struct opk_fetch_progress {
  uint32_t struct_size;
  uint32_t phase;          /* OPK_PHASE_... */
  uint32_t wait_reason;    /* OPK_WAIT_...; 0 when it does not wait */
  uint32_t attempt;        /* the number of the request, from 1 */
  double wait_seconds;     /* how much longer; INFINITY when nobody knows */
  opk_str endpoint;        /* the server's name or host; borrowed for the call */
  opk_str last_error;      /* why the last request failed; ptr NULL when none did */
  uint64_t bytes;          /* of the answer, as they came */
  uint64_t total_bytes;    /* 0 when it is not known */
  uint64_t elements;       /* decoded so far */
  uint64_t tiles_done;     /* of a box that is divided */
  uint64_t tiles_left;     /* as far as it is known */
} opk_fetch_progress;

/** Told how far a query has come: when the phase changes, about once a second, and every half megabyte
 *  or so, on the thread that runs it.
 *  @param context   as given with the options
 *  @param progress  borrowed for the call
 *  @return 0 to go on; anything else cancels the query */
typedef int32_t (*opk_fetch_progress_fn)(void *context, const opk_fetch_progress *progress);

enum {
  /* Send the text as it is. Otherwise it is checked first. */
  OPK_FETCH_UNCHECKED = 1,
  /* Give the body of the answer, such as a CSV table, in place of a response. */
  OPK_FETCH_BYTES = 2,
  /* Divide the box where the server runs out of time or memory. */
  OPK_FETCH_TILED = 4
};

/** How to run a query. Zero and NULL mean the defaults. */
typedef struct opk_fetch_options {
  uint32_t struct_size;
  uint32_t flags;                   /* OPK_FETCH_... */
  const opk_decode_options *decode; /* limits; OPK_DECODE_ALLOW_TRUNCATED also takes what a query that
                                       ran out of time or memory had found. Copied */
  opk_fetch_progress_fn progress;   /* NULL = none */
  void *progress_context;
  double timeout_s;                 /* what an unchecked text allows the server; default 180 */
  double south, west, north, east;  /* of the box to divide, in degrees; all NAN = the only one that
                                       the query names */
  uint32_t max_tile_depth;          /* how often a box may be quartered; default 6 */
  uint32_t max_tiles;               /* how many tiles may be asked for; default 200 */
} opk_fetch_options;

#define OPK_FETCH_OPTIONS_INIT \
  {sizeof(opk_fetch_options), 0, NULL, NULL, NULL, 0, NAN, NAN, NAN, NAN, 0, 0}

/** A query on its way to an answer. One thread runs it; any may cancel it. */
typedef struct opk_fetch opk_fetch;

/** Prepares a query. Nothing is sent yet.
 *  @param query  borrowed for the call: `len` bytes of UTF-8, Overpass QL or XML
 *  @param opt    NULL = defaults; what it points to is copied
 *  @param out    owned: free with opk_fetch_free; NULL on failure
 *  @return OPK_OK; OPK_ERR_QUERY_SYNTAX with line and column; OPK_ERR_QUERY_COORDINATE;
 *          OPK_ERR_MISUSE
 *  @since 0.1 */
OPK_API opk_status opk_fetch_new(opk_client *client, const char *query, size_t len,
                                 const opk_fetch_options *opt, opk_fetch **out, opk_error *err);

/** Sends the query, once, and blocks until it is answered, has failed or was cancelled.
 *  @return OPK_OK; OPK_ERR_SERVER_...; OPK_ERR_TRANSPORT_...; OPK_ERR_DECODE_...; OPK_ERR_LIMIT;
 *          OPK_ERR_CLIENT_QUERY for one that prints a table where elements are wanted, or that cannot
 *          be divided; OPK_ERR_CANCELLED; OPK_ERR_MISUSE the second time
 *  @since 0.1  @source Overpass API, "web_query.cc"; drolbr/Overpass-API issue 791 */
OPK_API opk_status opk_fetch_run(opk_fetch *fetch, opk_error *err);

/** Asks for the end of a query, from any thread, before it runs or while it does: no further byte is
 *  taken from the server. It must not race with opk_fetch_free.
 *  @return nothing
 *  @since 0.1 */
OPK_API void opk_fetch_cancel(opk_fetch *fetch);

/** What was answered: all of it, or after a failure what came until then.
 *  @param out  owned: free with opk_response_free; NULL on failure
 *  @return OPK_OK; OPK_ERR_MISUSE when there is nothing
 *  @since 0.1 */
OPK_API opk_status opk_fetch_response(const opk_fetch *fetch, opk_response **out, opk_error *err);

/** The body of the answer, decompressed, with OPK_FETCH_BYTES.
 *  @param out  owned: free with opk_bytes_free; NULL on failure
 *  @return OPK_OK; OPK_ERR_MISUSE when there is none
 *  @since 0.1 */
OPK_API opk_status opk_fetch_body(const opk_fetch *fetch, opk_bytes **out, opk_error *err);

/** The URL of the server that answered, or that answered what was kept.
 *  @return borrowed; ptr NULL when none did
 *  @since 0.1 */
OPK_API opk_str opk_fetch_endpoint(const opk_fetch *fetch);

/** Whether the answer was kept from an earlier time.
 *  @return 1 or 0; 0 for NULL
 *  @since 0.1 */
OPK_API int32_t opk_fetch_is_from_cache(const opk_fetch *fetch);

/** What the server said when the query failed, in its parts.
 *  @param out  owned: free with opk_reply_free; NULL on failure
 *  @return OPK_OK; OPK_ERR_MISUSE when no server reported an error
 *  @since 0.1 */
OPK_API opk_status opk_fetch_reply(const opk_fetch *fetch, opk_reply **out, opk_error *err);

/** One request for a query, and what became of it. All texts are borrowed. */
typedef struct opk_fetch_attempt {
  uint32_t struct_size;
  opk_status status;     /* OPK_OK for one that was answered */
  opk_str endpoint;      /* the server's name or host */
  opk_str url;           /* where it went, which redirects may have changed */
  double seconds;        /* from sending it to the last byte */
  opk_str message;       /* why it failed; ptr NULL when it did not */
} opk_fetch_attempt;

#define OPK_FETCH_ATTEMPT_INIT \
  {sizeof(opk_fetch_attempt), 0, {NULL, 0}, {NULL, 0}, 0, {NULL, 0}}

/** How many requests were sent for the query.
 *  @return their number; 0 for NULL, and for an answer that was kept
 *  @since 0.1 */
OPK_API size_t opk_fetch_attempt_count(const opk_fetch *fetch);

/** Reads one of the requests, in their order.
 *  @param out  filled; its texts are borrowed
 *  @return OPK_OK; OPK_ERR_MISUSE when there is no such request
 *  @since 0.1 */
OPK_API opk_status opk_fetch_get_attempt(const opk_fetch *fetch, size_t index,
                                         opk_fetch_attempt *out);

/** One part of a box that was divided. */
typedef struct opk_fetch_tile {
  uint32_t struct_size;
  uint32_t depth;       /* how often the box was quartered */
  uint32_t is_answered; /* 0 for one that was divided further */
  uint32_t reserved;
  double south, west, north, east; /* degrees */
} opk_fetch_tile;

#define OPK_FETCH_TILE_INIT {sizeof(opk_fetch_tile), 0, 0, 0, 0, 0, 0, 0}

/** How many tiles were asked for, with OPK_FETCH_TILED.
 *  @return their number; 0 for NULL and after a failure
 *  @since 0.1 */
OPK_API size_t opk_fetch_tile_count(const opk_fetch *fetch);

/** Reads one of the tiles, in the order in which they were asked for.
 *  @param out  filled
 *  @return OPK_OK; OPK_ERR_MISUSE when there is no such tile
 *  @since 0.1 */
OPK_API opk_status opk_fetch_get_tile(const opk_fetch *fetch, size_t index, opk_fetch_tile *out);

/** Frees a query; it must not be running.
 *  @return nothing
 *  @since 0.1 */
OPK_API void opk_fetch_free(opk_fetch *fetch);

/** Runs a query and gives its answer: opk_fetch_new, opk_fetch_run and opk_fetch_response in one.
 *  @param query  borrowed for the call: `len` bytes of UTF-8, Overpass QL or XML
 *  @param opt    NULL = defaults
 *  @param out    owned: free with opk_response_free; NULL on failure
 *  @return as those; OPK_ERR_MISUSE with OPK_FETCH_BYTES
 *  @since 0.1 */
OPK_API opk_status opk_client_fetch(opk_client *client, const char *query, size_t len,
                                    const opk_fetch_options *opt, opk_response **out,
                                    opk_error *err);

/** What a server says about the slots of this address. It is for people: before a query it would only
 *  double the load.
 *  @param endpoint  a name or URL, borrowed for the call; NULL = the client's first
 *  @param out       owned: free with opk_slots_free; NULL on failure
 *  @return OPK_OK; as opk_fetch_run; OPK_ERR_CLIENT_ENDPOINT; OPK_ERR_MISUSE
 *  @since 0.1  @source Overpass API, public_status.cc */
OPK_API opk_status opk_client_status(opk_client *client, const char *endpoint, opk_slots **out,
                                     opk_error *err);

/** Ends all queries of this address at a server, also those of other programs.
 *  @param endpoint  a name or URL, borrowed for the call; NULL = the client's first
 *  @return OPK_OK; as opk_fetch_run; OPK_ERR_CLIENT_ENDPOINT; OPK_ERR_MISUSE
 *  @since 0.1  @source Overpass API, kill_my_queries */
OPK_API opk_status opk_client_kill_queries(opk_client *client, const char *endpoint,
                                           opk_error *err);

#ifdef __cplusplus
}
#endif

#endif
