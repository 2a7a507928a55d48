#include "base/bits/sha256.hpp"

#include <doctest/doctest.h>

using headway::sha256;

TEST_CASE("base/bits/sha256: it is that of the standard's examples") {
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sha256(std::string(1'000'000, 'a')) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("base/bits/sha256: texts of every length around a block differ") {
  std::string text;
  std::string last;
  for (int length = 0; length < 200; ++length, text += 'a') {
    const std::string now = sha256(text);
    CHECK(now.size() == 64);
    CHECK(now != last);
    last = now;
  }
  CHECK(sha256(std::string(64, 'a')) ==
        "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}
