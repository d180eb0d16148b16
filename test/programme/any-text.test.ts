/**
 * Letters outside ASCII, an emoji and a combining character in every text that a selector or a condition can name: a call, its
 * explanation, `price` and `backtest` give the same benefits for them.
 */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ask } from '../ops/admin-client.ts';
import { basketOf } from '../support/baskets.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { configurationOf, type Member } from '../support/configuration.ts';
import { quickStart } from '../support/quick-start.ts';
import { useSharedService } from '../support/shared-service.ts';

afterAll(cleanUp);

/** An `é` of two characters, which is another text than the `é` of one. */
const TEXT = 'Søt 🫐 cafe\u0301';
const COMPOSED = 'Søt 🫐 caf\u00e9';
const FIELDS = [
  ['productId', 'productIds', 'excludeProductIds'],
  ['productMasterId', 'productMasterIds', 'excludeProductMasterIds'],
  ['productGroupId', 'productGroupIds', 'excludeProductGroupIds'],
  ['ean', 'eans', 'excludeEans'],
] as const;

const tenPercent = (benefitId: string, appliesTo: object, more: object = {}) => ({
  ...{ benefitId, kind: 'line_percent', percent: 10, text: `${benefitId} 🫐 Ø`, appliesTo, ...more },
});
/** Each benefit is for the lines of one product alone, or of those with the text. */
const BENEFITS = [
  ...FIELDS.map(([field, included]) => tenPercent(`by-${field.toLowerCase()}`, { [included]: [`${TEXT} ${field}`] })),
  ...FIELDS.map(([field, , excluded]) =>
    tenPercent(`but-${field.toLowerCase()}`, {
      productGroupIds: [`but ${field}`, ...(field === 'productGroupId' ? [`${TEXT} group`] : [])],
      [excluded]: [field === 'productGroupId' ? `${TEXT} group` : TEXT],
    }),
  ),
  tenPercent('tier', { productIds: ['tier'] }, { when: { tiers: [TEXT] } }),
  tenPercent('other-tier', { productIds: ['other-tier'] }, { when: { tiers: [COMPOSED] } }),
  tenPercent('venue', { productIds: ['venue'] }, { when: { venueIds: [TEXT] } }),
  tenPercent('channel', { productIds: ['channel'] }, { when: { channels: ['pos'] } }),
];

const member = {
  ...{ programmeId: 'coffee-club', loyaltyId: 'Ødegård-🫐', status: 'active', grants: [], tier: TEXT },
} as Member;
const [oslo, ...venues] = configurationOf().venues;
const configuration = configurationOf({
  programme: { benefits: BENEFITS as never },
  members: [member],
  venues: [{ ...oslo!, venueId: TEXT, terminalSetups: ['Ø-500123'] }, ...venues],
});
const stage = useSharedService(configuration);

const LINES = [
  ...FIELDS.map(([field]) => ({ [field]: `${TEXT} ${field}` })),
  ...FIELDS.map(([field]) => ({ [field]: `${COMPOSED} ${field}` })),
  // A line that is left out by the text, and its neighbour that is not.
  ...FIELDS.flatMap(([field]) => [
    field === 'productGroupId'
      ? { productGroupId: `${TEXT} group` }
      : { productGroupId: `but ${field}`, [field]: TEXT },
    field === 'productGroupId'
      ? { productGroupId: `but ${field}` }
      : { productGroupId: `but ${field}`, [field]: COMPOSED },
  ]),
  ...['tier', 'other-tier', 'venue', 'channel'].map((productId) => ({ productId })),
];
/** Ten per cent of each line that a benefit names. */
const SAVED = [
  ...FIELDS.map(() => 1_000),
  ...FIELDS.map(() => 0),
  ...FIELDS.flatMap(() => [0, 1_000]),
  ...[1_000, 0, 1_000, 1_000],
];
const TOTAL = LINES.length * 10_000 - SAVED.reduce((sum, saved) => sum + saved, 0);

const basket = () =>
  basketOf(
    LINES.map((line) => ({ ...line, name: TEXT })),
    {
      loyaltyId: member.loyaltyId,
      context: { venueId: TEXT, cashRegisterId: 'Kasse Ø', baxId: 'Ø-500123', channel: 'pos' },
    },
  );

interface Lines {
  readonly lines: readonly { readonly lineDiscountAmount: number; readonly lineDiscountText?: string }[];
}
const savedBy = (answer: unknown) => (answer as Lines).lines.map(({ lineDiscountAmount }) => lineDiscountAmount);

const run = (folder: string, ...args: string[]) =>
  spawnSync(process.execPath, ['packages/tools/src/loyalty.ts', ...args], {
    encoding: 'utf8',
    env: quickStart({ PATH: process.env['PATH'], DATA_DIR: folder }),
  });

test('a call gives them, whether its body spells the texts out or escapes them', async () => {
  const sent = basket();
  const escaped = JSON.stringify(basket()).replace(
    /[^\x00-\x7f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  for (const body of [sent, escaped]) {
    const answer = await stage.caller.send('/v1/pos/basket', body);
    expect([answer.status, savedBy(answer.json())]).toEqual([200, SAVED]);
    expect((answer.json() as Lines).lines[0]?.lineDiscountText).toBe('by-productid 🫐 Ø');
  }
});

test('its explanation gives them', async () => {
  const { status, body } = await ask<{ response: unknown }>(stage.service.opsUrl, 'POST /admin/explain', {
    body: basket(),
  });
  expect([status, savedBy(body.response)]).toEqual([200, SAVED]);
});

test('`price` and `backtest` give them', () => {
  const folder = temporaryDirectory();
  const write = (name: string, value: unknown) => {
    writeFileSync(join(folder, name), `${JSON.stringify(value)}\n`);
    return join(folder, name);
  };
  const file = write('environment.yaml', configuration);
  const sent = basket();
  const priced = run(folder, 'price', write('basket.json', sent), '--config', file);
  expect([priced.status, priced.stderr]).toEqual([0, '']);
  expect(priced.stdout).toContain((TOTAL / 100).toFixed(2));

  const record = {
    ...{ recordedAt: '2026-11-20T11:00:00.000Z', configuration: '0123456789ab', basket: sent, used: {} },
    ...{ member: { status: 'active', grants: [], tier: TEXT }, answer: { status: 'applied', total: TOTAL } },
  };
  const out = join(folder, 'report');
  const baskets = write('baskets.ndjson', record);
  const rehearsed = run(folder, 'backtest', baskets, '--config', file, '--against', file, '--out', out);
  expect(rehearsed.status, rehearsed.stderr).toBe(0);
  expect(rehearsed.stdout).toContain('1 priced by both, 0 of them differ');
  expect(rehearsed.stdout).not.toContain('another total');
});
