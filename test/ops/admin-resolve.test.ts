/** A second outcome of a sale: the first one stands everywhere until a person decides, and then the chosen one does. */
import { expect, test } from 'vitest';
import { basketOf } from '../support/baskets.ts';
import { configurationOf, type Programme, TWENTY } from '../support/configuration.ts';
import { useService } from '../support/service.ts';
import { readToldEvents } from '../support/told-events.ts';
import { until } from '../support/wait.ts';
import { memberPath, OPS_TOKEN } from './admin-client.ts';
import { deskOf, type Row } from './desk.ts';

const ONCE = {
  ...{ benefitId: 'once', kind: 'line_percent', percent: 50, fundedBy: 'Dairy' },
  limit: { quantity: 1, period: 'lifetime', counts: 'baskets' },
};
const FOR_ALL = {
  ...{ benefitId: 'for-all', kind: 'order_amount', amount: { NOK: 500, EUR: 50 } },
  limit: { quantity: 10, period: 'lifetime', counts: 'baskets', of: 'programme' },
};
const stage = useService({
  env: { OPS_TOKEN },
  configuration: configurationOf({
    programme: { benefits: [TWENTY, ONCE, FOR_ALL] as unknown as Programme['benefits'] },
    members: [],
  }),
});

const { call, get, put, ringUp, tell, sell, refusalOf, takeBack } = deskOf(stage);
const resolve = (calculationId: string, outcome: string, reason = 'the till showed the receipt') =>
  call(`POST /admin/calculations/${calculationId}/resolve`, { outcome, reason });

let guests = 0;
/** A basket of a new guest that gets the single use and the limit over all members, with two outcomes. */
async function twice(first: [string, object?], second: [string, object?]) {
  guests += 1;
  const loyaltyId = `guest-${guests}`;
  await put(loyaltyId);
  const { calculationId, status } = await ringUp(loyaltyId);
  expect(status).toBe('applied');
  const tellStatus = async (...event: [string, object?]) => (await tell(calculationId, ...event)).status;
  expect([await tellStatus(...first), await tellStatus(...second), await tellStatus(...second)]).toEqual([
    200, 409, 409,
  ]);
  const facts = async () => ({ used: await usedBy(loyaltyId), status: await statusOf(calculationId) });
  return { calculationId, loyaltyId, tell: tellStatus, facts };
}

async function usedBy(loyaltyId: string) {
  const { limits } = await get<{ limits: Row[] }>(memberPath(loyaltyId));
  return limits.find(({ benefitId }) => benefitId === 'once')?.['consumed'];
}

/** The statuses under which the search finds a sale. */
async function statusOf(calculationId: string) {
  const found = await Promise.all(
    ['applied', 'cancelled', 'failed'].map(async (status) => {
      const { sales } = await get<{ sales: Row[] }>(`/admin/sales?status=${status}&limit=500`);
      return sales.some((sale) => sale['calculationId'] === calculationId) ? [status] : [];
    }),
  );
  return found.flat().join();
}

async function consumedByAll() {
  const { limits } = await get<{ limits: Row[] }>('/admin/limits');
  return limits.find(({ benefitId }) => benefitId === 'for-all')?.['consumed'];
}

/** The figures of the benefit and of all baskets, as soon as the gateways have told so many conflicts. */
async function costs(conflicts: number, query = '') {
  const rowOf = async (by: string, name: string, value: string) => {
    const { rows } = await get<{ rows: Row[] }>(`/admin/costs?by=${by}${query}`);
    return rows.find((row) => row[name] === value && row['currency'] === 'NOK') ?? {};
  };
  return until('the gateways to have told', async () => {
    const row = await rowOf('benefit', 'benefitId', 'once');
    const whole = await rowOf('venue', 'venueId', 'oslo-central');
    const { soldBaskets, undoneBaskets, undoneUnits, undoneSaved } = row;
    return (
      row['conflicts'] === conflicts &&
      whole['conflicts'] === conflicts && { soldBaskets, undoneBaskets, undoneUnits, undoneSaved }
    );
  });
}

