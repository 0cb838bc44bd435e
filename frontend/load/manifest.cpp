#include "frontend/load/manifest.h"

#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "frontend/load/files.h"

namespace pravo::load {

Manifest::Manifest(const std::string& data_directory) : file_(data_directory + "/modules/modules.json") {
  struct stat info {};
  if (stat(file_.c_str(), &info) != 0) return;
  FileText text = read_file(file_);
  if (!text.error.empty()) {
    error_ = text.error;
    return;
  }
  auto json = nlohmann::json::parse(text.text, nullptr, false);
  if (!json.is_object() || !json.contains("Modules") || !json["Modules"].is_array()) {
    error_ = "it is no manifest of modules";
    return;
  }
  for (const auto& entry : json["Modules"]) {
    if (!entry.is_object()) continue;
    auto key = entry.find("Key");
    auto directory = entry.find("Dir");
    if (key == entry.end() || directory == entry.end() || !key->is_string() || !directory->is_string()) continue;
    directories_[key->get<std::string>()] = directory->get<std::string>();
  }
}

const std::string* Manifest::directory(const std::string& path) const {
  auto at = directories_.find(path);
  return at == directories_.end() ? nullptr : &at->second;
}

}  // namespace pravo::load
