// The caller's half in Go, without packages. Copy the functions; main shows their use.
//
//	LOYALTY_SECRET='<hex or base64>' go run loyalty.go sign <unix seconds> < body
//	LOYALTY_SECRET='<hex or base64>' go run loyalty.go sell <base URL> <loyalty ID> <quantity> <unit price>
//	go run loyalty.go price <quantity> <unit price>
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

const (
	basketLimit = 500 * time.Millisecond // connecting included, to the last byte
	retryPause  = 100 * time.Millisecond // what refused a connection just now refuses the next one too
	saleLimit   = 10 * time.Second       // nobody waits for it
	idleLimit   = 5 * time.Second        // the service closes idle connections after 10 seconds
)

// decodeSecret: the key is the secret's bytes, never its text. It is handed over in hex or in base64.
func decodeSecret(text string) ([]byte, error) {
	text = strings.TrimSpace(text)
	secret, err := hex.DecodeString(text)
	if err != nil {
		secret, err = base64.StdEncoding.Strict().DecodeString(text)
	}
	if err != nil || len(secret) < 32 {
		return nil, errors.New("the secret is not 32 bytes or more in hex or base64")
	}
	return secret, nil
}

// sign: the body is exactly what goes out. Serialise once, sign that, send that.
func sign(secret []byte, unixSeconds int64, body []byte) string {
	t := strconv.FormatInt(unixSeconds, 10)
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(t + "."))
	mac.Write(body)
	return "t=" + t + ",v1=" + hex.EncodeToString(mac.Sum(nil))
}

// linePrice is quantity times unitPrice, exact and rounded half up. The quantity is a decimal text, never a float64.
func linePrice(quantity string, unitPrice int64) (int64, error) {
	exact, ok := new(big.Rat).SetString(quantity)
	if !ok {
		return 0, fmt.Errorf("%q is no quantity", quantity)
	}
	exact.Mul(exact, new(big.Rat).SetInt64(unitPrice))
	// floor(exact + 1/2), in whole numbers: (2n + d) / 2d.
	doubled := new(big.Int).Lsh(exact.Num(), 1)
	doubled.Add(doubled, exact.Denom())
	return doubled.Div(doubled, new(big.Int).Lsh(exact.Denom(), 1)).Int64(), nil
}

type service struct {
	baseURL string
	secret  []byte
	client  http.Client
}

func newService(baseURL string, secret []byte) *service {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.IdleConnTimeout = idleLimit
	noRedirect := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &service{strings.TrimRight(baseURL, "/"), secret, http.Client{Transport: transport, CheckRedirect: noRedirect}}
}

