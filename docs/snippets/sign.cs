// Signs a request: dotnet run sign.cs <secret> <unix seconds> < body, prints the value of POS-Signature.
// As a file of its own it needs .NET 10; the functions work from .NET 5 on.

using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;

using var input = new MemoryStream();
await Console.OpenStandardInput().CopyToAsync(input);
Console.WriteLine(Sign(DecodeSecret(args[0]), long.Parse(args[1]), input.ToArray()));

// The key is the secret's bytes, never its text. It is handed over in hex or in base64.
static byte[] DecodeSecret(string text) =>
    Regex.IsMatch(text, @"\A(?:[0-9a-fA-F]{2})+\z") ? Convert.FromHexString(text) : Convert.FromBase64String(text);

// The body is exactly what goes out: serialise once, sign that, send that (ByteArrayContent, never JsonContent).
static string Sign(byte[] secret, long unixSeconds, byte[] body)
{
    using var hmac = IncrementalHash.CreateHMAC(HashAlgorithmName.SHA256, secret);
    hmac.AppendData(Encoding.ASCII.GetBytes($"{unixSeconds}."));
    hmac.AppendData(body);
    return $"t={unixSeconds},v1={Convert.ToHexString(hmac.GetHashAndReset()).ToLowerInvariant()}";
}
