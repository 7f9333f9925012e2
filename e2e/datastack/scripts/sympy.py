"""Solves, differentiates, integrates and proves symbolically."""

from sympy import Eq, Function, Matrix, dsolve, exp, factor, integrate, oo, simplify, sin, cos, solve, symbols

x = symbols("x")
print(solve(x**2 - 5 * x + 6, x), factor(x**3 - 1))
print(integrate(exp(-(x**2)), (x, -oo, oo)), simplify(sin(x) ** 2 + cos(x) ** 2))
f = Function("f")
print(dsolve(Eq(f(x).diff(x), f(x)), f(x)).rhs)
print(Matrix([[2, 1], [1, 2]]).eigenvals(), (x**5).diff(x, 2))

# prints:
# [2, 3] (x - 1)*(x**2 + x + 1)
# sqrt(pi) 1
# C1*exp(x)
# {3: 1, 1: 1} 20*x**3
