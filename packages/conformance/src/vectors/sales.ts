import { ERRORS, type ErrorCode, HTTP_OK } from '@loyalty/contract/errors';
import { FAILURE_REASONS, type SaleResult } from '@loyalty/contract/sale';
import { vectorUuid } from './identifiers.ts';
import { basket } from './requests.ts';

/** An event, and its answer. */
interface SaleStep {
  readonly event: Json;
  readonly expected: { readonly httpStatus: number } & ({ readonly result: SaleResult } | { readonly code: ErrorCode });
}

type Json = Record<string, unknown>;

const GROUP = 4;
const TRANSACTION = { transactionId: 'receipt-1' };

function answered(event: Json, result: SaleResult): SaleStep {
  return { event, expected: { httpStatus: HTTP_OK, result } };
}

function refused(event: Json, code: ErrorCode): SaleStep {
  return { event, expected: { httpStatus: ERRORS[code].status, code } };
}

type Steps = (calculationId: string) => readonly SaleStep[];

const KNOWN: Readonly<Record<string, Steps>> = {
  'a sale, and its event again': (calculationId) => [
    answered({ calculationId, status: 'applied', ...TRANSACTION }, 'recorded'),
    answered({ calculationId, status: 'applied', ...TRANSACTION }, 'duplicate'),
    answered({ transactionId: 'receipt-1', status: 'applied', calculationId, till: 7 }, 'duplicate'),
  ],
  'an abandoned payment': (calculationId) => [
    answered({ calculationId, status: 'cancelled' }, 'recorded'),
    answered({ calculationId, status: 'cancelled' }, 'duplicate'),
  ],
  'another outcome than was recorded': (calculationId) => [
    answered({ calculationId, status: 'applied', ...TRANSACTION }, 'recorded'),
    refused({ calculationId, status: 'cancelled' }, 'idempotency_conflict'),
    refused({ calculationId, status: 'applied', transactionId: 'receipt-2' }, 'idempotency_conflict'),
    answered({ calculationId, status: 'applied', ...TRANSACTION }, 'duplicate'),
  ],
  'what is not in order is refused, and the mended event recorded': (calculationId) => [
    refused({ calculationId, status: 'applied' }, 'invalid_request'),
    refused({ calculationId, status: 'applied', transactionId: '' }, 'invalid_request'),
    refused({ calculationId, status: 'applied', transactionId: 17 }, 'invalid_request'),
    refused({ calculationId, status: 'applied', transactionId: 'x'.repeat(65) }, 'invalid_request'),
    refused({ calculationId, status: 'finished', ...TRANSACTION }, 'invalid_request'),
    refused({ calculationId, ...TRANSACTION }, 'invalid_request'),
    refused({ calculationId, status: 'failed', ...TRANSACTION }, 'invalid_request'),
    refused({ calculationId, status: 'failed', failureReason: 'weather', ...TRANSACTION }, 'invalid_request'),
    refused({ calculationId, status: 'applied', failureReason: 'timeout', ...TRANSACTION }, 'invalid_request'),
    answered({ calculationId, status: 'applied', ...TRANSACTION }, 'recorded'),
  ],
  ...Object.fromEntries(
    ['unchanged', 'member_not_found', 'not_applicable'].map((status): [string, Steps] => [
      `a sale with status ${status}`,
      (calculationId) => [answered({ calculationId, status, ...TRANSACTION }, 'recorded')],
    ]),
  ),
  ...Object.fromEntries(
    FAILURE_REASONS.map((failureReason): [string, Steps] => [
      `a failed loyalty step: ${failureReason}`,
      (calculationId) => [answered({ calculationId, status: 'failed', failureReason, ...TRANSACTION }, 'recorded')],
    ]),
  ),
};

const UNKNOWN: Readonly<Record<string, Steps>> = {
  'a calculation that the service has never seen': (calculationId) => [
    answered({ calculationId, status: 'failed', failureReason: 'offline', ...TRANSACTION }, 'unknown_calculation'),
    answered({ calculationId, status: 'failed', failureReason: 'offline', ...TRANSACTION }, 'unknown_calculation'),
  ],
};

/**
 * Sale events in the order in which they are sent; each sequence is about a calculation of its own. Its basket is calculated first;
 * without one the service has never seen the calculation.
 */
export function saleVectors() {
  let index = 0;
  const vectors = (sequences: Readonly<Record<string, Steps>>, isKnown: boolean) =>
    Object.entries(sequences).map(([name, steps]) => {
      index += 1;
      const calculationId = vectorUuid(GROUP, index);
      const known = isKnown ? { basket: basket(calculationId, [{}]) } : {};
      return { name, section: '4, 6', ...known, events: steps(calculationId) };
    });
  return [...vectors(KNOWN, true), ...vectors(UNKNOWN, false)];
}
