/** How a basket call ends: by its commit, by its deadline, because its caller has gone, or because its answer is wrong. */
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { CallContext } from '../../src/calls/call.ts';
import type { PricedCall } from '../../src/calls/pricing.ts';
import { loadEnvironment } from '../../src/programme/load.ts';
import { temporaryDirectory } from '../support/cleanup.ts';
import { CLUB, ofAnna } from './support/club.ts';
import { ask, useTill, whilePriced } from './support/till.ts';

const till = useTill(CLUB);

describe('a choice with a gap', () => {
  /** A till whose thread says so of its answers. */
  const missing = async (gap: number, total: number | undefined) => {
    const price: CallContext['threads']['price'] = async (task, deadlineMs) => {
      const priced = (await till.context.threads.price(task, deadlineMs)) as PricedCall;
      return { ...priced, rendered: { ...priced.rendered, gap, total } };
    };
    const threads = { ...till.context.threads, price };
    const { facts } = await ask({ ...till.context, inlineBytes: 0, threads }, ofAnna());
    return [facts.gap, facts.gapOfTotal];
  };

  test('is noted with how much, and which part of the total that is', async () => {
    expect(await missing(0, 14_000)).toEqual([undefined, 0]);
    expect(await missing(140, 14_000)).toEqual([140, 0.01]);
    expect(await missing(1, undefined)).toEqual([1, 1]);
  });
});

test('an answer that fails its own check is not given, and its basket is kept for repair', async () => {
  const bun = { productId: 'bun', name: 'Bun', unitPrice: 500, noDiscount: false, noPercentageDiscount: false };
  const gift = { benefitId: 'gift', kind: 'free_product', audience: 'everyone', productId: 'bun', text: 'A bun' };
  const written = {
    ...CLUB,
    venues: CLUB.venues.map((venue) => ({ ...venue, products: [bun] })),
    programmes: CLUB.programmes.map((programme) => ({ ...programme, benefits: [gift] })),
    members: CLUB.members.map((member) => ({ ...member, grants: [] })),
  };
  const environment = loadEnvironment(JSON.stringify(written), 'environment.yaml');
  // As if no check of the configuration had seen it.
  const { products } = environment.findVenue('oslo-central', '500123')!;
  (products as Map<string, unknown>).set('bun', { ...bun, productId: '' });
  const repairDir = temporaryDirectory();
  const context = { ...till.context, environment, repairDir };
  const basket = ofAnna();
  const { outcome } = await ask(context, basket);
  expect(outcome).toMatchObject({
    refusal: { code: 'internal_error' },
    fault: expect.stringContaining('failed its own check'),
  });
  expect(readdirSync(repairDir)).toEqual([`${basket.calculationId}.json`]);
  expect(await till.redis.client.keys(`*${basket.calculationId}*`)).toEqual([]);
});

describe('a call whose time is over', () => {
  test('is not committed for a caller who has gone while it was priced', async () => {
    let isOver = false;
    const basket = ofAnna();
    const context = whilePriced(till.context, async () => {
      isOver = true;
    });
    const gone = ask(context, basket, { isOver: () => isOver });
    await expect(gone).rejects.toThrow('nobody waits for the call');
    expect(await till.redis.client.keys(`*${basket.calculationId}*`)).toEqual([]);
  });
});
