/** A collector that speaks OTLP over HTTP in its JSON form, and says what of a request does not fit it. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: number;
  readonly status: object;
  /** Nanoseconds since 1970. */
  readonly start: bigint;
  readonly end: bigint;
  readonly attributes: Readonly<Record<string, string>>;
}

type Attributes = readonly { readonly key: string; readonly value: Readonly<Record<string, string>> }[];

interface SentSpan extends Omit<ReceivedSpan, 'start' | 'end' | 'attributes'> {
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Attributes;
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Attributes };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  readonly bodies: unknown[] = [];
  readonly faults: string[] = [];
  resource: Readonly<Record<string, string>> = {};
  readonly #server: Server;

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const isOtlp = request.method === 'POST' && request.url === '/v1/traces';
      if (isOtlp && request.headers['content-type'] === 'application/json')
        this.#take(Buffer.concat(chunks).toString());
      else this.faults.push(`${request.method} ${request.url} ${request.headers['content-type']}`);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  }

  static async open(): Promise<OtlpReceiver> {
    const receiver = new OtlpReceiver();
    receiver.#server.listen(0, '127.0.0.1');
    await once(receiver.#server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #take(text: string): void {
    const body = JSON.parse(text) as Sent;
    this.bodies.push(body);
    for (const { resource, scopeSpans } of body.resourceSpans) {
      this.resource = read(resource.attributes);
      for (const span of scopeSpans.flatMap(({ spans }) => spans)) this.#takeSpan(span);
    }
  }

  #takeSpan(span: SentSpan): void {
    const { startTimeUnixNano, endTimeUnixNano, attributes, ...rest } = span;
    const isRight =
      /^[0-9a-f]{32}$/.test(span.traceId) &&
      [span.spanId, span.parentSpanId].every((id) => /^[0-9a-f]{16}$/.test(id)) &&
      [startTimeUnixNano, endTimeUnixNano].every((instant) => /^\d{19}$/.test(instant));
    if (!isRight) this.faults.push(JSON.stringify(span));
    this.spans.push({
      ...rest,
      start: BigInt(startTimeUnixNano),
      end: BigInt(endTimeUnixNano),
      attributes: read(attributes),
    });
  }
}

function read(attributes: Attributes): Record<string, string> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? '']));
}
