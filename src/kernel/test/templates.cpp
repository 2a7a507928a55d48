#include "kernel/test/templates.hpp"

#include <algorithm>

#include "base/text/words.hpp"

namespace headway::kernel {
namespace {

// With spaces in the place of comments and of what is quoted.
std::string code_of(std::string_view text) {
  std::string result(text);
  const auto blank = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < std::min(to, result.size()); ++i) {
      if (result[i] != '\n') result[i] = ' ';
    }
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    std::size_t end = i;
    if (text.substr(i, 2) == "//") {
      end = std::min(text.find('\n', i), text.size());
    } else if (text.substr(i, 2) == "/*") {
      end = std::min(text.find("*/", i + 2), text.size() - 2) + 2;
    } else if (text[i] == '"' || (text[i] == '\'' && (i == 0 || !is_word_character(text[i - 1])))) {
      for (end = i + 1; end < text.size() && text[end] != text[i] && text[end] != '\n'; ++end) {
        if (text[end] == '\\') ++end;
      }
      ++end;
    }
    if (end == i) continue;
    blank(i, end);
    i = end - 1;
  }
  return result;
}

// The name of what is declared from `at` on: the first word in front of a parenthesis that is none
// of an attribute.
std::string declared(const std::string& code, std::size_t at) {
  std::string word;
  int depth = 0;
  for (; at < code.size() && code[at] != ';' && code[at] != '{'; ++at) {
    const char c = code[at];
    if (depth > 0) {
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    } else if (is_word_character(c)) {
      if (at == 0 || !is_word_character(code[at - 1])) word.clear();
      word += c;
    } else if (c == '(') {
      if (word != "__launch_bounds__" && word != "__attribute__" && word != "alignas") return word;
      depth = 1;
    }
  }
  return {};
}

// "k" of "space::k<int>".
std::string base_name(const std::string& name) {
  const std::string plain = name.substr(0, name.find('<'));
  const std::size_t colon = plain.rfind(':');
  return colon == std::string::npos ? plain : plain.substr(colon + 1);
}

}  // namespace

std::string template_note(const std::string& name) {
  return "the template of a kernel '" + name + "' has no instance, and is not looked at";
}

std::vector<std::string> without_instance(std::string_view text, const Module& module) {
  const std::string code = code_of(text);
  constexpr std::string_view global = "__global__";
  std::vector<std::string> result;
  for (std::size_t at = code.find(global); at != std::string::npos;
       at = code.find(global, at + global.size())) {
    // What stands in front of it in the same declaration.
    const std::size_t before = code.find_last_of(";{}", at);
    const std::string front =
        code.substr(before == std::string::npos ? 0 : before + 1, at - before - 1);
    const std::size_t is = front.find("template");
    // One with <> is for some arguments alone, one without < asks for an instance.
    if (is == std::string::npos || front.find("<>", is) != std::string::npos ||
        front.find('<', is) == std::string::npos) {
      continue;
    }
    const std::string name = declared(code, at + global.size());
    const bool known = std::any_of(module.functions.begin(), module.functions.end(),
                                   [&](const Function& f) { return base_name(f.name) == name; });
    if (name.empty() || known || std::find(result.begin(), result.end(), name) != result.end()) {
      continue;
    }
    result.push_back(name);
  }
  return result;
}

}  // namespace headway::kernel
