/** How the readings of the judge fit together: fields before rules, the interface before the promises. */
import { expect, test } from 'vitest';
import { judgeApplied, judgeExchange } from '../../../../test/support/judge.ts';
import { rightAnswer } from '../../../../test/support/right-answer.ts';
import { answerTo, PROMISES, patch, REQUEST, unchanged } from './plants.ts';

const NEGATIVE = '/lines/0/orderLinePrice: must be >= 0, found -1';

test.each([
  ['a right answer', {}, []],
  ['a wrong field is the only finding', { orderLinePrice: -1, name: 'Tea' }, [NEGATIVE]],
  ['a rule of the interface', { name: 'Tea' }, ['line line-1: name is not echoed']],
])('of an answer that was never sent: %s', (_, change, findings) => {
  const body = rightAnswer(REQUEST, 20);
  patch(0, change as object)(body.lines, body);
  const answer = body as Parameters<typeof judgeApplied>[1];
  expect([judgeApplied(REQUEST, answer), judgeApplied(REQUEST, answer, PROMISES)]).toEqual([findings, findings]);
});

test('sums are looked at where fields are right and the basket belongs', () => {
  expect(judgeExchange(answerTo(REQUEST, patch(0, { orderLinePrice: -1 })))).toEqual([NEGATIVE]);
  const wrong = answerTo(REQUEST, patch(0, { orderLinePrice: 1 }));
  expect(judgeExchange({ ...wrong, endpoint: 'sale' })).toEqual(['/result: is missing']);
  expect(judgeExchange({ ...wrong, status: 500 })).toEqual(['/error: is missing']);
  expect(judgeExchange({ ...wrong, request: { ...REQUEST, lines: [{}] } })).toEqual([]);
});

test.each([
  ...['vat', 'taxTotal', 'mvaAmount', 'moms', 'totalVat', 'sumTaxAmount'].map((name) => [name, true] as const),
  ...['elevation', 'syntax', 'byTaxi', 'inVats'].map((name) => [name, false] as const),
])('VAT: %s is %s', (name, isVat) => {
  const findings = judgeExchange(unchanged({ reason: 'member_inactive', more: [{ [name]: 1 }] }));
  expect(findings).toEqual(isVat ? [`/more/0/${name}: the service never returns VAT`] : []);
});