// post makes one attempt: the status and the body of the answer, or an error.
func (s *service) post(path, key string, body []byte, limit time.Duration) (int, []byte, error) {
	request, err := http.NewRequest(http.MethodPost, s.baseURL+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	// Go sends a request with an Idempotency-Key again by itself when a kept connection breaks. Without GetBody it cannot.
	request.GetBody = nil
	request.Header.Set("Content-Type", "application/json; charset=utf-8")
	request.Header.Set("POS-Signature", sign(s.secret, time.Now().Unix(), body))
	request.Header.Set("Idempotency-Key", key)
	request.Header.Set("X-Request-Id", newUUID())
	client := s.client
	client.Timeout = limit
	response, err := client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	return response.StatusCode, answer, err
}

// isNotConnected: nothing was sent. The connection was refused, there is no route, or the name was not found.
func isNotConnected(err error) bool {
	var operation *net.OpError
	return errors.As(err, &operation) && operation.Op == "dial" && !isTimeout(err)
}

func isTimeout(err error) bool {
	var timed net.Error
	return errors.As(err, &timed) && timed.Timeout()
}

type outcome struct {
	status, failureReason string
	total                 int64
}

// calculate never fails: whatever happens, the sale goes on.
func (s *service) calculate(calculationID string, body []byte, originalTotal int64) outcome {
	status, answer, err := s.post("/v1/pos/basket", calculationID, body, basketLimit)
	if err != nil && isNotConnected(err) {
		// The one retry, with the same key and the same bytes.
		fmt.Fprintln(os.Stderr, "connection failed: trying once more")
		time.Sleep(retryPause)
		status, answer, err = s.post("/v1/pos/basket", calculationID, body, basketLimit)
	}
	if err != nil && isTimeout(err) {
		return outcome{"failed", "timeout", originalTotal}
	}
	if err != nil {
		return outcome{"failed", "connection_error", originalTotal}
	}
	return judge(calculationID, status, answer, originalTotal)
}

// judge: only a valid `200 applied` replaces the basket. Add the other rules of the guide, part 6.
func judge(calculationID string, status int, body []byte, originalTotal int64) outcome {
	if status != http.StatusOK {
		return outcome{"failed", "http_error", originalTotal}
	}
	var answer struct {
		CalculationID, Status string
		Lines                 []struct{ OrderLinePrice *int64 }
		Totals                struct{ Total *int64 }
	}
	invalid := outcome{"failed", "invalid_response", originalTotal}
	if json.Unmarshal(body, &answer) != nil || answer.CalculationID != calculationID {
		return invalid
	}
	if answer.Status == "unchanged" || answer.Status == "member_not_found" {
		return outcome{answer.Status, "", originalTotal}
	}
	if answer.Status != "applied" || answer.Totals.Total == nil {
		return invalid
	}
	sum := int64(0)
	for _, line := range answer.Lines {
		if line.OrderLinePrice == nil || *line.OrderLinePrice < 0 {
			return invalid
		}
		sum += *line.OrderLinePrice
	}
	if sum != *answer.Totals.Total {
		return invalid
	}
	return outcome{"applied", "", sum}
}

// reportSale makes one attempt for an event of the durable queue: its result, or what to do. Each attempt is signed anew.
func (s *service) reportSale(calculationID string, body []byte) string {
	status, answer, err := s.post("/v1/pos/sale", calculationID, body, saleLimit)
	if err != nil {
		return "send again later"
	}
	if status >= http.StatusBadRequest && status < http.StatusInternalServerError && status != http.StatusTooManyRequests {
		return fmt.Sprintf("stop and tell support (%d)", status)
	}
	var settled struct{ Result string }
	if status == http.StatusOK && json.Unmarshal(answer, &settled) == nil {
		switch settled.Result {
		case "recorded", "duplicate", "unknown_calculation":
			return settled.Result
		}
	}
	return fmt.Sprintf("send again later (%d)", status) // a 5xx, or the page of a proxy
}

func newUUID() string {
	random := make([]byte, 16)
	if _, err := rand.Read(random); err != nil {
		panic(err)
	}
	random[6], random[8] = random[6]&0x0f|0x40, random[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", random[:4], random[4:6], random[6:8], random[8:10], random[10:])
}

type object = map[string]interface{}

func basketOf(calculationID, loyaltyID, quantity string, unitPrice, price int64) ([]byte, error) {
	line := object{
		"lineId": "1", "productId": "4711", "name": "Filter coffee",
		// json.Number is sent as it is written.
		"quantity": json.Number(quantity), "unitPrice": unitPrice, "originalLinePrice": price,
		"noDiscount": false, "noPercentageDiscount": false, "existingLineDiscountType": "none",
		"existingLineDiscountAmount": 0, "orderDiscountAllocation": []object{}, "orderLinePrice": price,
	}
	return json.Marshal(object{
		"calculationId": calculationID, "loyaltyId": loyaltyID, "currency": "NOK",
		"requestedAt": time.Now().Format(time.RFC3339),
		"context":     object{"venueId": "oslo-central", "cashRegisterId": "till-1", "baxId": "500123", "channel": "pos"},
		"lines":       []object{line}, "orderDiscounts": []object{},
		"totals": object{"originalTotal": price, "existingDiscountTotal": 0, "orderDiscountTotal": 0,
			"loyaltyDiscountTotal": 0, "total": price},
	})
}

func sell(secret []byte, baseURL, loyaltyID, quantity string, unitPrice int64) error {
	price, err := linePrice(quantity, unitPrice)
	if err != nil {
		return err
	}
	calculationID := newUUID()
	basket, err := basketOf(calculationID, loyaltyID, quantity, unitPrice, price)
	if err != nil {
		return err
	}
	s := newService(baseURL, secret)
	result := s.calculate(calculationID, basket, price)
	event := object{"calculationId": calculationID, "status": result.status, "transactionId": "receipt-1"}
	shown := result.status
	if result.failureReason != "" {
		event["failureReason"] = result.failureReason
		shown += " (" + result.failureReason + ")"
	}
	fmt.Printf("basket: %s, to pay %d\n", shown, result.total)
	// In a till the event goes to a durable queue before the order is done.
	body, err := json.Marshal(event)
	if err == nil {
		fmt.Println("sale event:", s.reportSale(calculationID, body))
	}
	return err
}

func run(args []string) error {
	last, err := strconv.ParseInt(args[len(args)-1], 10, 64)
	if err != nil {
		return err
	}
	if args[0] == "price" {
		price, err := linePrice(args[1], last)
		if err == nil {
			fmt.Println(price)
		}
		return err
	}
	secret, err := decodeSecret(os.Getenv("LOYALTY_SECRET"))
	if err != nil {
		return err
	}
	if args[0] == "sell" {
		return sell(secret, args[1], args[2], args[3], last)
	}
	body, err := io.ReadAll(os.Stdin)
	if err == nil {
		fmt.Println(sign(secret, last, body))
	}
	return err
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
