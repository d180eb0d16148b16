/**
 * The caller's half in Kotlin on a JVM from 11 on, without packages. Copy the functions; main shows their use.
 *
 * kotlinc Loyalty.kt -include-runtime -d loyalty.jar
 * LOYALTY_SECRET='<hex or base64>' java -jar loyalty.jar sign <unix seconds> < body
 * LOYALTY_SECRET='<hex or base64>' java -jar loyalty.jar sell <base URL> <loyalty ID> <quantity> <unit price>
 * java -jar loyalty.jar price <quantity> <unit price>
 */

import java.io.IOException
import java.math.BigDecimal
import java.math.RoundingMode
import java.net.ConnectException
import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse
import java.time.Duration
import java.time.OffsetDateTime
import java.util.Base64
import java.util.UUID
import java.util.concurrent.ExecutionException
import java.util.concurrent.TimeUnit
import java.util.concurrent.TimeoutException
import javax.crypto.Mac
import javax.crypto.spec.SecretKeySpec
import kotlin.system.exitProcess

/** Connecting included, to the last byte. */
val BASKET_LIMIT: Duration = Duration.ofMillis(500)
/** What refused a connection just now refuses the next one too. */
const val RETRY_PAUSE_MS = 100L
/** Nobody waits for it. */
val SALE_LIMIT: Duration = Duration.ofSeconds(10)

/** The key is the secret's bytes, never its text. It is handed over in hex or in base64. */
fun decodeSecret(text: String?): ByteArray {
    val trimmed = text.orEmpty().trim()
    val isHex = Regex("(?:[0-9a-fA-F]{2})+").matches(trimmed)
    val secret = try {
        if (isHex) ByteArray(trimmed.length / 2) { trimmed.substring(2 * it, 2 * it + 2).toInt(16).toByte() }
        else Base64.getDecoder().decode(trimmed)
    } catch (error: IllegalArgumentException) {
        ByteArray(0)
    }
    require(secret.size >= 32) { "the secret is not 32 bytes or more in hex or base64" }
    return secret
}

/** The body is exactly what goes out: serialise once, sign that, send that. */
fun sign(secret: ByteArray, unixSeconds: Long, body: ByteArray): String {
    // A Mac is not safe for several threads: one per call, or one per thread.
    val mac = Mac.getInstance("HmacSHA256")
    mac.init(SecretKeySpec(secret, "HmacSHA256"))
    mac.update("$unixSeconds.".toByteArray(Charsets.US_ASCII))
    val digest = mac.doFinal(body).joinToString("") { "%02x".format(it) }
    return "t=$unixSeconds,v1=$digest"
}

/** quantity times unitPrice, exact and rounded half up. Make the BigDecimal of a text, never of a Double. */
fun linePrice(quantity: BigDecimal, unitPrice: Long): Long =
    quantity.multiply(BigDecimal.valueOf(unitPrice)).setScale(0, RoundingMode.HALF_UP).longValueExact()

/** The status of the order, failureReason when it is failed, and the amount to pay. */
data class Outcome(val status: String, val failureReason: String?, val total: Long)

/** For all threads of the process; its connections are kept alive. */
class Service(baseUrl: String, private val secret: ByteArray) {
    private val baseUrl = baseUrl.trimEnd('/')
    private val client: HttpClient

    init {
        // Java tries a failed connection again by itself; the one retry is ours.
        System.setProperty("jdk.httpclient.disableRetryConnect", "true")
        // The service closes idle connections after 10 seconds; this is in seconds too.
        System.setProperty("jdk.httpclient.keepalive.timeout", "5")
        client = HttpClient.newHttpClient()
    }

    /**
     * A cold JVM needs most of the 500 ms for its first call: this one, for a path that is not there, loads what a basket
     * needs and opens a connection. Call it at the start of the process.
     */
    fun warmUp() {
        try {
            judge("", post("/", "", "{}".toByteArray(), SALE_LIMIT).statusCode(), ByteArray(0), 0)
            judge("", 200, """{"calculationId":"","status":"unchanged"}""".toByteArray(), 0)
        } catch (error: Exception) {
            // The first basket will show it.
        }
    }

