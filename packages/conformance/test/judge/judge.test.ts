/**
 * The judge itself on trial: a right answer passes, and each planted fault is found and named. Faults against the interface
 * are found in anybody's answer; those against this service's own promises only where the promises are switched on.
 */
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../src/kit/exchange.ts';
import { judgeExchange } from '../../src/kit/judge/judge.ts';
import { INTERFACE_FAULTS } from './interface-faults.ts';
import * as plant from './plants.ts';
import { PROMISED_FAULTS } from './promised-faults.ts';

const PROMISES = { discountCode: 'loyalty', products: new Map([['4711', { unitPrice: 3900 }]]) };
const { applied, errorOf, exchangeOf, REQUEST, unchanged } = plant;

describe('a right answer has no faults', () => {
  const right: [string, Exchange][] = [
    ['applied', applied(() => {})],
    ['applied with an added product', applied((_, lines) => lines.push(plant.addedLine()))],
    ['applied with a split', applied((_, lines) => lines.splice(0, 1, ...plant.split(lines[0]!)))],
    ['applied with a new price', applied((_, lines) => plant.setPrice(lines[0]!, 9_000))],
    ['applied with an order discount', applied((body, lines) => plant.addOrderDiscount(body, lines[0]!))],
    ['unchanged', unchanged({ reason: 'member_inactive', memberLabel: 'Gold' })],
    ['member_not_found', exchangeOf({ calculationId: REQUEST.calculationId, status: 'member_not_found' })],
    [
      'an error',
      errorOf(422, 'arithmetic_mismatch', { field: '/totals/total', expected: 1, received: REQUEST.totals.total }),
    ],
    ['a refusal for now', errorOf(503, 'unavailable', undefined, { 'Retry-After': '1' })],
    ['a method that is not served', errorOf(405, 'invalid_request', undefined, { Allow: 'POST' })],
    ['an answer to HEAD', exchangeOf('', 405, { Allow: 'POST' }, { method: 'HEAD' })],
    ['a sale', exchangeOf({ result: 'recorded' }, 200, {}, { endpoint: 'sale' })],
  ];
  test.each(right)('%s', (_, exchange) => expect(judgeExchange(exchange, PROMISES)).toEqual([]));
});

describe('a fault against the interface is found in anybody’s answer', () => {
  test.each(INTERFACE_FAULTS)('%s', (_, exchange, sentence) => {
    expect(judgeExchange(exchange).join('\n')).toMatch(sentence);
    expect(judgeExchange(exchange, PROMISES).join('\n')).toMatch(sentence);
  });
});

describe('a broken promise is found where the promises are switched on, and nowhere else', () => {
  test.each(PROMISED_FAULTS)('%s', (_, exchange, sentence) => {
    expect(judgeExchange(exchange)).toEqual([]);
    expect(judgeExchange(exchange, PROMISES).join('\n')).toMatch(sentence);
  });
});

test('an answer to a request that is itself wrong is judged by its fields alone', () => {
  const request = { ...REQUEST, lines: [{ ...REQUEST.lines[0], existingLineDiscountAmount: 'ten' }] };
  const { body } = applied(() => {});
  expect(judgeExchange(exchangeOf(body, 200, {}, { request }))).toEqual([]);
});
