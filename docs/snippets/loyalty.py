"""The caller's half in Python 3.8 or newer, without packages. Copy the functions; `main` shows their use.

LOYALTY_SECRET='<hex or base64>' python3 loyalty.py sign <unix seconds> < body
LOYALTY_SECRET='<hex or base64>' python3 loyalty.py sell <base URL> <loyalty ID> <quantity> <unit price>
python3 loyalty.py price <quantity> <unit price>
"""

import base64
import binascii
import hashlib
import hmac
import http.client
import json
import os
import re
import socket
import ssl
import sys
import threading
import time
import uuid
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from urllib.parse import urlsplit

BASKET_SECONDS = 0.5  # connecting included, to the last byte
RETRY_PAUSE_SECONDS = 0.1  # what refused a connection just now refuses the next one too
SALE_SECONDS = 10  # nobody waits for it
IDLE_SECONDS = 5  # the service closes idle connections after 10


def decode_secret(text):
    """The key is the secret's bytes, never its text. It is handed over in hex or in base64."""
    text = text.strip()
    try:
        is_hex = re.fullmatch(r"(?:[0-9a-fA-F]{2})+", text)
        secret = bytes.fromhex(text) if is_hex else base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        secret = b""
    if len(secret) < 32:
        raise ValueError("the secret is not 32 bytes or more in hex or base64")
    return secret


def sign(secret, unix_seconds, body):
    """`body` is exactly what goes out: serialise once, sign that, send that."""
    payload = f"{unix_seconds}.".encode("ascii") + body
    return f"t={unix_seconds},v1={hmac.new(secret, payload, hashlib.sha256).hexdigest()}"


def line_price(quantity, unit_price):
    """quantity times unitPrice, exact and rounded half up. `quantity` is a text or a Decimal, never a float."""
    return int((Decimal(quantity) * unit_price).quantize(Decimal(1), ROUND_HALF_UP))


class NotConnected(Exception):
    """Nothing was sent: refused, no route, name not found."""


class Failed(Exception):
    """The attempt failed in a way that is not tried again; the message is the failureReason."""


class Service:
    """One connection to the service, kept alive. For one thread."""

    def __init__(self, base_url, secret):
        self._url, self._secret = urlsplit(base_url), secret
        self._connection, self._used_at = None, 0.0

    def post(self, path, key, body, seconds):
        """One attempt: the status and the body of the answer. Raises NotConnected or Failed."""
        end = time.monotonic() + seconds
        connection = self._connect(seconds)
        is_late = threading.Event()
        sock = connection.sock

        def cut():
            is_late.set()
            socket.socket.shutdown(sock, socket.SHUT_RDWR)

        # A time limit of the socket counts from byte to byte; this one ends the whole attempt.
        timer = threading.Timer(max(0, end - time.monotonic()), cut)
        timer.start()
        headers = {
            "Content-Type": "application/json; charset=utf-8",
            "POS-Signature": sign(self._secret, int(time.time()), body),
            "Idempotency-Key": key,
            "X-Request-Id": str(uuid.uuid4()),
        }
        try:
            connection.request("POST", self._url.path.rstrip("/") + path, body, headers)
            response = connection.getresponse()
            answer = response.status, response.read()
        except (OSError, http.client.HTTPException):
            self.close()
            raise Failed("timeout" if is_late.is_set() else "connection_error") from None
        finally:
            timer.cancel()
        if is_late.is_set():
            self.close()
            raise Failed("timeout")
        self._used_at = time.monotonic()
        return answer

    def close(self):
        if self._connection:
            self._connection.close()
        self._connection = None

    def _connect(self, seconds):
        if self._connection and self._connection.sock and time.monotonic() - self._used_at < IDLE_SECONDS:
            return self._connection
        self.close()
        is_tls = self._url.scheme == "https"
        kind = http.client.HTTPSConnection if is_tls else http.client.HTTPConnection
        connection = kind(self._url.hostname, self._url.port, timeout=seconds)
        try:
            connection.connect()
        except (ssl.SSLEOFError, ssl.SSLZeroReturnError):
            raise NotConnected() from None  # the handshake was cut off; which of the two it is depends on the version
        except ssl.SSLError:
            raise Failed("connection_error") from None
        except (socket.timeout, TimeoutError):
            raise Failed("timeout") from None
        except OSError:
            raise NotConnected() from None
        self._connection = connection
        return connection


