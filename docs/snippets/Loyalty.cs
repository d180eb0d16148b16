// The caller's half in C#, without packages: .NET 5 or newer, .NET Framework from 4.7.2 on. Copy the methods; Main shows
// their use.
//
// LOYALTY_SECRET='<hex or base64>' dotnet run Loyalty.cs sign <unix seconds> < body
// LOYALTY_SECRET='<hex or base64>' dotnet run Loyalty.cs sell <base URL> <loyalty ID> <quantity> <unit price>
// dotnet run Loyalty.cs price <quantity> <unit price>

using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Http;
using System.Net.Sockets;
using System.Runtime.Serialization.Json;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading;
using System.Threading.Tasks;
using System.Xml;
using System.Xml.Linq;

public static class Loyalty
{
    /// <summary>Connecting included, to the last byte.</summary>
    private static readonly TimeSpan BasketLimit = TimeSpan.FromMilliseconds(500);
    /// <summary>What refused a connection just now refuses the next one too.</summary>
    private static readonly TimeSpan RetryPause = TimeSpan.FromMilliseconds(100);

    /// <summary>Nobody waits for it.</summary>
    private static readonly TimeSpan SaleLimit = TimeSpan.FromSeconds(10);

    /// <summary>The key is the secret's bytes, never its text. It is handed over in hex or in base64.</summary>
    public static byte[] DecodeSecret(string text)
    {
        string trimmed = (text ?? "").Trim();
        byte[] secret = Array.Empty<byte>();
        try
        {
            secret = Regex.IsMatch(trimmed, @"\A(?:[0-9a-fA-F]{2})+\z")
                ? Enumerable.Range(0, trimmed.Length / 2).Select(at => Convert.ToByte(trimmed.Substring(2 * at, 2), 16)).ToArray()
                : Convert.FromBase64String(trimmed);
        }
        catch (FormatException)
        {
            // Refused below, in words without the secret.
        }
        if (secret.Length < 32) throw new ArgumentException("the secret is not 32 bytes or more in hex or base64");
        return secret;
    }

    /// <summary>The body is exactly what goes out: serialise once, sign that, send that.</summary>
    public static string Sign(byte[] secret, long unixSeconds, byte[] body)
    {
        using (var hmac = new HMACSHA256(secret))
        {
            byte[] signed = Encoding.ASCII.GetBytes(unixSeconds + ".").Concat(body).ToArray();
            string digest = string.Concat(hmac.ComputeHash(signed).Select(value => value.ToString("x2")));
            return "t=" + unixSeconds + ",v1=" + digest;
        }
    }

    /// <summary>quantity times unitPrice, exact and rounded half up. Decimal is exact; double is not.</summary>
    public static long LinePrice(decimal quantity, long unitPrice)
    {
        return (long)Math.Round(quantity * unitPrice, 0, MidpointRounding.AwayFromZero);
    }

    /// <summary>The status of the order, failureReason when it is failed, and the amount to pay.</summary>
    public sealed class Outcome
    {
        public Outcome(string status, string failureReason, long total)
        {
            Status = status;
            FailureReason = failureReason;
            Total = total;
        }

        public string Status { get; }
        public string FailureReason { get; }
        public long Total { get; }
    }

    /// <summary>An answer: its HTTP status and its body.</summary>
    public sealed class Answer
    {
        public int Status;
        public byte[] Body;
    }

    /// <summary>One for the process: its connections are kept alive.</summary>
    public sealed class Service
    {
        private readonly HttpClient client;
        private readonly string baseUrl;
        private readonly byte[] secret;

        public Service(string baseUrl, byte[] secret)
        {
            this.baseUrl = baseUrl.TrimEnd('/');
            this.secret = secret;
            // On .NET 5 or newer use a SocketsHttpHandler, with PooledConnectionIdleTimeout = TimeSpan.FromSeconds(5).
            ServicePointManager.MaxServicePointIdleTime = 5000; // The service closes idle connections after 10 seconds.
            ServicePointManager.Expect100Continue = false;
            client = new HttpClient(new HttpClientHandler { AllowAutoRedirect = false }) { Timeout = Timeout.InfiniteTimeSpan };
        }

