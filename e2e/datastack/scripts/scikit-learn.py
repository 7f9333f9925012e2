"""Trains a pipeline on the irises, cross-validates on two processes, clusters."""

from sklearn.cluster import KMeans
from sklearn.datasets import load_iris, make_blobs
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

irises, kinds = load_iris(return_X_y=True)
model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=500))
scores = cross_val_score(model, irises, kinds, cv=5, n_jobs=2)
print("folds", len(scores), scores.mean() > 0.94)
print("first", model.fit(irises, kinds).predict(irises[:1]).tolist())
points, _ = make_blobs(n_samples=90, centers=[[0, 0], [9, 9], [0, 9]], cluster_std=0.5, random_state=3)
clusters = KMeans(n_clusters=3, n_init=4, random_state=3).fit(points)
print("centres", sorted([round(x) + 0, round(y) + 0] for x, y in clusters.cluster_centers_.tolist()))

# prints:
# folds 5 True
# first [0]
# centres [[0, 0], [0, 9], [9, 9]]
