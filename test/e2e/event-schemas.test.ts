/** Every kind of event that a real service appends, compared with its published schema and its example. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderEventSchema } from '@loyalty/contract/event-document';
import { EVENT_EXAMPLES } from '@loyalty/contract/event-examples';
import { EVENT_SCHEMAS } from '@loyalty/contract/events';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { ROOT } from '../architecture/source.ts';
import { ask, memberPath } from '../ops/admin-client.ts';
import { basketOf, saleOf } from '../support/baskets.ts';
import { configurationOf, memberOf, SINGLE_USE, TWENTY } from '../support/configuration.ts';
import { useSharedService } from '../support/shared-service.ts';
import { readToldEvents, type ToldEvent } from '../support/told-events.ts';
import { until } from '../support/wait.ts';

const TRAVELLER = 'traveller';
const FUNDED = {
  ...{ ...TWENTY, benefitId: 'funded', percent: 25, fundedBy: 'Bean & Co' },
  when: { share: { salt: 'autumn', from: 0, below: 100 } },
} as typeof TWENTY;
const stage = useSharedService(
  configurationOf({
    programme: { benefits: [TWENTY, SINGLE_USE, FUNDED] },
    moreMembers: [memberOf('paused-card', [], { status: 'paused' })],
    testMembers: [TRAVELLER],
  }),
);
const call = (words: string, body?: unknown) => ask(stage.service.opsUrl, words, body === undefined ? {} : { body });
const put = (loyaltyId: string, grants: unknown[] = []) =>
  call(`PUT ${memberPath(loyaltyId)}`, { status: 'active', tier: 'gold', grants });

const published = readFileSync(join(ROOT, 'docs/events.schema.json'), 'utf8');
const document = JSON.parse(published) as { $defs: Record<string, object> };
const ajv = new Ajv2020({ allErrors: true, strictRequired: false });
ajv.addFormat('date-time', (value: string) => !Number.isNaN(Date.parse(value)) && value.endsWith('Z'));
ajv.addFormat('date', /^\d{4}-\d\d-\d\d$/);
ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
ajv.addSchema({ ...document, $id: 'published' });
// Ours know no other field, so that a field without a schema is found; those that are published are open.
ajv.addSchema({ $defs: EVENT_SCHEMAS, $id: 'ours' });
const flawsOf = (event: Readonly<Record<string, unknown>>, by: 'ours' | 'published' = 'ours') => {
  const validate = ajv.getSchema(by === 'ours' ? `ours#/$defs/${event['result']}` : by)!;
  return validate(event)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
};
/** The event with a field of tomorrow in each of its objects. */
const grown = <T>(value: T): T => {
  if (Array.isArray(value)) return value.map(grown) as T;
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, part]) => [name, grown(part)] as const);
  return { ...Object.fromEntries(fields), tomorrow: 1 } as T;
};

let events: ToldEvent[] = [];

/** A sold basket of a member. */
async function sell(loyaltyId: string, status: string): Promise<string> {
  const basket = basketOf([{ quantity: 2 }, { noDiscount: true }], {
    loyaltyId,
    requestedAt: new Date().toISOString(),
  });
  await stage.caller.basket(basket);
  if (status !== '') await stage.caller.sale(saleOf(basket.calculationId, status));
  return basket.calculationId;
}

/** Moves the clock of the test member, and waits for what that ends by itself. */
async function travel(aheadSeconds: number, awaited: string): Promise<ToldEvent[]> {
  const moved = { programmeId: 'coffee-club', loyaltyId: TRAVELLER, aheadSeconds };
  expect((await call('POST /admin/clock', moved)).status).toBe(200);
  return until(`an event ${awaited}`, async () => {
    const told = await readToldEvents(stage.redis.client);
    return told.some(({ result }) => result === awaited) ? told : undefined;
  });
}