        /// <summary>
        /// A cold runtime needs most of the 500 ms for its first call: this one, for a path that is not there, loads what a
        /// basket needs and opens a connection. Call it at the start of the process.
        /// </summary>
        public async Task WarmUp()
        {
            try
            {
                await Post("/", "", Encoding.UTF8.GetBytes("{}"), SaleLimit);
                byte[] unchanged = Encoding.UTF8.GetBytes("{\"calculationId\":\"\",\"status\":\"unchanged\"}");
                Judge("", new Answer { Status = 200, Body = unchanged }, 0);
            }
            catch (Exception)
            {
                // The first basket will show it.
            }
        }

        /// <summary>One attempt. Throws OperationCanceledException at the limit, and else what the HTTP client throws.</summary>
        private async Task<Answer> Post(string path, string key, byte[] body, TimeSpan limit)
        {
            using (var stop = new CancellationTokenSource(limit))
            using (var request = new HttpRequestMessage(HttpMethod.Post, baseUrl + path))
            {
                // ByteArrayContent, never JsonContent: it would serialise once more.
                request.Content = new ByteArrayContent(body);
                request.Content.Headers.TryAddWithoutValidation("Content-Type", "application/json; charset=utf-8");
                request.Headers.Add("POS-Signature", Sign(secret, DateTimeOffset.UtcNow.ToUnixTimeSeconds(), body));
                request.Headers.Add("Idempotency-Key", key);
                request.Headers.Add("X-Request-Id", Guid.NewGuid().ToString());
                Task<Answer> attempt = Receive(request, stop.Token);
                // Some runtimes end neither a connection attempt nor a body at the token, so the limit is kept here too.
                if (await Task.WhenAny(attempt, Task.Delay(limit)) == attempt) return await attempt;
                // Whatever comes later is dropped.
                _ = attempt.ContinueWith(late => late.Exception, TaskScheduler.Default);
                throw new OperationCanceledException();
            }
        }

        private async Task<Answer> Receive(HttpRequestMessage request, CancellationToken stop)
        {
            using (HttpResponseMessage response = await client.SendAsync(request, HttpCompletionOption.ResponseContentRead, stop))
            {
                byte[] body = response.Content == null ? Array.Empty<byte>() : await response.Content.ReadAsByteArrayAsync();
                return new Answer { Status = (int)response.StatusCode, Body = body };
            }
        }

        /// <summary>Nothing was sent: refused, no route, name not found.</summary>
        private static bool IsNotConnected(Exception error)
        {
            for (Exception cause = error; cause != null; cause = cause.InnerException)
            {
                if (cause is WebException web) // .NET Framework
                {
                    return web.Status == WebExceptionStatus.ConnectFailure || web.Status == WebExceptionStatus.NameResolutionFailure;
                }
                if (cause is SocketException socket)
                {
                    return new[]
                    {
                        SocketError.ConnectionRefused, SocketError.HostNotFound, SocketError.NoData, SocketError.TryAgain,
                        SocketError.HostUnreachable, SocketError.NetworkUnreachable,
                    }.Contains(socket.SocketErrorCode);
                }
            }
            return false;
        }

