#include "kernel/clang/flags.hpp"

#include <algorithm>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "base/error.hpp"
#include "base/file.hpp"

namespace headway::kernel {
namespace {

namespace fs = std::filesystem;

bool starts_with_one_of(std::string_view word, std::initializer_list<std::string_view> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](std::string_view beginning) { return word.starts_with(beginning); });
}

// Flags whose argument may stand apart, of those that are kept from a compile command. The ones
// that name files or folders come first.
constexpr std::string_view kWithPath[] = {"-isystem", "-iquote",  "-idirafter",
                                          "-include", "-imacros", "-I"};
constexpr std::string_view kWithName[] = {"-D", "-U"};

// What nvcc defines where the default stream is each thread's own. clang 19 does not.
constexpr const char* kPerThread = "-DCUDA_API_PER_THREAD_DEFAULT_STREAM";

// Keeps of a compile command what a preprocessor wants, the standard, and what the default stream
// is.
std::vector<std::string> preprocessing(const std::vector<std::string>& words,
                                       const fs::path& directory) {
  std::vector<std::string> kept;
  const auto take = [&](std::size_t& i, std::string_view flag, bool is_path) {
    if (!words[i].starts_with(flag)) return false;
    std::string value = words[i].substr(flag.size());
    if (value.empty()) {
      if (++i == words.size()) return true;
      value = words[i];
    }
    if (value.starts_with('=')) value.erase(0, 1);  // nvcc: -isystem=folder
    // A file to include may stand anywhere that is searched.
    const bool file = flag == "-include" || flag == "-imacros";
    if (is_path && fs::path(value).is_relative() && (!file || fs::exists(directory / value))) {
      value = (directory / value).lexically_normal().string();
    }
    kept.emplace_back(flag);
    kept.push_back(value);
    return true;
  };
  for (std::size_t i = 1; i < words.size(); ++i) {
    const bool taken = std::any_of(std::begin(kWithPath), std::end(kWithPath),
                                   [&](std::string_view flag) { return take(i, flag, true); }) ||
                       std::any_of(std::begin(kWithName), std::end(kWithName),
                                   [&](std::string_view flag) { return take(i, flag, false); });
    if (taken || i == words.size()) continue;
    const std::string& word = words[i];
    if ((word == "-std" || word == "--std") && i + 1 < words.size()) {
      kept.push_back("-std=" + words[++i]);
    } else if (starts_with_one_of(word, {"-std=", "-cl-std="})) {
      kept.push_back(word);
    } else if (word.starts_with("--std=")) {
      kept.push_back(word.substr(1));
    } else if (starts_with_one_of(word, {"-default-stream", "--default-stream"})) {
      const bool apart = word.find('=') == std::string::npos && i + 1 < words.size();
      if ((apart ? words[++i] : word).ends_with("per-thread")) kept.emplace_back(kPerThread);
    } else if (word == "-fgpu-default-stream=per-thread") {
      kept.emplace_back(kPerThread);
    }
  }
  return kept;
}

}  // namespace

std::vector<std::string> usable_flags(const std::vector<std::string>& flags) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const std::string& flag = flags[i];
    if (flag == "-o" || flag == "-x" || flag == "-MF") {
      ++i;  // and its argument
    } else if (flag == "-fgpu-default-stream=per-thread") {
      kept.emplace_back(kPerThread);
    } else if (flag == "-c" || flag == "-S" || flag == "-E" || flag == "-emit-llvm" ||
               flag == "-cl-opt-disable" || flag == "-w" || flag == "--cuda-device-only" ||
               flag == "--cuda-host-only" ||
               starts_with_one_of(flag, {"-O", "-g", "-o", "-x", "-M", "-cl-fast-relaxed-math",
                                         "-cl-unsafe-math", "-cl-mad-enable", "-ffast-math"})) {
      continue;
    } else {
      kept.push_back(flag);
    }
  }
  return kept;
}

std::string take_macros(std::vector<std::string>& flags) {
  std::string definitions;
  std::vector<std::string> others;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (flags[i].starts_with("-U")) return {};
    if (!flags[i].starts_with("-D")) {
      others.push_back(flags[i]);
      continue;
    }
    std::string macro = flags[i].substr(2);
    if (macro.empty() && i + 1 < flags.size()) macro = flags[++i];
    if (macro.empty() || starts_with_one_of(macro, {"_", "CUDA", "NDEBUG", "NULL", "bool"})) {
      others.push_back("-D" + macro);
      continue;
    }
    const std::size_t equals = macro.find('=');
    const std::string value = equals == std::string::npos ? "1" : macro.substr(equals + 1);
    definitions += "#define " + macro.substr(0, equals) + " " + value + "\n";
  }
  flags = std::move(others);
  return definitions;
}

std::vector<std::string> shell_words(const std::string& command) {
  std::vector<std::string> words;
  std::string word;
  bool open = false;  // a word has begun
  char quote = 0;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    const char next = i + 1 < command.size() ? command[i + 1] : '\0';
    const bool may_escape =
        quote == 0 || (quote == '"' && (next == '"' || next == '\\' || next == '$' || next == '`'));
    if (c == '\\' && next != '\0' && may_escape) {
      word += next;
      open = true;
      ++i;
    } else if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      open = true;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (open) words.push_back(word);
      word.clear();
      open = false;
    } else {
      word += c;
      open = true;
    }
  }
  if (open) words.push_back(word);
  return words;
}

std::vector<std::string> flags_for(const fs::path& compile_commands, const fs::path& file) {
  fs::path path = compile_commands;
  if (fs::is_directory(path)) path /= "compile_commands.json";
  const std::string text = read_file(path);
  nlohmann::json entries;
  try {
    entries = nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& problem) {
    throw Error(path.string() + ": is not JSON: " + problem.what());
  }
  if (!entries.is_array()) throw Error(path.string() + ": expected a list of compile commands");
  const fs::path wanted = fs::absolute(file).lexically_normal();
  const auto text_of = [](const nlohmann::json& entry, const char* key) -> std::string {
    const auto found = entry.find(key);
    return found != entry.end() && found->is_string() ? found->get<std::string>() : "";
  };
  for (const nlohmann::json& entry : entries) {
    if (!entry.is_object()) throw Error(path.string() + ": expected objects in the list");
    // Directories are absolute; if one is not, it is taken from where the database stands.
    const fs::path directory = fs::absolute(path).parent_path() / text_of(entry, "directory");
    if ((directory / text_of(entry, "file")).lexically_normal() != wanted) continue;
    std::vector<std::string> words;
    if (const auto arguments = entry.find("arguments"); arguments != entry.end()) {
      if (!arguments->is_array()) throw Error(path.string() + ": \"arguments\" is not a list");
      for (const nlohmann::json& word : *arguments) {
        if (!word.is_string()) throw Error(path.string() + ": \"arguments\" are not strings");
        words.push_back(word.get<std::string>());
      }
    } else {
      words = shell_words(text_of(entry, "command"));
    }
    return preprocessing(words, directory);
  }
  throw Error(path.string() + ": has no command for " + wanted.string());
}

}  // namespace headway::kernel
