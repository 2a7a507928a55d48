#include "models/library.hpp"

#include <doctest/doctest.h>

#include <set>

#include "base/file.hpp"
#include "models/embedded.hpp"
#include "support/errors.hpp"
#include "support/files.hpp"

using namespace headway;
using models::Library;
using models::ModelPtr;
using testing::contains;
using testing::error_of;

namespace {

using Names = std::vector<std::string>;

Names names(const std::vector<ModelPtr>& models) {
  Names result;
  for (const ModelPtr& model : models) result.push_back(model->name());
  return result;
}

std::string complaint(Library& library, const std::string& specification) {
  const auto error = error_of([&] { library.find(specification); });
  return error ? error->diagnostic() : "found";
}

const Names kStandard = {"unfair", "HSA", "OBE", "HSA+OBE", "LOBE", "fair"};
const Names kAll = {"unfair",
                    "HSA",
                    "OBE",
                    "HSA+OBE",
                    "LOBE",
                    "fair",
                    "HSA-k(k=2)",
                    "OBE-k(k=2)",
                    "concurrent",
                    "parallel",
                    "weakly_parallel",
                    "cooperative",
                    "C++",
                    "CUDA",
                    "CUDA-cooperative",
                    "HIP",
                    "SYCL-concurrent",
                    "SYCL-parallel",
                    "SYCL-weakly-parallel",
                    "OpenCL",
                    "Vulkan",
                    "Metal",
                    "WebGPU",
                    "independent-threads",
                    "lockstep"};

}  // namespace

TEST_CASE("models/library: the built-in models in their order") {
  const Library library;
  CHECK(names(library.standard()) == kStandard);
  CHECK(names(library.all()) == kAll);
  CHECK(library.standard().size() == models::kStandardModels);
  REQUIRE(library.files().size() == kAll.size());
  for (std::size_t f = 0; f < kAll.size(); ++f) {
    CHECK(kAll[f].starts_with(library.files()[f].name));
    CHECK_FALSE(library.files()[f].summary.empty());
    CHECK_FALSE(library.files()[f].event_form);
    CHECK(library.named(library.files()[f].name)->name() == kAll[f]);
  }
}

TEST_CASE("models/library: the files in the program are those in models/") {
  std::set<std::string> on_disk;
  for (const auto& entry : std::filesystem::directory_iterator(testing::source_dir() / "models")) {
    if (entry.path().extension() == ".yaml") {
      on_disk.insert("models/" + entry.path().filename().string());
    }
  }
  std::set<std::string> embedded;
  for (const models::EmbeddedFile& file : models::embedded_models()) {
    CAPTURE(file.name);
    embedded.emplace(file.name);
    CHECK(file.content == read_file(testing::source_dir() / file.name));
  }
  CHECK(embedded == on_disk);
  CHECK(embedded.size() == models::embedded_models().size());
}

TEST_CASE("models/library: parameters are chosen behind the name") {
  Library library;
  CHECK(library.named("OBE-k")->name() == "OBE-k(k=2)");
  CHECK(library.named("OBE-k(k=3)")->name() == "OBE-k(k=3)");
  CHECK(library.named("OBE-k(k=-3)")->name() == "OBE-k(k=-3)");
  CHECK(library.named("OBE-k ( k = 3 )")->name() == "OBE-k(k=3)");
  CHECK(library.find("HSA-k(k=1000)")->fair(3, {}) == ThreadSet::first(3));
  const auto refused = [&](const std::string& specification, const std::string& part) {
    CAPTURE(specification);
    CHECK(contains(complaint(library, specification), part));
    CHECK(error_of([&] { library.named(specification); }));
  };
  refused("OBE-k()", "model 'OBE-k()': expected a parameter, found ')'");
  refused("OBE-k(", "expected a parameter");
  refused("OBE-k(k)", "expected '='");
  refused("OBE-k(k=)", "expected a value from -1000 to 1000, found ')'");
  refused("OBE-k(k=x)", "expected a value from -1000 to 1000, found 'x'");
  refused("OBE-k(k=1001)", "expected a value from -1000 to 1000, found '1001'");
  refused("OBE-k(k=-100000000000000000000)", "found '-100000000000000000000'");
  refused("OBE-k(k=3", "expected ')'");
  refused("OBE-k(k=3,)", "expected a parameter");
  refused("OBE-k(k=3,k=3)", "parameter 'k' is given twice");
  refused("OBE-k(k=3)x", "expected nothing behind ')'");
  refused("OBE-k(3=3)", "expected a parameter");
  refused("OBE-k(j=3)", "model OBE-k has no parameter 'j'; expected k");
  refused("OBE(k=3)", "model OBE has no parameter 'k'; expected none");
}

