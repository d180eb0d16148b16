/** What a member may ask for: a copy of all that is stored, and an erasure with its proof. */
import { beforeEach, describe, expect, test } from 'vitest';
import { eraseWithCertificate } from '../../src/administration/erase.ts';
import { copyMember } from '../../src/administration/member-copy.ts';
import { bookReturnOf } from '../../src/administration/returns.ts';
import { eventFactsOf } from '../../src/calls/event-facts.ts';
import { noteConfiguration, readConfigurationFiles } from '../../src/store/configuration-history.ts';
import { readCostRows } from '../../src/store/cost-rows.ts';
import { decide } from '../../src/store/decisions.ts';
import { findAnswered } from '../../src/store/find-calculation.ts';
import { claimIndexEntry } from '../../src/store/index-entry.ts';
import { writeMembers } from '../../src/store/member-writes.ts';
import { mergeMembers } from '../../src/store/merge.ts';
import { pseudonymOf } from '../../src/store/pseudonyms.ts';
import type { Store } from '../../src/store/store.ts';
import { basketNow, CLUB, ofBerit, tokenOf } from '../calls/support/club.ts';
import { ask, interrupted, tellSale, useTill } from '../calls/support/till.ts';
import { meddledStore } from '../store/meddled-store.ts';
import { readToldEvents } from '../support/told-events.ts';

const till = useTill(CLUB);
const PROGRAMME = 'coffee-club';
const storedAs = (loyaltyId: string) => ({ programmeId: PROGRAMME, loyaltyId, status: 'active', grants: [] }) as const;
const BERIT = { ...storedAs('berit'), tier: 'gold', grants: ['triple'] };
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

beforeEach(async () => {
  await writeMembers(till.context.store, [BERIT, storedAs('carla'), storedAs('old-card')]);
});

async function answered(basket = ofBerit(6)) {
  await ask(till.context, basket);
  return basket.calculationId;
}

