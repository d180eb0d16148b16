/** Bodies as a till sends them: what is read, and with which words another one is refused, the first fault alone. */
import { describe, expect, it } from 'vitest';
import { buildBasket, buildLine } from '../../../engine/test/support/basket.ts';
import { findAnswerFault } from '../../src/basket/answer.ts';
import { readBasketRequest } from '../../src/basket/basket-request.ts';
import { parseJson } from '../../src/basket/parse-json.ts';
import { readSaleEvent } from '../../src/basket/sale-event.ts';
import type { BasketRequest } from '../../src/basket-request.ts';

const basket = buildBasket([buildLine({ lineId: 'a' })]);
const { calculationId } = basket;
const OTHER_ID = '00000000-0000-4000-8000-000000000002';

const bytesOf = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));
const detailsOf = (body: Uint8Array) => {
  const read = readBasketRequest(body, calculationId);
  return read.ok ? undefined : read.refusal;
};

/** The basket with another value at a place, `lines.0.name`; undefined leaves the field out. */
function withValue(place: string, value: unknown): BasketRequest {
  const copy: unknown = structuredClone(basket);
  const names = place.split('.');
  const last = names.pop()!;
  const parent = names.reduce((at, name) => (at as Record<string, unknown>)[name], copy) as Record<string, unknown>;
  parent[last] = value;
  return copy as BasketRequest;
}

describe('a body', () => {
  it('is read, with what is wrong in its sums', () => {
    const read = (value: BasketRequest) => readBasketRequest(bytesOf(value), calculationId);
    expect(read(basket)).toEqual({ ok: true, value: basket, mismatch: undefined });
    const wrong = withValue('totals.total', 1);
    const mismatch = { field: '/totals/total', expected: basket.totals.total, received: 1 };
    expect(read(wrong)).toEqual({ ok: true, value: wrong, mismatch });
  });

  it('may stand within a larger buffer', () => {
    const body = bytesOf(withValue('lines.0.name', 'Kaffe'));
    const larger = Buffer.concat([Buffer.from('{"'), body, Buffer.from('}')]);
    const within = new Uint8Array(larger.buffer, larger.byteOffset + 2, body.length);
    expect(readBasketRequest(within, calculationId)).toMatchObject({ ok: true, mismatch: undefined });
  });

  it.each([
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'The body is not UTF-8.', 'UTF-8'],
    ['not JSON', Buffer.from('{'), 'The body is not JSON.', 'JSON'],
    ['not JSON, with a letter beyond ASCII', Buffer.from('{é'), 'The body is not JSON.', 'JSON'],
    ['behind a byte order mark', Buffer.from(`\ufeff${JSON.stringify(basket)}`), 'The body is not JSON.', 'JSON'],
  ])('is refused when it is %s', (_case, body, message, expected) => {
    const refusal = { code: 'invalid_request', status: 400, message, details: { field: '', expected } };
    expect(readBasketRequest(body, calculationId)).toEqual({ ok: false, refusal });
    expect(readSaleEvent(body, calculationId)).toEqual({ ok: false, refusal });
  });

  it('is counted before a fault in a line is looked for', () => {
    const of = (count: number) => detailsOf(bytesOf({ lines: Array.from({ length: count }, () => null) }));
    expect(of(201)).toEqual({
      code: 'too_many_lines',
      status: 422,
      message: 'The basket has more than 200 lines.',
      details: { field: '/lines', expected: 'at most 200 items', received: 201 },
    });
    expect(of(200)).toMatchObject({ code: 'invalid_request', details: { field: '/calculationId' } });
  });

  it.each([[null], ['text'], [1], [[]], [{ lines: { length: 201 } }]])('is no basket: %j', (value) => {
    expect(detailsOf(bytesOf(value))).toMatchObject({ code: 'invalid_request', status: 400 });
  });

  it('is of the calculation that its header names; a dry run has no header', () => {
    for (const value of [basket, withValue('totals.total', 1)]) {
      expect(readBasketRequest(bytesOf(value), OTHER_ID)).toMatchObject({
        ok: false,
        refusal: {
          code: 'invalid_request',
          message: '/calculationId: expected the Idempotency-Key, received another ID.',
          details: { field: '/calculationId', expected: 'the Idempotency-Key', received: 'another ID' },
        },
      });
      expect(readBasketRequest(bytesOf(value), undefined)).toMatchObject({ ok: true });
    }
  });
});