test('sold, then cancelled: the sale stands, until somebody decides for the second outcome', async () => {
  const sale = await twice(['applied'], ['cancelled']);
  expect(await sale.facts()).toEqual({ used: 1, status: 'applied' });
  const all = Number(await consumedByAll());
  expect(await costs(1)).toEqual({ soldBaskets: 1, undoneBaskets: 0, undoneUnits: 0, undoneSaved: 0 });

  const before = (await call(`GET /admin/calculations/${sale.calculationId}`)).body;
  expect(before).toMatchObject({ conflicts: 2, sale: { status: 'applied' }, second: { status: 'cancelled' } });
  const { status, body } = await resolve(sale.calculationId, 'second');
  expect([status, body]).toMatchObject([
    200,
    { sale: { status: 'cancelled' }, decision: { outcome: 'second', first: { status: 'applied' } } },
  ]);
  expect((body['story'] as string[]).slice(-2)).toEqual([
    expect.stringContaining('decided for the second outcome, cancelled: the till'),
    expect.stringMatching(/^Given back: .*once.*: 1 of 1.*\.$/),
  ]);
  expect(await sale.facts()).toEqual({ used: 0, status: 'cancelled' });
  expect(await consumedByAll()).toBe(all - 1);
  const undone = { soldBaskets: 1, undoneBaskets: 1, undoneUnits: 1, undoneSaved: 5_000 };
  expect([await costs(1), await costs(1, '&on=booking')]).toEqual([undone, undone]);

  // Repeated, it changes nothing; the till's second event is right now, and the first one is not.
  expect((await resolve(sale.calculationId, 'second', 'again')).body).toMatchObject({
    decision: { reason: 'the till showed the receipt' },
  });
  expect([await costs(1), await usedBy(sale.loyaltyId), await consumedByAll()]).toEqual([undone, 0, all - 1]);
  expect([await sale.tell('cancelled'), await sale.tell('applied')]).toEqual([200, 409]);
  // A process that died behind the decision has left everything after it to the repetition, and may have done it all.
  const [key] = await stage.redis.client.keys(`*:calc:*:${sale.calculationId}`);
  await stage.redis.client.hset(key!, 'decisionDue', 1);
  expect((await resolve(sale.calculationId, 'second')).status).toBe(200);
  expect(await stage.redis.client.hexists(key!, 'decisionDue')).toBe(0);
  expect([await costs(1), await sale.facts(), await consumedByAll()]).toEqual([
    undone,
    { used: 0, status: 'cancelled' },
    all - 1,
  ]);
  const other = { outcome: 'first', reason: 'another' };
  expect(await refusalOf(`POST /admin/calculations/${sale.calculationId}/resolve`, other)).toEqual([
    409,
    'It was decided before, for the second outcome.',
  ]);
});

test('failed, then sold: the use is booked when somebody decides so', async () => {
  const sale = await twice(['failed', { failureReason: 'timeout' }], ['applied']);
  expect(await sale.facts()).toEqual({ used: 0, status: 'failed' });
  const all = Number(await consumedByAll());
  const before = await costs(2);
  const { status, body } = await resolve(sale.calculationId, 'second');
  expect(status).toBe(200);
  expect((body['story'] as string[]).at(-1)).toMatch(/^Consumed: .*once.*: 1 of 1.*\.$/);
  expect(await sale.facts()).toEqual({ used: 1, status: 'applied' });
  expect(await consumedByAll()).toBe(all + 1);
  expect(await costs(2)).toEqual({ ...before, soldBaskets: 2 });
  // The goods of the decided sale can come back.
  expect(await takeBack(sale.calculationId, 'r')).toMatchObject({ status: 200, body: { refund: 4_500 } });
});

test('decided for the first outcome, nothing moves', async () => {
  const sale = await twice(['applied'], ['cancelled']);
  const [facts, before] = [await sale.facts(), await costs(3)];
  expect((await resolve(sale.calculationId, 'first')).status).toBe(200);
  expect([await sale.facts(), await costs(3)]).toEqual([facts, before]);
  expect((await resolve(sale.calculationId, 'second')).status).toBe(409);
});

