import { isUint8Array } from 'node:util/types';
import { baseUrlFlaw } from '@loyalty/contract/base-url';
import { isCertificate } from '@loyalty/contract/certificate';
import { MIN_SECRET_BYTES } from '@loyalty/contract/limits';
import { decodeSecret } from '@loyalty/contract/secret';
import type { Dispatcher } from 'undici';
import { EMPTY_PRICE_LIST, type PriceList } from './added-lines.ts';
import type { BasketRequest } from './basket.ts';
import { type ExtraHeaders, readHeaders } from './extra-headers.ts';
import type { TellFault } from './faults.ts';
import { assertLimits, CALL_LIMITS, type CallLimits, SALE_BACKOFF, type SaleBackoff } from './limits.ts';
import type { SaleEnding } from './outbox/outbox.ts';
import type { OutboxStore } from './outbox/store.ts';
import type { AppliedBasket, OrderLoyaltyStatus } from './outcome.ts';
import type { RefusalFacts } from './refusal.ts';
import type { FailureReason } from './sale.ts';

/** What a caller tells the client once. */
export interface ClientOptions {
  /** `https://…`, without the path of an endpoint. */
  readonly baseUrl: string;
  /** As the operator handed it over: 32 bytes or more, in hex or base64; or the bytes themselves. */
  readonly secret: string | Uint8Array;
  /** Where sale events are kept until they are answered: a file's path, or a store of the caller's own. */
  readonly outbox: string | OutboxStore;
  /** Needed for benefits that add a product; without it an answer with an added line is rejected. */
  readonly priceList?: PriceList;
  /**
   * The till's last look at a basket that passed every check: a reason, in the till's own words, refuses it. The order then
   * keeps its basket and is `failed` with `invalid_response`. Answers at once, because a guest waits.
   */
  readonly reviewAnswer?: (answer: AppliedBasket, basket: BasketRequest) => string | undefined;
  /** A certificate authority to trust besides none other, PEM. Only for test environments. */
  readonly ca?: string;
  /** Connections to the service at most; each carries one call at a time. */
  readonly connections?: number;
  /**
   * An agent or other dispatcher of undici 7 or newer, through which every call goes instead of connections of our own. It stays
   * open when the client closes, and has certificate authorities, proxies and numbers of connections of its own.
   */
  readonly dispatcher?: Dispatcher;
  /** Headers beside those of the interface, such as `traceparent` or a gateway's key. */
  readonly headers?: ExtraHeaders;
  readonly limits?: Partial<CallLimits>;
  readonly saleBackoff?: Partial<SaleBackoff>;
  /** One record per basket call, for the log that both sides keep for 90 days (interface, section 8). */
  readonly onCall?: (record: CallRecord) => void;
  /** The final answer to a sale event, or that it was given up: that one is for support. */
  readonly onSaleEnding?: (ending: SaleEnding) => void;
  /** Before every further attempt to send a sale event. */
  readonly onSaleRetry?: (calculationId: string, detail: string, delayMs: number, facts: RefusalFacts) => void;
  /**
   * What the client could not do and nobody waits for, with the calculations that it concerns: a disk that is full, damaged
   * lines of the outbox, events that cannot be sent. Without it these are warnings of the process.
   */
  readonly onFault?: TellFault;
}

/**
 * A basket call as a log needs it: neither a basket nor a loyalty ID nor a secret. Of a refusal it has what the service said,
 * and of a call without an answer the `requestId` of its last attempt.
 */
export interface CallRecord extends RefusalFacts {
  readonly calculationId: string;
  readonly venueId: string;
  /** X-Request-Id of every attempt, in order. */
  readonly requestIds: readonly string[];
  readonly status: OrderLoyaltyStatus;
  readonly failureReason?: FailureReason;
  readonly detail?: string;
  /** How long the till waited, in milliseconds. */
  readonly waitedMs: number;
}

/** The options as they were checked, with their defaults. */
export interface Settings extends ClientOptions {
  readonly origin: string;
  /** Path before that of an endpoint, without a slash at its end. */
  readonly pathPrefix: string;
  /** Signs from the next attempt on. */
  secret: Uint8Array;
  readonly priceList: PriceList;
  readonly connections: number;
  readonly headers: ExtraHeaders;
  readonly limits: CallLimits;
  readonly saleBackoff: SaleBackoff;
}

const CONNECTIONS = 128;
const MOST_CONNECTIONS = 10_000;

const CALLBACKS = ['priceList', 'reviewAnswer', 'onCall', 'onSaleEnding', 'onSaleRetry', 'onFault'] as const;

/** Checks the options. Throws a TypeError or RangeError that names what is wrong, and never the secret. */
export function readOptions(options: ClientOptions): Settings {
  const { baseUrl, outbox } = options ?? {};
  const flaw = baseUrlFlaw(baseUrl);
  if (flaw) throw new TypeError(`baseUrl: it ${flaw}; https://… is expected`);
  const { origin, pathname } = new URL(baseUrl);
  if (!outbox || (typeof outbox !== 'string' && typeof outbox.load !== 'function')) {
    throw new TypeError('outbox: the path of a file or an OutboxStore is expected');
  }
  for (const name of CALLBACKS) assertFunction(name, options[name]);
  const limits = { ...CALL_LIMITS, ...options.limits };
  const saleBackoff = { ...SALE_BACKOFF, ...options.saleBackoff };
  assertLimits(limits, saleBackoff);
  const { dispatcher, headers = {}, ca, connections } = options;
  if (dispatcher !== undefined && typeof dispatcher?.dispatch !== 'function') {
    throw new TypeError('dispatcher: an agent or other dispatcher of undici is expected');
  }
  if (dispatcher !== undefined && (ca ?? connections) !== undefined) {
    throw new TypeError('dispatcher: ca and connections are options of the dispatcher itself');
  }
  if (typeof headers !== 'function') readHeaders(headers);
  if (ca !== undefined && ca !== null && !isCertificate(ca)) {
    throw new TypeError('ca: a certificate in PEM form is expected');
  }
  assertConnections(connections ?? CONNECTIONS);
  return {
    ...options,
    origin,
    pathPrefix: pathname.replace(/\/+$/, ''),
    secret: readSecret(options.secret),
    priceList: options.priceList ?? EMPTY_PRICE_LIST,
    connections: connections ?? CONNECTIONS,
    headers,
    limits,
    saleBackoff,
  };
}

/** A till in JavaScript writes null for what it has not. */
function assertFunction(name: string, value: unknown): void {
  if (value !== undefined && value !== null && typeof value !== 'function') {
    throw new TypeError(`${name}: a function is expected`);
  }
}

/** For undici, 0 is no limit. */
function assertConnections(connections: number): void {
  if (!(Number.isInteger(connections) && connections >= 1 && connections <= MOST_CONNECTIONS)) {
    throw new RangeError(`connections: found ${connections}, allowed: a whole number from 1 to ${MOST_CONNECTIONS}`);
  }
}

/** The bytes of a secret. Throws a TypeError that never holds it. */
export function readSecret(secret: string | Uint8Array): Uint8Array {
  const bytes = typeof secret === 'string' ? decodeSecret(secret.trim()) : secret;
  if (!isUint8Array(bytes) || bytes.length < MIN_SECRET_BYTES) {
    throw new TypeError(`secret: at least ${MIN_SECRET_BYTES} bytes in hex or base64 are expected`);
  }
  return bytes;
}
