<?php
// The caller's half in PHP 8.1 or newer, with its extension curl. Copy the functions; main shows their use.
//
// LOYALTY_SECRET='<hex or base64>' php loyalty.php sign <unix seconds> < body
// LOYALTY_SECRET='<hex or base64>' php loyalty.php sell <base URL> <loyalty ID> <quantity> <unit price>
// php loyalty.php price <quantity> <unit price>

declare(strict_types=1);

const BASKET_MS = 500; // connecting included, to the last byte
const RETRY_PAUSE_MICROSECONDS = 100_000; // what refused a connection just now refuses the next one too
const SALE_MS = 10_000; // nobody waits for it
const IDLE_SECONDS = 5; // the service closes idle connections after 10

/** The key is the secret's bytes, never its text. It is handed over in hex or in base64. */
function decodeSecret(string $text): string
{
    $text = trim($text);
    $isHex = preg_match('/\A(?:[0-9a-fA-F]{2})+\z/', $text) === 1;
    $secret = $isHex ? hex2bin($text) : base64_decode($text, true);
    if ($secret === false || strlen($secret) < 32) {
        throw new InvalidArgumentException('the secret is not 32 bytes or more in hex or base64');
    }
    return $secret;
}

/** The body is exactly what goes out: serialise once, sign that, send that. */
function sign(string $secret, int $unixSeconds, string $body): string
{
    return "t={$unixSeconds},v1=" . hash_hmac('sha256', "{$unixSeconds}.{$body}", $secret);
}

/** quantity times unitPrice in whole numbers, exact and rounded half up. The quantity is a decimal text, never a float. */
function linePrice(string $quantity, int $unitPrice): int
{
    if (preg_match('/\A(\d{1,9})(?:\.(\d{1,6}))?\z/', $quantity, $parts) !== 1) {
        throw new InvalidArgumentException('the quantity has more than nine digits, or six decimals, or is no number');
    }
    $decimals = $parts[2] ?? '';
    $scale = 10 ** strlen($decimals);
    $exact = (int) ($parts[1] . $decimals) * $unitPrice;
    if (!is_int($exact)) {
        throw new InvalidArgumentException('the price is too large');
    }
    return intdiv($exact, $scale) + (2 * ($exact % $scale) >= $scale ? 1 : 0);
}

/** Nothing was sent: refused, no route, name not found. */
class NotConnected extends Exception
{
}

/** The attempt failed in a way that is not tried again; the message is the failureReason. */
class Failed extends Exception
{
}

class Service
{
    private string $baseUrl;
    private string $secret;
    /** One handle for all calls of this process, so that its connection is kept alive. */
    private CurlHandle $handle;

    public function __construct(string $baseUrl, string $secret)
    {
        $this->baseUrl = rtrim($baseUrl, '/');
        $this->secret = $secret;
        $this->handle = curl_init();
    }

    /** One attempt: the status and the body of the answer. Throws NotConnected or Failed. */
    public function post(string $path, string $key, string $body, int $limitMs): array
    {
        curl_setopt_array($this->handle, [
            CURLOPT_URL => $this->baseUrl . $path,
            CURLOPT_POSTFIELDS => $body,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT_MS => $limitMs,
            CURLOPT_NOSIGNAL => true, // without it, limits below a second count as none
            CURLOPT_MAXAGE_CONN => IDLE_SECONDS,
            CURLOPT_HTTPHEADER => [
                'Content-Type: application/json; charset=utf-8',
                'POS-Signature: ' . sign($this->secret, time(), $body),
                'Idempotency-Key: ' . $key,
                'X-Request-Id: ' . newUuid(),
                'Expect:',
            ],
        ]);
        $answer = curl_exec($this->handle);
        switch (curl_errno($this->handle)) {
            case CURLE_OK:
                return [curl_getinfo($this->handle, CURLINFO_RESPONSE_CODE), $answer];
            case CURLE_COULDNT_CONNECT:
            case CURLE_COULDNT_RESOLVE_HOST:
                throw new NotConnected();
            case CURLE_OPERATION_TIMEDOUT:
                throw new Failed('timeout');
            default:
                throw new Failed('connection_error');
        }
    }
}

/** The outcome: [order status, failureReason, answer]. Never throws: the sale goes on whatever happens. */
function calculate(Service $service, array $basket): array
{
    $body = encode($basket);
    for ($attempt = 1; $attempt <= 2; $attempt += 1) {
        try {
            $received = $service->post('/v1/pos/basket', $basket['calculationId'], $body, BASKET_MS);
            return judge($basket, ...$received);
        } catch (NotConnected $error) {
            // The one retry, with the same key and the same bytes.
            if ($attempt === 1) {
                fwrite(STDERR, "connection failed: trying once more\n");
                usleep(RETRY_PAUSE_MICROSECONDS);
            }
        } catch (Failed $error) {
            return ['failed', $error->getMessage(), null];
        }
    }
    return ['failed', 'connection_error', null];
}