        /// <summary>Never throws: the sale goes on whatever happens.</summary>
        public async Task<Outcome> Calculate(string calculationId, string basket, long originalTotal)
        {
            byte[] body = Encoding.UTF8.GetBytes(basket);
            try
            {
                Answer answer;
                try
                {
                    answer = await Post("/v1/pos/basket", calculationId, body, BasketLimit);
                }
                catch (Exception error) when (IsNotConnected(error))
                {
                    // The one retry, with the same key and the same bytes.
                    Console.Error.WriteLine("connection failed: trying once more");
                    await Task.Delay(RetryPause);
                    answer = await Post("/v1/pos/basket", calculationId, body, BasketLimit);
                }
                return Judge(calculationId, answer, originalTotal);
            }
            catch (OperationCanceledException)
            {
                return new Outcome("failed", "timeout", originalTotal);
            }
            catch (Exception)
            {
                return new Outcome("failed", "connection_error", originalTotal);
            }
        }

        /// <summary>One attempt for an event of the durable queue: its result, or what to do. Each is signed anew.</summary>
        public async Task<string> ReportSale(string calculationId, string saleEvent)
        {
            Answer answer;
            try
            {
                answer = await Post("/v1/pos/sale", calculationId, Encoding.UTF8.GetBytes(saleEvent), SaleLimit);
            }
            catch (Exception)
            {
                return "send again later";
            }
            bool isRejected = answer.Status >= 400 && answer.Status < 500 && answer.Status != 429;
            if (isRejected) return "stop and tell support (" + answer.Status + ")";
            string result = null;
            try
            {
                result = (string)ReadJson(answer.Body).Element("result");
            }
            catch (Exception error) when (error is FormatException || error is XmlException)
            {
                // Not the answer of this interface.
            }
            bool isSettled = answer.Status == 200 && new[] { "recorded", "duplicate", "unknown_calculation" }.Contains(result);
            return isSettled ? result : "send again later (" + answer.Status + ")"; // a 5xx, or the page of a proxy
        }
    }

    /// <summary>Only a valid `200 applied` replaces the basket. Add the other rules of the guide, part 6.</summary>
    public static Outcome Judge(string calculationId, Answer answer, long originalTotal)
    {
        if (answer.Status != 200) return new Outcome("failed", "http_error", originalTotal);
        try
        {
            XElement body = ReadJson(answer.Body);
            if ((string)body.Element("calculationId") != calculationId) throw new FormatException("another answer");
            string status = (string)body.Element("status");
            if (status == "unchanged" || status == "member_not_found") return new Outcome(status, null, originalTotal);
            long total = Money(body.Element("totals").Element("total"));
            long sum = body.Element("lines").Elements().Sum(line => Money(line.Element("orderLinePrice")));
            if (status != "applied" || sum != total) throw new FormatException("it does not add up");
            return new Outcome("applied", null, total);
        }
        catch (Exception error) when (error is FormatException || error is XmlException || error is NullReferenceException || error is OverflowException)
        {
            return new Outcome("failed", "invalid_response", originalTotal);
        }
    }

    private static long Money(XElement value)
    {
        if ((string)value.Attribute("type") != "number") throw new FormatException("not a number");
        return long.Parse(value.Value, NumberStyles.None, CultureInfo.InvariantCulture);
    }

    /// <summary>JSON as XML, with what every .NET has. System.Text.Json does as well.</summary>
    private static XElement ReadJson(byte[] body)
    {
        // Mono's reader takes an answer whose end is missing.
        if (!IsWhole(body)) throw new FormatException("not whole");
        using (var reader = JsonReaderWriterFactory.CreateJsonReader(body, XmlDictionaryReaderQuotas.Max))
        {
            return XElement.Load(reader);
        }
    }

    /// <summary>True when as many braces and brackets close as have opened, outside of texts.</summary>
    private static bool IsWhole(byte[] body)
    {
        int depth = 0;
        bool isText = false;
        for (int at = 0; at < body.Length; at += 1)
        {
            char c = (char)body[at];
            if (isText && c == '\\') at += 1;
            else if (c == '"') isText = !isText;
            else if (!isText && (c == '{' || c == '[')) depth += 1;
            else if (!isText && (c == '}' || c == ']')) depth -= 1;
        }
        return depth == 0 && !isText;
    }

