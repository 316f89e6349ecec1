#!/usr/bin/env Rscript
# Makes the samples in reference/ and writes down what R's own statistics say of them: NAME.csv and
# NAME.expected.json. Needs the Debian packages r-base-core, r-cran-msm and r-cran-mass.
#
# usage: tests/data/make_reference.R FOLDER
#
# Each set has a seed of its own, so that one can change without the others. Samples are rounded before R
# looks at them: what is computed is of the numbers in the file.
suppressMessages({
  library(MASS)
  library(msm)
})

folder <- commandArgs(trailingOnly = TRUE)[1]
if (is.na(folder)) stop("usage: make_reference.R FOLDER")

# ---- writing ---------------------------------------------------------------------------------------------

numbers <- function(values, digits = 15) formatC(as.numeric(values), digits = digits, format = "g", width = 1)
as_json <- function(value) numbers(value)
a_list <- function(values, digits = 15) paste0("[", paste(numbers(values, digits), collapse = ", "), "]")
write_set <- function(name, columns, said) {
  write.csv(columns, file.path(folder, paste0(name, ".csv")), row.names = FALSE, quote = FALSE)
  lines <- paste0('  "', names(said), '": ', said)
  writeLines(c("{", paste(lines, collapse = ",\n"), "}"), file.path(folder, paste0(name, ".expected.json")))
}

# ---- density of log10 of durations, and its clusters -----------------------------------------------------

# Grid points that are higher (sign = 1) or lower (sign = -1) than those on both sides.
turns <- function(heights, sign) {
  inner <- seq(2, length(heights) - 1)
  side <- sign * heights
  inner[side[inner] > side[inner - 1] & side[inner] > side[inner + 1]]
}

density_set <- function(name, seed, make) {
  set.seed(seed)
  seconds <- signif(make(), 6)
  x <- log10(seconds)
  smooth <- density(x, bw = "nrd0", adjust = 2, n = 512)
  peaks <- turns(smooth$y, 1)
  peaks <- peaks[smooth$y[peaks] >= 0.05 * max(smooth$y)]
  splits <- integer(0)
  for (one in seq_along(peaks)[-1]) {
    between <- seq(peaks[one - 1], peaks[one])
    splits <- c(splits, between[which.min(smooth$y[between])])
  }
  last <- peaks[length(peaks)]
  past <- seq(last, length(smooth$x))
  low <- past[smooth$y[past] < 0.05 * smooth$y[last]]
  cutoff <- smooth$x[low[1]]
  kept <- x[x <= cutoff]
  sizes <- table(findInterval(kept, smooth$x[splits], left.open = TRUE))
  write_set(name, data.frame(duration_s = seconds), c(
    n = length(x), bw = as_json(smooth$bw), grid_x = a_list(smooth$x, 9), grid_y = a_list(smooth$y, 7),
    cluster_maxima = a_list(smooth$x[peaks]), split_points = a_list(smooth$x[splits]),
    cutoff = as_json(cutoff), n_outliers = sum(x > cutoff), cluster_sizes = a_list(sizes)))
}

around <- function(n, seconds, spread) seconds * exp(rnorm(n, 0, spread))

density_set("density-one-cluster", 101, function() around(800, 6e-4, 0.25))
density_set("density-two-clusters", 102, function() c(around(900, 8e-5, 0.15), around(380, 9e-4, 0.2), around(6, 4e-2, 0.3)))
density_set("density-three-clusters", 103, function() c(around(500, 3e-5, 0.12), around(520, 9e-4, 0.15), around(480, 3e-2, 0.2)))
# Not log-normal: a long tail to the right, and a floor.
density_set("density-long-tail", 104, function() 2e-4 + rgamma(700, shape = 3, rate = 1e4))

# ---- two lines over sizes --------------------------------------------------------------------------------