/** Only a valid `200 applied` replaces the basket. Add the other rules of the guide, part 6. */
function judge(array $basket, int $status, string $body): array
{
    if ($status !== 200) {
        return ['failed', 'http_error', null];
    }
    $answer = json_decode($body, true);
    $invalid = ['failed', 'invalid_response', null];
    if (!is_array($answer) || ($answer['calculationId'] ?? null) !== $basket['calculationId']) {
        return $invalid;
    }
    $known = $answer['status'] ?? null;
    if ($known === 'unchanged' || $known === 'member_not_found') {
        return [$known, null, null];
    }
    if ($known !== 'applied' || !is_array($answer['lines'] ?? null)) {
        return $invalid;
    }
    $total = $answer['totals']['total'] ?? null;
    $prices = array_map(fn ($line) => $line['orderLinePrice'] ?? null, $answer['lines']);
    $isMoney = fn ($amount) => is_int($amount) && $amount >= 0;
    $amounts = [$total, ...array_values($prices)];
    $addsUp = count(array_filter($amounts, $isMoney)) === count($amounts) && array_sum($prices) === $total;
    return $addsUp ? ['applied', null, $answer] : $invalid;
}

/** One attempt for an event of the durable queue: its result, or what to do. Each attempt is signed anew. */
function reportSale(Service $service, array $event): string
{
    try {
        [$status, $body] = $service->post('/v1/pos/sale', $event['calculationId'], encode($event), SALE_MS);
    } catch (NotConnected | Failed $error) {
        return 'send again later';
    }
    if ($status >= 400 && $status < 500 && $status !== 429) {
        return "stop and tell support ({$status})";
    }
    $result = $status === 200 ? (json_decode($body, true)['result'] ?? null) : null;
    $isSettled = in_array($result, ['recorded', 'duplicate', 'unknown_calculation'], true);
    return $isSettled ? $result : "send again later ({$status})"; // a 5xx, or the page of a proxy
}

function encode(array $value): string
{
    return json_encode($value, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE);
}

function newUuid(): string
{
    $random = random_bytes(16);
    $random[6] = chr(ord($random[6]) & 0x0f | 0x40);
    $random[8] = chr(ord($random[8]) & 0x3f | 0x80);
    return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($random), 4));
}

function basketOf(string $loyaltyId, string $quantity, int $unitPrice): array
{
    $price = linePrice($quantity, $unitPrice);
    $line = [
        'lineId' => '1', 'productId' => '4711', 'name' => 'Filter coffee',
        // PHP writes this float as it was read (serialize_precision = -1, the default).
        'quantity' => (float) $quantity, 'unitPrice' => $unitPrice, 'originalLinePrice' => $price,
        'noDiscount' => false, 'noPercentageDiscount' => false, 'existingLineDiscountType' => 'none',
        'existingLineDiscountAmount' => 0, 'orderDiscountAllocation' => [], 'orderLinePrice' => $price,
    ];
    return [
        'calculationId' => newUuid(), 'loyaltyId' => $loyaltyId, 'currency' => 'NOK', 'requestedAt' => date(DATE_ATOM),
        'context' => ['venueId' => 'oslo-central', 'cashRegisterId' => 'till-1', 'baxId' => '500123', 'channel' => 'pos'],
        'lines' => [$line], 'orderDiscounts' => [],
        'totals' => ['originalTotal' => $price, 'existingDiscountTotal' => 0, 'orderDiscountTotal' => 0,
            'loyaltyDiscountTotal' => 0, 'total' => $price],
    ];
}

function sell(string $secret, string $baseUrl, string $loyaltyId, string $quantity, int $unitPrice): void
{
    $service = new Service($baseUrl, $secret);
    $basket = basketOf($loyaltyId, $quantity, $unitPrice);
    [$status, $reason, $answer] = calculate($service, $basket);
    $toPay = ($answer ?? $basket)['totals']['total'];
    echo 'basket: ', $status, $reason === null ? '' : " ({$reason})", ", to pay {$toPay}\n";
    $event = ['calculationId' => $basket['calculationId'], 'status' => $status, 'transactionId' => 'receipt-1'];
    // In a till the event goes to a durable queue before the order is done.
    echo 'sale event: ', reportSale($service, $reason === null ? $event : $event + ['failureReason' => $reason]), "\n";
}

function main(string $command, string ...$args): void
{
    if ($command === 'price') {
        echo linePrice($args[0], (int) $args[1]), "\n";
        return;
    }
    $secret = decodeSecret((string) getenv('LOYALTY_SECRET'));
    if ($command === 'sell') {
        sell($secret, $args[0], $args[1], $args[2], (int) $args[3]);
        return;
    }
    echo sign($secret, (int) $args[0], file_get_contents('php://stdin')), "\n";
}

try {
    main(...array_slice($argv, 1));
} catch (InvalidArgumentException $error) {
    fwrite(STDERR, $error->getMessage() . "\n");
    exit(1);
}
