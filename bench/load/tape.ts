import { createSecretKey, type KeyObject, randomUUID } from 'node:crypto';
import { Random } from '../../packages/simulator/src/random.ts';
import { createBaskets, ID_PLACEHOLDER } from './baskets.ts';
import {
  createMessage,
  type Filling,
  fillBody,
  fillMessage,
  ID_LENGTH,
  type Message,
  SIGNATURE_LENGTH,
  signBody,
} from './message.ts';
import { CLASSES, loyaltyIdOf, MEMBER_COUNT, type Mix, type RequestClass } from './mix.ts';

const BASKET_PATH = '/v1/pos/basket';
const SALE_PATH = '/v1/pos/sale';

/** Different baskets per size; each request still has its own ID, member and signature. */
const VARIETIES = 32;

/** How far ahead a tape is signed; with the clock window of ±300 s it may then be used for 500 s. */
const SIGNED_AHEAD_SECONDS = 200;

/** The number of requests between a basket and its replay or sale event, so that the basket has been answered. */
const DISTANCE = 2000;

const GROWTH = 1024;

/**
 * Requests prepared in advance: the basket, the member, the ID and the signature. A request takes a hundred bytes and
 * no body, so a million fit in memory, and playing one is a copy with its gaps filled. A request beyond the prepared
 * ones is prepared when it is needed, and counted.
 */
export class Tape {
  readonly #mix: Mix;
  readonly #random: Random;
  readonly #key: KeyObject;
  readonly #distance: number;
  readonly #messages: readonly Message[];
  readonly #large: number;
  readonly #sale: number;
  #length = 0;
  #message = new Uint16Array(0);
  #member = new Uint16Array(0);
  #class = new Uint8Array(0);
  #timestamp = new Uint32Array(0);
  #ids = Buffer.alloc(0);
  #signatures = Buffer.alloc(0);
  #timestampSeconds = 0;
  /** Requests that had to be signed while they were played. */
  preparedLate = 0;