test('the list of conflicts says which are open, and who decided the others, when and how', async () => {
  const [open, decided] = [await twice(['applied'], ['cancelled']), await twice(['applied'], ['cancelled'])];
  expect((await resolve(decided.calculationId, 'second', 'the guest was asked')).body).toMatchObject({
    decision: { outcome: 'second', who: 'operator' },
  });
  // Told before its basket: nothing was booked for it, and there is nothing to decide.
  const before = basketOf();
  expect((await tell(before.calculationId, 'failed')).status).toBe(200);
  await stage.caller.basket(before);
  expect((await tell(before.calculationId)).status).toBe(409);

  const list = async (query: string) => {
    const { sales } = await get<{ sales: Row[] }>(`/admin/sales?${query}`);
    return new Map(sales.map(({ calculationId, conflict, decision }) => [calculationId, { conflict, decision }]));
  };
  const all = await list('status=conflict');
  expect(all.get(open.calculationId)).toEqual({ conflict: 'open', decision: undefined });
  expect(all.get(before.calculationId)).toEqual({ conflict: 'unbooked', decision: undefined });
  expect(all.get(decided.calculationId)).toEqual({
    conflict: 'decided',
    decision: {
      outcome: 'second',
      reason: 'the guest was asked',
      who: 'operator',
      at: expect.stringMatching(/Z$/),
      first: expect.objectContaining({ status: 'applied' }),
    },
  });
  for (const conflict of ['open', 'decided', 'unbooked']) {
    const some = await list(`conflict=${conflict}`);
    const expected = [...all].filter(([, row]) => row.conflict === conflict).map(([calculationId]) => calculationId);
    expect([conflict, [...some.keys()]]).toEqual([conflict, expected]);
  }
  expect(await list('status=applied&conflict=open')).toEqual(new Map());
  expect(await refusalOf('GET /admin/sales?conflict=yes')).toEqual([
    400,
    'conflict: found "yes", allowed: open, decided or unbooked',
  ]);
});

test('what cannot be decided is refused with the reason, and a decision is in the list of changes', async () => {
  const sold = await sell('guest-1');
  const returned = await twice(['applied'], ['cancelled']);
  expect((await takeBack(returned.calculationId, 'r-1')).status).toBe(200);
  for (const [calculationId, outcome, status, message, reason = 'a reason'] of [
    [
      sold.calculationId,
      'second',
      409,
      /^There is nothing to decide: no second outcome of this calculation was reported\.$/,
    ],
    [
      returned.calculationId,
      'second',
      409,
      /^Goods of this sale came back, so it was made as the first outcome says\.$/,
    ],
    [basketOf().calculationId, 'first', 404, /./],
    ['no-uuid', 'first', 400, /./],
    [sold.calculationId, 'third', 400, /./],
    [sold.calculationId, 'first', 400, /./, ' '],
  ] as const) {
    const refused = await refusalOf(`POST /admin/calculations/${calculationId}/resolve`, { outcome, reason });
    expect(refused).toEqual([status, expect.stringMatching(message)]);
  }
  const { changes } = await get<{ changes: Row[] }>('/admin/configurations');
  expect(changes.filter(({ action }) => action === 'resolve conflict')).toHaveLength(5);
});

test('decided by several at once, it is told once and listed once, as every repetition after it', async () => {
  for (const [first, second, outcome] of [
    [['cancelled'], ['applied'], 'second'],
    [['applied'], ['cancelled'], 'second'],
    // The counters of all members have nothing to hear of these.
    [['applied'], ['applied', { transactionId: 'another receipt' }], 'second'],
    [['failed', { failureReason: 'timeout' }], ['cancelled'], 'first'],
  ] as const) {
    const { calculationId } = await twice([...first], [...second]);
    const answers = await Promise.all(Array.from({ length: 3 }, () => resolve(calculationId, outcome)));
    expect([...answers, await resolve(calculationId, outcome)].map(({ status }) => status)).toEqual([
      200, 200, 200, 200,
    ]);
    const told = (await readToldEvents(stage.redis.client, calculationId)).filter(
      ({ result }) => result === 'resolved',
    );
    expect(told).toMatchObject([{ outcome, before: first[0], late: false, overRedeemed: 0 }]);
    const { body } = await call(`GET /admin/calculations/${calculationId}`);
    expect(told[0]!['at']).toBe((body['decision'] as Row)['at']);
    const { changes } = await get<{ changes: Row[] }>('/admin/configurations');
    const decisions = changes.filter(({ action }) => action === 'resolve conflict').map(({ facts }) => facts as Row);
    expect(decisions.filter((facts) => facts['calculationId'] === calculationId)).toHaveLength(1);
  }
});
