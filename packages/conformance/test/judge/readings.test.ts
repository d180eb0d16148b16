/** How the readings of the judge fit together: fields before rules, the interface before the promises. */
import { describe, expect, test } from 'vitest';
import { rightAnswer } from '../../../../test/support/right-answer.ts';
import { judgeApplied, judgeExchange } from '../../src/kit/judge/judge.ts';
import { answerTo, PROMISES, patch, REQUEST, unchanged } from './plants.ts';

const NEGATIVE = '/lines/0/orderLinePrice: expected whole minor units, 0 or more, found -1';
const RENAMED = 'line line-1: name is not echoed';

/** What is found in an answer that was never sent: by the interface, and with the promises. */
test.each([
  ['a right answer', {}, [], []],
  ['a wrong field is the only finding', { orderLinePrice: -1 }, [NEGATIVE], [NEGATIVE]],
  ['a field of its own', { colour: 'red' }, [], ['/lines/0/colour: is not a field of the interface']],
  ['a rule of the interface', { name: 'Tea' }, [RENAMED], [RENAMED]],
  ['a promise', { lineDiscountCode: 'own' }, [], ['line line-1: lineDiscountCode own should be loyalty']],
])('%s', (_, change, byInterface, withPromises) => {
  const body = rightAnswer(REQUEST, 20);
  patch(0, change as object)(body.lines, body);
  const answer = body as Parameters<typeof judgeApplied>[1];
  expect([judgeApplied(REQUEST, answer), judgeApplied(REQUEST, answer, PROMISES)]).toEqual([byInterface, withPromises]);
});

test('what both readings of the fields find is reported once', () => {
  const answer = unchanged({ reason: 'member_inactive', memberLabel: 7 });
  expect(judgeExchange(answer, PROMISES)).toEqual(['/memberLabel: expected text of at most 40 characters, found 7']);
});

test('sums are looked at where fields are right and the basket belongs', () => {
  expect(judgeExchange(answerTo(REQUEST, patch(0, { orderLinePrice: -1 })))).toEqual([NEGATIVE]);
  const wrong = answerTo(REQUEST, patch(0, { orderLinePrice: 1 }));
  expect(judgeExchange({ ...wrong, endpoint: 'sale' })).toEqual(['/result: is missing']);
  expect(judgeExchange({ ...wrong, status: 500 })).toEqual(['/error: is missing']);
  expect(judgeExchange({ ...wrong, request: { ...REQUEST, lines: [{}] } })).toEqual([]);
});

describe('VAT', () => {
  const withField = (name: string): string[] =>
    judgeExchange(unchanged({ reason: 'member_inactive', more: [{ [name]: 1 }] }));

  test.each(['vat', 'taxTotal', 'mvaAmount', 'moms', 'totalVat', 'sumTaxAmount'])('%s', (name) => {
    expect(withField(name)).toEqual([`/more/0/${name}: the service never returns VAT`]);
  });

  test.each(['elevation', 'syntax', 'byTaxi', 'inVats'])('not %s', (name) => {
    expect(withField(name)).toEqual([]);
  });
});
