/** The judge on random baskets: right answers pass, and no number or flag in them can be moved unnoticed. */
import { expect, test } from 'vitest';
import { Random } from '../../../../packages/simulator/src/random.ts';
import { Answer } from '../../../../test/support/answer.ts';
import { basketOf, randomBasket } from '../../../../test/support/baskets.ts';
import { exchangeOf } from '../../../../test/support/judge.ts';
import { rightAnswer } from '../../../../test/support/right-answer.ts';
import type { AppliedBody, BasketBody } from '../../../../test/support/wire.ts';
import { judgeExchange } from '../../src/kit/judge/judge.ts';
import type { Promises } from '../../src/kit/judge/promises.ts';

const REQUEST_ID = '0f8fad5b-d9cb-469f-a165-70867728950e';
const PROMISES: Promises = { discountCode: 'loyalty' };

function judge(request: BasketBody, body: AppliedBody, promises?: Promises): string[] {
  const headers = [
    ['X-Request-Id', REQUEST_ID],
    ['Server-Timing', 'app;dur=0'],
    ['Loyalty-Interface', '0.1.0-draft'],
    ['Content-Type', 'application/json; charset=utf-8'],
  ] as const;
  const answer = new Answer(200, headers, Buffer.from(JSON.stringify(body)));
  return judgeExchange(exchangeOf({ endpoint: 'basket', answer, request, requestId: REQUEST_ID }), promises);
}

/** Every leaf that is a number or a flag, as a function that moves it in a copy of the body. */
function mutations(body: AppliedBody): [string, AppliedBody][] {
  const found: [string, AppliedBody][] = [];
  const visit = (value: unknown, path: string[]): void => {
    if (typeof value === 'number') found.push([path.join('/'), moved(body, path, value + 1)]);
    else if (typeof value === 'boolean') found.push([path.join('/'), moved(body, path, !value)]);
    else if (typeof value === 'object' && value !== null) {
      for (const [name, entry] of Object.entries(value)) visit(entry, [...path, name]);
    }
  };
  visit(body, []);
  return found;
}

function moved(body: AppliedBody, path: readonly string[], value: unknown): AppliedBody {
  const copy = structuredClone(body);
  const parents = path.slice(0, -1);
  const parent = parents.reduce<Record<string, unknown>>(
    (node, name) => node[name] as Record<string, unknown>,
    copy as unknown as Record<string, unknown>,
  );
  parent[path.at(-1) ?? ''] = value;
  return copy;
}

test('100 random baskets: the right answer passes', () => {
  const random = new Random(1);
  for (let round = 0; round < 100; round += 1) {
    const request = randomBasket(random, random.between(1, 40));
    const body = rightAnswer(request, 20);
    if (body.totals.loyaltyDiscountTotal > 0) expect(judge(request, body, PROMISES)).toEqual([]);
  }
});

// Prices are high enough for one per cent more to show.
const REQUEST = basketOf([
  { unitPrice: 10_000, quantity: 2, shares: { 'staff-1': 300 } },
  { unitPrice: 4_999, quantity: 0.345, existing: 20 },
  { unitPrice: 2_500, existingPercent: 50 },
  { unitPrice: 7_000, noDiscount: true, shares: { 'staff-1': 700, 'staff-2': 5 } },
  { unitPrice: 7_000, noPercentageDiscount: true, parentLineId: 'line-1' },
]);

function unnoticed(promises?: Promises): string[] {
  return mutations(rightAnswer(REQUEST, 20))
    .filter(([, body]) => judge(REQUEST, body, promises).length === 0)
    .map(([path]) => path);
}

test('every number and every flag of an answer is guarded', () => {
  expect(unnoticed(PROMISES)).toEqual([]);
});

test('by the interface alone only the printing of a note line is left to the service', () => {
  const lines = REQUEST.lines.map((_, index) => `lines/${index}/showLineDiscountText`);
  expect(unnoticed()).toEqual(lines);
});
