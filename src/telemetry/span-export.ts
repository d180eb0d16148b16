/** Spans by OTLP over HTTP, as JSON: https://opentelemetry.io/docs/specs/otlp/#otlphttp, without the libraries of it. */

/** One step of a trace. Instants are milliseconds since 1970. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  /** The one that answers a caller; the others are steps inside the service. */
  readonly isServer: boolean;
  readonly startMs: number;
  readonly endMs: number;
  readonly isFault: boolean;
  readonly attributes: Readonly<Record<string, string | number>>;
}

const FLUSH_MS = 1000;
/** Spans that may wait; beyond it they are dropped, because a call never waits for a collector. */
const MAX_WAITING = 4096;
const TIMEOUT_MS = 5000;
/** At the end of the process a collector that does not answer is waited for no longer than this. */
const CLOSING_MS = 1000;
const KIND = { internal: 1, server: 2 } as const;
const STATUS_ERROR = 2;
const NS_PER_MS = 1_000_000;

export interface SpanExportOptions {
  /** The collector's address; `/v1/traces` is appended. */
  readonly endpoint: string;
  readonly resource: Readonly<Record<string, string>>;
  /** Called with the reason when spans are lost. */
  readonly onLoss: (reason: string, count: number) => void;
}

/** Sends spans to a collector once a second. */
export class SpanExport {
  readonly #options: SpanExportOptions;
  readonly #timer: NodeJS.Timeout;
  #waiting: Span[] = [];
  #dropped = 0;
  #sending: Promise<void> = Promise.resolve();
  #isSending = false;
  readonly #closing = new AbortController();

  constructor(options: SpanExportOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.flush(), FLUSH_MS).unref();
  }

  add(spans: readonly Span[]): void {
    if (this.#waiting.length + spans.length > MAX_WAITING) this.#dropped += spans.length;
    else this.#waiting.push(...spans);
  }

  /** Sends what waits. Never throws. */
  flush(): Promise<void> {
    if (!this.#isSending) this.#sending = this.#send();
    return this.#sending;
  }

  /** Sends the last spans. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    const patience = setTimeout(() => this.#closing.abort(new Error('the process ends')), CLOSING_MS);
    await this.#sending;
    await this.flush();
    clearTimeout(patience);
  }

  async #send(): Promise<void> {
    const { onLoss } = this.#options;
    if (this.#dropped > 0) onLoss('too many spans wait for the collector', this.#dropped);
    this.#dropped = 0;
    const spans = this.#waiting;
    if (spans.length === 0) return;
    this.#waiting = [];
    this.#isSending = true;
    try {
      const answer = await fetch(`${this.#options.endpoint}/v1/traces`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(renderSpans(spans, this.#options.resource)),
        signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), this.#closing.signal]),
      });
      await answer.arrayBuffer();
      if (!answer.ok) onLoss(`the collector answered ${answer.status}`, spans.length);
    } catch (error) {
      const { message, cause } = error as Error;
      onLoss((cause as Error | undefined)?.message ?? message, spans.length);
    } finally {
      this.#isSending = false;
    }
  }
}

/** The request of OTLP, in its JSON form: IDs as hexadecimal digits, 64-bit numbers as texts. */
function renderSpans(spans: readonly Span[], resource: Readonly<Record<string, string>>) {
  return {
    resourceSpans: [
      {
        resource: { attributes: renderAttributes(resource) },
        scopeSpans: [{ scope: { name: 'loyalty-basket-gateway' }, spans: spans.map(renderSpan) }],
      },
    ],
  };
}

function renderSpan({ traceId, spanId, parentSpanId, name, isServer, startMs, endMs, isFault, attributes }: Span) {
  return {
    traceId,
    spanId,
    parentSpanId,
    name,
    kind: isServer ? KIND.server : KIND.internal,
    startTimeUnixNano: toNanoseconds(startMs),
    endTimeUnixNano: toNanoseconds(endMs),
    attributes: renderAttributes(attributes),
    status: isFault ? { code: STATUS_ERROR } : {},
  };
}

function renderAttributes(attributes: Readonly<Record<string, string | number>>) {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));
}

/** To the microsecond, which a number holds exactly until the year 2255. */
function toNanoseconds(epochMs: number): string {
  return String(BigInt(Math.round(epochMs * 1000)) * BigInt(NS_PER_MS / 1000));
}
