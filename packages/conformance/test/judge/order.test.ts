/** The order of an answer: what was sent stands as it was sent, and what loyalty added comes last. */
import { describe, expect, test } from 'vitest';
import { basketOf } from '../../../../test/support/baskets.ts';
import type { AppliedBody, BasketBody } from '../../../../test/support/wire.ts';
import { judgeExchange } from '../../src/kit/judge/judge.ts';
import { addedLine, addOrderDiscount, answerTo, split } from './plants.ts';

const REQUEST: BasketBody = basketOf([
  { quantity: 3 },
  { quantity: 2 },
  { unitPrice: 4_000, shares: { 'staff-1': 100, 'staff-2': 200 } },
]);

const judge = (change: (body: AppliedBody) => void): string[] =>
  judgeExchange(answerTo(REQUEST, (_, body) => change(body)));

describe('in order', () => {
  test.each<[string, (body: AppliedBody) => void]>([
    ['as sent', () => {}],
    ['the parts of a line together', ({ lines }) => lines.splice(1, 1, ...split(lines[1]!))],
    ['a removed line', ({ lines }) => lines.splice(1, 1)],
    ['two added lines last', ({ lines }) => lines.push(addedLine(), { ...addedLine(), lineId: 'added-2' })],
    ['an added order discount last', (body) => addOrderDiscount(body, body.lines[2]!)],
  ])('%s', (_, change) => {
    expect(judge(change)).toEqual([]);
  });
});

describe('out of order', () => {
  test.each<[string, (body: AppliedBody) => void, string]>([
    [
      'the first two lines',
      ({ lines }) => lines.splice(0, 2, lines[1]!, lines[0]!),
      '/lines/1: line-1 comes after line-2',
    ],
    [
      'the last two lines',
      ({ lines }) => lines.splice(1, 2, lines[2]!, lines[1]!),
      '/lines/2: line-2 comes after line-3',
    ],
    [
      'a part of a split line away from the other',
      ({ lines }) => {
        const [kept, part] = split(lines[0]!);
        lines.splice(0, 2, kept!, lines[1]!, part!);
      },
      '/lines/2: line-1 comes after line-2',
    ],
    ['an added line first', ({ lines }) => lines.unshift(addedLine()), '/lines/1: line-1 comes after added-1'],
    [
      'two order discounts of the staff',
      ({ orderDiscounts }) => orderDiscounts.reverse(),
      '/orderDiscounts/1: staff-1 comes after staff-2',
    ],
    [
      'an added order discount before those of the staff',
      (body) => {
        addOrderDiscount(body, body.lines[2]!);
        body.orderDiscounts.unshift(body.orderDiscounts.pop()!);
      },
      '/orderDiscounts/1: staff-1 comes after ours',
    ],
  ])('%s', (_, change, finding) => {
    expect(judge(change)).toEqual([`${finding}, which is not the order of the request`]);
  });
});