  /** `secret` is hex. Equal seeds give equal baskets, members and order; IDs are always new. */
  constructor(mix: Mix, secret: string, seed: number, distance = DISTANCE) {
    this.#mix = mix;
    this.#random = new Random(seed);
    this.#key = createSecretKey(Buffer.from(secret, 'hex'));
    this.#distance = distance | 1;
    const baskets = createBaskets(VARIETIES, mix.lines, seed);
    const { large: other } = mix;
    const large = other ? createBaskets(VARIETIES, other.lines, seed + 1) : [];
    const sale = { calculationId: ID_PLACEHOLDER, status: 'applied', transactionId: 'receipt-1' };
    this.#messages = [
      ...[...baskets, ...large].map((basket) => createMessage(BASKET_PATH, JSON.stringify(basket))),
      createMessage(SALE_PATH, JSON.stringify(sale)),
    ];
    this.#large = baskets.length;
    this.#sale = this.#messages.length - 1;
  }

  get length(): number {
    return this.#length;
  }

  /** Bytes of the longest request. */
  get longest(): number {
    return Math.max(...this.#messages.map(({ bytes }) => bytes.length));
  }

  /** Bytes of the first basket's body, for reports. */
  get bodyBytes(): number {
    return this.#messages[0]?.body.length ?? 0;
  }

  /** Prepares requests up to `count`. */
  prepare(count: number): void {
    this.#grow(count);
    this.#timestampSeconds = Math.floor(Date.now() / 1000) + SIGNED_AHEAD_SECONDS;
    while (this.#length < count) this.#prepareNext(this.#length);
  }

  classOf(index: number): RequestClass {
    this.#reach(index);
    return CLASSES[this.#class[index] as number] as RequestClass;
  }

  calculationIdOf(index: number): string {
    return this.#ids.toString('latin1', index * ID_LENGTH, (index + 1) * ID_LENGTH);
  }

  /** Writes the whole request into `target`. Returns its length. */
  writeRequest(index: number, target: Buffer): number {
    this.#reach(index);
    return fillMessage(target, this.#messageOf(index), this.#fillingOf(index));
  }

  /** The parts of a request. The body is overwritten by the next call. */
  readRequest(index: number): { path: string; filling: Filling; body: Buffer } {
    this.#reach(index);
    const message = this.#messageOf(index);
    const filling = this.#fillingOf(index);
    fillBody(message.bytes, message, filling.calculationId, filling.loyaltyId);
    return { path: message.path, filling, body: message.body };
  }

  #messageOf(index: number): Message {
    return this.#messages[this.#message[index] as number] as Message;
  }

  #fillingOf(index: number): Filling {
    return {
      timestamp: String(this.#timestamp[index]),
      signature: this.#signatures.toString('latin1', index * SIGNATURE_LENGTH, (index + 1) * SIGNATURE_LENGTH),
      calculationId: this.calculationIdOf(index),
      loyaltyId: loyaltyIdOf(this.#member[index] as number),
    };
  }

  #reach(index: number): void {
    if (index < this.#length) return;
    const before = this.#length;
    this.prepare(index + 1);
    this.preparedLate += this.#length - before;
  }

  #prepareNext(index: number): void {
    const { replayOf, withSales, replayShare = 0 } = this.#mix;
    if (replayOf && index >= replayOf.baskets) return this.#repeat(index, index % replayOf.baskets);
    const earlier = index - this.#distance;
    // The distance is odd: an odd index is the sale of an even one, which is always a basket.
    if (withSales && index % 2 === 1 && earlier >= 0) return this.#sell(index, earlier);
    if (earlier > 0 && this.#random.chance(replayShare)) return this.#repeat(index, this.#random.below(earlier));
    this.#add(index);
  }

  #add(index: number): void {
    const { large } = this.#mix;
    const isLarge = large !== undefined && this.#random.chance(large.share);
    this.#message[index] = this.#random.below(VARIETIES) + (isLarge ? this.#large : 0);
    this.#member[index] = this.#random.below(MEMBER_COUNT);
    this.#class[index] = CLASSES.indexOf(isLarge ? 'large' : 'basket');
    this.#ids.write(randomUUID(), index * ID_LENGTH, 'latin1');
    this.#sign(index);
  }

  #repeat(index: number, earlier: number): void {
    this.#message[index] = this.#message[earlier] as number;
    this.#member[index] = this.#member[earlier] as number;
    this.#class[index] = CLASSES.indexOf('replay');
    this.#ids.copyWithin(index * ID_LENGTH, earlier * ID_LENGTH, (earlier + 1) * ID_LENGTH);
    this.#sign(index);
  }

  #sell(index: number, earlier: number): void {
    this.#message[index] = this.#sale;
    this.#class[index] = CLASSES.indexOf('sale');
    this.#ids.copyWithin(index * ID_LENGTH, earlier * ID_LENGTH, (earlier + 1) * ID_LENGTH);
    this.#sign(index);
  }

  #sign(index: number): void {
    const message = this.#messageOf(index);
    this.#timestamp[index] = this.#timestampSeconds;
    // The request is readable from here on, because its body excludes the gap of the signature.
    this.#length = index + 1;
    const { filling, body } = this.readRequest(index);
    const signature = signBody(this.#key, filling.timestamp, { ...message, body });
    this.#signatures.write(signature, index * SIGNATURE_LENGTH, 'latin1');
  }

  #grow(count: number): void {
    if (count <= this.#message.length) return;
    const size = Math.max(count, this.#message.length + GROWTH);
    this.#message = enlarge(this.#message, new Uint16Array(size));
    this.#member = enlarge(this.#member, new Uint16Array(size));
    this.#class = enlarge(this.#class, new Uint8Array(size));
    this.#timestamp = enlarge(this.#timestamp, new Uint32Array(size));
    this.#ids = enlarge(this.#ids, Buffer.alloc(size * ID_LENGTH));
    this.#signatures = enlarge(this.#signatures, Buffer.alloc(size * SIGNATURE_LENGTH));
  }
}

function enlarge<T extends Uint8Array | Uint16Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
