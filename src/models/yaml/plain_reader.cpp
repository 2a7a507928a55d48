#include <algorithm>
#include <string_view>

#include "models/yaml/node.hpp"

namespace headway::models::yaml {
namespace {

constexpr int kMaxDepth = 8;  // of maps in maps

class PlainReader {
 public:
  explicit PlainReader(std::string_view content) : content_(content) {
    if (content_.starts_with("\xef\xbb\xbf")) content_.remove_prefix(3);
  }

  Document run() {
    Document document;
    skip_blanks();
    if (at_marker("---")) {
      offset_ += 3;
      skip_blanks();
    }
    if (!at_end() && !at_marker("---") && !at_marker("...")) document.root = block(-1, 0);
    skip_blanks();
    while (at_marker("...")) {
      offset_ += 3;
      skip_blanks();
    }
    if (at_marker("---")) {
      offset_ += 3;
      skip_blanks();
      document.second = mark();
    } else if (!at_end()) {
      fail("expected the end, or a field that begins where the others do");
    }
    return document;
  }

 private:
  bool at_end() const { return offset_ >= content_.size(); }
  char peek(std::size_t ahead = 0) const {
    return offset_ + ahead < content_.size() ? content_[offset_ + ahead] : '\0';
  }
  static bool is_break(char c) { return c == '\n' || c == '\r'; }
  static bool is_space(char c) { return c == ' ' || is_break(c) || c == '\0'; }
  static bool in_flow_syntax(char c) {
    return c != '\0' && std::string_view(",[]{}").find(c) != std::string_view::npos;
  }

  std::size_t line_start() const {
    const std::size_t before =
        offset_ == 0 ? std::string_view::npos : content_.rfind('\n', offset_ - 1);
    return before == std::string_view::npos ? 0 : before + 1;
  }
  int column() const { return static_cast<int>(offset_ - line_start()); }
  Mark mark() const {
    const auto line =
        std::count(content_.begin(), content_.begin() + static_cast<std::ptrdiff_t>(offset_), '\n');
    return {static_cast<int>(line), column()};
  }
  bool at_marker(std::string_view marker) const {
    return column() == 0 && content_.substr(offset_).starts_with(marker) && is_space(peek(3));
  }

  [[noreturn]] void fail(const std::string& message) const { throw Malformed(mark(), message); }

  // Blanks, line ends and comments.
  void skip_blanks() {
    for (; !at_end(); ++offset_) {
      const char c = peek();
      if (c == '#') {
        if (offset_ > 0 && !is_space(content_[offset_ - 1])) return;
        offset_ = std::min(content_.find('\n', offset_), content_.size());
      } else if (!is_space(c)) {
        return;
      }
      if (at_end()) return;
    }
  }

  // The same in braces, which may go on as far to the right as what they belong to.
  void skip_blanks_within(int parent) {
    const std::size_t start = line_start();
    skip_blanks();
    if (line_start() != start && column() <= parent) fail("expected more blanks before this");
  }

  void skip_spaces() {
    while (peek() == ' ') ++offset_;
  }

  // Whether what follows on this line is nothing, or a comment.
  bool line_is_over() {
    skip_spaces();
    return at_end() || is_break(peek()) ||
           (peek() == '#' && offset_ > 0 && is_space(content_[offset_ - 1]));
  }

  void end_line() {
    if (!line_is_over()) fail("expected the end of the line");
  }

  // The node that begins here, of an entry whose key stands at column `parent`.
  Node block(int parent, int depth) {
    if (depth > kMaxDepth) fail("expected fewer mappings in mappings");
    const char c = peek();
    if (c == '{') {
      Node node = flow_map(parent, depth);
      end_line();
      return node;
    }
    const std::size_t start = offset_;
    if (c == '"' || c == '\'') {
      Node node = quoted();
      skip_spaces();
      if (peek() != ':') {
        end_line();
        return node;
      }
      offset_ = start;
      return map(depth);
    }
    if ((c == '|' || c == '>') && parent >= 0) return folded(parent);
    require_plain(false);
    if (key_ahead()) return map(depth);
    return plain(parent);
  }

