#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <sstream>

#include "models/yaml/node.hpp"

namespace headway::models::yaml {
namespace {

// Where the node of the last document starts.
class DocumentMark final : public YAML::EventHandler {
 public:
  const YAML::Mark& mark() const { return mark_; }

  void OnDocumentStart(const YAML::Mark&) override { fresh_ = true; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { node(mark); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { node(mark); }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                const std::string&) override {
    node(mark);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    node(mark);
  }
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    node(mark);
  }
  void OnMapEnd() override {}

 private:
  void node(const YAML::Mark& mark) {
    if (fresh_) mark_ = mark;
    fresh_ = false;
  }

  YAML::Mark mark_;
  bool fresh_ = false;
};

Mark mark_of(const YAML::Mark& mark) {
  return mark.is_null() ? Mark{} : Mark{mark.line, mark.column};
}

// Where a second document of `content` starts, if there is one. A document may end at a token that
// starts none, at which yaml-cpp 0.7 finds empty documents for ever, and YAML::LoadAll with it.
std::optional<Mark> second_document(const std::string& content) {
  std::istringstream stream(content);
  YAML::Parser parser(stream);
  DocumentMark document;
  if (!parser.HandleNextDocument(document) || !parser.HandleNextDocument(document)) return {};
  return mark_of(document.mark());
}

// Model files look no deeper than into a map in a map. What lies below is left out: aliases could
// make it as large as they like.
Node converted(const YAML::Node& from, int depth) {
  Node node;
  node.mark = mark_of(from.Mark());
  if (from.IsScalar()) {
    node.kind = Node::Kind::scalar;
    node.text = from.Scalar();
  } else if (from.IsSequence()) {
    node.kind = Node::Kind::sequence;
  } else if (from.IsMap()) {
    node.kind = Node::Kind::map;
    if (depth == 0) return node;
    for (const auto& entry : from) {
      node.entries.push_back(
          {converted(entry.first, depth - 1), converted(entry.second, depth - 1)});
    }
  }
  return node;
}

}  // namespace

Document read(const std::string& content) {
  try {
    Document document;
    document.root = converted(YAML::Load(content), 2);
    document.second = second_document(content);
    return document;
  } catch (const YAML::Exception& error) {
    throw Malformed(mark_of(error.mark), error.msg);
  }
}

}  // namespace headway::models::yaml