describe('a field', () => {
  it.each<[string, unknown, string, string | number]>([
    ['/loyaltyId', undefined, 'a value', 'nothing'],
    ['/lines', [], 'at least 1 items', 'an array of 0 items'],
    ['/totals', [], 'type object', 'an array of 0 items'],
    ['/lines/0/name', true, 'type string', 'true'],
    ['/lines/0/noDiscount', null, 'type boolean', 'null'],
    ['/lines/0/unitPrice', 1.5, 'an integer', 1.5],
    ['/lines/0/unitPrice', -1, 'at least 0', -1],
    ['/lines/0/quantity', 0, 'more than 0', 0],
    ['/lines/0/existingLineDiscountType', 'half', 'one of none, amount, percent', 'text of 4 characters'],
    ['/lines/0/existingLineDiscountPercent', 5.005, 'at most two decimals', 5.005],
    ['/lines/0/existingLineDiscountText', 'x'.repeat(41), 'at most 40 characters', 'text of 41 characters'],
    ['/loyaltyId', '', 'at least 1 characters', 'text of 0 characters'],
    ['/currency', 'nok', 'text of the form ^[A-Z]{3}$', 'text of 3 characters'],
    ['/requestedAt', '2026-11-21', 'an RFC 3339 date-time with offset', 'text of 10 characters'],
    ['/supersedesCalculationId', 'x', 'a lower-case UUID', 'text of 1 characters'],
  ])('%s of a wrong value is named with what is expected and what was found', (field, value, expected, received) => {
    const details = { field, expected, received };
    const message = `${field}: expected ${expected}, received ${received}.`;
    expect(detailsOf(bytesOf(withValue(field.slice(1).replaceAll('/', '.'), value)))).toEqual({
      code: 'invalid_request',
      status: 400,
      message,
      details,
    });
  });

  it('that is too large for a number is named without one', () => {
    const text = JSON.stringify(basket).replace('"quantity":1', '"quantity":1e999');
    expect(detailsOf(Buffer.from(text))?.details).toEqual({
      field: '/lines/0/quantity',
      expected: 'type number',
      received: 'a number that is not finite',
    });
  });

  it('that is missing everywhere is named by the body', () => {
    expect(detailsOf(bytesOf(7))?.message).toBe('The body: expected type object, received 7.');
  });
});

describe('an answer', () => {
  it('has a known status and the fields of its status', () => {
    expect(findAnswerFault({ status: 'maybe' })).toEqual({ field: '/status', expected: 'a known status' });
    expect(findAnswerFault({ calculationId, status: 'member_not_found' } as { status: string })).toBeUndefined();
    expect(findAnswerFault({ calculationId, status: 'unchanged', reason: 'because' } as { status: string })).toEqual({
      field: '/reason',
      expected: 'one of no_applicable_benefits, all_lines_excluded, member_inactive, basket_too_small',
      received: 'text of 7 characters',
    });
    expect(findAnswerFault({ calculationId, status: 'member_not_found', more: 1 } as { status: string })).toMatchObject(
      {
        expected: 'no other field',
      },
    );
  });
});

describe('texts', () => {
  const read = (json: string) => parseJson(Buffer.from(json));

  it('are the same however a character is spelled, and may be half a character', () => {
    for (const json of ['["é"]', '["\\u00e9"]', '["\\u00E9"]']) expect(read(json)).toEqual({ ok: true, value: ['é'] });
    expect(read('["\\ud83c\\udf81"]')).toEqual(read('["🎁"]'));
    expect(read('["é\\n\\u0022\\\\u00e9"]')).toEqual({ ok: true, value: ['é\n"\\u00e9'] });
    expect(read('["\\ud83c"]')).toEqual({ ok: true, value: ['\ud83c'] });
  });

  it('are not read of what is not JSON', () => {
    for (const json of ['{', '["\\u00e"]', '\\u005b]']) expect(read(json)).toMatchObject({ ok: false });
  });
});

describe('a sale event', () => {
  const read = (more: object) => readSaleEvent(bytesOf({ calculationId, ...more }), calculationId);
  const refusedFor = (field: string, expected: string, received: string) => ({
    ok: false,
    refusal: { code: 'invalid_request', status: 400, details: { field, expected, received } },
  });

  // Each status is sold through the socket by the vectors and the kit.
  it.each([
    [{ status: 'applied' }, '/transactionId', 'a value with status applied', 'nothing'],
    [{ status: 'failed', transactionId: 't' }, '/failureReason', 'a value with status failed', 'nothing'],
    [{ status: 'cancelled', failureReason: 'timeout' }, '/failureReason', 'nothing with status cancelled', 'a value'],
    [{ status: 'cancelled', transactionId: '' }, '/transactionId', 'at least 1 characters', 'text of 0 characters'],
  ])('%j is refused', (event, field, expected, received) => {
    expect(read(event)).toMatchObject(refusedFor(field, expected, received));
  });

  it.each([[{ status: 'cancelled' }], [{ status: 'cancelled', transactionId: 't' }]])('%j is read', (event) => {
    expect(read(event)).toEqual({ ok: true, value: { calculationId, ...event } });
  });

  it('is refused by its schema, and under the key of another calculation', () => {
    expect(read({ status: 'sold' })).toMatchObject({ refusal: { details: { field: '/status' } } });
    expect(readSaleEvent(bytesOf({ calculationId, status: 'cancelled' }), OTHER_ID)).toMatchObject(
      refusedFor('/calculationId', 'the Idempotency-Key', 'another ID'),
    );
  });
});
