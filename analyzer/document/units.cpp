// Numbers to text: three significant digits where they are rounded, whole where they are small.
#include "analyzer/document/units.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <fmt/format.h>

namespace fathom::report {
namespace {

// Three significant digits, all digits before the point.
std::string three_digits(double value)
{
    const double size = std::fabs(value);
    if (size == 0) return "0";
    if (size >= 99.95) return format_count(static_cast<std::uint64_t>(std::llround(std::min(size, 9e18))));
    if (size < 0.01) return fmt::format("{:.2g}", value);
    return fmt::format("{:.{}f}", value, size >= 9.995 ? 1 : 2);
}

// Four significant digits, all digits before the point.
std::string four_digits(double value)
{
    const double size = std::fabs(value);
    if (size == 0) return "0";
    if (size < 1e-4 || size >= 1e9) return fmt::format("{:.3e}", value);
    return fmt::format("{:.{}f}", value, std::max(3 - static_cast<int>(std::floor(std::log10(size))), 0));
}

// So many digits after the point; two significant ones where these would all be 0.
std::string with_decimals(double value, int decimals)
{
    if (!std::isfinite(value)) return "-";
    const std::string text = fmt::format("{:.{}f}", value, decimals);
    return value != 0 && text.find_first_of("123456789") == std::string::npos ? fmt::format("{:.2g}", value)
                                                                              : text;
}

}  // namespace

std::string format_count(std::uint64_t n)
{
    std::string digits = std::to_string(n);
    for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
    return digits;
}

std::string counted(std::uint64_t n, std::string_view one, std::string_view many)
{
    return fmt::format("{} {}", format_count(n), n == 1 ? one : many);
}

std::string format_bytes(std::uint64_t n)
{
    constexpr std::array names = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = static_cast<double>(n);
    std::size_t at = 0;
    while (value >= 1023.5 && at + 1 < names.size()) {
        value /= 1024;
        ++at;
    }
    if (at == 0) return fmt::format("{} B", n);
    const bool whole = value == std::floor(value);
    return fmt::format("{} {}", whole ? fmt::format("{:.0f}", value) : three_digits(value), names[at]);
}

std::string format_seconds(double time)
{
    if (!std::isfinite(time)) return "-";
    if (time < 0) return fmt::format("-{}", format_seconds(-time));
    if (time == 0) return "0 s";
    if (time < 0.9995e-6) return fmt::format("{} ns", three_digits(time * 1e9));
    if (time < 0.9995e-3) return fmt::format("{} µs", three_digits(time * 1e6));
    if (time < 0.9995) return fmt::format("{} ms", three_digits(time * 1e3));
    if (time < 600) return fmt::format("{} s", three_digits(time));
    const auto whole = static_cast<std::uint64_t>(std::llround(std::min(time, 9e18)));
    if (whole < 2 * 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

std::string format_rate(double mib_per_second)
{
    return std::isfinite(mib_per_second) ? three_digits(mib_per_second) + " MiB/s" : "-";
}

std::string format_share(double part)
{
    if (!std::isfinite(part)) return "-";
    const double percent = part * 100;
    if (percent > 0 && percent < 0.05) return "< 0.1 %";
    if (part < 1 && percent > 99.95) return "> 99.9 %";
    return fmt::format("{:.{}f} %", percent, percent == std::floor(percent) ? 0 : 1);
}

std::string format_instant(std::uint64_t unix_nanoseconds)
{
    const std::time_t when = static_cast<std::time_t>(unix_nanoseconds / 1'000'000'000);
    std::tm parts{};
    if (gmtime_r(&when, &parts) == nullptr) return "-";
    return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02} UTC", parts.tm_year + 1900, parts.tm_mon + 1,
                       parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

std::string format_tick(Measure measure, double value)
{
    if (value == 0) return "0";
    if (value < 0) return "-" + format_tick(measure, -value);
    if (measure == Measure::bytes) return format_bytes(static_cast<std::uint64_t>(std::min(value, 9e18)));
    if (measure == Measure::rate) return format_rate(value);
    if (measure == Measure::share) return format_share(value);
    if (measure == Measure::seconds) {
        if (value < 1e-6) return fmt::format("{:.3g} ns", value * 1e9);
        if (value < 1e-3) return fmt::format("{:.3g} µs", value * 1e6);
        if (value < 1) return fmt::format("{:.3g} ms", value * 1e3);
        return value < 1e4 ? fmt::format("{:.4g} s", value) : format_seconds(value);
    }
    if (value >= 1e12) return fmt::format("{:.3g} T", value / 1e12);
    if (value >= 1e9) return fmt::format("{:.3g} G", value / 1e9);
    if (value >= 1e6) return fmt::format("{:.3g} M", value / 1e6);
    if (value >= 1e4) return fmt::format("{:.3g} k", value / 1e3);
    return fmt::format("{:.4g}", value);
}

Cell cell_of(Measure measure, double value)
{
    Cell cell;
    cell.measure = measure;
    if (std::isnan(value)) return cell;
    if (measure == Measure::count || measure == Measure::bytes)
        cell.value = static_cast<std::uint64_t>(std::llround(std::clamp(value, 0.0, 9e18)));
    else
        cell.value = value;
    return cell;
}

std::string format(const Cell& cell)
{
    if (const auto* words = std::get_if<std::string>(&cell.value)) return *words;
    if (const auto* whole = std::get_if<std::uint64_t>(&cell.value)) {
        if (cell.measure == Measure::bytes) return format_bytes(*whole);
        if (cell.measure == Measure::instant) return format_instant(*whole);
        return format_count(*whole);
    }
    if (const auto* number = std::get_if<double>(&cell.value)) {
        if (cell.decimals >= 0 && cell.measure == Measure::share)
            return std::isfinite(*number) ? with_decimals(*number * 100, cell.decimals) + " %" : "-";
        if (cell.decimals >= 0 && cell.measure == Measure::number)
            return with_decimals(*number, cell.decimals);
        if (cell.measure == Measure::seconds) return format_seconds(*number);
        if (cell.measure == Measure::rate) return format_rate(*number);
        if (cell.measure == Measure::share) return format_share(*number);
        if (cell.measure == Measure::number) return std::isfinite(*number) ? four_digits(*number) : "-";
        return std::isfinite(*number) ? three_digits(*number) : "-";
    }
    return "-";
}

}  // namespace fathom::report
