/** Two readings of the costs, by every grouping, against books of the test's own: two gateways, late events, returns, conflicts. */
import { expect, test } from 'vitest';
import { basketOf, saleOf } from '../support/baskets.ts';
import { configurationOf, type Programme, TWENTY } from '../support/configuration.ts';
import { useService } from '../support/service.ts';
import { until } from '../support/wait.ts';
import type { AppliedBody, BasketBody, SaleBody } from '../support/wire.ts';
import { ask, memberPath, OPS_TOKEN } from './admin-client.ts';

const PAIR = {
  ...{ benefitId: 'pair', kind: 'line_percent', percent: 50, fundedBy: 'Dairy, Norway', audience: 'granted' },
  appliesTo: { productIds: ['cream'] },
};
const ORDER = { benefitId: 'order', kind: 'order_percent', percent: 10, fundedBy: 'Kitchen', minimumSpend: 20_000 };
const stage = useService({
  env: { OPS_TOKEN, PROCESSES: '2' },
  configuration: configurationOf({
    programme: { benefits: [TWENTY, PAIR, ORDER] as unknown as Programme['benefits'] },
    members: [],
  }),
});

type Row = Readonly<Record<string, string | number>>;
const call = async <T>(words: string, body?: unknown) =>
  (await ask<T>(stage.service.opsUrl, words, body === undefined ? {} : { body })).body;

const DAY_MS = 86_400_000;
const DIMENSIONS = ['day', 'venue', 'benefit', 'fundedBy', 'tier', 'share'] as const;
const FROM = new Date(Date.now() - 5 * DAY_MS).toISOString().slice(0, 10);
const TO = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);

async function read(by: string, on = 'calculation', range = `from=${FROM}&to=${TO}`): Promise<readonly Row[]> {
  return (await call<{ rows: Row[] }>(`GET /admin/costs?by=${by}&on=${on}&${range}`)).rows;
}

/** What was played, as a warehouse of its own would have it. */
const books = { sold: 0, turnover: 0, saved: 0, undoneSaved: 0, refunded: 0, conflicts: 0 };

interface Played {
  readonly basket: BasketBody;
  readonly saved: number;
  readonly paid: number;
}

async function offer(loyaltyId: string, words: Parameters<typeof basketOf>[0]): Promise<Played> {
  const basket = basketOf(words, { loyaltyId });
  const answer = (await stage.service.newCaller().basket(basket)).json<AppliedBody>();
  const paid = answer.status === 'applied' ? answer.totals.total : basket.totals.total;
  return { basket, saved: basket.totals.total - paid, paid };
}

async function sell({ basket, saved, paid }: Played, isLate = false): Promise<void> {
  const { calculationId } = basket;
  // Nobody can wait for midnight: the basket was answered two days before, which is over wherever the shop is.
  if (isLate) await moveBack(calculationId);
  const event = saleOf(calculationId, saved > 0 ? 'applied' : 'unchanged');
  for (let times = 0; times < 2; times += 1) expect((await stage.service.newCaller().sale(event)).status).toBe(200);
  books.sold += 1;
  books.turnover += paid;
  books.saved += saved;
}

async function moveBack(calculationId: string): Promise<void> {
  const [key] = await stage.redis.client.keys(`*:calc:*:${calculationId}`);
  await stage.redis.client.hincrby(key!, 'at', -2 * DAY_MS);
}

async function takeBack({ basket: { calculationId } }: Played, quantity: number, returnId = 'r-1'): Promise<void> {
  const lines = [{ lineId: 'line-1', quantity }];
  const body = { returnId, calculationId, lines };
  const { refund, lost } = await call<{ refund: number; lost: { saved: number }[] }>('POST /admin/returns', body);
  books.refunded += refund;
  books.undoneSaved += lost.reduce((sum, { saved }) => sum + saved, 0);
}

/** A second outcome is reported, and somebody decides for it. */
async function decide({ basket: { calculationId } }: Played, second: SaleBody): Promise<void> {
  expect((await stage.service.newCaller().sale(second)).status).toBe(409);
  books.conflicts += 1;
  const words = `POST /admin/calculations/${calculationId}/resolve`;
  expect(await call(words, { outcome: 'second', reason: 'the till was asked' })).toMatchObject({ state: 'sold' });
}

const sumOf = (rows: readonly Row[], figure: string) => rows.reduce((sum, row) => sum + Number(row[figure]), 0);

