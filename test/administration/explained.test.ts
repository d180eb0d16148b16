/** Baskets that are only asked about: by the configuration in force, at another time, or by a draft. */
import { afterAll, describe, expect, test } from 'vitest';
import { priceDraft } from '../../src/administration/draft.ts';
import {
  type ExplainedBasket,
  explainBasket,
  explainPrice,
  readExplainedBasket,
} from '../../src/administration/dry-run.ts';
import { loadEnvironment } from '../../src/programme/load.ts';
import { sourceOf } from '../../src/programme/source.ts';
import type { MemberSnapshot } from '../../src/store/members.ts';
import { BASKET, CONTEXT, configuration, environment, MEMBER, NOON_MS, OSLO } from '../calls/support/shop.ts';
import { cleanUp, temporaryDirectory } from '../support/cleanup.ts';
import { configurationOf, TWENTY } from '../support/configuration.ts';
import type { BasketBody } from '../support/wire.ts';

const folder = temporaryDirectory();
afterAll(cleanUp);

const bytesOf = (more: Partial<BasketBody> = {}): Buffer => Buffer.from(JSON.stringify({ ...BASKET, ...more }));
const ask = (more: Partial<BasketBody> = {}, at?: string): ExplainedBasket => {
  const asked = readExplainedBasket(bytesOf(more), at);
  if ('code' in asked) throw new Error(asked.message);
  return asked;
};
const snapshotOf = (more: Partial<MemberSnapshot> = {}): MemberSnapshot => ({
  ...{ nowMs: NOON_MS, movedMs: 0, member: { ...MEMBER, status: 'active' }, consumed: new Map(), holds: [] },
  ...more,
});
const explain = (asked: ExplainedBasket, snapshot = snapshotOf()) => {
  const explained = explainPrice({ ...CONTEXT, repairDir: folder }, asked, OSLO, snapshot, new Map());
  if (explained.kind === 'refusal') throw new Error(explained.refusal.message);
  return explained;
};

describe('a basket is explained', () => {
  test('with everything that its price depends on', () => {
    const { response, explanation } = explain(ask());
    expect(response).toMatchObject({
      calculationId: BASKET.calculationId,
      status: 'applied',
      totals: { total: 14_000 },
    });
    expect(explanation).toMatchObject({
      ...{ configuration: environment.version, programmeId: 'coffee-club', at: BASKET.requestedAt, gap: 0 },
      ...{ totalBefore: 25_000, totalAfter: 14_000 },
      limits: [{ usageKey: 'pair#items:*', limit: 2, left: 2 }],
    });
    expect(explanation.member).toStrictEqual({ status: 'active', tier: 'gold', grants: [] });
    expect(explanation.clock).toEqual({ offsetSeconds: 0, isOff: false, pastHours: 1, aheadMinutes: 5 });
    expect(explanation.changes.length).toBeGreaterThan(0);
  });

  test('of a member without a tier, and of nobody', () => {
    const { tier: _none, ...plain } = MEMBER;
    expect(explain(ask(), snapshotOf({ member: { ...plain, status: 'active' } })).explanation.member).toStrictEqual({
      ...{ status: 'active', grants: [] },
    });
    const { response, explanation } = explain(ask(), snapshotOf({ member: undefined }));
    expect(response).toEqual({ calculationId: BASKET.calculationId, status: 'member_not_found' });
    expect(explanation).toMatchObject({
      ...{ member: undefined, totalBefore: 25_000, totalAfter: 25_000, steps: 0, gap: 0 },
      ...{ changes: [], bought: [], benefits: [] },
    });
  });

  test('with a clock that is off, or was moved for a test', () => {
    const off = explain(ask(), snapshotOf({ nowMs: NOON_MS + 2 * 3_600_000 })).explanation;
    expect(off.clock).toMatchObject({ offsetSeconds: -7_200, isOff: true });
    expect(off.clock).not.toHaveProperty('movedSeconds');
    const moved = explain(ask(), snapshotOf({ movedMs: 90_000 })).explanation;
    expect([moved.at, moved.clock]).toEqual([
      '2026-11-21T11:01:30.000Z',
      { offsetSeconds: 0, isOff: false, pastHours: 1, aheadMinutes: 5, movedSeconds: 90 },
    ]);
  });

  test('at a time that the person who asks has given, which no clock is compared with', () => {
    const at = '2027-01-01T00:00:00Z';
    const asked = ask({}, at);
    expect([asked.atGiven, asked.basket.requestedAt]).toEqual([true, at]);
    const { explanation } = explain(asked, snapshotOf({ movedMs: 90_000 }));
    expect([explanation.at, explanation.clock]).toEqual([at, undefined]);
    expect(ask()).toMatchObject({ atGiven: false, mismatch: undefined, basket: { requestedAt: BASKET.requestedAt } });
    expect(readExplainedBasket(Buffer.from('{'), undefined)).toMatchObject({ code: 'invalid_request' });
  });

  test('without what depends on the time, where its clock is off', () => {
    const daily = {
      ...TWENTY,
      audience: 'everyone',
      limit: { quantity: 1, period: 'day', counts: 'baskets' },
    } as const;
    const { requestedAt } = configuration;
    const own = configurationOf({ programme: { benefits: [daily] }, members: [], ...(requestedAt && { requestedAt }) });
    const context = { environment: loadEnvironment(JSON.stringify(own), 'e.yaml'), repairDir: folder };
    const [venue] = context.environment.venues;
    const totalOf = (asked: ExplainedBasket, snapshot: MemberSnapshot) => {
      const explained = explainPrice(context, asked, venue!, snapshot, new Map());
      return explained.kind === 'explained' ? explained.explanation.totalAfter : undefined;
    };
    const off = snapshotOf({ nowMs: NOON_MS + 2 * 3_600_000 });
    expect([totalOf(ask(), snapshotOf()), totalOf(ask(), off), totalOf(ask({}, BASKET.requestedAt), off)]).toEqual([
      ...[20_000, 25_000, 20_000],
    ]);
  });

  test('only where its venue is known', async () => {
    const asked = ask({ context: { ...BASKET.context, baxId: '9' } });
    expect(await explainBasket(CONTEXT, asked)).toEqual({
      ...{ kind: 'refusal', refusal: expect.objectContaining({ code: 'venue_not_configured' }) },
    });
  });

  test('unless its answer fails its own check', () => {
    const [line] = BASKET.lines;
    const asked = ask({ lines: [{ ...line!, originalLinePrice: 20_001, orderLinePrice: 20_001 }] });
    const explained = explainPrice({ ...CONTEXT, repairDir: folder }, asked, OSLO, snapshotOf(), new Map());
    expect(explained).toMatchObject({ kind: 'refusal', refusal: { code: 'internal_error' } });
    expect('fault' in explained && explained.fault).toContain('failed its own check');
  });
});

