// Where Catch2 and its main() are compiled.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
