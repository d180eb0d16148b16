// Signs a request: go run sign.go <secret> <unix seconds> < body, prints the value of POS-Signature.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strconv"
)

// decodeSecret: the key is the secret's bytes, never its text. It is handed over in hex or in base64.
func decodeSecret(text string) ([]byte, error) {
	if secret, err := hex.DecodeString(text); err == nil {
		return secret, nil
	}
	return base64.StdEncoding.DecodeString(text)
}

// sign: the body is exactly what goes out. Serialise once, sign that, send that.
func sign(secret []byte, unixSeconds int64, body []byte) string {
	t := strconv.FormatInt(unixSeconds, 10)
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(t + "."))
	mac.Write(body)
	return "t=" + t + ",v1=" + hex.EncodeToString(mac.Sum(nil))
}

func main() {
	secret, err := decodeSecret(os.Args[1])
	if err != nil {
		panic("the secret is neither hex nor base64")
	}
	unixSeconds, err := strconv.ParseInt(os.Args[2], 10, 64)
	if err != nil {
		panic(err)
	}
	body, err := io.ReadAll(os.Stdin)
	if err != nil {
		panic(err)
	}
	fmt.Println(sign(secret, unixSeconds, body))
}
