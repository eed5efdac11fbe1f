// Tells answers of Overpass from other files by their first bytes. GDAL's own OSM driver keeps the
// files that it reads well: OSM XML in which ways refer to nodes with positions and nothing says that
// Overpass made it.
#include "identify.h"

#include <cctype>

namespace overpass {

namespace {

constexpr int headBytes = 4096;
// In OSM XML, ways with positions of their own may stand behind many lines of another kind.
constexpr int headBytesXML = 1 << 16;

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

bool startsWith(std::string_view text, std::string_view part) {
  return text.substr(0, part.size()) == part;
}

std::string_view withoutSpace(std::string_view text) {
  if (startsWith(text, "\xEF\xBB\xBF")) text.remove_prefix(3);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())))
    text.remove_prefix(1);
  return text;
}

/** Whether a key stands in JSON, with a value that starts with one of `starts`. */
bool hasKey(std::string_view text, std::string_view key, std::string_view starts) {
  for (size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
    std::string_view rest = withoutSpace(text.substr(at + key.size()));
    if (rest.empty() || rest.front() != ':') continue;
    rest = withoutSpace(rest.substr(1));
    if (!rest.empty() && has(starts, rest.substr(0, 1))) return true;
  }
  return false;
}

bool isAnswerInJSON(std::string_view text) {
  const size_t elements = text.find("\"elements\"");
  if (elements == std::string_view::npos || !hasKey(text, "\"elements\"", "[")) return false;
  if (hasKey(text, "\"osm3s\"", "{")) return true;
  if (has(text.substr(0, elements), "\"FeatureCollection\"")) return false;
  if (has(text, "Overpass") || has(text, "OpenStreetMap") || has(text, "openstreetmap")) return true;
  for (const char *type : {"\"node\"", "\"way\"", "\"relation\"", "\"area\"", "\"count\""})
    if (has(text.substr(elements), type)) return hasKey(text, "\"type\"", "\"");
  const std::string_view list = withoutSpace(text.substr(elements + 10));
  return startsWith(list, ":") && startsWith(withoutSpace(list.substr(1)), "[") &&
         startsWith(withoutSpace(withoutSpace(list.substr(1)).substr(1)), "]");
}

bool isAnswerInXML(std::string_view text) {
  const bool isDiff = has(text, "<osmAugmentedDiff");
  if (!isDiff && !has(text, "<osm>") && !has(text, "<osm ") && !has(text, "<osm\n") &&
      !has(text, "<osm\r"))
    return false;
  if (isDiff || has(text, "Overpass API") || has(text, "<meta osm_base") || has(text, "<remark") ||
      has(text, "<center "))
    return true;
  for (size_t at = text.find("<nd "); at != std::string_view::npos; at = text.find("<nd ", at + 4)) {
    const std::string_view tag = text.substr(at, text.find('>', at) - at);
    if (has(tag, " lat=")) return true;
  }
  return false;
}

/** A page that a server sent in place of an answer. */
bool isErrorPage(std::string_view text) {
  return (has(text, "<html") || has(text, "<HTML")) && has(text, "OSM3S");
}

bool isAnswer(std::string_view text) {
  text = withoutSpace(text);
  if (startsWith(text, "{")) return isAnswerInJSON(text);
  return startsWith(text, "<") && (isAnswerInXML(text) || isErrorPage(text));
}

std::string_view head(const GDALOpenInfo *info) {
  return {reinterpret_cast<const char *>(info->pabyHeader), size_t(info->nHeaderBytes)};
}

/** Looks into a gzip file. */
int identifyGzip(const GDALOpenInfo *info) {
  // What comes in a stream cannot be read twice.
  if (STARTS_WITH(info->pszFilename, "/vsistdin")) return GDAL_IDENTIFY_UNKNOWN;
  const std::string path = std::string("/vsigzip/") + info->pszFilename;
  VSILFILE *file = VSIFOpenL(path.c_str(), "rb");
  if (file == nullptr) return GDAL_IDENTIFY_UNKNOWN;
  std::string text(headBytesXML, '\0');
  text.resize(VSIFReadL(&text[0], 1, text.size(), file));
  VSIFCloseL(file);
  return isAnswer(text);
}

}  // namespace

int identify(GDALOpenInfo *info) {
  if (STARTS_WITH_CI(info->pszFilename, prefix)) return TRUE;
  if (info->fpL == nullptr || info->nHeaderBytes < 2) return FALSE;
  if (startsWith(head(info), "\x1F\x8B")) return identifyGzip(info);
  // Nothing else in GDAL reads bzip2.
  if (startsWith(head(info), "BZh") && has(head(info).substr(0, 10), "1AY&SY"))
    return GDAL_IDENTIFY_UNKNOWN;

  const std::string_view start = withoutSpace(head(info));
  if (!startsWith(start, "{") && !startsWith(start, "<")) return FALSE;
  if (isAnswer(head(info))) return TRUE;
  const bool isXML = startsWith(start, "<") && has(start, "<osm");
  info->TryToIngest(isXML ? headBytesXML : headBytes);
  return isAnswer(head(info));
}

}  // namespace overpass
