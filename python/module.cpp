// The Python module headway._headway: the values of include/headway/headway.hpp as Python's. What
// people use, with displays and tables, is python/headway/__init__.py.
#include <pybind11/functional.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <headway/headway.hpp>

namespace py = pybind11;
namespace hw = headway::api;

namespace {

// Calls `body` without the lock of the interpreter, and looks for Ctrl-C when it is back.
template <class Body>
auto released(const Body& body) {
  auto result = [&] {
    const py::gil_scoped_release release;
    return body();
  }();
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  return result;
}

}  // namespace

PYBIND11_MODULE(_headway, m) {
  m.attr("__version__") = hw::version();

  // Error(message, file, line, column) in Python, with these as attributes.
  static const py::object error = py::reinterpret_steal<py::object>(
      PyErr_NewException("headway.Error", PyExc_ValueError, nullptr));
  m.attr("Error") = error;
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const hw::Error& caught) {
      const py::object value = error(caught.what());
      value.attr("message") = caught.message();
      value.attr("file") = caught.file();
      value.attr("line") = caught.line();
      value.attr("column") = caught.column();
      PyErr_SetObject(error.ptr(), value.ptr());
    }
  });

  py::class_<hw::Cancellation>(m, "Cancellation", "Cancels calls from another thread.")
      .def(py::init<>())
      .def("cancel", &hw::Cancellation::cancel)
      .def_property_readonly("cancelled", &hw::Cancellation::cancelled);

  py::class_<hw::Expectation>(m, "Expectation")
      .def_readonly("model", &hw::Expectation::model)
      .def_readonly("weak", &hw::Expectation::weak)
      .def_readonly("strong", &hw::Expectation::strong)
      .def_readonly("passes", &hw::Expectation::passes);

  py::class_<hw::Test>(m, "Test")
      .def_property_readonly("name", &hw::Test::name)
      .def_property_readonly("threads", &hw::Test::threads)
      .def_property_readonly("instructions", &hw::Test::instructions)
      .def_property_readonly("language", &hw::Test::language)
      .def_property_readonly("text", &hw::Test::text)
      .def_property_readonly("expectations", &hw::Test::expectations)
      .def_property_readonly("expects_error", &hw::Test::expects_error)
      .def_property_readonly("identity", &hw::Test::identity)
      .def(
          "__eq__", [](const hw::Test& a, const hw::Test& b) { return a == b; }, py::is_operator())
      .def("__hash__", [](const hw::Test& test) { return test.identity(); })
      .def("__str__", &hw::Test::text)
      .def("__repr__", [](const hw::Test& test) {
        return "<headway.Test " + test.name() + ", " + std::to_string(test.threads()) +
               " threads, " + std::to_string(test.instructions()) + " instructions>";
      });

  py::class_<hw::Model>(m, "Model")
      .def_property_readonly("name", &hw::Model::name)
      .def_property_readonly("summary", &hw::Model::summary)
      .def_property_readonly("definition", &hw::Model::definition)
      .def("__repr__",
           [](const hw::Model& model) { return "<headway.Model " + model.name() + ">"; });

  py::class_<hw::Limits>(m, "Limits")
      .def(py::init([](std::size_t max_states, std::size_t max_memory, double seconds, int jobs,
                       const hw::Cancellation& cancellation) {
             return hw::Limits{max_states, max_memory, seconds, jobs, cancellation};
           }),
           py::kw_only(), py::arg("max_states") = hw::Limits().max_states,
           py::arg("max_memory") = 0, py::arg("seconds") = 0.0, py::arg("jobs") = 0,
           py::arg("cancellation") = hw::Cancellation())
      .def_readonly("cancellation", &hw::Limits::cancellation);

  m.def("parse", &hw::parse, py::arg("text"), py::arg("name") = "<text>",
        py::arg("sizes") = std::vector<int>());
  m.def("read", &hw::read, py::arg("path"), py::arg("sizes") = std::vector<int>());
  m.def("find_model", &hw::find_model, py::arg("specification"));
  m.def("standard_models", &hw::standard_models);
  m.def("all_models", &hw::all_models);

  const auto step = [](const hw::Step& step) {
    py::dict result;
    result["thread"] = step.thread;
    result["line"] = step.line;
    result["statement"] = step.statement;
    result["effect"] = step.effect;
    result["memory"] = step.memory;
    result["fair"] = step.fair;
    return result;
  };
  const auto steps = [step](const std::vector<hw::Step>& all) {
    py::list result;
    for (const hw::Step& each : all) result.append(step(each));
    return result;
  };

  m.def(
      "check",
      [steps](const hw::Test& test, const std::vector<hw::Model>& models,
              const hw::Limits& limits) {
        const hw::CheckResult found = released([&] { return hw::check(test, models, limits); });
        py::dict verdicts;
        for (const hw::ModelVerdict& verdict : found.verdicts) {
          py::dict readings;
          readings["weak"] = to_string(verdict.weak);
          readings["strong"] = to_string(verdict.strong);
          verdicts[py::str(verdict.model)] = readings;
        }
        py::dict result;
        result["test"] = found.test;
        result["verdicts"] = verdicts;
        result["met"] = found.met;
        result["unmet"] = found.unmet;
        result["weakest_sufficient"] = found.weakest_sufficient;
        result["strongest_insufficient"] = found.strongest_insufficient;
        result["wrong"] = steps(found.wrong);
        result["states"] = found.states;
        result["transitions"] = found.transitions;
        result["complete"] = found.complete;
        result["stopped_by"] = to_string(found.stopped_by);
        return result;
      },
      py::arg("test"), py::arg("models"), py::arg("limits"));

  m.def(
      "explain",
      [steps](const hw::Test& test, const hw::Model& model, bool weak, const hw::Limits& limits) {
        const hw::Explanation found = released([&] {
          return hw::explain(test, model, weak ? hw::Fairness::weak : hw::Fairness::strong, limits);
        });
        py::dict result;
        result["test"] = found.test;
        result["model"] = found.model;
        result["fairness"] = to_string(found.fairness);
        result["verdict"] = to_string(found.verdict);
        result["stem"] = steps(found.stem);
        result["cycle"] = steps(found.cycle);
        result["summary"] = found.summary;
        result["text"] = found.text;
        return result;
      },
      py::arg("test"), py::arg("model"), py::arg("weak"), py::arg("limits"));

  m.def(
      "transition_system",
      [](const hw::Test& test, const std::optional<hw::Model>& model, bool weak,
         const hw::Limits& limits) {
        const hw::TransitionSystem found = released([&] {
          return model ? hw::transition_system(
                             test, *model, weak ? hw::Fairness::weak : hw::Fairness::strong, limits)
                       : hw::transition_system(test, limits);
        });
        py::list states, edges;
        for (const hw::TransitionSystem::State& each : found.states) {
          py::dict state;
          state["memory"] = each.memory;
          state["threads"] = each.threads;
          state["fair"] = each.fair;
          state["on_fair_cycle"] = each.on_fair_cycle;
          states.append(state);
        }
        for (const hw::TransitionSystem::Edge& each : found.edges) {
          edges.append(py::make_tuple(each.from, each.to, each.thread, each.label));
        }
        return py::make_tuple(states, edges, found.dot, found.complete);
      },
      py::arg("test"), py::arg("model"), py::arg("weak"), py::arg("limits"));

  m.def(
      "compare_models",
      [](const hw::Model& a, const hw::Model& b, int threads) {
        return to_string(released([&] { return hw::compare(a, b, threads); }));
      },
      py::arg("a"), py::arg("b"), py::arg("threads"));

  m.def(
      "compare_tests",
      [](const std::vector<hw::Test>& a, const std::vector<hw::Test>& b,
         const std::vector<hw::Model>& models, const hw::Limits& limits) {
        const hw::Comparison found = released([&] { return hw::compare(a, b, models, limits); });
        py::list differences;
        for (const hw::Difference& each : found.differences) {
          py::dict difference;
          difference["kind"] = each.kind;
          difference["a"] = each.a;
          difference["b"] = each.b;
          difference["changes"] = each.changes;
          differences.append(difference);
        }
        py::dict result;
        result["differences"] = differences;
        result["in_both"] = found.in_both;
        result["complete"] = found.complete;
        return result;
      },
      py::arg("a"), py::arg("b"), py::arg("models"), py::arg("limits"));

  m.def(
      "synthesize",
      [](const py::function& found, int threads, int instructions, int locations, int values,
         const std::vector<hw::Model>& minimal_for,
         const std::vector<std::tuple<hw::Model, bool, bool>>& filters, int shard, int shards,
         const hw::Limits& limits) {
        hw::SynthesisRequest request{threads,     instructions, locations, values,
                                     minimal_for, {},           shard,     shards};
        for (const auto& [model, weak, passes] : filters) {
          request.filters.push_back(
              {model, weak ? hw::Fairness::weak : hw::Fairness::strong, passes});
        }
        // What Python throws must not pass through threads that know nothing of it.
        std::exception_ptr thrown;
        const hw::SynthesisResult done = [&] {
          const py::gil_scoped_release release;
          return hw::synthesize(
              request,
              [&](const hw::Test& test) {
                const py::gil_scoped_acquire acquire;
                try {
                  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
                  const py::object answer = found(test);
                  return answer.is_none() || answer.cast<bool>();
                } catch (...) {
                  thrown = std::current_exception();
                  return false;
                }
              },
              limits);
        }();
        if (thrown) std::rethrow_exception(thrown);
        py::dict result;
        result["tests"] = done.tests;
        result["complete"] = done.complete;
        result["stopped_by"] = to_string(done.stopped_by);
        return result;
      },
      py::arg("found"), py::kw_only(), py::arg("threads"), py::arg("instructions"),
      py::arg("locations"), py::arg("values"), py::arg("minimal_for"), py::arg("filters"),
      py::arg("shard"), py::arg("shards"), py::arg("limits"));
}