  // What may not begin a plain scalar, or begins what is not read here.
  void require_plain(bool in_flow) const {
    const char c = peek();
    if (c == '[' || (c == '-' && is_space(peek(1))))
      fail("a sequence; expected a text or a mapping");
    if ((c == '?' || c == ':') && (is_space(peek(1)) || (in_flow && in_flow_syntax(peek(1))))) {
      fail("expected the name of a field");
    }
    if (std::string_view("]},#&*!|>'\"%@`").find(c) != std::string_view::npos) {
      fail(std::string("expected a text that does not begin with '") + c + "', or quotes round it");
    }
    if (static_cast<unsigned char>(c) < ' ') fail("expected a text");
  }

  // Whether a key stands on the rest of this line: "word:" and a blank.
  bool key_ahead() const {
    for (std::size_t at = offset_; at < content_.size() && !is_break(content_[at]); ++at) {
      if (content_[at] == '#' && is_space(content_[at - 1])) return false;
      if (content_[at] == ':' && (at + 1 == content_.size() || is_space(content_[at + 1])))
        return true;
    }
    return false;
  }

  Node map(int depth) {
    Node node;
    node.kind = Node::Kind::map;
    node.mark = mark();
    const int indent = column();
    // "name: name: m" is no mapping in a mapping.
    const std::string_view before = content_.substr(line_start(), static_cast<std::size_t>(indent));
    if (before.find_first_not_of(' ') != std::string_view::npos)
      fail("expected a text without ': '");
    while (!at_end() && column() == indent && !at_marker("---") && !at_marker("...")) {
      Node key = peek() == '"' || peek() == '\'' ? quoted() : plain_key();
      const Mark where = key.mark;
      skip_spaces();
      if (peek() != ':' || !is_space(peek(1))) fail("expected ':' and a blank");
      ++offset_;
      Node value;
      if (!line_is_over()) {
        value = block(indent, depth + 1);
      } else {
        skip_blanks();
        if (!at_end() && column() > indent) value = block(indent, depth + 1);
      }
      if (value.mark.line < 0) value.mark = where;
      node.entries.push_back({std::move(key), std::move(value)});
      skip_blanks();
      if (!at_end() && column() > indent) fail("expected a field that begins where the others do");
    }
    return node;
  }

  Node plain_key() {
    require_plain(false);
    if (peek() == '{') fail("expected the name of a field");
    Node node = scalar_at();
    const std::size_t start = offset_;
    while (!(peek() == ':' && is_space(peek(1)))) {
      if (at_end() || is_break(peek())) fail("expected ':' behind the name of a field");
      if (peek() == '\t') fail("a tab; expected blanks");
      if (peek() == '#' && content_[offset_ - 1] == ' ') fail("expected ':' before a comment");
      ++offset_;
    }
    node.text = trimmed(content_.substr(start, offset_ - start));
    return with_null(std::move(node));
  }

  // A plain scalar in a block: it goes on on lines that are indented by more than `parent`.
  Node plain(int parent) {
    Node node = scalar_at();
    for (int breaks = 0;;) {
      const std::size_t start = offset_;
      while (!at_end() && !is_break(peek()) && !(peek() == '#' && content_[offset_ - 1] == ' ')) {
        if (peek() == ':' && is_space(peek(1))) fail("expected quotes round a text with ': '");
        if (peek() == '\t') fail("a tab; expected blanks, or quotes");
        ++offset_;
      }
      append(node.text, trimmed(content_.substr(start, offset_ - start)), breaks);
      const bool comment = peek() == '#';
      if (comment) offset_ = std::min(content_.find('\n', offset_), content_.size());
      const std::size_t end = offset_;
      breaks = 0;
      while (!at_end() && is_space(peek())) breaks += content_[offset_++] == '\n' ? 1 : 0;
      if (at_end() || column() <= parent || peek() == '#' || at_marker("---") || at_marker("...")) {
        offset_ = end;
        return with_null(std::move(node));
      }
      if (comment) fail("expected no text behind a comment in it");
    }
  }

  Node scalar_at() const {
    Node node;
    node.kind = Node::Kind::scalar;
    node.mark = mark();
    return node;
  }

  static Node with_null(Node node) {
    for (const char* null : {"", "~", "null", "Null", "NULL"}) {
      if (node.text != null) continue;
      node.kind = Node::Kind::null;
      node.text.clear();
      break;
    }
    return node;
  }

  static std::string trimmed(std::string_view text) {
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    return std::string(text);
  }

