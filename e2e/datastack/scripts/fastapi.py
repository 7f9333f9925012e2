"""An application asked through its test client: paths, bodies, errors, its own description."""

from fastapi import FastAPI, HTTPException
from fastapi.testclient import TestClient
from pydantic import BaseModel

app = FastAPI()
stock = {"tea": 3}


class Delivery(BaseModel):
    item: str
    count: int


@app.get("/stock/{item}")
def look(item: str):
    if item not in stock:
        raise HTTPException(404, "never heard of it")
    return {"item": item, "count": stock[item]}


@app.post("/stock", status_code=201)
async def deliver(delivery: Delivery):
    stock[delivery.item] = stock.get(delivery.item, 0) + delivery.count
    return stock


with TestClient(app) as client:
    print(client.get("/stock/tea").json())
    print(client.post("/stock", json={"item": "tea", "count": 4}).status_code, stock)
    refused = client.post("/stock", json={"item": "tea", "count": "many"})
    print(refused.status_code, refused.json()["detail"][0]["loc"])
    print(client.get("/stock/gold").json(), sorted(client.get("/openapi.json").json()["paths"]))

# prints:
# {'item': 'tea', 'count': 3}
# 201 {'tea': 7}
# 422 ['body', 'count']
# {'detail': 'never heard of it'} ['/stock', '/stock/{item}']
