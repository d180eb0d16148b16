import { expect } from 'vitest';
import type { Connection } from '../../src/redis/connection.ts';
import { readCommon } from '../../src/store/common-limits.ts';
import { createKeys } from '../../src/store/keys.ts';
import type { Store } from '../../src/store/store.ts';
import { basketOf, saleOf } from './baskets.ts';
import { type Benefit, type Configuration, configurationOf, memberOf, SINGLE_USE, TWENTY } from './configuration.ts';
import { Service } from './service.ts';
import { until } from './wait.ts';
import type { BasketBody } from './wire.ts';

/** A campaign for the first guests, over which two gateways fight while one of them is killed. */

const GUESTS = 90;
export const FIRST = 25;

const CAMPAIGN: Benefit = {
  ...{ benefitId: 'first-guests', kind: 'line_percent', percent: 50, text: 'For the first guests' },
  limit: [
    { quantity: FIRST, period: 'lifetime', counts: 'baskets', of: 'programme' },
    { quantity: 1, period: 'lifetime', counts: 'baskets' },
  ],
};

const GUEST_COUNTER = { usageKey: 'first-guests~programme:*', of: 'programme' } as const;

function campaignConfiguration(): Configuration {
  const moreMembers = Array.from({ length: GUESTS * 2 }, (_, guest) => memberOf(`guest-${guest}`));
  return configurationOf({ programme: { benefits: [TWENTY, SINGLE_USE, CAMPAIGN] }, moreMembers });
}

export async function campaignBooks(connection: Connection) {
  const periods = { holdMs: 60_000, idempotencyMs: 60_000, retentionMs: 60_000 };
  const store: Store = { connection, keys: createKeys('staging'), periods };
  const place = { programmeId: 'coffee-club', venueId: 'oslo-central' };
  const { consumed, overRedeemed, held } = (await readCommon(store, place, [GUEST_COUNTER])).get(
    GUEST_COUNTER.usageKey,
  )!;
  return { consumed, overRedeemed, held };
}

/**
 * Sends the baskets of all guests to two gateways, kills one with all that it has in flight, repeats whatever had no answer at
 * the other one, and sells what was given. Returns how many baskets were given the benefit.
 */
export async function playCampaign(redisUrl: string, connection: Connection): Promise<number> {
  const configuration = campaignConfiguration();
  const options = { configuration, redisUrl };
  const first = await Service.start(options);
  const second = await Service.start({ ...options, secrets: first.secrets });
  try {
    const baskets = Array.from({ length: GUESTS }, (_, guest) => basketOf([{}], { loyaltyId: `guest-${guest}` }));
    const [victim, survivor] = [first.newCaller({ isPatient: false }), second.newCaller()];
    const warm = basketOf([{}], { loyaltyId: 'member-paused' });
    await Promise.all([first.newCaller().basket(warm), survivor.basket(warm)]);
    const answers: Promise<unknown>[] = [];
    const statusOf = async (basket: BasketBody, caller: typeof victim) => {
      const answer = await caller.basket(basket);
      return answer.status === 200 ? answer.json<{ status: string }>().status : undefined;
    };
    const outcomes = baskets.map((basket, guest) => {
      const own = statusOf(basket, guest % 2 === 0 ? victim : survivor).catch(() => undefined);
      answers.push(own);
      return own;
    });
    // Some of the victim's calls are answered, some are in flight, and some have not been read.
    await Promise.race(answers);
    await first.kill('SIGKILL');
    const settled = await Promise.all(
      outcomes.map(async (outcome, guest) => (await outcome) ?? (await statusOf(baskets[guest]!, survivor))),
    );
    expect(settled.every((status) => status === 'applied' || status === 'unchanged')).toBe(true);
    const given = baskets.filter((_, guest) => settled[guest] === 'applied');
    expect(given.length).toBeLessThanOrEqual(FIRST);
    // What the dead process held without a commit is free again soon, for guests who come later.
    let next = GUESTS;
    await until('the whole budget to be given', async () => {
      if (given.length === FIRST) return true;
      const basket = basketOf([{}], { loyaltyId: `guest-${next++ % (GUESTS * 2)}` });
      if ((await statusOf(basket, survivor)) === 'applied') given.push(basket);
      return given.length === FIRST;
    });
    expect(await campaignBooks(connection)).toEqual({ consumed: 0, overRedeemed: 0, held: FIRST });
    await Promise.all(given.map(({ calculationId }) => survivor.sale(saleOf(calculationId))));
    const late = await survivor.basket(basketOf([{}], { loyaltyId: `guest-${GUESTS * 2 - 1}` }));
    expect(late.json()).toMatchObject({ status: 'unchanged' });
    return given.length;
  } finally {
    if (first.isAlive) await first.stop();
    await second.stop();
  }
}
