// Logarithm and power as Go's math package computes them, to the last bit: results are recorded in states and plans.
#pragma once

namespace pravo::functions {

double go_log(double x);
double go_exp(double x);
double go_pow(double x, double y);

}  // namespace pravo::functions
