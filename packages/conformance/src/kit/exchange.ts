/** One request of the kit and its answer, exactly as received. */
export interface Exchange {
  readonly endpoint: Endpoint;
  readonly method: string;
  readonly path: string;
  /** The body that was sent, when it was meant to be JSON; undefined for bytes that are not. */
  readonly request: unknown;
  /** The `X-Request-Id` that was sent. */
  readonly requestId: string | undefined;
  readonly status: number;
  /** Header lines in their order, names as sent. */
  readonly headers: readonly (readonly [string, string])[];
  readonly bytes: Buffer;
  /** The answer's body as JSON; undefined when it is no JSON. */
  readonly body: unknown;
  /** From the first byte sent to the last one received, as the till would wait. */
  readonly roundTripMs: number;
  /** The request went out on a connection that an earlier answer had left open. */
  readonly isReused?: boolean;
  readonly isTls?: boolean;
}

/** `other` is a path outside the interface, which can only be refused. */
export type Endpoint = 'basket' | 'sale' | 'other';

/** Every value that was sent under a name, in order. */
export function headerValues(exchange: Exchange, name: string): string[] {
  const wanted = name.toLowerCase();
  return exchange.headers.filter(([key]) => key.toLowerCase() === wanted).map(([, value]) => value);
}

/** True for 200, the one status that is no refusal. */
export function isSuccess({ status }: Exchange): boolean {
  return status === 200;
}

/** True when the answer says that it comes from the idempotency store (interface, section 4). */
export function isReplayed(exchange: Exchange): boolean {
  return headerValues(exchange, 'Idempotent-Replayed')[0] === 'true';
}

/** A body as JSON in UTF-8; undefined when it is none. */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `error.code` of an Error body; undefined when the answer is none. */
export function errorCode(exchange: Exchange): string | undefined {
  const error = isRecord(exchange.body) ? exchange.body['error'] : undefined;
  const code = isRecord(error) ? error['code'] : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** A field of the answer's body. */
export function fieldOf(exchange: Exchange, name: string): unknown {
  return isRecord(exchange.body) ? exchange.body[name] : undefined;
}

/** The answer in a few words, for the report. Never more than the beginning of a body, and never a loyalty ID. */
export function describe(exchange: Exchange): string {
  const code = errorCode(exchange);
  if (code !== undefined) return `${exchange.status} ${code}`;
  const word = fieldOf(exchange, 'status') ?? fieldOf(exchange, 'result');
  if (typeof word === 'string') return `${exchange.status} ${word.slice(0, 40)}`;
  return `${exchange.status} with ${exchange.bytes.length} bytes that are not of the interface`;
}
