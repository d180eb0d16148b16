<?php
// Signs a request: php sign.php <secret> <unix seconds> < body, prints the value of POS-Signature.

declare(strict_types=1);

/** The key is the secret's bytes, never its text. It is handed over in hex or in base64. */
function decodeSecret(string $text): string
{
    if (preg_match('/\A(?:[0-9a-fA-F]{2})+\z/', $text) === 1) {
        return hex2bin($text);
    }
    return base64_decode($text, true);
}

/** The body is exactly what goes out: serialise once, sign that, send that. */
function sign(string $secret, int $unixSeconds, string $body): string
{
    return "t={$unixSeconds},v1=" . hash_hmac('sha256', "{$unixSeconds}.{$body}", $secret);
}

echo sign(decodeSecret($argv[1]), (int) $argv[2], file_get_contents('php://stdin')), "\n";
