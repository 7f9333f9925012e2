"""A lazy query with a join and a window, on several threads, and a Parquet file."""

import polars as pl

orders = pl.DataFrame({"who": ["ann", "bob", "ann", "bob"], "eur": [3.0, 4.0, 5.0, 6.0], "day": [1, 1, 2, 2]})
people = pl.DataFrame({"who": ["ann", "bob"], "city": ["Rom", "Oslo"]})
query = (
    orders.lazy()
    .join(people.lazy(), on="who")
    .with_columns(share=pl.col("eur") / pl.col("eur").sum().over("day"))
    .group_by("city")
    .agg(pl.col("eur").sum(), pl.col("share").mean().round(3))
    .sort("city")
)
for row in query.collect().iter_rows():
    print(row)
orders.write_parquet("/tmp/orders.parquet")
print(pl.scan_parquet("/tmp/orders.parquet").filter(pl.col("eur") > 3.5).select(pl.len()).collect().item())

# prints:
# ('Oslo', 10.0, 0.558)
# ('Rom', 8.0, 0.442)
# 3