    /** One attempt. Throws ConnectException when nothing was sent, TimeoutException, or another IOException. */
    private fun post(path: String, key: String, body: ByteArray, limit: Duration): HttpResponse<ByteArray> {
        val request = HttpRequest.newBuilder(URI.create(baseUrl + path))
            .header("Content-Type", "application/json; charset=utf-8")
            .header("POS-Signature", sign(secret, System.currentTimeMillis() / 1000, body))
            .header("Idempotency-Key", key)
            .header("X-Request-Id", UUID.randomUUID().toString())
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build()
        // The client's own time limit ends with the head of the answer; this one with its last byte.
        val answer = client.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray())
        try {
            return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS)
        } catch (error: TimeoutException) {
            answer.cancel(true)
            throw error
        } catch (error: ExecutionException) {
            throw error.cause ?: error
        }
    }

    /** Never throws: the sale goes on whatever happens. */
    fun calculate(calculationId: String, basket: String, originalTotal: Long): Outcome {
        val body = basket.toByteArray()
        return try {
            val answer = try {
                post("/v1/pos/basket", calculationId, body, BASKET_LIMIT)
            } catch (error: ConnectException) {
                // The one retry, with the same key and the same bytes.
                System.err.println("connection failed: trying once more")
                Thread.sleep(RETRY_PAUSE_MS)
                post("/v1/pos/basket", calculationId, body, BASKET_LIMIT)
            }
            judge(calculationId, answer.statusCode(), answer.body(), originalTotal)
        } catch (error: TimeoutException) {
            Outcome("failed", "timeout", originalTotal)
        } catch (error: IOException) {
            Outcome("failed", "connection_error", originalTotal)
        } catch (error: Exception) {
            Outcome("failed", "pos_error", originalTotal)
        }
    }

    /** One attempt for an event of the durable queue: its result, or what to do. Each attempt is signed anew. */
    fun reportSale(calculationId: String, event: String): String {
        val answer = try {
            post("/v1/pos/sale", calculationId, event.toByteArray(), SALE_LIMIT)
        } catch (error: IOException) {
            return "send again later"
        } catch (error: TimeoutException) {
            return "send again later"
        }
        val status = answer.statusCode()
        if (status in 400..499 && status != 429) return "stop and tell support ($status)"
        val result = try {
            (Json(answer.body()).read() as Map<*, *>)["result"]
        } catch (error: RuntimeException) {
            null
        }
        val isSettled = status == 200 && result in listOf("recorded", "duplicate", "unknown_calculation")
        return if (isSettled) result as String else "send again later ($status)" // a 5xx, or the page of a proxy
    }
}

/** Only a valid `200 applied` replaces the basket. Add the other rules of the guide, part 6. */
fun judge(calculationId: String, status: Int, body: ByteArray, originalTotal: Long): Outcome {
    if (status != 200) return Outcome("failed", "http_error", originalTotal)
    try {
        val answer = Json(body).read() as Map<*, *>
        require(answer["calculationId"] == calculationId) { "another calculation's answer" }
        val known = answer["status"] as String
        if (known == "unchanged" || known == "member_not_found") return Outcome(known, null, originalTotal)
        val total = money((answer["totals"] as Map<*, *>)["total"])
        var sum = 0L
        for (line in answer["lines"] as List<*>) sum += money((line as Map<*, *>)["orderLinePrice"])
        require(known == "applied" && sum == total) { "it does not add up" }
        return Outcome("applied", null, total)
    } catch (error: RuntimeException) {
        return Outcome("failed", "invalid_response", originalTotal)
    }
}

fun money(value: Any?): Long {
    val amount = (value as BigDecimal).longValueExact()
    require(amount >= 0) { "a negative amount" }
    return amount
}

/** Reads JSON into Map, List, String, BigDecimal, Boolean and null. With a JSON library at hand, use that one. */
class Json(body: ByteArray) {
    private val text = String(body, Charsets.UTF_8)
    private var at = 0

    fun read(): Any? {
        val value = value()
        blanks()
        require(at == text.length) { "text behind the value" }
        return value
    }

    private fun value(): Any? {
        blanks()
        return when {
            takes("{") -> items("}") {
                blanks()
                val name = string()
                require(next() == ':') { "not JSON" }
                name to value()
            }.toMap()
            takes("[") -> items("]") { value() }
            takes("true") -> true
            takes("false") -> false
            takes("null") -> null
            text.startsWith("\"", at) -> string()
            else -> number()
        }
    }

