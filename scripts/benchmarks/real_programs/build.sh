# A library and a program of some files, built by two compilers at a time, and built again.
set -eu
make -s -j2
./sum
make -s -j2 && echo nothing to do
touch part3.c && make -s -j2 && ./sum
gcc -flto=2 -O1 -o sum_lto ./*.c && ./sum_lto
ar t libparts.a | sort | cksum
strip -o stripped sum && ./stripped
gcc -c broken.c_ -x c -o /dev/null 2>&1 || echo "the compiler's status is $?"
printf 'int main(void) { return undeclared; }\n' | gcc -x c - -o none || echo "the compiler's status is $?"
