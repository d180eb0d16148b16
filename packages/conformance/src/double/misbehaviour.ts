import type { BasketRequest } from '@loyalty/contract/basket-request';
import type { ErrorCode } from '@loyalty/contract/errors';

/** The parts of a row of the table. */

/** How an order must stand after the call; a row that leaves the caller a choice names every one that is right. */
export type RightOutcome =
  | { readonly status: 'applied' | 'unchanged' | 'member_not_found' }
  | {
      readonly status: 'failed';
      readonly failureReason: 'invalid_response' | 'http_error' | 'timeout' | 'connection_error';
    };

/** How a sale event must end: sent again until it is settled, or stopped and reported to support. */
export type RightEnding = 'recorded' | 'duplicate' | 'unknown_calculation' | 'stopped';

/** The double's act instead of an honest answer. */
export type Act =
  /** Another body with 200; throws a Needs where the basket gives it nothing to spoil. */
  | { readonly kind: 'body'; readonly spoil: (request: BasketRequest) => unknown }
  /** The honest body changed as text or bytes, and perhaps other headers. */
  | {
      readonly kind: 'bytes';
      readonly bytes: (honest: Buffer) => Buffer;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** A refusal of the catalogue, under its status. */
  | { readonly kind: 'refusal'; readonly code: ErrorCode; readonly status?: number }
  /** A status that the interface does not have, as a proxy in between would answer it. */
  | { readonly kind: 'foreign'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  /** The honest answer, delivered in another way. */
  | { readonly kind: 'delivery'; readonly how: Delivery }
  /** An act on the listener or the connection, before any request is read. */
  | ConnectionAct;

export type ConnectionAct =
  | { readonly kind: 'connection'; readonly how: 'refuse' | 'reset'; readonly forMs: number }
  /** Towards connections with TLS, until the next act is armed. */
  | { readonly kind: 'connection'; readonly how: 'cut-handshake' }
  | { readonly kind: 'connection'; readonly how: 'untrusted' };

export type Delivery =
  | 'late'
  | 'just-in-time'
  | 'hang'
  | 'hang-after-head'
  | 'slow-bytes'
  | 'slow-bytes-in-time'
  | 'cut'
  | 'cut-without-length'
  | 'close'
  | 'reset'
  | 'garbage';

export interface BasketMisbehaviour {
  readonly endpoint: 'basket';
  readonly what: string;
  readonly callerMust: string;
  readonly act: Act;
  readonly right: readonly RightOutcome[];
}

export interface SaleMisbehaviour {
  readonly endpoint: 'sale';
  readonly what: string;
  readonly callerMust: string;
  readonly act: Act | { readonly kind: 'result'; readonly result: unknown };
  /** How many events of one calculation meet it before the double behaves again. */
  readonly times: number;
  readonly right: RightEnding;
}

export type Misbehaviour = BasketMisbehaviour | SaleMisbehaviour;

/** The basket lacks what the misbehaviour spoils. The double says so in a 400, because silence would certify nothing. */
export class Needs extends Error {}

export const APPLIED: RightOutcome = { status: 'applied' };
export const UNCHANGED: RightOutcome = { status: 'unchanged' };
export const INVALID: RightOutcome = { status: 'failed', failureReason: 'invalid_response' };
export const HTTP_ERROR: RightOutcome = { status: 'failed', failureReason: 'http_error' };
export const TIMEOUT: RightOutcome = { status: 'failed', failureReason: 'timeout' };
export const CONNECTION_ERROR: RightOutcome = { status: 'failed', failureReason: 'connection_error' };

/** What a caller must do, by the outcomes that are right. */
const DUTIES: Readonly<Record<string, string>> = {
  applied: 'replace its basket',
  unchanged: 'keep its basket; unchanged',
  invalid_response: 'keep its basket; failed, invalid_response',
  http_error: 'keep its basket, no retry; failed, http_error',
  timeout: 'keep its basket after 500 ms, no retry; failed, timeout',
  connection_error: 'keep its basket, no retry, since the request was sent; failed, connection_error',
  'invalid_response or connection_error': 'keep its basket, no retry; failed, invalid_response or connection_error',
};

/** A row of the table. It says what the caller must do where that is more than the outcome says. */
export function basketRow(
  what: string,
  act: Act,
  right: RightOutcome | readonly RightOutcome[],
  callerMust?: string,
): BasketMisbehaviour {
  const outcomes = [right].flat();
  const words = outcomes.map((outcome) => ('failureReason' in outcome ? outcome.failureReason : outcome.status));
  return { endpoint: 'basket', what, callerMust: callerMust ?? DUTIES[words.join(' or ')]!, act, right: outcomes };
}
