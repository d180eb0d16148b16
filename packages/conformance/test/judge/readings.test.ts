/** How the readings of the judge fit together: fields before rules, the interface before the promises. */
import { describe, expect, test } from 'vitest';
import { rightAnswer } from '../../../../test/support/right-answer.ts';
import { judgeApplied, judgeExchange } from '../../src/kit/judge/judge.ts';
import { answerTo, type Change, PROMISES, patch, REQUEST, unchanged } from './plants.ts';

describe('an answer that was never sent', () => {
  test('a right one has no faults', () => {
    const answer = rightAnswer(REQUEST, 20) as Parameters<typeof judgeApplied>[1];
    expect(judgeApplied(REQUEST, answer)).toEqual([]);
    expect(judgeApplied(REQUEST, answer, PROMISES)).toEqual([]);
  });

  const judgeBoth = (change: Change): [string[], string[]] => {
    const body = rightAnswer(REQUEST, 20);
    change(body.lines, body);
    const answer = body as Parameters<typeof judgeApplied>[1];
    return [judgeApplied(REQUEST, answer), judgeApplied(REQUEST, answer, PROMISES)];
  };

  test('a field that is wrong is the only finding', () => {
    const finding = '/lines/0/orderLinePrice: expected whole minor units, 0 or more, found -1';
    expect(judgeBoth(patch(0, { orderLinePrice: -1 }))).toEqual([[finding], [finding]]);
  });

  test('a field that the interface does not name breaks a promise', () => {
    const colour = '/lines/0/colour: is not a field of the interface';
    expect(judgeBoth(patch(0, { colour: 'red' } as object))).toEqual([[], [colour]]);
  });

  test('a rule of the interface, and a promise', () => {
    const renamed = 'line line-1: name is not echoed';
    expect(judgeBoth(patch(0, { name: 'Tea' }))).toEqual([[renamed], [renamed]]);
    const code = 'line line-1: lineDiscountCode other should be loyalty';
    expect(judgeBoth(patch(0, { lineDiscountCode: 'other' }))).toEqual([[], [code]]);
  });
});

test('what both readings of the fields find is reported once', () => {
  const answer = unchanged({ reason: 'member_inactive', memberLabel: 7 });
  expect(judgeExchange(answer, PROMISES)).toEqual(['/memberLabel: expected text of at most 40 characters, found 7']);
});

describe('an applied basket where none belongs', () => {
  const wrong = answerTo(REQUEST, patch(0, { orderLinePrice: 1 }));

  test('its sums are not looked at', () => {
    expect(judgeExchange({ ...wrong, endpoint: 'sale' })).toEqual(['/result: is missing']);
    expect(judgeExchange({ ...wrong, status: 500 })).toEqual(['/error: is missing']);
    expect(judgeExchange({ ...wrong, request: { ...REQUEST, lines: [{}] } })).toEqual([]);
  });
});

test('wrong fields have no sums', () => {
  expect(judgeExchange(answerTo(REQUEST, patch(0, { orderLinePrice: -1 })))).toEqual([
    '/lines/0/orderLinePrice: expected whole minor units, 0 or more, found -1',
  ]);
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
