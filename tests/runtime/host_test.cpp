#include "paraiso/runtime/system/host.hpp"

#include <gtest/gtest.h>

#include <regex>

#include "paraiso/runtime/system/digest.hpp"

namespace paraiso::runtime {
namespace {

TEST(Host, KnowsThisMachine) {
  const auto& here = host();
  EXPECT_FALSE(here.cpu.empty());
  if (here.architecture == "x86_64") {
    EXPECT_TRUE(std::regex_match(here.family, std::regex(R"([A-Za-z]+ \d+ \d+)"))) << here.family;
  }
  EXPECT_GE(here.threads, here.cores);
  EXPECT_GE(here.cores, 1);
  EXPECT_GT(here.memory_bytes, 1e8);
  for (std::size_t i = 1; i < here.caches.size(); ++i)
    EXPECT_GT(here.caches[i].level, here.caches[i - 1].level);
}

TEST(Host, FingerprintTellsCpusApartButNotNames) {
  Host a = host(), b = host();
  b.name = "another";
  EXPECT_EQ(fingerprint(a), fingerprint(b));
  b.cpu += " II";
  EXPECT_NE(fingerprint(a), fingerprint(b));
  b = a;
  b.simd.push_back("new");
  EXPECT_NE(fingerprint(a), fingerprint(b));
}

TEST(Digest, IsSha256) {  // FIPS 180-2, examples B.1 and B.2
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  Digest digest;
  digest.add("abcdbcdecdefdefgefghfghighijhi");
  digest.add("jkijkljklmklmnlmnomnopnopq");
  EXPECT_EQ(hex(digest.finish()),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hex(digest.finish()), sha256(""));
}

}  // namespace
}  // namespace paraiso::runtime
