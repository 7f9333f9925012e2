"""Optimises, integrates, tests a hypothesis, solves a sparse system and a differential equation."""

import numpy as np
from scipy import integrate, optimize, sparse, stats
from scipy.sparse.linalg import spsolve

found = optimize.minimize(optimize.rosen, [1.3, 0.7, 0.8], jac=optimize.rosen_der)
print("minimum", found.x.round(3).tolist())
print("area", round(integrate.quad(np.sin, 0, np.pi)[0], 9))
print("p", round(float(stats.ttest_ind([1, 2, 3, 4], [6, 7, 8, 9]).pvalue), 4))
laplace = sparse.diags_array([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(5, 5)).tocsr()
print("sparse", spsolve(laplace, np.ones(5)).round(6).tolist())
decay = integrate.solve_ivp(lambda t, y: -y, (0, 1), [1.0], rtol=1e-8, atol=1e-10)
print("decay", round(float(decay.y[0, -1]), 6))

# prints:
# minimum [1.0, 1.0, 1.0]
# area 2.0
# p 0.0015
# sparse [2.5, 4.0, 4.5, 4.0, 2.5]
# decay 0.367879