    private fun <T> items(end: String, item: () -> T): List<T> {
        val list = mutableListOf<T>()
        blanks()
        if (takes(end)) return list
        while (true) {
            list.add(item())
            blanks()
            if (takes(end)) return list
            require(next() == ',') { "not JSON" }
        }
    }

    private fun string(): String {
        require(next() == '"') { "not JSON" }
        val read = StringBuilder()
        while (true) {
            val c = text[at++]
            if (c == '"') return read.toString()
            if (c != '\\') {
                read.append(c)
                continue
            }
            val escaped = text[at++]
            val known = "bfnrt".indexOf(escaped)
            if (escaped == 'u') {
                read.append(text.substring(at, at + 4).toInt(16).toChar())
                at += 4
            } else read.append(if (known < 0) escaped else "\b\u000c\n\r\t"[known])
        }
    }

    private fun number(): BigDecimal {
        val found = Regex("-?\\d+(\\.\\d+)?([eE][+-]?\\d+)?").find(text, at)
        require(found != null && found.range.first == at) { "not JSON" }
        at = found.range.last + 1
        return BigDecimal(found.value)
    }

    private fun next(): Char {
        blanks()
        return text[at++]
    }

    private fun takes(word: String): Boolean {
        val isThere = text.startsWith(word, at)
        if (isThere) at += word.length
        return isThere
    }

    private fun blanks() {
        while (at < text.length && text[at] in " \t\r\n") at += 1
    }
}

/** A JSON string. */
fun quote(text: String): String = text.toCharArray().joinToString("", "\"", "\"") {
    when {
        it == '"' || it == '\\' -> "\\$it"
        it < ' ' -> "\\u%04x".format(it.toInt())
        else -> it.toString()
    }
}

fun basketOf(calculationId: String, loyaltyId: String, quantity: BigDecimal, unitPrice: Long, price: Long): String = """
    { "calculationId": ${quote(calculationId)}, "loyaltyId": ${quote(loyaltyId)}, "currency": "NOK",
      "requestedAt": ${quote(OffsetDateTime.now().toString())},
      "context": { "venueId": "oslo-central", "cashRegisterId": "till-1", "baxId": "500123", "channel": "pos" },
      "lines": [ { "lineId": "1", "productId": "4711", "name": "Filter coffee", "quantity": ${quantity.toPlainString()},
        "unitPrice": $unitPrice, "originalLinePrice": $price, "noDiscount": false, "noPercentageDiscount": false,
        "existingLineDiscountType": "none", "existingLineDiscountAmount": 0, "orderDiscountAllocation": [],
        "orderLinePrice": $price } ],
      "orderDiscounts": [],
      "totals": { "originalTotal": $price, "existingDiscountTotal": 0, "orderDiscountTotal": 0,
        "loyaltyDiscountTotal": 0, "total": $price } }
    """.trimIndent()

fun sell(secret: ByteArray, baseUrl: String, loyaltyId: String, quantity: BigDecimal, unitPrice: Long) {
    val service = Service(baseUrl, secret)
    service.warmUp()
    val calculationId = UUID.randomUUID().toString()
    val price = linePrice(quantity, unitPrice)
    val outcome = service.calculate(calculationId, basketOf(calculationId, loyaltyId, quantity, unitPrice, price), price)
    val (status, reason, total) = outcome
    println("basket: $status${if (reason == null) "" else " ($reason)"}, to pay $total")
    // In a till the event goes to a durable queue before the order is done.
    val failure = if (reason == null) "" else ",\"failureReason\":${quote(reason)}"
    val event = """{"calculationId":${quote(calculationId)},"status":${quote(status)},"transactionId":"receipt-1"$failure}"""
    println("sale event: ${service.reportSale(calculationId, event)}")
}

fun main(args: Array<String>) {
    if (args[0] == "price") return println(linePrice(BigDecimal(args[1]), args[2].toLong()))
    val secret = try {
        decodeSecret(System.getenv("LOYALTY_SECRET"))
    } catch (error: IllegalArgumentException) {
        System.err.println(error.message)
        exitProcess(1)
    }
    if (args[0] == "sell") sell(secret, args[1], args[2], BigDecimal(args[3]), args[4].toLong())
    else println(sign(secret, args[1].toLong(), System.`in`.readBytes()))
    exitProcess(0)
}