beforeAll(async () => {
  const voucher = { benefitId: 'funded', grantId: 'voucher-1', quantity: 3, from: '2026-01-01', to: '2999-12-31' };
  await put('old-card', ['twenty', voucher]);
  await put('new-card');
  await put('paused-card-2', ['single-use']);
  const sold = await sell('old-card', 'applied');
  await stage.caller.sale(saleOf(sold, 'cancelled'));
  for (const status of ['failed', 'unchanged', 'not_applicable', 'member_not_found', 'cancelled']) {
    await sell('old-card', status);
  }
  const disputed = await sell('old-card', 'cancelled');
  await stage.caller.sale(saleOf(disputed, 'applied'));
  const decision = { outcome: 'second', reason: 'The till was asked.' };
  expect((await call(`POST /admin/calculations/${disputed}/resolve`, decision)).status).toBe(200);
  await sell('paused-card', 'unchanged');
  await sell('nobody', 'member_not_found');
  await stage.caller.sale(saleOf('0190b5a4-7f1e-7cc1-9f00-1c3b2a4d5e6f', 'failed'));
  const returned = { calculationId: sold, returnId: 'r-1', lines: [{ lineId: 'line-1', quantity: 2 }] };
  expect((await call('POST /admin/returns', returned)).status).toBe(200);
  await call(`PUT ${memberPath('new-card')}/grants/voucher-2`, {
    ...{ benefitId: 'funded', quantity: 1, from: '2026-01-01', to: '2999-12-31' },
  });
  await call(`DELETE ${memberPath('new-card')}/grants/voucher-2`);
  await call(`POST ${memberPath('old-card')}/merge`, { into: 'new-card' });
  expect((await call(`DELETE ${memberPath('new-card')}`)).status).toBe(200);
  await put(TRAVELLER, [{ ...voucher, to: new Date().toISOString().slice(0, 10) }]);
  await sell(TRAVELLER, '');
  await travel(3_600, 'expired');
  events = await travel(5 * 86_400, 'grant_ended');
}, 60_000);

it('docs/events.schema.json is what `npm run event-schema` writes', () => {
  expect(published === renderEventSchema(), 'stale: run `npm run event-schema`').toBe(true);
});

describe.each(Object.keys(EVENT_SCHEMAS))('an event %s', (result) => {
  const own = () => events.filter((event) => event.result === result);

  test('is appended, and is as its schema says, without any other field', () => {
    expect(own().length).toBeGreaterThan(0);
    for (const event of own()) expect([event, flawsOf(event)]).toEqual([event, []]);
    expect(flawsOf({ ...own()[0]!, surprise: 1 })).not.toEqual([]);
    // What a reader validates with takes an event of a later version.
    for (const event of own()) expect(flawsOf({ ...grown(event), version: '1.9.0' }, 'published')).toEqual([]);
    expect(flawsOf({ ...own()[0]!, version: '2.0.0' }, 'published')).not.toEqual([]);
    expect(flawsOf({ ...own()[0]!, at: 1 }, 'published')).not.toEqual([]);
  });

  test('has an example that is as its schema says, of fields that real events have', () => {
    const example = EVENT_EXAMPLES[result as keyof typeof EVENT_EXAMPLES];
    expect(flawsOf({ ...example })).toEqual([]);
    const real = new Set(own().flatMap((event) => Object.keys(event)));
    // Where goods came back is what a till says.
    const missing = Object.keys(example).filter((name) => !real.has(name));
    expect(missing.filter((name) => name !== 'returnedAt')).toEqual([]);
  });
});

test('each is there once', () => {
  const keys = events.map(({ calculationId, result, returnId, member, into, grantId, at }) =>
    [calculationId, result, returnId, ...(calculationId === undefined ? [member, into, grantId, at] : [])].join(' '),
  );
  expect(new Set(keys).size).toBe(keys.length);
});

test('the one of a sale names who pays for each benefit, and the day of its costs', () => {
  const sale = events.find(({ result, status }) => result === 'recorded' && status === 'applied')!;
  expect(sale).toMatchObject({ tier: 'gold', channel: 'pos', cashRegisterId: 'till-1', currency: 'NOK' });
  expect(sale['benefits']).toContainEqual(expect.objectContaining({ benefitId: 'funded', fundedBy: 'Bean & Co' }));
  const lost = events.filter(({ result }) => result === 'returned').flatMap((event) => event['lost']);
  expect(lost).toContainEqual(expect.objectContaining({ benefitId: 'funded', fundedBy: 'Bean & Co' }));
});

test('the commands of the page read the stream', async () => {
  const page = readFileSync(join(ROOT, 'docs/events.md'), 'utf8');
  const commands = [...page.matchAll(/^redis-cli -s \S+ (.*)$/gm)].map(([, words]) =>
    words!.replaceAll("'", '').split(' '),
  );
  expect(commands.map(([name]) => name)).toEqual(['XGROUP', 'XREADGROUP']);
  const replies: unknown[] = [];
  for (const [name, ...words] of commands) replies.push(await stage.redis.client.call(name!, ...words));
  expect(JSON.stringify(replies[1])).toContain('["event","{');
});