    /// <summary>A JSON string.</summary>
    private static string Quote(string text)
    {
        return "\"" + Regex.Replace(text, "[\"\\\\\\x00-\\x1f]", found => "\\u" + ((int)found.Value[0]).ToString("x4")) + "\"";
    }

    private static string BasketOf(string calculationId, string loyaltyId, decimal quantity, long unitPrice, long price)
    {
        return @"{ ""calculationId"": " + Quote(calculationId) + @", ""loyaltyId"": " + Quote(loyaltyId) + @", ""currency"": ""NOK"",
            ""requestedAt"": " + Quote(DateTimeOffset.Now.ToString("yyyy-MM-ddTHH:mm:sszzz", CultureInfo.InvariantCulture)) + @",
            ""context"": { ""venueId"": ""oslo-central"", ""cashRegisterId"": ""till-1"", ""baxId"": ""500123"", ""channel"": ""pos"" },
            ""lines"": [ { ""lineId"": ""1"", ""productId"": ""4711"", ""name"": ""Filter coffee"",
              ""quantity"": " + quantity.ToString(CultureInfo.InvariantCulture) + @", ""unitPrice"": " + unitPrice + @",
              ""originalLinePrice"": " + price + @", ""noDiscount"": false, ""noPercentageDiscount"": false,
              ""existingLineDiscountType"": ""none"", ""existingLineDiscountAmount"": 0, ""orderDiscountAllocation"": [],
              ""orderLinePrice"": " + price + @" } ],
            ""orderDiscounts"": [],
            ""totals"": { ""originalTotal"": " + price + @", ""existingDiscountTotal"": 0, ""orderDiscountTotal"": 0,
              ""loyaltyDiscountTotal"": 0, ""total"": " + price + @" } }";
    }

    private static async Task Sell(byte[] secret, string baseUrl, string loyaltyId, decimal quantity, long unitPrice)
    {
        var service = new Service(baseUrl, secret);
        await service.WarmUp();
        string calculationId = Guid.NewGuid().ToString();
        long price = LinePrice(quantity, unitPrice);
        string basket = BasketOf(calculationId, loyaltyId, quantity, unitPrice, price);
        Outcome outcome = await service.Calculate(calculationId, basket, price);
        string reason = outcome.FailureReason;
        Console.WriteLine("basket: " + outcome.Status + (reason == null ? "" : " (" + reason + ")") + ", to pay " + outcome.Total);
        // In a till the event goes to a durable queue before the order is done.
        string saleEvent = "{\"calculationId\":" + Quote(calculationId) + ",\"status\":" + Quote(outcome.Status)
            + ",\"transactionId\":\"receipt-1\"" + (reason == null ? "" : ",\"failureReason\":" + Quote(reason)) + "}";
        Console.WriteLine("sale event: " + await service.ReportSale(calculationId, saleEvent));
    }

    public static int Main(string[] args)
    {
        return Run(args).GetAwaiter().GetResult();
    }

    private static async Task<int> Run(string[] args)
    {
        if (args[0] == "price")
        {
            Console.WriteLine(LinePrice(decimal.Parse(args[1], CultureInfo.InvariantCulture), long.Parse(args[2])));
            return 0;
        }
        byte[] secret;
        try
        {
            secret = DecodeSecret(Environment.GetEnvironmentVariable("LOYALTY_SECRET"));
        }
        catch (ArgumentException error)
        {
            Console.Error.WriteLine(error.Message);
            return 1;
        }
        if (args[0] == "sell")
        {
            await Sell(secret, args[1], args[2], decimal.Parse(args[3], CultureInfo.InvariantCulture), long.Parse(args[4]));
            return 0;
        }
        using (var input = new MemoryStream())
        {
            await Console.OpenStandardInput().CopyToAsync(input);
            Console.WriteLine(Sign(secret, long.Parse(args[1]), input.ToArray()));
        }
        return 0;
    }
}