two_lines_set <- function(name, seed) {
  set.seed(seed)
  size <- 2^seq(0, 22, by = 1)
  limit <- signif(ifelse(size <= 4096, 5e-6 + 6e-10 * size, 7e-6 + 2.5e-10 * size) * exp(rnorm(length(size), 0, 0.06)), 8)
  raised <- 1.1 * limit
  few <- size <= 4096
  small <- coef(lm(raised[few] ~ size[few]))
  there <- small[[1]] + small[[2]] * 4096
  # The second line begins where the first one is at 4096: a line through that point alone.
  large <- coef(lm(I(raised[!few] - there) ~ 0 + I(size[!few] - 4096)))[[1]]
  write_set(name, data.frame(size_bytes = size, limit_s = limit), c(
    small_intercept = as_json(small[[1]]), small_slope = as_json(small[[2]]),
    large_intercept = as_json(there - large * 4096), large_slope = as_json(large)))
}
two_lines_set("linear-model", 201)

# ---- distributions of waiting times ----------------------------------------------------------------------

waiting_set <- function(name, seed) {
  set.seed(seed)
  minutes <- signif(rexp(300, 1 / 9), 7)
  families <- c(exponential = "pexp", gamma = "pgamma", weibull = "pweibull", lognormal = "plnorm", normal = "pnorm")
  fits <- lapply(names(families), function(family) suppressWarnings(fitdistr(minutes, family)))
  distances <- mapply(function(fit, of) {
    do.call(ks.test, c(list(minutes, of), as.list(unname(fit$estimate))))$statistic
  }, fits, families)
  parameters <- sapply(fits, function(fit) {
    if (length(fit$estimate) == 1) as_json(fit$estimate) else a_list(fit$estimate)
  })
  names(parameters) <- c("exponential_rate", "gamma", "weibull", "lognormal", "normal")
  write_set(name, data.frame(minutes = minutes), c(
    log_likelihood = a_list(sapply(fits, logLik)), ks_statistic = a_list(distances), parameters))
}
waiting_set("waiting-times", 301)

# ---- hidden Markov models in continuous time -------------------------------------------------------------

hidden_set <- function(name, seed, minutes) {
  set.seed(seed)
  # Rates per minute from idle, transitional and busy; medians and spreads of the latency in each.
  rates <- matrix(c(-0.030, 0.022, 0.008,
                     0.060, -0.095, 0.035,
                     0.020, 0.045, -0.065), nrow = 3, byrow = TRUE)
  median <- c(0.0030, 0.0070, 0.0200)
  spread <- c(0.15, 0.16, 0.30)
  state <- 1L
  for (gap in diff(minutes)) {
    chances <- MatrixExp(rates, gap)[state[length(state)], ]
    state <- c(state, sample.int(3, 1, prob = chances))
  }
  latency <- signif(rlnorm(length(minutes), log(median[state]), spread[state]), 6)
  samples <- data.frame(t_min = minutes, latency_s = latency, true_state = state)
  fit <- msm(latency_s ~ t_min, data = samples, qmatrix = 0.7 * rates,
             hmodel = list(hmmLNorm(-5.7, 0.2), hmmLNorm(-5.0, 0.2), hmmLNorm(-4.0, 0.3)),
             control = list(fnscale = 1000, maxit = 20000, reltol = 1e-14))
  rows <- qmatrix.msm(fit, ci = "none")
  estimates <- fit$estimates.t
  emission <- estimates[names(estimates) %in% c("meanlog", "sdlog")]
  write_set(name, samples, c(
    log_likelihood = as_json(-fit$minus2loglik / 2), q_rows = a_list(t(unclass(rows)), 10),
    mu_sigma = a_list(emission, 10),
    viterbi_agreement = as_json(mean(viterbi.msm(fit)$fitted == state))))
}
hidden_set("hmm-regular", 401, seq(0, 1199))
set.seed(402)
uneven <- cumsum(c(0, sample(c(0.5, 1, 1, 2, 5), 999, replace = TRUE)))
hidden_set("hmm-irregular", 403, uneven)