describe('the copy', () => {
  interface Copied {
    readonly calculations: readonly { readonly calculationId: string; readonly basket: object | string | null }[];
  }
  const copyOf = async (loyaltyId: string) =>
    (await copyMember(till.context.store, PROGRAMME, loyaltyId)) as Copied | undefined;
  const recordOf = (calculationId: string) => till.context.store.keys.calculation(tokenOf('berit'), calculationId);

  test('has the member, what it used, and its sale with the lines, the receipt and the return', async () => {
    const { store } = till.context;
    const calculationId = await answered();
    await tellSale(till, calculationId);
    await bookReturnOf(till.context, 'r-1', { calculationId, lines: [{ lineId: 'line-1', quantity: 1 }] });
    const line = { lineId: 'line-1', productId: 'product-1', quantity: 6, unitPrice: 10_000, orderLinePrice: 60_000 };
    const back = { lineId: 'line-1', quantity: 1, refund: 7_000 };
    expect(await copyOf('berit')).toEqual({
      ...{ copiedAt: instant, programmeId: PROGRAMME, loyaltyId: 'berit', mergedLoyaltyIds: [], member: BERIT },
      ...{ pseudonym: await pseudonymOf(store, tokenOf('berit')), used: { 'triple#items:*': 6 }, open: [] },
      calculations: [
        {
          ...{ calculationId, state: 'sold', venueId: 'oslo-central', answered: 'applied', total: 42_000 },
          ...{ uses: 'triple#items:*=6/6', sale: { status: 'applied', transactionId: 'receipt-1' }, isLate: false },
          ...{ overRedeemed: 0, answeredAt: instant, heldUntil: instant, soldAt: instant },
          basket: { requestedAt: instant, currency: 'NOK', tier: 'gold', lines: [line] },
          returns: [{ returnId: 'r-1', refund: 7_000, lines: [back], at: instant }],
        },
      ],
    });
  });

  test('says what an open basket holds, and until when', async () => {
    const calculationId = await answered(ofBerit(4));
    const copy = await copyOf('berit');
    expect(copy).toMatchObject({ used: {}, open: [{ calculationId, until: instant, units: { 'triple#items:*': 4 } }] });
    expect(copy!.calculations[0]).toMatchObject({ state: 'open', returns: [] });
    expect(copy!.calculations[0]).not.toHaveProperty('soldAt');
  });

  test('names the loyalty IDs that were merged into the member', async () => {
    await mergeMembers(till.context.store, PROGRAMME, 'old-card', 'berit');
    expect(await copyOf('berit')).toMatchObject({ mergedLoyaltyIds: ['old-card'] });
  });

  test('is of whatever is left: a member alone, units alone, or a basket alone', async () => {
    const { redis, context } = till;
    const { keys } = context.store;
    expect(await copyOf('carla')).toMatchObject({ member: { loyaltyId: 'carla' }, used: {}, calculations: [] });
    expect(await copyOf('nobody')).toBeUndefined();
    await redis.client.hset(keys.use(tokenOf('nobody')), 'triple#items:*!over', 2);
    expect(await copyOf('nobody')).toBeUndefined();
    await redis.client.hset(keys.use(tokenOf('nobody')), 'triple#items:*', 6);
    expect(await copyOf('nobody')).toMatchObject({ member: null, used: { 'triple#items:*': 6 }, calculations: [] });
    const calculationId = await answered(basketNow([{}], { loyaltyId: 'carla' }));
    await redis.client.unlink(keys.member(tokenOf('carla')));
    const basket = { tier: null };
    expect(await copyOf('carla')).toMatchObject({ member: null, used: {}, calculations: [{ calculationId, basket }] });
    const strange = await answered(basketNow([{}], { loyaltyId: 'stranger' }));
    expect(await copyOf('stranger')).toMatchObject({
      member: null,
      calculations: [{ calculationId: strange, basket }],
    });
  });

  test('has every basket of a member with many, in the order of their IDs', async () => {
    const asked = await Promise.all(Array.from({ length: 66 }, () => answered(ofBerit(1))));
    const { calculations } = (await copyOf('berit'))!;
    expect(calculations.map(({ calculationId }) => calculationId)).toEqual(asked.toSorted());
  });

  test('says of a basket that it cannot be read, or that nothing is kept of it', async () => {
    const calculationId = await answered();
    const { client } = till.redis;
    await client.hset(recordOf(calculationId), 'b0', Buffer.of(9));
    const copied = async () => (await copyOf('berit'))!.calculations[0];
    expect(await copied()).toMatchObject({ basket: 'kept in a form that this version cannot read' });
    const pieces = (await client.hkeys(recordOf(calculationId))).filter((field) => /^b\d+$/.test(field));
    await client.hdel(recordOf(calculationId), ...pieces);
    expect(await copied()).toMatchObject({ state: 'open', basket: null });
  });

  test('says of a basket whose record has ended that nothing is known of it but its ID', async () => {
    const calculationId = await answered();
    const { store } = till.context;
    await till.redis.client.set(store.keys.answer(tokenOf('berit'), calculationId), 'answer');
    await till.redis.client.unlink(recordOf(calculationId));
    const { calculations } = (await copyOf('berit'))!;
    const [only] = JSON.parse(JSON.stringify(calculations)) as object[];
    const nothing = { uses: '', isLate: false, overRedeemed: 0, basket: null, returns: [] };
    expect([calculations.length, only]).toEqual([1, { calculationId, state: 'unknown', ...nothing }]);
    expect(calculations[0]).not.toHaveProperty('answeredAt');
  });
});

