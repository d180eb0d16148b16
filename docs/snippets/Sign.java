import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs a request: java Sign.java <secret> <unix seconds> < body, prints the value of POS-Signature. Java 17. */
public class Sign {
    /** The key is the secret's bytes, never its text. It is handed over in hex or in base64. */
    static byte[] decodeSecret(String text) {
        return text.matches("(?:[0-9a-fA-F]{2})+") ? HexFormat.of().parseHex(text) : Base64.getDecoder().decode(text);
    }

    /** The body is exactly what goes out: serialise once, sign that, send that. */
    static String sign(byte[] secret, long unixSeconds, byte[] body) throws Exception {
        // A Mac is not safe for several threads: one per call, or one per thread.
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret, "HmacSHA256"));
        mac.update((unixSeconds + ".").getBytes(StandardCharsets.US_ASCII));
        return "t=" + unixSeconds + ",v1=" + HexFormat.of().formatHex(mac.doFinal(body));
    }

    public static void main(String[] args) throws Exception {
        System.out.println(sign(decodeSecret(args[0]), Long.parseLong(args[1]), System.in.readAllBytes()));
    }
}
