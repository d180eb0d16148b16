import { createHmac, createSecretKey, randomUUID } from 'node:crypto';
import { JSON_CONTENT_TYPE, REQUEST_HEADERS } from '@loyalty/contract/headers';
import { Random } from '../../packages/simulator/src/random.ts';
import { BASKET_PATH, SALE_PATH } from '../../packages/tools/src/load/deployment.ts';
import { createBaskets, ID_PLACEHOLDER, MEMBER_PLACEHOLDER } from './baskets.ts';
import { loyaltyIdOf, MEMBER_COUNT, type Mix, type RequestClass } from './mix.ts';

/** Different baskets per size; each request still has its own ID, member and signature. */
const VARIETIES = 32;

/** How far ahead a tape is signed; with the clock window of ±300 s it may then be used for 500 s. */
const SIGNED_AHEAD_SECONDS = 200;

/** The number of requests between a basket and its replay or sale event, so that the basket has been answered. */
const DISTANCE = 2000;

/** A body with gaps for its IDs. Each gap has the length of its text, so that making a body is a copy with two writes. */
interface Template {
  readonly path: string;
  readonly bytes: Buffer;
  readonly idAt: number;
  /** Negative in a sale event, which names no member. */
  readonly memberAt: number;
}

interface Prepared {
  readonly kind: RequestClass;
  readonly template: Template;
  readonly member: number;
  readonly calculationId: string;
  readonly signature: string;
}

/** A request as it is sent. */
export interface TapeRequest {
  readonly kind: RequestClass;
  readonly calculationId: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface TapeOptions {
  readonly mix: Mix;
  /** Hex. */
  readonly secret: string;
  /** Equal seeds give equal baskets, members and order; IDs are always new. */
  readonly seed: number;
  /** The number of requests that are prepared; more are prepared when they are taken. */
  readonly count: number;
  readonly distance?: number;
}

/**
 * Requests prepared in advance: the basket, the member, the ID and the signature, which is most of what a request costs its
 * sender. Bodies are made when a request is taken, so that a million requests fit in memory. Each is taken once.
 */
export class Tape {
  readonly #mix: Mix;
  readonly #random: Random;
  readonly #sign: (body: Buffer) => string;
  readonly #distance: number;
  readonly #baskets: readonly Template[];
  readonly #largeBaskets: readonly Template[];
  readonly #sale: Template;
  readonly #prepared: Prepared[] = [];
  #taken = 0;

  constructor({ mix, secret, seed, count, distance = DISTANCE }: TapeOptions) {
    this.#mix = mix;
    this.#random = new Random(seed);
    // Odd, so that an odd request can be the sale of an even one, which is always a basket.
    this.#distance = distance | 1;
    const templates = (lines: number, from: number) =>
      createBaskets(VARIETIES, lines, from).map((basket) => templateOf(BASKET_PATH, basket));
    this.#baskets = templates(mix.lines, seed);
    this.#largeBaskets = mix.large ? templates(mix.large.lines, seed + 1) : [];
    const sale = { calculationId: ID_PLACEHOLDER, status: 'applied', transactionId: 'receipt-1' };
    this.#sale = templateOf(SALE_PATH, sale);
    const key = createSecretKey(Buffer.from(secret, 'hex'));
    const timestamp = Math.floor(Date.now() / 1000) + SIGNED_AHEAD_SECONDS;
    this.#sign = (body) =>
      `t=${timestamp},v1=${createHmac('sha256', key).update(`${timestamp}.`).update(body).digest('hex')}`;
    while (this.#prepared.length < count) this.#prepareNext();
  }

  /** The next request. */
  take(): TapeRequest {
    if (this.#taken === this.#prepared.length) this.#prepareNext();
    const prepared = this.#prepared[this.#taken] as Prepared;
    this.#taken += 1;
    const { kind, calculationId, signature } = prepared;
    const headers = {
      'Content-Type': JSON_CONTENT_TYPE,
      [REQUEST_HEADERS.signature]: signature,
      [REQUEST_HEADERS.idempotencyKey]: calculationId,
      [REQUEST_HEADERS.requestId]: calculationId,
    };
    return { kind, calculationId, path: prepared.template.path, headers, body: bodyOf(prepared) };
  }

  #prepareNext(): void {
    const { large, replayOf, withSales, replayShare = 0 } = this.#mix;
    const index = this.#prepared.length;
    const earlier = this.#prepared[index - this.#distance];
    if (replayOf && index >= replayOf.baskets)
      return this.#repeat(this.#prepared[index % replayOf.baskets] as Prepared);
    if (withSales && index % 2 === 1 && earlier) return this.#add('sale', this.#sale, earlier);
    if (replayShare > 0 && earlier && this.#random.chance(replayShare)) {
      return this.#repeat(this.#prepared[this.#random.below(index - this.#distance + 1)] as Prepared);
    }
    const isLarge = large !== undefined && this.#random.chance(large.share);
    const template = this.#random.pick(isLarge ? this.#largeBaskets : this.#baskets);
    const member = this.#random.below(MEMBER_COUNT);
    this.#add(isLarge ? 'large' : 'basket', template, { member, calculationId: randomUUID() });
  }

  #repeat(earlier: Prepared): void {
    this.#prepared.push({ ...earlier, kind: 'replay' });
  }

  #add(
    kind: RequestClass,
    template: Template,
    { member, calculationId }: Pick<Prepared, 'member' | 'calculationId'>,
  ): void {
    const request = { kind, template, member, calculationId };
    this.#prepared.push({ ...request, signature: this.#sign(bodyOf(request)) });
  }
}

function templateOf(path: string, body: object): Template {
  const text = JSON.stringify(body);
  // Only ASCII precedes the placeholders, so an index of the text is one of the bytes.
  const [idAt, memberAt] = [text.indexOf(ID_PLACEHOLDER), text.indexOf(MEMBER_PLACEHOLDER)];
  return { path, bytes: Buffer.from(text), idAt, memberAt };
}

function bodyOf({ template, member, calculationId }: Omit<Prepared, 'signature' | 'kind'>): Buffer {
  const body = Buffer.from(template.bytes);
  body.write(calculationId, template.idAt, 'latin1');
  if (template.memberAt >= 0) body.write(loyaltyIdOf(member), template.memberAt, 'latin1');
  return body;
}
