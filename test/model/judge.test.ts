/** A judge that never finds anything proves nothing: each thing it looks for, planted. */
import { describe, expect, test } from 'vitest';
import type { BasketOrder, SaleOrder } from './history.ts';
import { brokenInvariants, difference, Ledger, type Reply } from './judge.ts';
import { Model } from './model.ts';
import type { SeenCalculation, SeenMember, Sight } from './observe.ts';
import { printHistory, shrink } from './shrink.ts';
import { findLostHolds } from './time.ts';

const NOW_MS = 1000;
const BASKET: BasketOrder = {
  kind: 'basket',
  calculation: 0,
  member: 0,
  venue: 0,
  day: 0,
  groups: ['other'],
  process: 0,
};
const SALE: SaleOrder = { kind: 'sale', calculation: 0, status: 'applied', outcome: 'applied 1', process: 0 };
const IDS = new Map([
  [0, 'id-0'],
  [1, 'id-1'],
]);

function seen(more: Partial<SeenCalculation> = {}): SeenCalculation {
  return {
    number: 0,
    member: 0,
    print: 'print',
    hasAnswer: true,
    state: 'open',
    venue: 'oslo-central',
    committedAtMs: NOW_MS,
    soldAtMs: undefined,
    deadlineMs: NOW_MS + 100,
    uses: ['once:*'],
    outcome: undefined,
    isSuperseded: false,
    pendingRelease: undefined,
    isReturned: false,
    ...more,
  };
}

function sightOf(calculations: readonly SeenCalculation[], member: Partial<SeenMember> = {}): Sight {
  const held = calculations.map(
    (each) => [IDS.get(each.number)!, { deadlineMs: each.deadlineMs, uses: each.uses }] as const,
  );
  const members = [{ consumed: new Map(), over: new Map(), holds: new Map(held), soldBefore: new Map(), ...member }];
  return { nowMs: NOW_MS, members, calculations: new Map(calculations.map((each) => [each.number, each])) };
}

function replyOf(order: BasketOrder | SaleOrder, word: string, text = '', print = 'print'): Reply {
  return { order, word, text, print, sentMs: 0, answeredMs: 0 };
}

describe('the invariants', () => {
  test('let one hold of one unit pass', () => {
    expect(brokenInvariants(sightOf([seen()]), IDS)).toEqual([]);
  });

  test.each([
    ['two holds of one unit', sightOf([seen(), seen({ number: 1 })]), 'oversold'],
    ['a hold beside what was consumed', sightOf([seen()], { consumed: new Map([['once:*', 1]]) }), 'oversold'],
    ['units consumed without a sale', sightOf([], { consumed: new Map([['once:*', 1]]) }), 'but sold 0 times'],
    ['a sale that consumed nothing', sightOf([seen({ outcome: 'applied 1' })], { holds: new Map() }), 'sold 1 times'],
    [
      'money beyond its limit',
      sightOf([seen({ uses: ['@tab$NOK:*=4000'] }), seen({ number: 1, uses: ['@tab$NOK:*=3001'] })]),
      'held 7001 > limit 7000',
    ],
    [
      'money that was consumed in part',
      sightOf([seen({ outcome: 'applied 1', uses: ['@tab$NOK:*=4000'] })], {
        consumed: new Map([['@tab$NOK:*', 3_999]]),
        holds: new Map(),
      }),
      'was consumed 3999 times, but sold 4000 times',
    ],
    ['an open calculation without its hold', sightOf([seen()], { holds: new Map() }), 'its hold is undefined'],
    ['a hold of a sold calculation', sightOf([seen({ outcome: 'cancelled -' })]), '1 holds for 0 open'],
    ['a hold of a superseded calculation', sightOf([seen({ isSuperseded: true })]), '1 holds for 0 open'],
  ])('name %s', (_what, sight, fault) => {
    expect(brokenInvariants(sight, IDS).join('\n')).toContain(fault);
  });
});

