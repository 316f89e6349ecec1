/* What a program has that gives AddressSanitizer options of its own. */
const char* __asan_default_options(void);
const char* __asan_default_options(void)
{
    return "detect_leaks=0";
}
