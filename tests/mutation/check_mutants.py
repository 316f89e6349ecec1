#!/usr/bin/env python3
"""Which mutants scripts/mutate makes of a few lines of C++, and which places it leaves alone."""
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent / "scripts" / "mutation"))

from operators import in_random_order, mutants_of, other_number  # noqa: E402


def made_of(text):
    """The texts that mutants leave in place of this one."""
    return sorted(mutant.applied_to(text) for mutant in mutants_of("file.cpp", text))


class Mutants(unittest.TestCase):
    def test_comparisons_are_moved_by_one_and_conditions_negated(self):
        self.assertEqual(made_of("if (a < b) return;"), sorted(["if (a <= b) return;", "if (!(a < b)) return;"]))
        self.assertIn("x = a != b;", made_of("x = a == b;"))
        self.assertIn("x = a || b;", made_of("x = a && b;"))
        self.assertIn("if (auto f = g(); !(f > h)) {}", made_of("if (auto f = g(); f > h) {}"))
        self.assertIn("x = a ? y : z;", made_of("x = !a ? y : z;"))

    def test_numbers_grow_by_half_and_zero_becomes_one(self):
        self.assertEqual([other_number(one) for one in ("0", "1", "200", "0.5", "1e9", "0x80", "10u", "1'000")],
                         ["1", "2", "300", "0.75", "1500000000.0", "0xc0", "15u", "1500"])
        self.assertIsNone(other_number("0x1p3"))

    def test_arithmetic_extremes_returns_and_sums(self):
        self.assertIn("return a - b;", made_of("return a + b;"))
        self.assertIn("return {};", made_of("return a + b;"))
        self.assertIn("x = std::min(a, b);", made_of("x = std::max(a, b);"))
        self.assertIn("{ (void)0; }", made_of("{ sum += one; }"))
        self.assertIn("if (a) (void)0;", made_of("if (a) ++sum;"))

    def test_what_is_declared_and_what_is_text_is_left_alone(self):
        for text in ("// if (a < b)", '#include "a.h"', 'say("a < b && 1");', "static_assert(a < 1);", "using A = B<1>;",
                     "template <std::size_t N = 4>", "std::array<int, 3> a;", "enum class A { b = 1 };", "auto&& x = y;",
                     "std::numeric_limits<double>::max();", "const char* const x = y;", "struct A { int b = 0; };",
                     "bool operator<(const A& b);", "for (auto& a : b) go(a);"):
            self.assertEqual(made_of(text), [], text)
        self.assertEqual(made_of("struct A { static constexpr int b = 2; };"), ["struct A { static constexpr int b = 3; };"])

    def test_the_same_seed_takes_the_same_mutants(self):
        text = "x = a + b - c * d / 7;"
        order = [[mutant.start for mutant in in_random_order(mutants_of("file.cpp", text), seed)] for seed in "112"]
        self.assertEqual(order[0], order[1])
        self.assertNotEqual(order[0], order[2])


if __name__ == "__main__":
    unittest.main()
