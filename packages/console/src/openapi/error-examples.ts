import { ERRORS, type ErrorCode, type RefusalDetails, TRANSPORT_STATUS } from '@loyalty/contract/errors';

const REQUEST_ID = '6f1c9d34-0b5e-4a6f-9a51-2f6f0c1e7a90';

/** One worked example of every refusal. A test provokes each of them and compares everything but the request ID. */
export type ErrorExample = ReturnType<typeof example>;

function example(
  code: ErrorCode,
  summary: string,
  more: { readonly status?: number; readonly message?: string; readonly details?: RefusalDetails } = {},
) {
  const { status, message } = { ...ERRORS[code], ...more };
  const { details } = more;
  return { summary, status, body: { error: { code, message, ...(details && { details }), requestId: REQUEST_ID } } };
}

export const ERROR_EXAMPLES = {
  missingField: example('invalid_request', 'A line without noDiscount', {
    message: '/lines/0/noDiscount: expected a value, received nothing.',
    details: { field: '/lines/0/noDiscount', expected: 'a value', received: 'nothing' },
  }),
  notJson: example('invalid_request', 'A body that is not JSON', {
    message: 'The body is not JSON.',
    details: { field: '', expected: 'JSON' },
  }),
  otherContentType: example('invalid_request', 'A Content-Type that is not JSON', {
    message: 'The header Content-Type is not valid.',
    details: { field: 'Content-Type', expected: 'application/json; charset=utf-8', received: 'something else' },
  }),
  unknownChannel: example('invalid_request', 'A channel that the interface lacks', {
    message: '/context/channel: expected one of pos, mpos, received text of 3 characters.',
    details: { field: '/context/channel', expected: 'one of pos, mpos', received: 'text of 3 characters' },
  }),
  wrongAmountType: example('invalid_request', 'An order discount whose amount is a text', {
    message: '/orderDiscounts/0/amount: expected an integer, received text of 4 characters.',
    details: { field: '/orderDiscounts/0/amount', expected: 'an integer', received: 'text of 4 characters' },
  }),
  missingTotal: example('invalid_request', 'Totals without orderDiscountTotal', {
    message: '/totals/orderDiscountTotal: expected a value, received nothing.',
    details: { field: '/totals/orderDiscountTotal', expected: 'a value', received: 'nothing' },
  }),
  wrongKey: example('invalid_request', 'Idempotency-Key is another ID than the body’s calculationId', {
    message: '/calculationId: expected the Idempotency-Key, received another ID.',
    details: { field: '/calculationId', expected: 'the Idempotency-Key', received: 'another ID' },
  }),
  missingSignature: example('invalid_signature', 'No POS-Signature', {
    details: { field: 'POS-Signature', expected: 't=<unix seconds>,v1=<hex>', received: 'nothing' },
  }),
  wrongSignature: example('invalid_signature', 'Signed with another secret, or over other bytes', {
    details: { field: 'POS-Signature' },
  }),
  staleSignature: example('stale_timestamp', 'Signed 301 seconds ago', { details: { field: 'POS-Signature' } }),
  unknownPath: example('invalid_request', 'A path outside this document', {
    status: TRANSPORT_STATUS.notFound,
    message: 'There is no such path.',
  }),
  otherMethod: example('invalid_request', 'GET instead of POST', {
    status: TRANSPORT_STATUS.methodNotAllowed,
    message: 'This path takes POST.',
  }),
  otherBody: example('idempotency_conflict', 'The same key with another basket'),
  otherOutcome: example('idempotency_conflict', 'Another outcome of a calculation that has one', {
    message: 'Another outcome was recorded before.',
  }),
  tooLarge: example('invalid_request', 'A body of more than 256 KB', {
    status: TRANSPORT_STATUS.bodyTooLarge,
    message: 'The body is larger than 262144 bytes.',
  }),
  wrongTotal: example('arithmetic_mismatch', 'A total that is one off', {
    message: '/totals/total: expected 12600, received 12601.',
    details: { field: '/totals/total', expected: 12_600, received: 12_601 },
  }),
  wrongLinePrice: example('arithmetic_mismatch', 'A weight priced with binary floating point: 1.005 × 100', {
    message: '/lines/0/originalLinePrice: expected 101, received 100.',
    details: { field: '/lines/0/originalLinePrice', expected: 101, received: 100 },
  }),
  wrongAllocation: example('arithmetic_mismatch', 'An order discount of 1000 of which 999 are allocated', {
    message: '/orderDiscounts/0/amount: expected 999, received 1000.',
    details: { field: '/orderDiscounts/0/amount', expected: 999, received: 1000 },
  }),
  foreignCurrency: example('unknown_currency', 'A currency of another venue', {
    details: { field: '/currency', expected: 'NOK', received: 'EUR' },
  }),
  foreignVenue: example('venue_not_configured', 'A terminal setup of another venue', {
    details: { field: '/context/venueId', expected: 'a venue and terminal setup mapped here together' },
  }),
  tooManyLines: example('too_many_lines', '201 lines', {
    details: { field: '/lines', expected: 'at most 200 items', received: 201 },
  }),
  tooFast: example('rate_limited', 'The burst is used up'),
  fault: example('internal_error', 'A fault of the service'),
  overloaded: example('unavailable', 'The service cannot reach its store'),
} as const;
