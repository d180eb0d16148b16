/** A draft of the configuration is priced beside the one in force, and nothing of it stays. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { basketOf } from '../support/baskets.ts';
import { temporaryDirectory } from '../support/cleanup.ts';
import { configurationOf, memberOf, SINGLE_USE, TWENTY } from '../support/configuration.ts';
import { useService } from '../support/service.ts';
import { useSharedService } from '../support/shared-service.ts';
import { until } from '../support/wait.ts';
import { OPS_TOKEN } from './admin-client.ts';
import { deskOf } from './desk.ts';

interface Part {
  readonly response: { readonly status: string; readonly totals?: { readonly loyaltyDiscountTotal: number } };
  readonly explanation: { readonly configuration: string; readonly programmeId: string };
}
interface Answer extends Part {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details?: { readonly faults: readonly Record<string, unknown>[] };
  };
  readonly draft?: Part & { readonly warnings: readonly { readonly text: string }[] };
}

const LOYALTY_ID = 'both';
const members = [memberOf(LOYALTY_ID, ['twenty', 'single-use'])];
const configuration = configurationOf({ programme: { benefits: [TWENTY, SINGLE_USE] }, members });
const draftOf = (percent: number) =>
  JSON.stringify({
    ...configuration,
    programmes: [{ programmeId: 'coffee-club', benefits: [{ ...TWENTY, percent }, SINGLE_USE] }],
  });

const stage = useSharedService(configuration);

const { call, get, put, ringUp } = deskOf(stage);
const explain = (body: unknown, options: object = {}) => call<Answer>('POST /admin/explain', body, options);

/** The same, once Redis answers: a machine that stands still lets it fall silent. */
function explainPatiently(body: unknown, options: object = {}) {
  return until('an answer', async () => {
    const answer = await explain(body, options);
    return answer.status !== 503 && answer;
  });
}

const savings = ({ response }: Part) => response.totals?.loyaltyDiscountTotal;

test('both are priced, and the one in force stays', async () => {
  const basket = basketOf([{}], { loyaltyId: LOYALTY_ID });
  const keys = (await stage.redis.client.keys('*')).sort();
  const { status, body } = await explainPatiently({ basket, draft: { text: draftOf(30) } });
  expect([status, savings(body), savings(body.draft!)]).toEqual([200, 2_000, 3_000]);
  expect(body.draft?.explanation.configuration).not.toBe(body.explanation.configuration);
  expect((await stage.redis.client.keys('*')).sort()).toEqual(keys);
  expect(await get('/admin/configuration')).toMatchObject({ version: body.explanation.configuration });
  expect((await explainPatiently(basket)).body).toMatchObject({ response: body.response });
});

test('the draft finds the member and its used limits, in another programme too', async () => {
  const basket = basketOf([{}], { loyaltyId: LOYALTY_ID });
  const limited = { ...SINGLE_USE, percent: 60 };
  const programmes = [{ programmeId: 'coffee-club', benefits: [TWENTY, limited] }];
  const draft = { text: JSON.stringify({ ...configuration, programmes }) };
  expect(savings((await explainPatiently({ basket, draft })).body.draft!)).toBe(6_000);
  await put('guest', ['single-use']);
  await ringUp('guest');
  const again = basketOf([{}], { loyaltyId: 'guest' });
  expect((await explainPatiently({ basket: again, draft })).body.draft?.response.status).toBe('unchanged');

  const other = {
    ...configuration,
    programmes: [{ programmeId: 'other', benefits: [{ ...TWENTY, audience: 'everyone' }] }],
  };
  const moved = {
    ...other,
    members: [],
    venues: configuration.venues.map((venue) => ({ ...venue, programmeId: 'other' })),
  };
  const { body } = await explainPatiently({ basket: again, draft: { text: JSON.stringify(moved) } });
  expect(body.draft?.explanation.programmeId).toBe('other');
  expect(body.draft?.response.status).toBe('member_not_found');
});