TEST_CASE("models/library: an unknown name lists the known ones") {
  Library library;
  for (const char* name : {"obee", "", "OBE-k2", "OBE )", "fair.yam"}) {
    CAPTURE(name);
    CHECK(
        contains(complaint(library, name),
                 "'; expected unfair, HSA, OBE, HSA+OBE, LOBE, fair, HSA-k, OBE-k, concurrent, "));
    CHECK(contains(complaint(library, name), ", lockstep or the path of a model file"));
  }
  CHECK(contains(complaint(library, "obee"), "unknown model 'obee'"));
  CHECK(contains(complaint(library, "obee"), "; did you mean 'OBE'?"));
  CHECK(contains(complaint(library, "OBE:weak"), "; 'OBE' is the model and 'weak' how it is read"));
}

TEST_CASE("models/library: a name is found whatever the case of its letters") {
  Library library;
  CHECK(library.named("obe")->name() == "OBE");
  CHECK(library.named("cuda")->name() == "CUDA");
  CHECK(library.named("Obe-K(k=3)")->name() == "OBE-k(k=3)");
}

TEST_CASE("models/library: a model file is found by its path and known by its name from then on") {
  const testing::TemporaryFolder folder;
  const auto path =
      folder.write("some file.yml", "name: mine\nparams: {k: 1}\nfair: lowest(k, alive)\n");
  Library library;
  CHECK(contains(complaint(library, "mine"), "unknown model 'mine'"));
  CHECK(library.find(path.string() + "(k=3)")->name() == "mine(k=3)");
  CHECK(library.find(path.string())->name() == "mine(k=1)");
  CHECK(library.find("mine(k=2)")->name() == "mine(k=2)");
  CHECK(library.named("mine")->name() == "mine(k=1)");
  Names all = kAll;
  all.push_back("mine(k=1)");
  CHECK(names(library.all()) == all);
  CHECK(names(library.standard()) == kStandard);
  CHECK(library.files().back().content == read_file(path));
  CHECK(contains(complaint(library, "theirs"), "lockstep, mine or the path"));
}

TEST_CASE("models/library: two files may share a name only when they are the same") {
  const testing::TemporaryFolder folder;
  const auto first = folder.write("first.yaml", "name: mine\nfair: alive\n");
  const auto same = folder.write("same", "name: mine\nfair: alive\n");
  const auto other = folder.write("other.yaml", "name: mine\nfair: started & alive\n");
  const auto obe = folder.write("obe.yaml", "name: OBE\nfair: alive\n");
  Library library;
  library.find(first.string());
  CHECK(library.find(same.string())->name() == "mine");
  CHECK(library.all().size() == kAll.size() + 1);
  CHECK(complaint(library, other.string()) ==
        other.string() + ": another model is already called mine; expected a name of its own");
  CHECK(contains(complaint(library, obe.string()), "another model is already called OBE"));
  CHECK(library.find((testing::source_dir() / "models/obe.yaml").string())->name() == "OBE");
  CHECK(library.all().size() == kAll.size() + 1);
}

TEST_CASE("models/library: what is wrong with a file is refused and not kept") {
  const testing::TemporaryFolder folder;
  const auto wrong = folder.write("wrong.yaml", "name: mine\nfair: alive +\n");
  const auto terminated = folder.write("terminated.yaml", "name: mine\nfair: all\n");
  Library library;
  CHECK(contains(complaint(library, wrong.string()), wrong.string() + ":2:13: expected '|'"));
  CHECK(contains(complaint(library, terminated.string()), "terminated.yaml:2:7: with 1 thread"));
  CHECK(contains(complaint(library, (folder.path() / "none.yaml").string()), "none.yaml: cannot"));
  CHECK(contains(complaint(library, "none.yaml"), "none.yaml: cannot"));
  CHECK(contains(complaint(library, folder.path().string()), folder.path().string() + ": cannot"));
  CHECK(names(library.all()) == kAll);
}

TEST_CASE("models/library: the models in models/events/ are read too") {
  Library library;
  for (const char* file : {"unfair", "hsa", "obe", "hsa_obe", "lobe", "fair"}) {
    const auto path = testing::source_dir() / "models/events" / (std::string(file) + ".yaml");
    const ModelPtr model = library.find(path.string());
    CHECK(model->name().ends_with("-events"));
    CHECK_FALSE(model->history_determined());
  }
  CHECK(library.all().size() == kAll.size() + 6);
}
