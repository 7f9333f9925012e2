"""Reads a table, groups, joins, resamples, pivots and writes it."""

import io

import pandas as pd

sales = pd.read_csv(
    io.StringIO("day,shop,n\n2026-01-01,a,2\n2026-01-02,b,3\n2026-01-08,a,5\n2026-01-09,b,7\n"), parse_dates=["day"]
)
shops = pd.DataFrame({"shop": ["a", "b"], "city": ["Bonn", "Köln"]})
joined = sales.merge(shops, on="shop")
print(joined.groupby("city")["n"].sum().to_dict())
print(sales.set_index("day")["n"].resample("7D").sum().tolist())
pivot = joined.pivot_table(index="city", columns=joined["day"].dt.isocalendar().week, values="n", aggfunc="sum")
print(pivot.astype(int).values.tolist())
joined.to_json("/tmp/joined.json", orient="records", date_format="iso")
print(pd.read_json("/tmp/joined.json")["n"].describe()[["mean", "max"]].to_dict())

# prints:
# {'Bonn': 7, 'Köln': 10}
# [5, 12]
# [[2, 5], [3, 7]]
# {'mean': 4.25, 'max': 7.0}
