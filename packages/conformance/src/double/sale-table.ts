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

function row(
  what: string,
  callerMust: string,
  act: SaleMisbehaviour['act'],
  times: number,
  right: RightEnding,
): SaleMisbehaviour {
  return { endpoint: 'sale', what, callerMust, act, times, right };
}

function refused(code: ErrorCode): SaleMisbehaviour {
  return row(`a sale event is answered ${code}`, STOP, { kind: 'refusal', code }, ALWAYS, 'stopped');
}

export const SALE_TABLE: Readonly<Record<string, SaleMisbehaviour>> = {
  'sale-duplicate': row(
    'result is duplicate at once',
    FINAL,
    { kind: 'result', result: 'duplicate' },
    ALWAYS,
    'duplicate',
  ),
  'sale-unknown-calculation': row(
    'result is unknown_calculation',
    FINAL,
    { kind: 'result', result: 'unknown_calculation' },
    ALWAYS,
    'unknown_calculation',
  ),
  'sale-rate-limited': row(
    '429 with Retry-After twice',
    PATIENT,
    { kind: 'refusal', code: 'rate_limited' },
    2,
    'recorded',
  ),
  'sale-unavailable': row(
    '503 with Retry-After twice',
    PATIENT,
    { kind: 'refusal', code: 'unavailable' },
    2,
    'recorded',
  ),
  'sale-internal-error': row('500 twice', AGAIN, { kind: 'refusal', code: 'internal_error' }, 2, 'recorded'),
  'sale-bad-gateway': row("a proxy's 502", AGAIN, { kind: 'foreign', status: BAD_GATEWAY }, 1, 'recorded'),
  'sale-gateway-timeout': row("a proxy's 504", AGAIN, { kind: 'foreign', status: GATEWAY_TIMEOUT }, 1, 'recorded'),
  'sale-redirect': row(
    "a proxy's 302 to another path, which is not followed",
    AGAIN,
    { kind: 'foreign', status: FOUND, headers: { Location: '/v1/pos/sale' } },
    1,
    'recorded',
  ),
  'sale-captive-portal': row("200 with a proxy's page", AGAIN, { kind: 'foreign', status: HTTP_OK }, 1, 'recorded'),
  'sale-hang': row('no answer once', AGAIN, { kind: 'delivery', how: 'hang' }, 1, 'recorded'),
  'sale-reset': row('a reset without an answer once', AGAIN, { kind: 'delivery', how: 'reset' }, 1, 'recorded'),
  'sale-lost-answer': row(
    'recorded, but the answer is cut off; what follows is duplicate',
    AGAIN,
    { kind: 'delivery', how: 'cut' },
    1,
    'duplicate',
  ),
  'sale-no-result': row('200 without a result once', AGAIN, { kind: 'result', result: undefined }, 1, 'recorded'),
  'sale-new-result': row('200 with a result nobody knows', AGAIN, { kind: 'result', result: 'noted' }, 1, 'recorded'),
  'sale-invalid': refused('invalid_request'),
  'sale-bad-signature': refused('invalid_signature'),
  'sale-stale': refused('stale_timestamp'),
  'sale-conflict': refused('idempotency_conflict'),
  'sale-unprocessable': refused('venue_not_configured'),
};