describe('a draft', () => {
  const taskOf = (draft: object, asked = ask()) => ({
    ...{ ...asked, source: sourceOf(JSON.stringify(draft), 'draft.yaml'), today: '2026-11-21', repairDir: folder },
  });
  const nobody = () => Promise.reject(new Error('nothing is to be read'));
  const nobodyAsks = { readMember: nobody, readCommon: nobody };

  test('with errors prices nothing', async () => {
    const answer = await priceDraft(taskOf({ ...configuration, venues: 7 }), nobodyAsks);
    expect(answer).toMatchObject({ kind: 'unusable', faults: [{ file: 'draft.yaml' }] });
  });

  test('that does not know the venue refuses as a call would', async () => {
    const asked = ask({ context: { ...BASKET.context, baxId: '9' } });
    const answer = await priceDraft(taskOf(configuration, asked), nobodyAsks);
    expect(answer).toMatchObject({
      ...{ kind: 'priced', explained: { kind: 'refusal', refusal: { code: 'venue_not_configured' } } },
    });
  });

  test('prices with the member as its own programme knows it, and says what is probably not meant', async () => {
    const ended = { ...TWENTY, benefitId: 'ended', when: { to: '2026-01-01' } };
    const draft = configurationOf({
      programme: { benefits: [...configuration.programmes[1]!.benefits, ended] },
      members: [],
    });
    const reads: unknown[] = [];
    const answer = await priceDraft(taskOf(draft), {
      readMember: async (programmeId) => {
        reads.push(programmeId);
        return snapshotOf({ consumed: new Map([['pair#items:*', 1]]) });
      },
      readCommon: async (programmeId, uses) => {
        reads.push([programmeId, uses.map(({ usageKey }) => usageKey)]);
        return new Map();
      },
    });
    expect(reads).toEqual(['coffee-club', ['coffee-club', ['pair#items:*']]]);
    expect(answer).toMatchObject({
      kind: 'priced',
      explained: { kind: 'explained', explanation: { totalAfter: 17_000, limits: [{ left: 1 }] } },
    });
    expect('warnings' in answer && answer.warnings.length).toBeGreaterThan(0);
  });
});
