/** Returns on a real Redis: which sale is meant, what is booked, and what a repetition completes. */

import { randomUUID } from 'node:crypto';
import { formatDate, localTime } from '@loyalty/engine/compile/calendar';
import { describe, expect, test } from 'vitest';
import { resolveConflict } from '../../src/administration/resolve-conflict.ts';
import { bookReturnOf, quoteReturnOf, type ReturnRequest } from '../../src/administration/returns.ts';
import { StoreUnavailable } from '../../src/redis/failure.ts';
import { readCostRows } from '../../src/store/cost-rows.ts';
import { findAnswered } from '../../src/store/find-calculation.ts';
import { bookReturn, readReturns } from '../../src/store/returns.ts';
import { basketNow, CLUB, ofBerit, tokenOf } from '../calls/support/club.ts';
import { ask, interrupted, tellSale, useTill } from '../calls/support/till.ts';
import { readEvents } from '../store/read-events.ts';
import { describeNothing, sweepOnce } from '../support/plain-books.ts';

const till = useTill(CLUB);

/** Sells six cups to Berit, all for 30 % less: 420.00. */
async function sell({ basket = ofBerit(6), status = 'applied', transactionId = `receipt-${randomUUID()}` } = {}) {
  await ask(till.context, basket);
  const { calculationId } = basket;
  await tell(calculationId, status, transactionId);
  return { calculationId, transactionId };
}

const tell = (calculationId: string, status: string, transactionId: string) =>
  tellSale(till, calculationId, { status, transactionId });

const cups = (quantity: number) => [{ lineId: 'line-1', quantity }];
const quote = (request: Partial<ReturnRequest>) => quoteReturnOf(till.context, { lines: cups(1), ...request });
const book = (returnId: string, request: Partial<ReturnRequest>, context = till.context) =>
  bookReturnOf(context, returnId, { lines: cups(1), ...request });
/** What returns have taken out of the costs of the day, of the benefit `triple`. */
async function lostOf(calculationId: string): Promise<number> {
  const sold = await findAnswered(till.context.store, calculationId);
  const { timeZone } = till.context.environment.venues[0]!;
  // In the night its day has begun where the shop is, and not yet by UTC.
  const { day } = localTime(new Date(sold!.answeredAtMs).toISOString(), timeZone);
  const rows = await readCostRows(till.context.store, formatDate(day));
  return rows.filter(({ benefitId }) => benefitId === 'triple').reduce((sum, row) => sum + row.figures.undoneSaved, 0);
}
const told = async () =>
  (await readEvents({ redis: till.redis, store: till.context.store })).filter(({ result }) => result === 'returned');
const taken = () => till.redis.client.hget(till.context.store.keys.use(tokenOf('berit')), 'triple#items:*');

describe('a sale is found', () => {
  test('by its calculation, or by its receipt', async () => {
    const { calculationId, transactionId } = await sell();
    const by = await quote({ calculationId });
    expect(by).toMatchObject({ kind: 'answered', isRepeated: false, sale: { calculationId } });
    expect(await quote({ transactionId })).toEqual(by);
    expect(await readReturns(till.context.store, tokenOf('berit'), calculationId)).toEqual([]);
  });

  test('or nothing is known of it', async () => {
    const nothing = (name: string) => ({
      kind: 'not_found',
      message: `Nothing is known of ${name}: it was never seen here, or its sale is no longer kept.`,
    });
    const calculationId = randomUUID();
    expect(await quote({ calculationId })).toEqual(nothing(`calculation ${calculationId}`));
    expect(await quote({ transactionId: 'no-receipt' })).toEqual(nothing('receipt no-receipt'));
    expect(await quote({})).toEqual(nothing('receipt '));
    expect(await book('r-1', { calculationId })).toEqual(nothing(`calculation ${calculationId}`));
  });

  test('and nothing was sold in it, when it was cancelled or never told', async () => {
    const { calculationId } = await sell({ status: 'cancelled' });
    const nothing = { kind: 'refused', excess: [{ lineId: 'line-1', sold: 0, left: 0, asked: 1 }] };
    expect(await quote({ calculationId })).toMatchObject({
      ...nothing,
      ...{ message: `Of calculation ${calculationId} nothing was sold.`, sale: { calculationId } },
    });
    const open = ofBerit();
    await ask(till.context, open);
    expect(await quote({ calculationId: open.calculationId })).toMatchObject(nothing);
  });

  test('beside a cancelled one on the same receipt, but not beside another one', async () => {
    const transactionId = 'receipt-7';
    const cancelled = await sell({ status: 'cancelled', transactionId });
    const sold = await sell({ transactionId });
    expect(await quote({ transactionId })).toMatchObject({
      kind: 'answered',
      sale: { calculationId: sold.calculationId },
    });
    const other = await sell({ transactionId });
    const several = await quote({ transactionId });
    expect(several).toEqual({
      kind: 'conflict',
      message: `Several sales have the receipt receipt-7; name one by its calculationId: ${sold.calculationId}, ${other.calculationId}.`,
    });
    expect(JSON.stringify(several)).not.toContain(cancelled.calculationId);
  });

  test('and not enough of it is kept, when its event came before its answer', async () => {
    const basket = ofBerit();
    await tell(basket.calculationId, 'applied', 'receipt-8');
    await ask(till.context, basket);
    expect(await quote({ calculationId: basket.calculationId })).toMatchObject({
      ...{ kind: 'not_found', sale: { calculationId: basket.calculationId } },
      message: expect.stringMatching(/^The sale of calculation .* is known, but not enough of it is kept\. Its sale /),
    });
  });
});

