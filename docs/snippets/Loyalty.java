import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The caller's half in Java 17, without packages. Copy the methods; main shows their use.
 *
 * LOYALTY_SECRET='&lt;hex or base64>' java Loyalty.java sign &lt;unix seconds> &lt; body
 * LOYALTY_SECRET='&lt;hex or base64>' java Loyalty.java sell &lt;base URL> &lt;loyalty ID> &lt;quantity> &lt;unit price>
 * java Loyalty.java price &lt;quantity> &lt;unit price>
 */
public class Loyalty {
    /** Connecting included, to the last byte. */
    static final Duration BASKET_LIMIT = Duration.ofMillis(500);
    /** What refused a connection just now refuses the next one too. */
    static final long RETRY_PAUSE_MS = 100;
    /** Nobody waits for it. */
    static final Duration SALE_LIMIT = Duration.ofSeconds(10);

    static {
        // Java tries a failed connection again by itself; the one retry is ours.
        System.setProperty("jdk.httpclient.disableRetryConnect", "true");
        // The service closes idle connections after 10 seconds; this is in seconds too.
        System.setProperty("jdk.httpclient.keepalive.timeout", "5");
    }

    /** The key is the secret's bytes, never its text. It is handed over in hex or in base64. */
    static byte[] decodeSecret(String text) {
        String trimmed = text == null ? "" : text.strip();
        byte[] secret = {};
        try {
            boolean isHex = trimmed.matches("(?:[0-9a-fA-F]{2})+");
            secret = isHex ? HexFormat.of().parseHex(trimmed) : Base64.getDecoder().decode(trimmed);
        } catch (IllegalArgumentException error) {
            // Refused below, in words without the secret.
        }
        if (secret.length < 32) {
            throw new IllegalArgumentException("the secret is not 32 bytes or more in hex or base64");
        }
        return secret;
    }

