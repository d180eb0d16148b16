// Signs a request: kotlin sign.main.kts <secret> <unix seconds> < body, prints the value of POS-Signature.
// On Android 8 or newer; below that, android.util.Base64 stands in for java.util.Base64.

import java.util.Base64
import javax.crypto.Mac
import javax.crypto.spec.SecretKeySpec

/** The key is the secret's bytes, never its text. It is handed over in hex or in base64. */
fun decodeSecret(text: String): ByteArray =
    if (Regex("(?:[0-9a-fA-F]{2})+").matches(text)) {
        text.chunked(2).map { it.toInt(16).toByte() }.toByteArray()
    } else {
        Base64.getDecoder().decode(text)
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

println(sign(decodeSecret(args[0]), args[1].toLong(), System.`in`.readBytes()))
