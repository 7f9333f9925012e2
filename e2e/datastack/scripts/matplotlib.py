"""Draws two axes and shows them."""

import matplotlib
import matplotlib.pyplot as plt

fig, (left, right) = plt.subplots(1, 2, figsize=(6, 3))
left.plot([0, 1, 2], [0, 1, 4], label="x²")
left.legend()
right.hist([1, 1, 2, 3, 3, 3], bins=3)
fig.suptitle("Übersicht")
plt.show()
print(matplotlib.get_backend().lower(), len(fig.axes), left.get_ylim()[1] > 4)

# prints:
# agg 2 True
