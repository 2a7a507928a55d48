// The models that headway knows by name, and those it reads from files. A model is specified by its
// name, "OBE", with parameters "OBE-k(k=3)"; by the path of a file; or by a model for each level,
// "workgroup=OBE,thread=unfair" (models/scoped.hpp).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "models/model_file.hpp"

namespace headway::models {

// Where model files are: the disk, or what a page holds.
struct Files {
  std::function<std::string(const std::string&)> read;  // throws headway::Error
  std::function<bool(const std::string&)> exists;

  static Files on_disk();
};

class Library {
 public:
  // With the models that are compiled into the program (models/*.yaml).
  explicit Library(Files disk = Files::on_disk());

  // The model that `specification` names, which is no path. Throws headway::Error.
  ModelPtr named(const std::string& specification) const;
  // The same, or the path of a model file, with parameters or without: a specification with a
  // slash in its name, or that ends in .yaml or .yml. A file's model is named() from then on.
  ModelPtr find(const std::string& specification);
  // Several, with ';' between them. Where none says a level, ',' does, too: "OBE,HSA". A '*' for a
  // level is each of the standard models there: "workgroup=*,thread=*" are 36.
  std::vector<ModelPtr> find_all(const std::string& specifications);

  // All models by name, parameters at their defaults: the six of the paper, then the families,
  // what texts promise, then those read from files.
  std::vector<ModelPtr> all() const;
  // unfair, HSA, OBE, HSA+OBE, LOBE, fair: what commands use when no model is named.
  std::vector<ModelPtr> standard() const;
  // Of a launch that is not flat these for workgroups and for each further level that it has, all
  // combinations: 36 of two levels.
  std::vector<ModelPtr> standard(const Topology& launch) const;

  // The files behind all(), in the same order.
  std::vector<ModelFile> files() const;

 private:
  const ModelFile* find_file(const std::string& name) const;
  ModelPtr of_file(const ModelFile& file, const Expression::Parameters& chosen) const;

  Files disk_;
  std::vector<ModelFile> files_;  // without the presets
};

// The verdict vector of semantics.md has 11 entries: 6 models, 2 readings, `unfair` once.
inline constexpr std::size_t kStandardModels = 6;
// With the two families behind them. The other models that are compiled in are presets, which are
// read when somebody asks for one.
inline constexpr std::size_t kFirstModels = 8;

}  // namespace headway::models