def calculate(service, basket):
    """The outcome of a basket: (order status, failureReason, answer). Never raises: the sale goes on whatever happens."""
    body = json.dumps(basket).encode("utf-8")
    try:
        for is_retry in (False, True):
            try:
                return judge(basket, *service.post("/v1/pos/basket", basket["calculationId"], body, BASKET_SECONDS))
            except NotConnected:
                # The one retry, with the same key and the same bytes.
                if not is_retry:
                    print("connection failed: trying once more", file=sys.stderr)
                    time.sleep(RETRY_PAUSE_SECONDS)
        return "failed", "connection_error", None
    except Failed as failure:
        return "failed", str(failure), None


def judge(basket, status, body):
    """Only a valid `200 applied` replaces the basket. Add the other rules of the guide, part 6."""
    if status != 200:
        return "failed", "http_error", None
    try:
        answer = json.loads(body)
        if answer["calculationId"] != basket["calculationId"]:
            raise ValueError("another calculation's answer")
        if answer["status"] in ("unchanged", "member_not_found"):
            return answer["status"], None, None
        total, prices = answer["totals"]["total"], [line["orderLinePrice"] for line in answer["lines"]]
        is_money = all(type(amount) is int and amount >= 0 for amount in [total, *prices])
        if answer["status"] != "applied" or not is_money or sum(prices) != total:
            raise ValueError("it does not add up")
        return "applied", None, answer
    except (ValueError, KeyError, TypeError):
        return "failed", "invalid_response", None


def report_sale(service, event):
    """One attempt for an event of the durable queue: its result, or what to do. Sign each attempt anew."""
    try:
        status, body = service.post("/v1/pos/sale", event["calculationId"], json.dumps(event).encode(), SALE_SECONDS)
    except (NotConnected, Failed):
        return "send again later"
    if 400 <= status < 500 and status != 429:
        return f"stop and tell support ({status})"
    try:
        result = json.loads(body)["result"]
    except (ValueError, KeyError, TypeError):
        result = None
    is_settled = status == 200 and result in ("recorded", "duplicate", "unknown_calculation")
    return result if is_settled else f"send again later ({status})"  # a 5xx, or the page of a proxy


def basket_of(loyalty_id, quantity, unit_price):
    price = line_price(quantity, unit_price)
    # Python prints this float as it was written; with a Decimal, use a serialiser that knows it.
    line = {
        "lineId": "1", "productId": "4711", "name": "Filter coffee", "quantity": float(quantity), "unitPrice": unit_price,
        "originalLinePrice": price, "noDiscount": False, "noPercentageDiscount": False,
        "existingLineDiscountType": "none", "existingLineDiscountAmount": 0, "orderDiscountAllocation": [],
        "orderLinePrice": price,
    }  # fmt: skip
    return {
        "calculationId": str(uuid.uuid4()), "loyaltyId": loyalty_id, "currency": "NOK",
        "requestedAt": datetime.now().astimezone().isoformat(timespec="seconds"),
        "context": {"venueId": "oslo-central", "cashRegisterId": "till-1", "baxId": "500123", "channel": "pos"},
        "lines": [line], "orderDiscounts": [],
        "totals": {"originalTotal": price, "existingDiscountTotal": 0, "orderDiscountTotal": 0,
                   "loyaltyDiscountTotal": 0, "total": price},
    }  # fmt: skip


def sell(base_url, loyalty_id, quantity, unit_price):
    service = Service(base_url, decode_secret(os.environ["LOYALTY_SECRET"]))
    basket = basket_of(loyalty_id, quantity, unit_price)
    status, reason, answer = calculate(service, basket)
    to_pay = (answer or basket)["totals"]["total"]
    print(f"basket: {status}{f' ({reason})' if reason else ''}, to pay {to_pay}")
    event = {"calculationId": basket["calculationId"], "status": status, "transactionId": "receipt-1"}
    # In a till the event goes to a durable queue before the order is done.
    print("sale event:", report_sale(service, {**event, **({"failureReason": reason} if reason else {})}))


def main(command, *args):
    if command == "sign":
        secret = decode_secret(os.environ["LOYALTY_SECRET"])
        print(sign(secret, int(args[0]), sys.stdin.buffer.read()))
    elif command == "price":
        print(line_price(args[0], int(args[1])))
    else:
        sell(args[0], args[1], args[2], int(args[3]))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except ValueError as error:
        sys.exit(str(error))