    /** The body is exactly what goes out: serialise once, sign that, send that. */
    static String sign(byte[] secret, long unixSeconds, byte[] body) throws Exception {
        // A Mac is not safe for several threads: one per call, or one per thread.
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret, "HmacSHA256"));
        mac.update((unixSeconds + ".").getBytes(StandardCharsets.US_ASCII));
        return "t=" + unixSeconds + ",v1=" + HexFormat.of().formatHex(mac.doFinal(body));
    }

    /** quantity times unitPrice, exact and rounded half up. Make the BigDecimal of a text, never of a double. */
    static long linePrice(BigDecimal quantity, long unitPrice) {
        return quantity.multiply(BigDecimal.valueOf(unitPrice)).setScale(0, RoundingMode.HALF_UP).longValueExact();
    }

    /** The status of the order, failureReason when it is failed, and the amount to pay. */
    record Outcome(String status, String failureReason, long total) {}

    /** For all threads of the process; its connections are kept alive. */
    static class Service {
        private final HttpClient client = HttpClient.newHttpClient();
        private final String baseUrl;
        private final byte[] secret;

        Service(String baseUrl, byte[] secret) {
            this.baseUrl = baseUrl.replaceAll("/+$", "");
            this.secret = secret;
        }

        /**
         * A cold JVM needs most of the 500 ms for its first call: this one, for a path that is not there, loads what a
         * basket needs and opens a connection. Call it at the start of the process.
         */
        void warmUp() {
            try {
                judge("", post("/", "", "{}".getBytes(StandardCharsets.UTF_8), SALE_LIMIT).statusCode(), new byte[0], 0);
                judge("", 200, "{\"calculationId\":\"\",\"status\":\"unchanged\"}".getBytes(StandardCharsets.UTF_8), 0);
            } catch (Exception error) {
                // The first basket will show it.
            }
        }

        /** One attempt. Throws ConnectException when nothing was sent, TimeoutException, or another IOException. */
        HttpResponse<byte[]> post(String path, String key, byte[] body, Duration limit) throws Exception {
            HttpRequest request = HttpRequest.newBuilder(URI.create(baseUrl + path))
                .header("Content-Type", "application/json; charset=utf-8")
                .header("POS-Signature", sign(secret, System.currentTimeMillis() / 1000, body))
                .header("Idempotency-Key", key)
                .header("X-Request-Id", UUID.randomUUID().toString())
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
            // The client's own time limit ends with the head of the answer; this one with its last byte.
            var answer = client.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray());
            try {
                return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
            } catch (TimeoutException error) {
                answer.cancel(true);
                throw error;
            } catch (ExecutionException error) {
                throw error.getCause() instanceof IOException cause ? cause : error;
            }
        }

        /** Never throws: the sale goes on whatever happens. */
        Outcome calculate(String calculationId, String basket, long originalTotal) {
            byte[] body = basket.getBytes(StandardCharsets.UTF_8);
            try {
                HttpResponse<byte[]> answer;
                try {
                    answer = post("/v1/pos/basket", calculationId, body, BASKET_LIMIT);
                } catch (ConnectException error) {
                    // The one retry, with the same key and the same bytes.
                    System.err.println("connection failed: trying once more");
                    Thread.sleep(RETRY_PAUSE_MS);
                    answer = post("/v1/pos/basket", calculationId, body, BASKET_LIMIT);
                }
                return judge(calculationId, answer.statusCode(), answer.body(), originalTotal);
            } catch (TimeoutException error) {
                return new Outcome("failed", "timeout", originalTotal);
            } catch (IOException error) {
                return new Outcome("failed", "connection_error", originalTotal);
            } catch (Exception error) {
                return new Outcome("failed", "pos_error", originalTotal);
            }
        }

        /** One attempt for an event of the durable queue: its result, or what to do. Each attempt is signed anew. */
        String reportSale(String calculationId, String event) throws Exception {
            HttpResponse<byte[]> answer;
            try {
                answer = post("/v1/pos/sale", calculationId, event.getBytes(StandardCharsets.UTF_8), SALE_LIMIT);
            } catch (IOException | TimeoutException error) {
                return "send again later";
            }
            int status = answer.statusCode();
            if (status >= 400 && status < 500 && status != 429) return "stop and tell support (" + status + ")";
            try {
                Object result = ((Map<?, ?>) new Json(answer.body()).read()).get("result");
                List<String> settled = List.of("recorded", "duplicate", "unknown_calculation");
                if (status == 200 && settled.contains(result)) return (String) result;
            } catch (RuntimeException error) {
                // Not the answer of this interface.
            }
            return "send again later (" + status + ")"; // a 5xx, or the page of a proxy
        }
    }

    /** Only a valid `200 applied` replaces the basket. Add the other rules of the guide, part 6. */
    static Outcome judge(String calculationId, int status, byte[] body, long originalTotal) {
        if (status != 200) return new Outcome("failed", "http_error", originalTotal);
        try {
            Map<?, ?> answer = (Map<?, ?>) new Json(body).read();
            if (!calculationId.equals(answer.get("calculationId"))) throw new IllegalArgumentException("another answer");
            String known = (String) answer.get("status");
            if (List.of("unchanged", "member_not_found").contains(known)) return new Outcome(known, null, originalTotal);
            long total = money(((Map<?, ?>) answer.get("totals")).get("total"));
            long sum = 0;
            for (Object line : (List<?>) answer.get("lines")) sum += money(((Map<?, ?>) line).get("orderLinePrice"));
            if (!known.equals("applied") || sum != total) throw new IllegalArgumentException("it does not add up");
            return new Outcome("applied", null, total);
        } catch (RuntimeException error) {
            return new Outcome("failed", "invalid_response", originalTotal);
        }
    }

    static long money(Object value) {
        long amount = ((BigDecimal) value).longValueExact();
        if (amount < 0) throw new IllegalArgumentException("a negative amount");
        return amount;
    }

    /** Reads JSON into Map, List, String, BigDecimal, Boolean and null. With a JSON library at hand, use that one. */
    static class Json {
        private static final Pattern TOKEN = Pattern.compile(
            "[ \\t\\r\\n]*+([{}\\[\\]:,]|true|false|null|-?+\\d++(?:\\.\\d++)?+(?:[eE][+-]?+\\d++)?+|\"[^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+\")");
        private final Matcher tokens;
        private final int length;
        private String token = "";
        private int endOfLast;

        Json(byte[] body) {
            String text = new String(body, StandardCharsets.UTF_8).stripTrailing();
            length = text.length();
            tokens = TOKEN.matcher(text);
        }

        Object read() {
            next();
            Object value = value();
            if (endOfLast != length) throw new IllegalArgumentException("text behind the value");
            return value;
        }

        private void next() {
            if (!tokens.find() || tokens.start() != endOfLast) {
                throw new IllegalArgumentException("not JSON");
            }
            token = tokens.group(1);
            endOfLast = tokens.end();
        }

        private Object value() {
            switch (token.charAt(0)) {
                case '{': {
                    Map<String, Object> members = new LinkedHashMap<>();
                    for (next(); !token.equals("}"); separator("}")) {
                        String name = string();
                        next();
                        expect(":");
                        next();
                        members.put(name, value());
                    }
                    return members;
                }
                case '[': {
                    List<Object> items = new ArrayList<>();
                    for (next(); !token.equals("]"); separator("]")) items.add(value());
                    return items;
                }
                case '"': return string();
                case 't': return true;
                case 'f': return false;
                case 'n': return null;
                default: return new BigDecimal(token);
            }
        }

        private void separator(String end) {
            next();
            if (token.equals(end)) return;
            expect(",");
            next();
        }

        private void expect(String wanted) {
            if (!token.equals(wanted)) throw new IllegalArgumentException("not JSON");
        }

        private String string() {
            if (!token.startsWith("\"")) throw new IllegalArgumentException("not JSON");
            String inside = token.substring(1, token.length() - 1);
            return Pattern.compile("\\\\(u([0-9a-fA-F]{4})|.)").matcher(inside).replaceAll(found -> {
                if (found.group(2) != null) {
                    return Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(found.group(2), 16)));
                }
                int at = "bfnrt".indexOf(found.group(1));
                return Matcher.quoteReplacement(at < 0 ? found.group(1) : "\b\f\n\r\t".substring(at, at + 1));
            });
        }
    }

    /** A JSON string. */
    static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') quoted.append('\\').append(c);
            else if (c < 0x20) quoted.append(String.format("\\u%04x", (int) c));
            else quoted.append(c);
        }
        return quoted.append('"').toString();
    }

    static String basketOf(String calculationId, String loyaltyId, BigDecimal quantity, long unitPrice, long price) {
        return """
            { "calculationId": %s, "loyaltyId": %s, "currency": "NOK", "requestedAt": %s,
              "context": { "venueId": "oslo-central", "cashRegisterId": "till-1", "baxId": "500123", "channel": "pos" },
              "lines": [ { "lineId": "1", "productId": "4711", "name": "Filter coffee", "quantity": %s, "unitPrice": %d,
                "originalLinePrice": %d, "noDiscount": false, "noPercentageDiscount": false,
                "existingLineDiscountType": "none", "existingLineDiscountAmount": 0, "orderDiscountAllocation": [],
                "orderLinePrice": %d } ],
              "orderDiscounts": [],
              "totals": { "originalTotal": %d, "existingDiscountTotal": 0, "orderDiscountTotal": 0,
                "loyaltyDiscountTotal": 0, "total": %d } }
            """.formatted(quote(calculationId), quote(loyaltyId), quote(OffsetDateTime.now().toString()),
                quantity.toPlainString(), unitPrice, price, price, price, price);
    }

    static void sell(byte[] secret, String baseUrl, String loyaltyId, BigDecimal quantity, long unitPrice) throws Exception {
        Service service = new Service(baseUrl, secret);
        service.warmUp();
        String calculationId = UUID.randomUUID().toString();
        long price = linePrice(quantity, unitPrice);
        String basket = basketOf(calculationId, loyaltyId, quantity, unitPrice, price);
        Outcome outcome = service.calculate(calculationId, basket, price);
        String reason = outcome.failureReason();
        System.out.println("basket: " + outcome.status() + (reason == null ? "" : " (" + reason + ")")
            + ", to pay " + outcome.total());
        // In a till the event goes to a durable queue before the order is done.
        String event = "{\"calculationId\":" + quote(calculationId) + ",\"status\":" + quote(outcome.status())
            + ",\"transactionId\":\"receipt-1\"" + (reason == null ? "" : ",\"failureReason\":" + quote(reason)) + "}";
        System.out.println("sale event: " + service.reportSale(calculationId, event));
    }

    public static void main(String[] args) throws Exception {
        if (args[0].equals("price")) {
            System.out.println(linePrice(new BigDecimal(args[1]), Long.parseLong(args[2])));
            return;
        }
        byte[] secret;
        try {
            secret = decodeSecret(System.getenv("LOYALTY_SECRET"));
        } catch (IllegalArgumentException error) {
            System.err.println(error.getMessage());
            System.exit(1);
            return;
        }
        if (args[0].equals("sell")) sell(secret, args[1], args[2], new BigDecimal(args[3]), Long.parseLong(args[4]));
        else System.out.println(sign(secret, Long.parseLong(args[1]), System.in.readAllBytes()));
        System.exit(0);
    }
}
