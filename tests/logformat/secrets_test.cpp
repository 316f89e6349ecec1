// Arguments that look like secrets, and those that only look like such.
#include "logformat/secrets.h"

#include <catch2/catch.hpp>
#include <string>

namespace fathom {
namespace {

// Blanks stand for the ends of arguments.
std::string masked(std::string text)
{
    for (char& letter : text)
        if (letter == ' ') letter = '\0';
    text.resize(secrets::mask_all(text.data(), text.size()));
    for (char& letter : text)
        if (letter == '\0') letter = ' ';
    return text;
}

}  // namespace

TEST_CASE("secrets among arguments are masked")
{
    CHECK(masked("app --password=hunter2 in out") == "app --password=*** in out");
    CHECK(masked("app --password hunter2 in out") == "app --password *** in out");
    CHECK(masked("app -token x y") == "app -token * y");
    CHECK(masked("env PGPASSWORD=hunter2 AWS_SECRET_ACCESS_KEY=abcdef psql") ==
          "env PGPASSWORD=*** AWS_SECRET_ACCESS_KEY=*** psql");
    CHECK(masked("curl -H X-Api-Key:abcdef https://alice:hunter2@host/x?y=1") ==
          "curl -H X-Api-Key:*** https://alice:***@host/x?y=1");
    CHECK(masked("app --DB_PASS=abcd --api-key abcd --secret_key=abcd") ==
          "app --DB_PASS=*** --api-key *** --secret_key=***");
    CHECK(masked("app --password=") == "app --password=");
    CHECK(masked("app --password") == "app --password");
    CHECK(masked("app --password=a --password=b") == "app --password=* --password=*");
}

TEST_CASE("what is no secret stays")
{
    for (const char* const plain :
         {"lmp -in in.lj -var x 2", "app --bypass=1 --author=me --tokens=5 --tokenizer x",
          "dd if=/dev/zero of=pass", "app --password --verbose", "scp host:/pass/word here",
          "app password in", "a ftp://host:21/x@y", ""})
        CHECK(masked(plain) == plain);
}

}  // namespace fathom
