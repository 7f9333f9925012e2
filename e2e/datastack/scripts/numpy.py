"""Linear algebra, broadcasting, a seeded generator, a file."""

import numpy as np

a = np.array([[2.0, 1.0], [1.0, 3.0]])
x = np.linalg.solve(a, [3.0, 5.0])
print("solution", x.round(6).tolist())
print("eigenvalues product", round(float(np.prod(np.linalg.eigvalsh(a))), 6))
big = np.random.default_rng(7).normal(size=(300, 300))
assert np.allclose(big @ np.linalg.inv(big), np.eye(300), atol=1e-6)
table = np.arange(6).reshape(2, 3)
print("means", (table - table.mean(axis=0, keepdims=True)).tolist())
np.save("/tmp/table.npy", table)
print("saved", np.load("/tmp/table.npy").sum(), np.fft.rfft([1, 0, -1, 0]).real.tolist())

# prints:
# solution [0.8, 1.4]
# eigenvalues product 5.0
# means [[-1.5, -1.5, -1.5], [1.5, 1.5, 1.5]]
# saved 15 [0.0, 2.0, 0.0]
