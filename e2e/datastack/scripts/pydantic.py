"""Nested models, constraints, validators, JSON both ways and a schema."""

from datetime import date
from typing import Annotated, Literal

from pydantic import BaseModel, Field, ValidationError, field_validator


class Item(BaseModel):
    name: str = Field(min_length=1)
    price: Annotated[float, Field(gt=0)]


class Order(BaseModel):
    day: date
    state: Literal["open", "paid"] = "open"
    items: list[Item]

    @field_validator("items")
    @classmethod
    def not_empty(cls, items):
        if not items:
            raise ValueError("no items")
        return items


order = Order.model_validate_json('{"day": "2026-02-03", "items": [{"name": "tea", "price": "2.5"}]}')
print(order.model_dump_json())
try:
    Order(day="soon", state="lost", items=[{"name": "", "price": -1}])
except ValidationError as error:
    print([".".join(map(str, problem["loc"])) for problem in error.errors()])
print(Order.model_json_schema()["required"])

# prints:
# {"day":"2026-02-03","state":"open","items":[{"name":"tea","price":2.5}]}
# ['day', 'state', 'items.0.name', 'items.0.price']
# ['day', 'items']
