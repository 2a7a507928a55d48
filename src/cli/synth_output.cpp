#include "cli/synth_output.hpp"

#include <filesystem>

#include "base/text/names.hpp"
#include "cli/console.hpp"
#include "cli/inputs.hpp"
#include "cli/shard.hpp"
#include "suite/documents.hpp"

namespace headway::cli {
namespace fs = std::filesystem;

SynthOutput::SynthOutput(const std::string& out, bool goes_on, std::string part)
    : out_(out), part_(std::move(part)) {
  const auto ends_in = [&](std::string_view suffix) { return out.ends_with(suffix); };
  if (out == "-") {
    print(part_);
    return;
  }
  if (ends_in(".yaml") || ends_in(".yml")) {
    form_ = Form::yaml;
  } else if (!ends_in(".jsonl") && !ends_in(".json")) {
    form_ = Form::folder;
    require_folder_name(out, {".txt", ".csv", ".litmus"},
                        "expected the name of a folder, one that ends in .jsonl or .yaml, or -");
    if (!goes_on) require_no_tests(out);
    std::error_code error;
    fs::create_directories(out, error);
    if (error) throw Error({out, 0, 0}, "cannot create the folder: " + error.message());
    write_file(fs::path(out) / ".headway-writable", "");
    fs::remove(fs::path(out) / ".headway-writable");
    fs::remove(fs::path(out) / kShardFile);
    return;
  }
  require_folder_of(out);
  file_.emplace(out);
  write(part_);
}

void SynthOutput::write(const std::string& text) {
  if (file_) {
    file_->write(text);
  } else {
    print(text);
  }
}

void SynthOutput::add(const lang::Test& test) {
  if (form_ == Form::folder) {
    // Tests may say of themselves that they are called "../a", or all the same.
    const std::string safe = safe_name(test.name, "-+_=().");
    std::string name = safe;
    for (int n = 2; !names_.insert(name).second; ++n) name = safe + "-" + std::to_string(n);
    write_file(fs::path(out_) / (name + ".litmus"), lang::print(test));
    return;
  }
  write(form_ == Form::yaml ? suite::yaml_document(test) : suite::json_line(test));
}

std::string SynthOutput::finish(bool complete) {
  if (complete && !part_.empty()) {
    if (form_ == Form::folder) {
      write_file(fs::path(out_) / kShardFile, part_ + shard_end());
    } else {
      write(shard_end());
    }
  }
  if (!file_) return out_;
  std::string name = complete ? out_ : out_ + ".partial";
  file_->commit_as(name);
  return name;
}

}  // namespace headway::cli
