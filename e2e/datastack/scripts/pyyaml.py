"""Reads anchors and dates, refuses objects, writes it back."""

import yaml

text = """
base: &base {retries: 3, on: true}
jobs:
  - <<: *base
    day: 2026-05-06
  - name: "naïve: yes"
"""
data = yaml.safe_load(text)
print(data["jobs"][0]["retries"], data["jobs"][0]["day"].isoformat(), data["jobs"][1])
try:
    yaml.safe_load("!!python/object/apply:os.system ['true']")
except yaml.YAMLError as error:
    print(type(error).__name__)
print(yaml.safe_dump({"b": [1, 2], "a": None}, sort_keys=True), end="")

# prints:
# 3 2026-05-06 {'name': 'naïve: yes'}
# ConstructorError
# a: null
# b:
# - 1
# - 2