async function play(): Promise<void> {
  await call(`PUT ${memberPath('gold')}`, { status: 'active', tier: 'gold', grants: ['twenty', 'pair'] });
  await call(`PUT ${memberPath('plain')}`, { status: 'active', grants: [] });
  const cream = { quantity: 4, unitPrice: 5_000, productId: 'cream' };
  const [tea, bun] = [
    { quantity: 3, unitPrice: 1_000 },
    { quantity: 1, unitPrice: 700 },
  ];
  const both = await offer('gold', [cream, tea]);
  const late = await offer('gold', [tea]);
  const bare = await offer('plain', [tea, bun]);
  const lateBare = await offer('plain', [bun]);
  const order = await offer('plain', [{ quantity: 5, unitPrice: 9_000 }]);
  const [undone, made] = [await offer('gold', [cream]), await offer('gold', [cream, bun])];
  await Promise.all([sell(both), sell(late, true), sell(bare), sell(lateBare, true), sell(order), sell(undone, true)]);
  await decide(undone, saleOf(undone.basket.calculationId, 'cancelled'));
  books.undoneSaved += undone.saved;
  const failed = saleOf(made.basket.calculationId, 'failed', { failureReason: 'timeout' });
  expect((await stage.service.newCaller().sale(failed)).status).toBe(200);
  await decide(made, saleOf(made.basket.calculationId));
  books.sold += 1;
  books.turnover += made.paid;
  books.saved += made.saved;
  await takeBack(both, 1);
  await takeBack(both, 2, 'r-2');
  await takeBack(late, 3);
  await takeBack(bare, 2);
  await takeBack(lateBare, 1);
  for (const { basket } of [late, bare]) {
    for (const status of ['cancelled', 'failed', 'cancelled']) {
      const more = status === 'failed' ? { failureReason: 'timeout' } : {};
      expect((await stage.service.newCaller().sale(saleOf(basket.calculationId, status, more))).status).toBe(409);
    }
    books.conflicts += 1;
  }
}

/** Every set of dimensions. */
const GROUPINGS = Array.from({ length: 2 ** DIMENSIONS.length - 1 }, (_, bits) =>
  DIMENSIONS.filter((_name, at) => ((bits + 1) >> at) % 2 === 1),
);

test('costs by every grouping and by both readings say what the books say', async () => {
  await play();
  await until('both gateways to have told', async () => {
    const rows = await read('venue');
    return sumOf(rows, 'allBaskets') === books.sold && sumOf(rows, 'conflicts') === books.conflicts;
  });
  const whole = await read('venue');
  const perBasket = ['soldBaskets', 'turnover', 'undoneBaskets', 'undoneTurnover'] as const;
  const perUnit = ['units', 'undoneUnits'] as const;
  const sumsOf = (rows: readonly Row[], figures: readonly string[]) => figures.map((figure) => sumOf(rows, figure));
  for (const on of ['calculation', 'booking']) {
    for (const grouping of GROUPINGS) {
      const rows = await read(grouping.join(), on);
      const where = `${on} by ${grouping.join()}`;
      const [saved, undoneSaved] = [sumOf(rows, 'saved'), sumOf(rows, 'undoneSaved')];
      expect({ where, saved, undoneSaved }).toEqual({ where, saved: books.saved, undoneSaved: books.undoneSaved });
      expect([where, ...sumsOf(rows, perUnit)]).toEqual([where, ...sumsOf(whole, perUnit)]);
      if (grouping.includes('benefit') || grouping.includes('fundedBy')) continue;
      expect([where, ...sumsOf(rows, perBasket)]).toEqual([where, ...sumsOf(whole, perBasket)]);
      const all = { sold: sumOf(rows, 'allBaskets'), turnover: sumOf(rows, 'allTurnover') };
      const { sold, turnover, refunded, conflicts } = books;
      expect({ where, ...all, refunded: sumOf(rows, 'refunded'), conflicts: sumOf(rows, 'conflicts') }).toEqual({
        ...{ where, sold, turnover, refunded, conflicts },
      });
    }
  }
});

test('refunds and conflicts of baskets without a benefit have a row where benefits or funders are told apart', async () => {
  const ofNone = (rows: readonly Row[], name: string) =>
    rows.find((row) => row[name] === '' && row['currency'] === 'NOK');
  // Two teas and a bun, of two baskets of which one has a second outcome.
  const none = { soldBaskets: 0, saved: 0, refunded: 2_700, conflicts: 1 };
  expect(ofNone(await read('benefit'), 'benefitId')).toMatchObject(none);
  // `twenty` names nobody who pays: what it gave stands in the same row.
  const twenty = (await read('benefit')).find(
    ({ benefitId, currency }) => benefitId === 'twenty' && currency === 'NOK',
  )!;
  expect(ofNone(await read('fundedBy'), 'fundedBy')).toMatchObject({
    ...{ soldBaskets: twenty['soldBaskets'], saved: twenty['saved'] },
    ...{ refunded: 2_700 + Number(twenty['refunded']), conflicts: 1 + Number(twenty['conflicts']) },
  });
});

test('a basket of several benefits counts once for each funder', async () => {
  const rows = await read('fundedBy');
  const byFunder = Object.fromEntries(
    rows.filter(({ currency }) => currency === 'NOK').map(({ fundedBy, soldBaskets }) => [fundedBy, soldBaskets]),
  );
  // Two baskets have all three benefits, of three funders.
  expect(byFunder).toEqual({ '': 3, 'Dairy, Norway': 3, Kitchen: 4 });
});

test('a day that is over does not change any more when it is read by booking', async () => {
  const day = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
  const range = `from=${FROM}&to=${day}`;
  const closed = await read('day,venue,benefit', 'booking', range);
  const byCalculation = await read('day,venue,benefit', 'calculation', range);
  const late = await offer('gold', [{ quantity: 1, unitPrice: 10_000 }]);
  await sell(late, true);
  await takeBack(late, 1);
  await until('the sale to be told', async () => sumOf(await read('venue'), 'allBaskets') === books.sold);
  expect(await read('day,venue,benefit', 'booking', range)).toEqual(closed);
  expect(await read('day,venue,benefit', 'calculation', range)).not.toEqual(byCalculation);
  expect(closed).toEqual([]);
});