test('a draft with faults is refused with all of them, and its warnings are told', async () => {
  const basket = basketOf([{}], { loyaltyId: LOYALTY_ID });
  const bad = draftOf(30)
    .replace('"percent":30', '"percnt":30')
    .replace('"environment":"staging"', '"environment":"Staging"');
  const refused = await explainPatiently({ basket, draft: { text: bad } });
  expect(refused.status).toBe(422);
  expect(refused.body.error.message).toMatch(/^The draft has 2 errors\. /);
  expect(refused.body.error.details?.faults).toMatchObject([
    { file: 'draft', line: 1, path: 'environment' },
    { file: 'draft', line: 1, path: 'programmes[0].benefits[0]', nearest: 'percent' },
  ]);
  const generous = await explainPatiently({
    basket,
    draft: { text: draftOf(20).replace('"text":', '"when":{"to":"2020-01-01"},"text":') },
  });
  expect(generous.body.draft?.warnings.map(({ text }) => text)).toContain('nobody can get it: it ended on 2020-01-01');
  const foreign = await explainPatiently({
    basket,
    draft: { text: '{ environment: staging, venues: [], programmes: [] }' },
  });
  expect([foreign.status, foreign.body.error.message]).toEqual([
    422,
    expect.stringMatching(/refuses the basket: venue_not_configured/),
  ]);
});

test('a draft needs the token, is bounded, and is priced one after the other', async () => {
  const basket = basketOf([{}], { loyaltyId: LOYALTY_ID });
  const draft = { text: draftOf(30) };
  expect((await explainPatiently({ basket, draft }, { token: null })).status).toBe(401);
  for (const [body, status, message] of [
    [{ basket, draft: {} }, 400, /^draft\.text: found nothing/],
    [{ basket, draft: { ...draft, file: 'nowhere.yaml' } }, 400, /^draft\.file: /],
    [{ basket, draft: { text: '#'.repeat(1024 * 1024 + 1) } }, 400, /./],
    [{ basket, draft: { text: '"'.repeat(2 * 1024 * 1024) } }, 413, /./],
    [{ ...basket, more: 'x'.repeat(256 * 1024) }, 413, /./],
  ] as const) {
    const refused = await explainPatiently(body);
    expect([refused.status, refused.body.error.message]).toEqual([status, expect.stringMatching(message)]);
  }
  const bomb = Array.from({ length: 12 }, (_, level) => {
    const entries =
      level === 0
        ? '1'
        : Array(9)
            .fill(`*a${level - 1}`)
            .join();
    return `x-a${level}: &a${level} [${entries}]`;
  });
  const bombed = await explainPatiently({ basket, draft: { text: bomb.join('\n') } });
  expect([bombed.status, bombed.body.error.message]).toEqual([422, expect.stringContaining('repeat too much')]);
  // The first one takes so long that the others come meanwhile.
  const more = Array.from({ length: 2_000 }, (_, at) => memberOf(`member-${at}`, []));
  const long = { text: JSON.stringify({ ...configuration, members: [...members, ...more] }) };
  const several = await Promise.all(Array.from({ length: 5 }, () => explain({ basket, draft: long })));
  expect(several.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 503]);
  expect((await explain({ basket, draft })).status).toBe(200);
});

describe('of a folder', () => {
  const folder = temporaryDirectory();
  mkdirSync(join(folder, 'programmes'));
  const { programmes, ...rest } = configuration;
  const file = join(folder, 'programmes/coffee.yaml');
  writeFileSync(join(folder, 'environment.yaml'), JSON.stringify(rest));
  writeFileSync(file, JSON.stringify({ programmes }));
  const own = deskOf(useService({ env: { OPS_TOKEN, LOYALTY_CONFIG: folder } }));

  test('a draft takes the place of one file', async () => {
    expect((await own.get('/admin/configuration')).files).toEqual([join(folder, 'environment.yaml'), file]);
    const basket = basketOf([{}], { loyaltyId: LOYALTY_ID });
    const text = JSON.stringify({ programmes: (JSON.parse(draftOf(40)) as { programmes: unknown }).programmes });
    const answer = await own.call<Answer>('POST /admin/explain', { basket, draft: { text, file } });
    expect([savings(answer.body), savings(answer.body.draft!)]).toEqual([2_000, 4_000]);
    const wrong = { text: text.replace('"percent":40', '"percent":140'), file };
    const refused = await own.call<Answer>('POST /admin/explain', { basket, draft: wrong });
    expect(refused.body.error.details?.faults).toMatchObject([{ file, path: 'programmes[0].benefits[0].percent' }]);
  });
});
