/**
 * A POS backend as the tests play it: signs, sends, and has every answer judged by judge.ts before a test sees it.
 */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Answer } from './answer.ts';
import { HttpClient } from './http-client.ts';
import { checkAnswer, type Products } from './judge.ts';
import { signatureOf, unixSeconds } from './signer.ts';
import { sleep } from './wait.ts';
import type { BasketBody, SaleBody } from './wire.ts';

export const BASKET_PATH = '/v1/pos/basket';
export const SALE_PATH = '/v1/pos/sale';

/** A header value; null leaves the header out, a list sends it several times. */
export type HeaderValue = string | null | readonly string[];

export interface CallOptions {
  /** Headers by name, over those that every right request has. */
  readonly headers?: Readonly<Record<string, HeaderValue>>;
  readonly secret?: string;
  /** Unix seconds to sign with, instead of now. */
  readonly t?: number;
  readonly method?: string;
  readonly chunkBytes?: number;
  readonly timeoutMs?: number;
}

export interface CallerOptions {
  readonly secret: string;
  readonly ca?: string;
  /** How far the clock of the service that is called is ahead of ours, by which the calls are signed. */
  readonly skewSeconds?: number;
  /** The products of the venues. */
  readonly products?: Products;
  /** False where refusals with 503 are what the test is about; others are sent again, as `patiently` does. */
  readonly isPatient?: boolean;
}

export class Caller {
  readonly secret: string;
  /** Calls of a patient caller that were answered, and those that were refused with 503 before, however often. */
  readonly seen = { answers: 0, refusals: 0 };
  readonly #client: HttpClient;
  readonly #products: Products | undefined;
  readonly #isPatient: boolean;
  readonly #skewSeconds: number;

  constructor(baseUrl: string, options: CallerOptions) {
    this.secret = options.secret;
    this.#client = new HttpClient(baseUrl, options.ca === undefined ? {} : { ca: options.ca });
    this.#products = options.products;
    this.#isPatient = options.isPatient ?? true;
    this.#skewSeconds = options.skewSeconds ?? 0;
  }

  basket(body: BasketBody, options: CallOptions = {}): Promise<Answer> {
    return this.send(BASKET_PATH, body, options);
  }

  sale(body: SaleBody, options: CallOptions = {}): Promise<Answer> {
    return this.send(SALE_PATH, body, options);
  }

  /**
   * Sends a body, which may be wrong in any way, signed over exactly the bytes that go out. Bytes and text are sent as
   * they are; anything else is written as JSON. Throws when the answer breaks the interface.
   */
  async send(path: string, body: unknown, options: CallOptions = {}): Promise<Answer> {
    if (!this.#isPatient) return this.#sendOnce(path, body, options);
    let wasRefused = false;
    const answer = await patiently(async () => {
      const attempt = await this.#sendOnce(path, body, options);
      if (attempt.status === 503 && !wasRefused) this.seen.refusals += 1;
      wasRefused ||= attempt.status === 503;
      return attempt;
    });
    this.seen.answers += 1;
    return answer;
  }

  async #sendOnce(path: string, body: unknown, options: CallOptions): Promise<Answer> {
    const bytes = bytesOf(body);
    const request = parsed(bytes);
    const key = (request as { calculationId?: unknown } | undefined)?.calculationId;
    const right: Record<string, HeaderValue> = {
      'Content-Type': 'application/json; charset=utf-8',
      'POS-Signature': signatureOf(
        options.secret ?? this.secret,
        bytes,
        options.t ?? unixSeconds() + this.#skewSeconds,
      ),
      'Idempotency-Key': typeof key === 'string' && /^[\x21-\x7e]+$/.test(key) ? key : randomUUID(),
      'X-Request-Id': randomUUID(),
    };
    const headers = present({ ...right, ...options.headers });
    const { method = 'POST', chunkBytes, timeoutMs } = options;
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const startedMs = performance.now();
    const answer = await this.#client.send({
      method,
      path,
      headers,
      ...(hasBody && { body: bytes }),
      ...(chunkBytes !== undefined && { chunkBytes }),
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
    const roundTripMs = performance.now() - startedMs;
    const requestId = typeof headers['X-Request-Id'] === 'string' ? headers['X-Request-Id'] : undefined;
    const products = this.#products;
    checkAnswer({ endpoint: endpointOf(path), method, answer, request, requestId, products, roundTripMs });
    return answer;
  }

  close(): void {
    this.#client.close();
  }
}

/**
 * Repeats a call that a busy machine answered with 503: nothing of it was done, or the retry finds it. For tests that
 * load the machine themselves and judge answers instead of times.
 */
export async function patiently(send: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await send();
    if (attempt > 1) afterRefusal.add(answer);
    if (answer.status !== 503 || attempt === 20) return answer;
    await sleep(25 * attempt);
  }
}

const afterRefusal = new WeakSet<Answer>();

/** Whether the call was refused before: then it may have been committed all the same, and its answer be a replay. */
function isAfterRefusal(answer: Answer): boolean {
  return afterRefusal.has(answer);
}

/** The result of a sale event. One that was refused before may have been recorded all the same, and is a duplicate of itself then. */
export function resultOf(sale: Answer): unknown {
  const { result } = sale.json<{ result?: string }>();
  return result === 'duplicate' && isAfterRefusal(sale) ? 'recorded' : result;
}

/** True of a replay of another call than the caller's own one, which may have been committed although it was refused. */
export function isReplayOfOther(answer: Answer): boolean {
  return answer.isReplayed && !isAfterRefusal(answer);
}

/**
 * More refused calls than this, and the service is at fault instead of the machine: a call that is always refused at first would
 * otherwise pass. How often one call is refused says how long a standstill lasted: its caller comes again until it has ended.
 */
const MOST_REFUSALS = 5;
const MOST_REFUSED_SHARE = 0.1;

/** Of the calls of a patient caller; undefined where none was made. */
export function expectFewRefusals(caller: Caller | undefined): void {
  const { answers, refusals } = caller?.seen ?? { answers: 0, refusals: 0 };
  const limit = Math.max(MOST_REFUSALS, answers * MOST_REFUSED_SHARE);
  expect(refusals, `refusals of ${answers} calls`).toBeLessThanOrEqual(limit);
}

function endpointOf(path: string): 'basket' | 'sale' | 'other' {
  const route = path.split('?')[0];
  if (route === BASKET_PATH) return 'basket';
  return route === SALE_PATH ? 'sale' : 'other';
}

/** The bytes a body goes out as: bytes and text as they are, anything else as JSON. */
export function bytesOf(body: unknown): Buffer {
  if (body instanceof Uint8Array) return Buffer.from(body);
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}

function parsed(bytes: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function present(headers: Record<string, HeaderValue>): Record<string, string | readonly string[]> {
  const kept: Record<string, string | readonly string[]> = {};
  for (const [name, value] of Object.entries(headers)) if (value !== null) kept[name] = value;
  return kept;
}
