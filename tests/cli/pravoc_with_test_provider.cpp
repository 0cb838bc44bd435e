// pravoc with one provider more, `hashicorp/fake`, whose objects are files in the directory CLOUD: what exists can be
// compared with what a state says, whatever became of the run. Each call takes a random time of up to CLOUD_DELAY
// milliseconds before and after it touches the file.
//
//   resource "fake_object": id (computed, the file's name), name (forces replacement), size, parent
//
// A call that is asked to stop fails, and says so; an object that is named "stuck" waits for that.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "runtime/state/state.h"
#include "runtime/testing/fake_provider.h"
#include "tools/pravoc/program.h"

namespace {

using namespace pravo;
namespace fs = std::filesystem;

std::atomic<bool> stopped{false};

// False: it was asked to stop.
bool pause(std::string_view name) {
  thread_local std::mt19937_64 random{std::random_device{}()};
  const char* longest = std::getenv("CLOUD_DELAY");
  auto limit = std::chrono::microseconds(longest == nullptr ? 0 : 1000 * std::atol(longest));
  auto rest = std::chrono::microseconds(random() % static_cast<uint64_t>(limit.count() + 1));
  if (name == "stuck") rest = std::chrono::minutes(10);
  auto end = std::chrono::steady_clock::now() + rest;
  while (std::chrono::steady_clock::now() < end && !stopped)
    std::this_thread::sleep_for(std::min<std::chrono::microseconds>(rest, std::chrono::milliseconds(5)));
  return !stopped;
}

std::string text_of(const Value& object, std::string_view attribute) {
  const Value* value = object.find(attribute);
  return value != nullptr && value->kind() == ValueKind::String ? std::string(value->as_string()) : "";
}

class Cloud {
 public:
  explicit Cloud(fs::path directory) : directory_(std::move(directory)) {}

  bool has(const std::string& id) const { return !id.empty() && fs::exists(directory_ / id); }
  void put(const std::string& id, const std::string& name) {
    std::ofstream(directory_ / ("." + id)) << name;
    fs::rename(directory_ / ("." + id), directory_ / id);
  }
  void remove(const std::string& id) { fs::remove(directory_ / id); }

 private:
  fs::path directory_;
};

testing::FakeBehaviour behaviour(Cloud& cloud) {
  testing::FakeBehaviour b;
  b.immediate = false;
  Schema object = testing::schema({testing::attribute("id:c"), testing::attribute("name:o"),
                                   testing::attribute("parent:o"), testing::attribute("size:o", Type::number())});
  b.schema.resources.emplace("fake_object", object);
  b.schema.provider.finish();
  b.force_new = {"name"};
  b.on_stop = [] { stopped = true; };
  b.on_read = [&cloud](const provider::ReadRequest& request, provider::StateResponse& out) {
    if (!cloud.has(text_of(request.state, "id"))) out.state = Value::null(request.state.type());
  };
  b.on_apply = [&cloud, keys = object.block.keys](const provider::ApplyRequest& request, provider::ApplyResponse& out) {
    const bool gone = request.planned.is_null();
    if (!pause(text_of(gone ? request.prior : request.planned, "name"))) {
      out.messages.push_back({Severity::Error, "the call was cancelled", "", {}});
      out.state = request.prior;
      return;
    }
    if (gone) {
      cloud.remove(text_of(request.prior, "id"));
    } else {
      std::string id = request.prior.is_null() ? runtime::new_uuid() : text_of(request.prior, "id");
      std::vector<std::pair<Str, Value>> values;
      for (size_t i = 0; i < keys.size(); ++i)
        values.emplace_back(Str(keys[i]), keys[i] == "id" ? Value::string(id) : out.state->element(i));
      cloud.put(id, text_of(request.planned, "name"));
      out.state = Value::object(std::move(values));
    }
    pause({});
  };
  return b;
}

}  // namespace

int main(int argc, char** argv) {
  const char* directory = std::getenv("CLOUD");
  Cloud cloud(directory == nullptr ? "cloud" : directory);
  testing::FakeBehaviour b = behaviour(cloud);
  testing::FakeLog log;
  cli::Session session;
  session.add_providers = [&](provider::Registry& registry) {
    registry.add("registry.terraform.io/hashicorp/fake", [&] { return testing::make_fake_provider(b, log); });
  };
  return cli::run_program(session, argc, argv);
}
