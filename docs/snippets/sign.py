"""Signs a request: python3 sign.py <secret> <unix seconds> < body, prints the value of POS-Signature."""

import base64
import hashlib
import hmac
import re
import sys


def decode_secret(text: str) -> bytes:
    """The key is the secret's bytes, never its text. It is handed over in hex or in base64."""
    if re.fullmatch(r"(?:[0-9a-fA-F]{2})+", text):
        return bytes.fromhex(text)
    return base64.b64decode(text)


def sign(secret: bytes, unix_seconds: int, body: bytes) -> str:
    """`body` is exactly what goes out: serialise once, sign that, send that."""
    payload = f"{unix_seconds}.".encode("ascii") + body
    digest = hmac.new(secret, payload, hashlib.sha256).hexdigest()
    return f"t={unix_seconds},v1={digest}"


if __name__ == "__main__":
    print(sign(decode_secret(sys.argv[1]), int(sys.argv[2]), sys.stdin.buffer.read()))
