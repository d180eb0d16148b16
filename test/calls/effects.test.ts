/** What an answer or a sale leaves beside itself: figures to be counted, and lines of the recording. */

import type { Venue } from '@loyalty/engine/types';
import { describe, expect, test } from 'vitest';
import type { RenderedAnswer } from '../../src/calls/answer.ts';
import type { Circumstances } from '../../src/calls/circumstances.ts';
import { costEntryOf } from '../../src/calls/cost-entry.ts';
import type { ReadCall } from '../../src/calls/read-call.ts';
import { recordCalls } from '../../src/calls/recorded-call.ts';
import { effectsOf } from '../../src/calls/sale-call.ts';
import { loadEnvironment } from '../../src/programme/load.ts';
import { configurationOf, TWENTY } from '../support/configuration.ts';
import { BASKET, CONTEXT, environment, MEMBER, OSLO, sell } from './support/shop.ts';

const ALL = { sample: 1, key: new Uint8Array(32) };
const FUNDERS = new Map([['pair', 'Dairy']]);
const RECORDED = { ...CONTEXT, recording: recordCalls(ALL) };
const { record: of } = sell();
const { calculationId } = BASKET;

describe('a sale', () => {
  const sale = { calculationId, status: 'applied' };
  const costEntry = {
    ...{ fate: 'sold', calculated: '2026-11-21', booked: '2026-11-22', programmeId: 'coffee-club' },
    ...{ venueId: 'oslo-central', currency: 'NOK', turnover: 14_000, tier: 'gold', share: '' },
    benefits: of.given!.benefits.map((benefit) => ({ ...benefit, fundedBy: '' })),
  };
  const bookedAtMs = Date.UTC(2026, 10, 21, 23, 30);
  const counted = { of, funders: new Map(), bookedAtMs };

  test('is counted once, on the day of its calculation and on the day of its event, as its venue has them', () => {
    expect(effectsOf(CONTEXT, sale, [counted])).toStrictEqual({ costEntries: [costEntry] });
    expect(effectsOf(RECORDED, sale, undefined)).toStrictEqual({});
    const late = { ...of, answeredAtMs: bookedAtMs };
    expect(costEntryOf(environment, 'undone', late, bookedAtMs, FUNDERS).costEntry).toMatchObject({
      ...{ fate: 'undone', calculated: '2026-11-22', booked: '2026-11-22' },
      benefits: of.given!.benefits.map(({ benefitId }) => ({ benefitId, fundedBy: FUNDERS.get(benefitId) ?? '' })),
    });
    const elsewhere = costEntryOf(environment, 'undone', { ...late, venueId: 'closed-down' }, bookedAtMs, FUNDERS);
    expect(elsewhere.costEntry).toMatchObject({ calculated: '2026-11-21', booked: '2026-11-21' });
    expect(costEntryOf(environment, 'sold', undefined, bookedAtMs, FUNDERS)).toEqual({});
  });

  test('is recorded where its basket is', () => {
    const { recordingLines, ...rest } = effectsOf(RECORDED, sale, [counted]);
    expect(rest).toEqual({ costEntries: [costEntry] });
    expect(JSON.parse(recordingLines!)).toMatchObject({ end: { calculationId, kind: 'sale', status: 'applied' } });
    const none = { ...CONTEXT, recording: recordCalls({ ...ALL, sample: 0 }) };
    expect(effectsOf(none, sale, [counted])).toStrictEqual({ costEntries: [costEntry] });
    const plain = effectsOf(RECORDED, sale, [{ ...counted, of: undefined }]);
    expect(Object.keys(plain)).toEqual(['recordingLines']);
  });
});

describe('an answered basket is recorded', () => {
  const circumstances: Circumstances = {
    member: MEMBER,
    requestedAt: BASKET.requestedAt,
    movedMs: 0,
    clockOffsetMs: -7,
    isClockOff: false,
    uses: [{ usageKey: 'pair#items:*', limit: 2 }] as never,
    available: new Map([['pair#items:*', 1]]),
  };
  const rendered = { status: 'applied', total: 14_000 } as RenderedAnswer;
  const record = (
    more: {
      id?: string;
      sample?: number;
      supersedes?: string;
      given?: Partial<Circumstances>;
      answer?: object;
      venue?: Venue;
    } = {},
  ) => {
    const { id = calculationId, supersedes } = more;
    const superseding = supersedes !== undefined && { supersedesCalculationId: supersedes };
    const basket = { ...BASKET, calculationId: id, ...superseding };
    const calculation = { basket, venue: more.venue ?? OSLO } as unknown as ReadCall;
    const recording = recordCalls({ ...ALL, sample: more.sample ?? 1 });
    const given = { ...circumstances, ...more.given };
    const recorded = recording.ofBasket('v1', calculation, given, { ...rendered, ...more.answer });
    const lines = recorded.kind === 'lines' ? recorded.lines.split('\n').filter(Boolean) : [];
    return { lines: lines.map((line) => JSON.parse(line)), isRecorded: recorded.kind !== 'failed' };
  };

  test('with what priced it, and without its loyalty ID', () => {
    const { lines, isRecorded } = record();
    expect(lines).toMatchObject([
      {
        ...{ configuration: 'v1', used: { 'pair#items:*': 1 }, clockOffsetMs: -7, sample: 1 },
        ...{ member: { status: 'active', tier: 'gold', grants: [] }, answer: { status: 'applied', total: 14_000 } },
        basket: { calculationId, totals: BASKET.totals },
      },
    ]);
    expect([lines[0].basket.loyaltyId === BASKET.loyaltyId, isRecorded]).toEqual([false, true]);
    expect(lines[0].member).toEqual({ status: 'active', tier: 'gold', grants: [] });
    const [unknown] = record({ given: { member: undefined }, answer: { total: undefined } }).lines;
    expect([unknown.member, unknown.answer.total]).toEqual([null, 25_000]);
  });

  test('with the parts of its member, by which campaigns divide members', () => {
    const benefits = [{ ...TWENTY, when: { share: { from: 0, below: 50, salt: 'spring' } } }];
    const divided = loadEnvironment(
      JSON.stringify(configurationOf({ programme: { benefits }, members: [] })),
      'e.yaml',
    );
    const [venue] = divided.venues;
    expect(record({ venue: venue! }).lines[0].member.shareParts).toEqual({ spring: expect.any(Number) });
    expect(record({ venue: venue!, given: { member: undefined } }).lines[0].member).toBeNull();
  });

  test('with the end of the one that it supersedes, each if it is in the sample', () => {
    const before = '00000000-0000-4000-8000-000000000000';
    const { lines } = record({ supersedes: before });
    expect([lines.length, lines[1].end]).toEqual([2, { calculationId: before, kind: 'superseded', by: calculationId }]);
    expect(record({ sample: 0, supersedes: before })).toEqual({ lines: [], isRecorded: true });
    // The hash of an ID is compared with the sample, so each ID has a sample between which it is in or out.
    const id = '00000000-0000-4000-8000-000000000001';
    const samples = Array.from({ length: 200 }, (_, at) => record({ id, sample: at / 200, supersedes: before }).lines);
    const kinds = new Set(samples.map((some) => some.map((line) => ('end' in line ? 'end' : 'record')).join(' ')));
    expect(kinds.size).toBe(3);
  });

  test('or it is counted that it is not: the answer is owed whatever happens', () => {
    expect(record({ given: { uses: undefined as never } })).toEqual({ lines: [], isRecorded: false });
  });
});
