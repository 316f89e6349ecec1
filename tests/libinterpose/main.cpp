// The test program of libinterpose; its tests are in the other files of this folder.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