describe('a return', () => {
  test('is booked once, with what it gives back, its event and its costs', async () => {
    const { calculationId, transactionId } = await sell();
    const first = await book('r-1', { calculationId, lines: cups(6) });
    expect(first).toMatchObject({
      ...{ kind: 'answered', isRepeated: false, sale: { calculationId } },
      answer: { returnId: 'r-1', calculationId, refund: 42_000, lines: [{ lineId: 'line-1', quantity: 6 }] },
    });
    expect(await told()).toMatchObject([{ calculationId, returnId: 'r-1', refund: 42_000, transactionId }]);
    expect([await taken(), await lostOf(calculationId)]).toEqual(['0', 18_000]);

    expect(await book('r-1', { calculationId, lines: cups(6) })).toEqual({ ...first, isRepeated: true });
    expect([await taken(), (await told()).length, await lostOf(calculationId)]).toEqual(['0', 1, 18_000]);
  });

  test('follows the ones before it, and no more comes back than was sold', async () => {
    const { calculationId } = await sell();
    await book('r-1', { calculationId, lines: cups(2) });
    expect(await book('r-2', { calculationId, lines: cups(3) })).toMatchObject({ answer: { refund: 21_000 } });
    const tooMuch = await book('r-3', { calculationId, lines: cups(2) });
    expect(tooMuch).toMatchObject({
      ...{ kind: 'refused', message: 'of line line-1, 1 of 6 are left and 2 should come back.' },
      sale: { calculationId },
    });
    expect(await quote({ calculationId, lines: cups(2) })).toEqual(tooMuch);
    expect(await taken()).toBe('6');
    expect(await book('r-3', { calculationId })).toMatchObject({ answer: { refund: 7_000 } });
    expect((await told()).map(({ returnId }) => returnId)).toEqual(['r-1', 'r-2', 'r-3']);
    expect([await taken(), await lostOf(calculationId)]).toEqual(['0', 18_000]);
  });

  test('with the same ID and other lines is a conflict', async () => {
    const { calculationId } = await sell();
    await book('r-1', { calculationId });
    expect(await book('r-1', { calculationId, lines: cups(2) })).toEqual({
      ...{ kind: 'conflict', message: 'Return r-1 was booked with other lines.' },
      sale: expect.objectContaining({ calculationId }),
    });
    expect((await told()).length).toBe(1);
  });

  test('that was booked and not completed is completed by its repetition', async () => {
    const { calculationId } = await sell();
    const { store } = till.context;
    const cut = interrupted(
      store,
      (key) => key?.includes(':cost-rows:') ?? false,
      () => Promise.reject(new StoreUnavailable('cut off')),
    );
    await expect(book('r-1', { calculationId }, { ...till.context, store: cut })).rejects.toThrow('cut off');
    expect([(await told()).length, await lostOf(calculationId)]).toEqual([1, 0]);
    expect(await book('r-1', { calculationId })).toMatchObject({ kind: 'answered', isRepeated: true });
    expect([(await told()).length, await lostOf(calculationId)]).toEqual([1, 3_000]);
  });

  test('is computed again when another one was booked meanwhile', async () => {
    const { calculationId } = await sell();
    const { store } = till.context;
    const calculation = store.keys.calculation(tokenOf('berit'), calculationId);
    let returnId = 0;
    const busy = (most: number) =>
      interrupted(
        store,
        (key) => key === calculation && returnId < most,
        async () => {
          returnId += 1;
          await book(`other-${returnId}`, { calculationId });
        },
      );
    const late = await book('r-1', { calculationId, lines: cups(4) }, { ...till.context, store: busy(3) });
    expect(late).toMatchObject({ kind: 'refused', message: expect.stringContaining('3 of 6 are left') });
  });

  test('is answered as its twin that was booked meanwhile', async () => {
    const { calculationId } = await sell();
    const { store } = till.context;
    const calculation = store.keys.calculation(tokenOf('berit'), calculationId);
    let twins = 0;
    const busy = interrupted(
      store,
      (key) => key === calculation && twins === 0,
      async () => {
        twins += 1;
        await book('r-1', { calculationId });
      },
    );
    const late = await book('r-1', { calculationId }, { ...till.context, store: busy });
    expect(late).toMatchObject({ kind: 'answered', isRepeated: true, answer: { refund: 7_000 } });
    expect([(await told()).length, await lostOf(calculationId)]).toEqual([1, 3_000]);
  });

  test('goes on where the member was merged into another one', async () => {
    const { calculationId } = await sell();
    const { store } = till.context;
    const counters = store.keys.use(tokenOf('berit'));
    await till.redis.client.rename(counters, store.keys.use(tokenOf('anna')));
    await till.redis.client.hset(counters, '!moved', tokenOf('anna'));
    expect(await book('r-1', { calculationId })).toMatchObject({ kind: 'answered', answer: { refund: 7_000 } });
    expect(await readReturns(store, tokenOf('anna'), calculationId)).toMatchObject([{ returnId: 'r-1' }]);
  });

  test('of a sale that is forgotten meanwhile is not booked', async () => {
    const { calculationId } = await sell();
    const { store } = till.context;
    const calculation = store.keys.calculation(tokenOf('berit'), calculationId);
    let looks = 0;
    const forgetful = interrupted(
      store,
      // It is read before it is booked.
      (key) => key === calculation && ++looks === 2,
      () => till.redis.client.del(calculation),
    );
    expect(await book('r-1', { calculationId }, { ...till.context, store: forgetful })).toEqual({
      kind: 'not_found',
      message: 'The sale is no longer kept: `returns.days` of the configuration says how long sales are.',
      sale: expect.objectContaining({ calculationId }),
    });
    expect(await told()).toEqual([]);
  });

  test.each([
    ['is refused when a person decides meanwhile that it was cancelled', 'applied', 'cancelled'],
    ['gives back what a decision has just taken for it', 'failed', 'applied'],
  ])('of a sale %s', async (_title, first, second) => {
    const { calculationId } = await sell({ status: first });
    await tell(calculationId, second, 'receipt-9');
    const { store } = till.context;
    const calculation = store.keys.calculation(tokenOf('berit'), calculationId);
    let looks = 0;
    const decided = interrupted(
      store,
      (key) => key === calculation && ++looks === 2,
      () => resolveConflict(till.context, calculationId, { outcome: 'second', who: 'accountant', reason: 'receipt' }),
    );
    const late = await book('r-1', { calculationId, lines: cups(6) }, { ...till.context, store: decided });
    expect(await taken()).toBe('0');
    if (second === 'applied') {
      expect(late).toMatchObject({ kind: 'answered', answer: { refund: 42_000 } });
    } else {
      expect(late).toMatchObject({ kind: 'refused', message: `Of calculation ${calculationId} nothing was sold.` });
      expect(await told()).toEqual([]);
      expect(await readReturns(store, tokenOf('berit'), calculationId)).toEqual([]);
    }
    expect(await lostOf(calculationId)).toBe(18_000);
  });

  test('gives units of a limit over all members back', async () => {
    const crowd = (quantity: number, loyaltyId: string) =>
      basketNow([{ quantity, productGroupId: 'crowd' }], { loyaltyId });
    const { calculationId } = await sell({ basket: crowd(4, 'carla') });
    const other = await sell({ basket: crowd(6, 'tester') });
    const total = async (quantity: number) => (await ask(till.context, crowd(quantity, 'carla'))).answer?.total;
    expect(await total(1)).toBe(9_000);
    await book('r-1', { calculationId, lines: cups(4) });
    await book('r-1', { calculationId: other.calculationId, lines: cups(6) });
    expect(await total(10)).toBe(50_000);
  });

  test('that comes before the counter of all members has heard of the sale leaves all of its units to others', async () => {
    const crowd = (quantity: number) => basketNow([{ quantity, productGroupId: 'crowd' }], { loyaltyId: 'carla' });
    const basket = crowd(4);
    const { calculationId } = basket;
    await ask(till.context, basket);
    const { store } = till.context;
    const isCounter = (key: string) => key.includes(':use:') && !key.includes(tokenOf('carla'));
    const cut = interrupted(store, isCounter, () => Promise.reject(new StoreUnavailable('cut off')));
    const dying = { ...till, context: { ...till.context, store: cut } };
    await expect(tellSale(dying, calculationId)).rejects.toThrow('cut off');
    await book('r-1', { calculationId, lines: cups(4) });
    await till.redis.client.zadd(store.keys.examinations(0), 1, calculationId);
    await sweepOnce(store);
    expect((await ask(till.context, crowd(10))).answer?.total).toBe(50_000);
  });

  test('is given up when others are booked without end', async () => {
    const { calculationId } = await sell();
    const { store } = till.context;
    const calculation = store.keys.calculation(tokenOf('berit'), calculationId);
    const sold = (await findAnswered(store, calculationId))!;
    let count = 0;
    const busy = interrupted(
      store,
      (key) => key === calculation,
      async () => {
        const answer = { refund: 0, lines: [], kept: [] };
        await bookReturn(store, sold, { returnId: `other-${count}`, answer, givenBack: [] }, count, describeNothing);
        count += 1;
      },
    );
    const late = book('r-1', { calculationId }, { ...till.context, store: busy });
    await expect(late).rejects.toThrow('other returns of this sale are booked without end');
  });
});