describe('an erasure', () => {
  const erase = async (loyaltyId: string, store: Store = till.context.store) => {
    const named = { programmeId: PROGRAMME, loyaltyId, by: 'support' };
    return (await eraseWithCertificate({ ...till.context, store }, named)).certificate;
  };
  const ofMember = () => till.redis.client.keys(till.context.store.keys.everythingOf(tokenOf('berit')));

  test('is certified with what was erased, and nothing is left', async () => {
    const { store } = till.context;
    await tellSale(till, await answered());
    await answered(ofBerit(1));
    await mergeMembers(store, PROGRAMME, 'old-card', 'berit');
    const pseudonym = await pseudonymOf(store, tokenOf('berit'));
    const certificate = await erase('berit');
    expect(certificate).toEqual({
      ...{ certificate: 'erasure of a member', environment: 'staging', programmeId: PROGRAMME, by: 'support' },
      ...{ loyaltyIdDigest: tokenOf('berit'), pseudonym, erasedAt: instant, remaining: 0 },
      ...{ erased: { member: true, calculations: 2, mergedLoyaltyIds: 1 }, stays: expect.stringContaining('Events') },
    });
    expect(await ofMember()).toEqual([]);
    expect(await copyMember(store, PROGRAMME, 'berit')).toBeUndefined();
    expect((await erase('berit')).erased).toEqual({ member: false, calculations: 0, mergedLoyaltyIds: 0 });
  });

  test('counts and tells a sale that its call had left uncounted, once', async () => {
    const { redis, context } = till;
    const calculationId = await answered();
    await tellSale(till, calculationId);
    // As it stands when that process died before it had appended the event.
    await redis.client.hset(context.store.keys.calculation(tokenOf('berit'), calculationId), 'event', 1);
    await redis.client.del(await redis.client.keys('*:events:*'));
    await erase('berit');
    await erase('berit');
    const day = new Date().toISOString().slice(0, 10);
    const rows = await readCostRows(context.store, day, 'booking');
    expect(rows.filter(({ figures }) => figures.baskets !== 1)).toEqual([]);
    expect(rows.map(({ benefitId }) => benefitId).sort()).toEqual(['+', '=', 'triple']);
    const told = await readToldEvents(redis.client);
    expect(told.filter((event) => event.calculationId === calculationId)).toMatchObject([{ result: 'recorded' }]);
  });

  test('completes a decision that its call had left, once', async () => {
    const { context } = till;
    const calculationId = await answered();
    await tellSale(till, calculationId);
    await tellSale(till, calculationId, { status: 'cancelled' });
    const conflict = (await findAnswered(context.store, calculationId))!;
    const words = { outcome: 'second', who: 'operator', reason: 'a void' } as const;
    // As it stands where the erasure took the index entry before the decision's call had found it again.
    expect(await decide(context.store, conflict, words, eventFactsOf(context))).toEqual({ outcome: 'resolved' });
    await erase('berit');
    await erase('berit');
    const day = new Date().toISOString().slice(0, 10);
    const rows = await readCostRows(context.store, day, 'booking');
    const [triple] = rows.filter(({ benefitId }) => benefitId === 'triple');
    expect(triple!.figures).toMatchObject({ undoneBaskets: 1, undoneSaved: 18_000 });
  });

  test('takes the member and its earlier loyalty IDs out of the configurations of the past', async () => {
    const { store } = till.context;
    const text = 'members:\n  - loyaltyId: berit\n  - loyaltyId: old-card\n  - loyaltyId: carla\n';
    await noteConfiguration(store, { version: 'v1', files: ['club.yaml'] }, [{ name: 'club.yaml', text }], true);
    await mergeMembers(store, PROGRAMME, 'old-card', 'berit');
    await erase('berit');
    const [file] = (await readConfigurationFiles(store, 'v1'))!;
    expect(file!.text).toMatch(
      /^members:\n {2}- loyaltyId: erased-\d+\n {2}- loyaltyId: erased-\d+\n {2}- loyaltyId: carla\n$/,
    );
  });

  test('that is interrupted before any of its commands is completed by the next one, the files of the past too', async () => {
    const { redis, context } = till;
    const { store } = context;
    const text = 'members:\n  - loyaltyId: berit\n  - loyaltyId: old-card\n  - loyaltyId: carla\n';
    let commands = 0;
    for (let isWhole = false; !isWhole; commands += 1) {
      await redis.client.flushall();
      await writeMembers(store, [BERIT, storedAs('old-card')]);
      await redis.client.hset(store.keys.merged(tokenOf('berit')), { [tokenOf('old-card')]: '"old-card"' });
      await noteConfiguration(store, { version: 'v1', files: ['club.yaml'] }, [{ name: 'club.yaml', text }], true);
      const dying = meddledStore(store, (sent) => (sent > commands ? Promise.reject(new Error('it dies')) : undefined));
      isWhole = await erase('berit', dying).then(
        () => true,
        () => false,
      );
      expect((await erase('berit')).remaining).toBe(0);
      const [file] = (await readConfigurationFiles(store, 'v1'))!;
      expect(file!.text, `after ${commands} commands`).not.toMatch(/berit|old-card/);
      expect(file!.text).toContain('carla');
    }
    expect(commands).toBeGreaterThan(10);
  });

  test('counts what was written again meanwhile of a loyalty ID that was merged into the member', async () => {
    const { redis, context } = till;
    const { keys } = context.store;
    await mergeMembers(context.store, PROGRAMME, 'old-card', 'berit');
    const late = meddledStore(context.store, async () => {
      // The merged one goes first.
      if (!(await redis.client.exists(keys.member(tokenOf('berit'))))) {
        await redis.client.hset(keys.use(tokenOf('old-card')), 'triple#items:*', 1);
      }
    });
    expect((await erase('berit', late)).remaining).toBe(1);
  });

  test('counts what a till has written again meanwhile', async () => {
    const { store } = till.context;
    const { use, index } = store.keys;
    const write = () => till.redis.client.hset(use(tokenOf('berit')), 'triple#items:*', 1);
    // The entries of calls that were never answered are erased last.
    const claimed = '0b4f7d3e-6f4c-4a53-9d0a-1c2e3f405162';
    await claimIndexEntry(store, claimed, tokenOf('berit'), () => 400);
    const certificate = await erase(
      'berit',
      interrupted(store, (key) => key === index(claimed), write),
    );
    expect(certificate.remaining).toBe(1);
    expect(await ofMember()).toEqual([use(tokenOf('berit'))]);
  });
});
