#include "ir/diagnostics.h"

#include <doctest/doctest.h>

using namespace pravo;

TEST_CASE("the closest name is near for its length, with swapped letters as one edit") {
  CHECK(closest_name("nmae", {"size", "name", "same"}) == "name");
  CHECK(closest_name("tpye", {"default", "type"}) == "type");
  CHECK(closest_name("lifecyle", {"provisioner", "lifecycle"}) == "lifecycle");
  CHECK(closest_name("vra", {"local", "var"}) == "var");
  CHECK(closest_name("regoin", {"religion", "region"}) == "region");
  CHECK(closest_name("depends_onn", {"depends_on"}) == "depends_on");
  // The nearest one, and of equally near ones the first.
  CHECK(closest_name("abcd", {"abce", "abcd"}) == "abcd");
  CHECK(closest_name("abcd", {"abce", "abcf"}) == "abce");
  // Too far, or too short to tell.
  CHECK(closest_name("b", {"a", "ab"}) == "");
  CHECK(closest_name("bc", {"b", "ad"}) == "");
  CHECK(closest_name("id", {"ip", "xy"}) == "ip");
  CHECK(closest_name("name", {"eman", "nickname"}) == "");
  CHECK(closest_name("", {"", "a"}) == "");
  CHECK(closest_name("abcdefgh", {"badcfehg"}) == "");
}
