// Memory models by name: those that are compiled in, models/memory/*.cat, and files of the user.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "consistency/cat/model.hpp"
#include "consistency/program.hpp"

namespace headway::consistency {

struct EmbeddedModel {
  std::string_view path;  // "models/memory/sc.cat"
  std::string_view text;
};
// Written by CMake.
const std::vector<EmbeddedModel>& embedded_models();

// "sc", "tso", ...
std::vector<std::string> model_names();

// What is to be said of one that is compiled in: what its file begins with.
struct ModelSummary {
  std::string name, title, source;
};
std::vector<ModelSummary> model_summaries();
// Its file.
std::string_view model_text(const std::string& name);

// The name of the model that a program is asked under where nobody says: what its language
// promises.
std::string model_of(const Program& program);

// Whether a model is known to forbid that values are their own reason ("out of thin air").
bool forbids_thin_air(const cat::Model& model);

// The language whose tests a model is about: "C", "PTX", "VULKAN" or "OPENCL"; empty: any.
std::string language_of(const cat::Model& model);
// The one that all of these can be asked about; "C" where none is about another. Throws
// headway::Error where there is none.
std::string language_of(const std::vector<const cat::Model*>& models);

// Whether a model says something of a litmus test as it is written: those with scopes and storage
// classes speak of tests of their own language alone, which others do not have. Throws
// headway::Error, at the first line of `file`, for a test that the model is not about.
void require_language(const cat::Model& model, const Program& program, const std::string& file);

// The model of a name, or of a file: a specification with a slash, or that ends in ".cat". Files
// are found beside the one that includes them, or else among those that are compiled in. Throws
// headway::Error.
cat::Model find_model(const std::string& specification);

}  // namespace headway::consistency
