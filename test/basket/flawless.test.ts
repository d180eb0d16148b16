/**
 * The judges that recognise a flawless request or answer in one walk, held to the ordinary ones: never laxer, and stricter
 * only where they say so. `PROPERTY_SEED=n` draws other baskets.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFlawlessAnswer } from '../../src/basket/flawless-answer.ts';
import { isFlawlessRequest } from '../../src/basket/flawless-request.ts';
import { findAnswerMismatch, findRequestMismatch } from '../../src/basket/identities.ts';
import { findReferenceFault } from '../../src/basket/references.ts';
import { findAnswerFault, findBasketRequestFault } from '../../src/basket/schema.ts';
import type { BasketRequest } from '../../src/contract/basket-request.ts';
import type { AppliedResponse } from '../../src/contract/basket-response.ts';
import { MAX_MONEY } from '../../src/contract/limits.ts';
import { arbitraryCase, type Case, GIFTS } from '../pricing/support/arbitrary.ts';
import { buildBasket, buildLine } from '../pricing/support/basket.ts';
import { priceFully } from '../pricing/support/price.ts';
import { drawn, SEED, timesCases } from '../support/effort.ts';

const TIMEOUT_MS = 120_000;

/** Values that are near to right ones, or wrong in a way of their own. */
const HOSTILE: readonly unknown[] = [
  ...[null, true, false, [], {}, [null], [{}], '', 'x', 'none', 'amount', 'percent', 'pos', 'NOK', 'line-0', 'line-1'],
  ...['staff-0', 'x'.repeat(40), 'x'.repeat(41), 'x'.repeat(64), 'x'.repeat(65), 'x'.repeat(256), 'x'.repeat(257)],
  ...[
    'x'.repeat(1000),
    'x'.repeat(1001),
    '🍪'.repeat(21),
    '\ud800',
    'é'.repeat(40),
    'nok',
    'NOKK',
    '2026-02-30T12:00:00Z',
  ],
  ...[
    '2026-11-20T12:00:00Z',
    '2026-11-20 12:00:00Z',
    '0f8fad5b-d9cb-469f-a165-70867728950e',
    '0F8FAD5B-D9CB-469F-A165-70867728950E',
  ],
  ...[0, -0, 1, -1, 0.5, 1.15, 5.005, 33.33, 100, 100.01, 1e-7, 2 ** 31, MAX_MONEY, MAX_MONEY + 1, 1e21, 1e308],
];

const GONE = Symbol('gone');

/** Changes of a document: a place in it, and what stands there instead. */
const changes = fc.array(
  fc.record({
    place: fc.nat(),
    value: fc.oneof(fc.constantFrom(...HOSTILE), fc.constant(GONE), fc.constant('another of the document')),
    other: fc.nat(),
  }),
  { maxLength: 2 },
);
type Changes = typeof changes extends fc.Arbitrary<infer Value> ? Value : never;

function placesOf(document: unknown): [parent: Record<string, unknown>, name: string][] {
  if (typeof document !== 'object' || document === null) return [];
  const parent = document as Record<string, unknown>;
  return Object.keys(parent).flatMap((name) => [[parent, name] as [typeof parent, string], ...placesOf(parent[name])]);
}

function changed<T>(document: T, list: Changes): T {
  const copy = structuredClone(document);
  for (const { place, value, other } of list) {
    const places = placesOf(copy);
    const [parent, name] = places[place % places.length]!;
    const [otherParent, otherName] = places[other % places.length]!;
    if (value === GONE) delete parent[name];
    else parent[name] = structuredClone(value === 'another of the document' ? otherParent[otherName] : value);
  }
  return copy;
}

function isRefused(request: unknown): boolean {
  if (findBasketRequestFault(request)) return true;
  return (findReferenceFault(request as BasketRequest) ?? findRequestMismatch(request as BasketRequest)) !== undefined;
}

/** Where the walk may be stricter: a parent behind its child, characters of two units, sums above the safe integers. */
function mayBeStricter({ lines, totals }: BasketRequest): boolean {
  const seen = new Set<string>();
  for (const { lineId, parentLineId } of lines) {
    if (parentLineId !== undefined && !seen.has(parentLineId)) return true;
    seen.add(lineId);
  }
  return totals.originalTotal > MAX_MONEY || /[\ud800-\udfff]/.test(JSON.stringify(lines));
}