describe('the ledger', () => {
  function ledgerOf(...replies: Reply[]): { ledger: Ledger; faults: string } {
    const ledger = new Ledger();
    const faults = replies.flatMap((reply) => {
      ledger.enter(reply.order, reply.print, reply.sentMs);
      return ledger.add(reply);
    });
    return { ledger, faults: faults.join('\n') };
  }

  test.each([
    ['other bytes', [replyOf(BASKET, 'applied 30', 'a'), replyOf(BASKET, 'replay', 'b')], 'with other bytes'],
    ['two fresh answers', [replyOf(BASKET, 'applied 30'), replyOf(BASKET, 'applied 30')], 'afresh twice'],
    ['two recordings', [replyOf(SALE, 'recorded'), replyOf(SALE, 'recorded')], 'recorded twice'],
    ['a 409 for the only body', [replyOf(BASKET, 'conflict')], 'nothing else was ever sent'],
  ])('names %s', (_what, replies, fault) => {
    expect(ledgerOf(...replies).faults).toContain(fault);
  });

  test('lets a replay pass that overtook the first answer', () => {
    expect(ledgerOf(replyOf(BASKET, 'replay', 'a'), replyOf(BASKET, 'applied 30', 'a')).faults).toBe('');
  });

  test('names an answer whose commit, discount or sale is not in Redis', () => {
    const { ledger } = ledgerOf(replyOf(BASKET, 'applied 30'));
    expect(ledger.missingFrom(sightOf([seen()]))).toEqual([]);
    expect(ledger.missingFrom(sightOf([])).join()).toContain('its commit is not in Redis');
    expect(ledger.missingFrom(sightOf([seen({ uses: [] })])).join()).toContain('has taken nothing');
    const sold = ledgerOf(replyOf(SALE, 'recorded')).ledger;
    expect(sold.missingFrom(sightOf([seen()])).join()).toContain('Redis has the sale undefined');
    expect(sold.missingEvents([], IDS).join()).toContain('no event tells of it');
  });

  test('lets a key be answered afresh after its window, and its sale be recorded once all the same', () => {
    const ledger = new Ledger();
    for (const reply of [replyOf(BASKET, 'applied 30', 'a'), replyOf(SALE, 'recorded')]) {
      ledger.enter(reply.order, reply.print, 0);
      ledger.add(reply);
    }
    ledger.passWindow(0);
    expect(ledger.add(replyOf(BASKET, 'applied 5', 'b'))).toEqual([]);
    expect(ledger.add(replyOf(SALE, 'recorded')).join()).toContain('recorded twice');
  });
});

test('a write after the deadline of its call is a ghost', () => {
  const ledger = new Ledger();
  ledger.enter(BASKET, 'print', NOW_MS - 50);
  ledger.enter(SALE, 'sale', NOW_MS);
  expect(ledger.ghostsIn(sightOf([seen()]), 50)).toEqual([]);
  expect(ledger.ghostsIn(sightOf([seen()]), 40).join()).toContain('was committed at 1000');
  const sold = sightOf([seen({ outcome: 'applied 1', soldAtMs: NOW_MS + 60 })]);
  expect(ledger.ghostsIn(sold, 50).join()).toContain('was sold at 1060');
  expect(ledger.ghostsIn(sold, 60)).toEqual([]);
  // A process that stood still answers late, and may have written until then.
  ledger.add({ ...replyOf(SALE, 'recorded'), sentMs: NOW_MS, answeredMs: NOW_MS + 60 });
  expect(ledger.ghostsIn(sold, 50)).toEqual([]);
  const late = sightOf([seen({ outcome: 'applied 1', soldAtMs: NOW_MS + 61 })]);
  expect(ledger.ghostsIn(late, 50).join()).toContain('was sold at 1061');
});

test('the model differs from a Redis that lost, added or changed something', () => {
  const model = new Model([{ status: 'active', grants: ['once'] }], 100);
  expect(model.basket(BASKET, 'print', NOW_MS)).toBe('applied 30');
  expect(difference(model, sightOf([seen()]), 0)).toBeUndefined();
  expect(difference(model, sightOf([]), 0)).toContain('is not there');
  expect(difference(model, sightOf([seen(), seen({ number: 1 })]), 0)).toContain('should not be there');
  expect(difference(model, sightOf([seen({ deadlineMs: NOW_MS + 130 })]), 10)).toContain('ends at');
  expect(model.basket({ ...BASKET, calculation: 1 }, 'other', NOW_MS)).toBe('unchanged no_applicable_benefits');
  expect(model.sale(SALE, NOW_MS + 100)).toBe('recorded');
  expect(model.over.get('0 once:*') ?? 0).toBe(0);
});

test('a failing history is made as short as it gets', async () => {
  const wait = (ms: number) => ({ kind: 'wait', ms }) as const;
  const together = { kind: 'together', orders: [SALE, BASKET, SALE] } as const;
  const steps = [wait(1), wait(2), together, wait(3), BASKET, wait(4)];
  const history = { seed: 1, isStormy: false, members: [], steps };
  const replay = async ({ steps: rest }: { steps: readonly unknown[] }) => {
    const text = JSON.stringify(rest);
    return text.includes('"ms":2') && text.includes('"basket"') ? 'both are there' : undefined;
  };
  const shortest = await shrink(history, replay, 5000);
  expect(shortest.history.steps).toHaveLength(2);
  expect(printHistory(shortest.history)).not.toContain('sale');
  expect(shortest.message).toBe('both are there');
});

describe('a hold that was lost to a clock that was ahead', () => {
  test('is found, and missed by nobody', () => {
    const sight = sightOf([seen()], { holds: new Map() });
    const lost = findLostHolds(sight, IDS);
    expect([...lost]).toEqual([[0, NOW_MS + 100]]);
    expect(brokenInvariants(sight, IDS, lost)).toEqual([]);
    // Priced again, it has another deadline, and must be held.
    const again = sightOf([seen({ deadlineMs: NOW_MS + 200 })], { holds: new Map() });
    expect(brokenInvariants(again, IDS, lost).join()).toContain('its hold is undefined');
  });
});
