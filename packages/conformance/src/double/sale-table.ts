import { type ErrorCode, HTTP_OK } from '@loyalty/contract/errors';
import type { RightEnding, SaleMisbehaviour } from './misbehaviour.ts';

/**
 * Misbehaviour towards sale events. Each is played a number of times per event, and then the double answers honestly.
 */

const AGAIN = 'send the event again with the same key and a growing delay, until it is settled';
const PATIENT = 'send the event again with the same key, not before Retry-After';
const STOP = 'stop, and tell support: the contract is not met';
const FINAL = 'take it as final and send nothing more';
/** More often than any test waits for, because the caller retries for 24 hours. */
const ALWAYS = 1_000_000;

const BAD_GATEWAY = 502;
const GATEWAY_TIMEOUT = 504;
const FOUND = 302;

type SaleAct = SaleMisbehaviour['act'];

function row(what: string, callerMust: string, act: SaleAct, times: number, right: RightEnding): SaleMisbehaviour {
  return { endpoint: 'sale', what, callerMust, act, times, right };
}

function final(what: string, result: 'duplicate' | 'unknown_calculation'): SaleMisbehaviour {
  return row(what, FINAL, { kind: 'result', result }, ALWAYS, result);
}

/** Refused so often, and then recorded. */
function refused(what: string, callerMust: string, code: ErrorCode, times: number): SaleMisbehaviour {
  return row(what, callerMust, { kind: 'refusal', code }, times, 'recorded');
}

/** Played once, and then recorded. */
function once(what: string, act: SaleAct, right: RightEnding = 'recorded'): SaleMisbehaviour {
  return row(what, AGAIN, act, 1, right);
}

function stopped(code: ErrorCode): SaleMisbehaviour {
  return row(`a sale event is answered ${code}`, STOP, { kind: 'refusal', code }, ALWAYS, 'stopped');
}

export const SALE_TABLE: Readonly<Record<string, SaleMisbehaviour>> = {
  'sale-duplicate': final('result is duplicate at once', 'duplicate'),
  'sale-unknown-calculation': final('result is unknown_calculation', 'unknown_calculation'),
  'sale-rate-limited': refused('429 with Retry-After twice', PATIENT, 'rate_limited', 2),
  'sale-unavailable': refused('503 with Retry-After twice', PATIENT, 'unavailable', 2),
  'sale-internal-error': refused('500 twice', AGAIN, 'internal_error', 2),
  'sale-bad-gateway': once("a proxy's 502", { kind: 'foreign', status: BAD_GATEWAY }),
  'sale-gateway-timeout': once("a proxy's 504", { kind: 'foreign', status: GATEWAY_TIMEOUT }),
  'sale-redirect': once("a proxy's 302 to another path, which is not followed", {
    kind: 'foreign',
    status: FOUND,
    headers: { Location: '/v1/pos/sale' },
  }),
  'sale-captive-portal': once("200 with a proxy's page", { kind: 'foreign', status: HTTP_OK }),
  'sale-hang': once('no answer once', { kind: 'delivery', how: 'hang' }),
  'sale-reset': once('a reset without an answer once', { kind: 'delivery', how: 'reset' }),
  'sale-lost-answer': once(
    'recorded, but the answer is cut off; what follows is duplicate',
    { kind: 'delivery', how: 'cut' },
    'duplicate',
  ),
  'sale-no-result': once('200 without a result once', { kind: 'result', result: undefined }),
  'sale-new-result': once('200 with a result nobody knows', { kind: 'result', result: 'noted' }),
  'sale-invalid': stopped('invalid_request'),
  'sale-bad-signature': stopped('invalid_signature'),
  'sale-stale': stopped('stale_timestamp'),
  'sale-conflict': stopped('idempotency_conflict'),
  'sale-unprocessable': stopped('venue_not_configured'),
};