test(
  `a request passes the walk if and only if the ordinary judges find nothing, seed ${SEED}`,
  () => {
    const verdicts = { flawless: 0, refused: 0, stricter: 0 };
    fc.assert(
      fc.property(arbitraryCase(4, 1), changes, ({ basket }, list) => {
        const request = changed(basket, list);
        const refused = isRefused(request);
        const flawless = isFlawlessRequest(request);
        if (flawless && refused) throw new Error('the walk is laxer');
        if (!flawless && !refused && !mayBeStricter(request)) throw new Error('the walk is stricter');
        verdicts[flawless ? 'flawless' : refused ? 'refused' : 'stricter'] += 1;
      }),
      drawn(2_000),
    );
    expect(verdicts.flawless).toBeGreaterThan(timesCases(500));
    expect(verdicts.refused).toBeGreaterThan(timesCases(500));
  },
  TIMEOUT_MS,
);

test.each([
  ['a parent behind its child', [{ lineId: 'a', parentLineId: 'b' }, { lineId: 'b' }]],
  ['a name of 600 characters of two units', [{ lineId: 'a', name: '🍪'.repeat(600) }]],
])('the walk leaves to the ordinary judges: %s', (_name, lines) => {
  const request = buildBasket(lines.map((line) => buildLine(line)));
  expect(isRefused(request)).toBe(false);
  expect(isFlawlessRequest(request)).toBe(false);
});

test.each([0, 1, 200, 201])('the walk counts %i lines', (count) => {
  const request = buildBasket(Array.from({ length: count }, (_, at) => buildLine({ lineId: `line-${at}` })));
  expect(isFlawlessRequest(request)).toBe(count >= 1 && count <= 200);
});

function answerOf({ basket, benefits, policies }: Case): AppliedResponse | undefined {
  const decision = priceFully(basket, benefits, { policies, products: [...GIFTS] });
  if (decision.status !== 'applied') return undefined;
  const { uses: _uses, trace: _trace, ...answer } = decision;
  return { calculationId: basket.calculationId, ...answer };
}

/** Amounts of the schema that the walk judges with the identities; texts and the like rest on how an answer is built. */
const JUDGED_BY_WALK = /(?:amount|price|total|quantity|lineDiscountPercent)$/i;

/** Only a number or a text in the place of another one can come of pricing. */
function changedAlike<T>(document: T, list: Changes): T {
  const copy = structuredClone(document);
  const places = placesOf(copy).filter(([parent, name]) => ['number', 'string'].includes(typeof parent[name]));
  for (const { place, other } of list) {
    const [parent, name] = places[place % places.length]!;
    const alike = HOSTILE.filter((value) => typeof value === typeof parent[name]);
    parent[name] = alike[other % alike.length];
  }
  return copy;
}

test(
  `an answer passes the walk if and only if the ordinary judges find nothing, seed ${SEED}`,
  () => {
    const verdicts = { flawless: 0, refused: 0 };
    fc.assert(
      fc.property(arbitraryCase(4, 4), changes, (example, list) => {
        const right = answerOf(example);
        if (!right) return;
        // The schema of an answer holds by the way it is built: in every test, and in a sample of live answers.
        expect(findAnswerFault(right)).toBeUndefined();
        expect(isFlawlessAnswer(example.basket, right)).toBe(true);
        const answer = changedAlike(right, list);
        const fault = findAnswerFault(answer);
        const isJudgedByWalk = fault === undefined || JUDGED_BY_WALK.test(fault.field ?? '');
        const flawless = isFlawlessAnswer(example.basket, answer);
        const isWrong = fault !== undefined || findAnswerMismatch(example.basket, answer) !== undefined;
        if (flawless && isWrong && isJudgedByWalk) throw new Error('the walk is laxer');
        if (!flawless && !isWrong) throw new Error('the walk is stricter');
        verdicts[flawless ? 'flawless' : 'refused'] += 1;
      }),
      drawn(700),
    );
    expect(verdicts.flawless).toBeGreaterThan(timesCases(117));
    expect(verdicts.refused).toBeGreaterThan(timesCases(117));
  },
  TIMEOUT_MS,
);