  // Lines become one: a line end is a blank, n + 1 of them n line ends.
  static void append(std::string& text, const std::string& line, int breaks) {
    if (breaks == 1) text += ' ';
    if (breaks > 1) text.append(static_cast<std::size_t>(breaks - 1), '\n');
    text += line;
  }

  Node quoted() {
    Node node = scalar_at();
    const char quote = peek();
    ++offset_;
    for (;; ++offset_) {
      if (at_end() || is_break(peek())) fail("expected the end of a quoted text on its line");
      const char c = peek();
      if (c == quote) {
        if (quote == '"' || peek(1) != quote) break;
        ++offset_;
      } else if (quote == '"' && c == '\\') {
        fail("expected a text without \\ in it");
      }
      node.text += c;
    }
    ++offset_;
    return node;
  }

  // "|" or ">", perhaps with "-": lines that are indented alike.
  Node folded(int parent) {
    Node node = scalar_at();
    const bool keep = peek() == '|';
    ++offset_;
    const bool strip = peek() == '-';
    if (strip) ++offset_;
    end_line();
    if (peek() == '#') fail("expected the end of the line");
    std::size_t indent = 0;
    int breaks = 0;
    bool any = false;
    bool ended = false;  // its last line, by a line end
    while (!at_end()) {
      while (peek() == '\r') ++offset_;
      if (peek() == '\n') ++offset_;
      const std::size_t end = std::min(content_.find('\n', offset_), content_.size());
      std::string_view line = content_.substr(offset_, end - offset_);
      if (line.ends_with('\r')) line.remove_suffix(1);
      const std::size_t first = line.find_first_not_of(' ');
      if (first == std::string_view::npos) {
        if (!line.empty() && end == content_.size()) fail("expected a line end behind blanks");
        if (at_end()) break;
        ++breaks;
        offset_ = end;
        continue;
      }
      if (static_cast<int>(first) <= parent) break;
      if (!any) indent = first;
      if (first < indent) break;
      if (first > indent) fail("expected the lines of a text to be indented alike");
      if (!any && breaks > 0) fail("expected the text on the next line");
      if (any && keep) node.text.append(static_cast<std::size_t>(breaks) + 1, '\n');
      append(node.text, std::string(line.substr(indent)), any && !keep ? breaks + 1 : 0);
      any = true;
      ended = end < content_.size();
      breaks = 0;
      offset_ = end;
    }
    if (ended && !strip) node.text += '\n';
    return node;
  }

  Node flow_map(int parent, int depth) {
    if (depth > kMaxDepth) fail("expected fewer mappings in mappings");
    Node node;
    node.kind = Node::Kind::map;
    node.mark = mark();
    ++offset_;
    for (;;) {
      skip_blanks_within(parent);
      if (peek() == '}') break;
      Node key = flow_scalar();
      skip_blanks_within(parent);
      Node value;
      value.mark = key.mark;
      if (peek() == ':') {
        ++offset_;
        skip_blanks_within(parent);
        if (peek() == '{') {
          value = flow_map(parent, depth + 1);
        } else if (peek() != ',' && peek() != '}') {
          value = flow_scalar();
        }
        skip_blanks_within(parent);
      }
      node.entries.push_back({std::move(key), std::move(value)});
      if (peek() == ',') {
        ++offset_;
      } else if (peek() != '}') {
        fail("expected ',' or '}'");
      }
    }
    ++offset_;
    return node;
  }

  Node flow_scalar() {
    if (at_end()) fail("expected '}'");
    if (peek() == '"' || peek() == '\'') return quoted();
    if (peek() == '{') fail("expected the name of a field");
    require_plain(true);
    Node node = scalar_at();
    const std::size_t start = offset_;
    while (!at_end() && !is_break(peek()) && !in_flow_syntax(peek()) &&
           !(peek() == ':' && (is_space(peek(1)) || in_flow_syntax(peek(1)))) &&
           !(peek() == '#' && content_[offset_ - 1] == ' ')) {
      if (peek() == '\t') fail("a tab; expected blanks, or quotes");
      ++offset_;
    }
    node.text = trimmed(content_.substr(start, offset_ - start));
    return with_null(std::move(node));
  }

  std::string_view content_;
  std::size_t offset_ = 0;
};

}  // namespace

Document read_plain(const std::string& content) { return PlainReader(content).run(); }

#ifdef __EMSCRIPTEN__
Document read(const std::string& content) { return read_plain(content); }
#endif

}  // namespace headway::models::yaml
