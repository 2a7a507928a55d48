// What devices were seen to do with the tests of a suite, joined from results files and from tables
// in the form published with Sorensen et al. (OOPSLA 2021).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "suite/suite.hpp"

namespace headway::campaign {

// The runs of one test under one mapping. A run that neither ended nor hung, because its process
// crashed or it never came about, is `invalid` and none of `runs`.
struct Observation {
  bool hung = false;  // some run did not terminate
  // Absent where a published table does not say: it counts only where some run hung.
  std::optional<std::uint64_t> runs;
  std::optional<std::uint64_t> hangs;
  std::uint64_t lost = 0;  // of the hangs: those that the device or its driver ended
  std::uint64_t invalid = 0;

  // Whether something was seen at all.
  bool valid() const { return !runs || *runs > 0; }
  // Whether every run hung; absent where that is not known.
  std::optional<bool> always() const;
  // "P" or "F (3/20)"; "F" where it is not known how often; "" when nothing was seen.
  std::string to_string() const;
  friend bool operator==(const Observation&, const Observation&) = default;
};

struct DeviceObservations {
  std::string device;  // distinct
  std::string driver;  // empty when not known
  std::vector<std::string> mappings;
  // By test of the suite and index in `mappings`.
  std::map<std::pair<std::size_t, std::size_t>, Observation> seen;
  // Whatever else results say: the target, the operating system, who makes the device.
  std::map<std::string, std::string> details = {};
};

// A table of one device in the published form: a heading, a first column that names tests, a column
// a placement of threads with "P", "F" or "F (3/20)", and perhaps a last one, "All Passed".
struct PublishedTable {
  std::string device;                                    // the name of the file
  std::vector<std::string> placements;                   // as the heading has them
  std::map<std::size_t, std::vector<Observation>> rows;  // by test of the suite, one a placement
  std::size_t unmatched = 0;                             // rows about no test of the suite
};

// A row is about the test of its name, or of that name behind the folder's: row 7 of 2t_2i/a12.csv
// is about 2t_2i_7. A row of totals is left out. Throws headway::Error with the place of what is
// wrong, when a test has two rows, and when no row is about a test of the suite.
PublishedTable read_published(const std::string& path, const suite::Suite& suite);

// The files that `paths` name, in order: a file stands for itself, a folder for the files in it and
// below it that end in .csv or .json, sorted; the verdicts that are kept beside a suite are left
// out. What cannot be found becomes an Error in `errors`.
std::vector<std::string> find_results(const std::vector<std::string>& paths,
                                      std::vector<Error>& errors);

// Collects files and joins those about one device.
class Collection {
 public:
  // `suite` outlives the collection.
  explicit Collection(const suite::Suite& suite) : suite_(suite) {}

  // Adds a file of either form. Tables of one name are one device, and so are results of one device
  // with one driver and target. The placements of a table, whose headings differ from device to
  // device, are called by the mappings that they are: the first one plain, those with "round" or
  // "chunk" in their headings round-robin and chunked. Runs of several campaigns add up.
  // Throws headway::Error and adds nothing for a file that is wrong or about another suite, for a
  // campaign that was added before, and for a table about a test that has a row in another table
  // of the device.
  void add(const std::string& path);

  // In the order of their first files.
  std::vector<DeviceObservations> devices() const;
  // What was not as one expects, for people: a line each.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  struct Entry {
    std::string name;
    std::string target;
    DeviceObservations observations;
  };

  void add_results(const std::string& text, const std::string& path);
  void add_table(const std::string& path);
  DeviceObservations& device(const std::string& name, const std::string& driver,
                             const std::string& target);

  const suite::Suite& suite_;
  std::vector<Entry> entries_;
  std::map<std::string, std::string> campaigns_;  // the file of each, by what identifies it
  std::vector<std::string> notes_;
};

}  // namespace headway::campaign
