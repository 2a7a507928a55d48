#include "cli/synth_output.hpp"

#include <filesystem>

#include "cli/console.hpp"
#include "suite/documents.hpp"

namespace headway::cli {
namespace fs = std::filesystem;

SynthOutput::SynthOutput(const std::string& out) : out_(out) {
  const auto ends_in = [&](std::string_view suffix) { return out.ends_with(suffix); };
  if (out == "-") return;
  if (ends_in(".yaml") || ends_in(".yml")) {
    form_ = Form::yaml;
  } else if (!ends_in(".jsonl") && !ends_in(".json")) {
    form_ = Form::folder;
    std::error_code error;
    fs::create_directories(out, error);
    if (error) throw Error({out, 0, 0}, "cannot create the folder: " + error.message());
    write_file(fs::path(out) / ".headway-writable", "");
    fs::remove(fs::path(out) / ".headway-writable");
    return;
  }
  file_.emplace(out);
}

void SynthOutput::add(const lang::Test& test) {
  if (form_ == Form::folder) {
    write_file(fs::path(out_) / (test.name + ".litmus"), lang::print(test));
    return;
  }
  const std::string text =
      form_ == Form::yaml ? suite::yaml_document(test) : suite::json_line(test);
  if (file_) {
    file_->write(text);
  } else {
    print(text);
  }
}

std::string SynthOutput::finish(bool complete) {
  if (!file_) return out_;
  std::string name = complete ? out_ : out_ + ".partial";
  file_->commit_as(name);
  return name;
}

}  // namespace headway::cli
