/** The texts in which Redis keeps what the service knows, as they are written and read; no command is sent. */
import { describe, expect, it } from 'vitest';
import { SLOTS, slotOf } from '../../src/redis/key-slot.ts';
import { isKept } from '../../src/store/calculations.ts';
import { DataGuard } from '../../src/store/data-guard.ts';
import { cutGiven, readGiven } from '../../src/store/given.ts';
import { parseIndexEntry } from '../../src/store/index-entry.ts';
import {
  counterToken,
  createKeys,
  DATASET_PARTS,
  EVENT_STREAMS,
  eventStream,
  memberToken,
  preferring,
} from '../../src/store/keys.ts';
import { soldMs } from '../../src/store/store.ts';
import { storedOf } from '../../src/store/stored-calculation.ts';
import { commonText, counterAt, parseHold, readCommonUses, usesText } from '../../src/store/uses.ts';

const keys = createKeys('staging');
const anna = memberToken('club', 'anna');
const ID = '0190b5a4-7f1e-7cc1-9f00-0000000000';

describe('keys', () => {
  it('of one member are in one slot, whatever else they name', () => {
    const own = [
      ...[keys.member(anna), keys.merged(anna), keys.use(anna), keys.hold(anna), keys.held(anna), keys.holdsDue(anna)],
      ...[keys.calculation(anna, `${ID}00`), keys.answer(anna, `${ID}01`), keys.returns(anna, `${ID}02`)],
    ];
    expect(new Set(own.map(slotOf)).size).toBe(1);
    expect(new Set(own).size).toBe(own.length);
  });

  it('are of one environment, and no two are the same', () => {
    const builders = Object.entries(keys).flatMap(([name, build]) =>
      /^(of|every|others|kinds)[A-Z]|^owned$/.test(name) ? [] : [build],
    ) as ((...names: unknown[]) => string)[];
    const all = builders.map((nameOf) => nameOf(anna, `${ID}00`));
    for (const key of all) expect(key).toMatch(/^loyalty:staging:/);
    expect(new Set(all).size).toBe(builders.length);
  });

  it('hide loyalty IDs, and keep members, programmes and counters apart', () => {
    const tokens = [
      ...[anna, memberToken('club', 'berit'), memberToken('other', 'anna')],
      // As UTF-8, both halves of a character would be the same.
      ...[memberToken('club', '\ud800'), memberToken('club', '\udc00')],
      ...[counterToken('club', undefined, 'cake:*'), counterToken('club', 'oslo', 'cake:*')],
      counterToken('club', 'oslo', 'tea:*'),
    ];
    expect(new Set(tokens).size).toBe(tokens.length);
    for (const token of tokens) expect(token).toMatch(/^[\w-]{22}$/);
    expect(keys.receipt('anna')).not.toContain('anna');
  });

  it('of the marks of the data are one in each 32nd part of the slots', () => {
    const parts = DATASET_PARTS.map((part) => Math.floor((slotOf(keys.dataset(part)) * 32) / SLOTS));
    expect(parts).toEqual(Array.from({ length: 32 }, (_, part) => part));
    // Data that was marked before is found by the same names.
    const names = ['loyalty:staging:dataset:{10}', 'loyalty:staging:dataset:{113}', 'loyalty:staging:dataset:{40}'];
    expect([0, 1, 31].map(keys.dataset)).toEqual(names);
  });

  it('spread calculations over four streams, and name the others for when the first one is away', () => {
    expect(['00', '01', '0f', 'ff', '1e'].map((end) => eventStream(`${ID}${end}`))).toEqual([0, 1, 3, 3, 2]);
    expect(EVENT_STREAMS).toBe(4);
    expect(preferring(2, keys.events)).toEqual([2, 3, 0, 1].map(keys.events));
  });
});

describe('an index entry', () => {
  it('leads to its member', () => {
    const text = `${anna} fingerprint 1732300000000 -`;
    expect(parseIndexEntry(text)).toEqual({ member: anna, tombstone: undefined, text });
  });

  it('has what came before its calculation: a sale event with whatever text, or a successor', () => {
    const sale = JSON.stringify(['completed', 'receipt 7\nof May', null]);
    expect(parseIndexEntry(`- - 0 sale:${sale}`)).toMatchObject({
      member: undefined,
      tombstone: { kind: 'sale', outcome: sale },
    });
    expect(parseIndexEntry(`${anna} f 5 superseded:${ID}07`)).toMatchObject({
      member: anna,
      tombstone: { kind: 'superseded', by: `${ID}07` },
    });
  });

  it('of another form is an error', () => {
    for (const text of ['', anna, `${anna} f x -`, ` ${anna} f 5 -`]) {
      expect(() => parseIndexEntry(text)).toThrow('An index entry is not of its form.');
    }
  });
});

describe('what benefits give', () => {
  const given = {
    programmeId: 'club',
    currency: 'NOK',
    benefits: [] as { benefitId: string; units: number; saved: number }[],
  };
  const many = (count: number) => ({
    ...given,
    benefits: Array.from({ length: count }, (_, at) => ({ benefitId: `a=${at}`, units: at, saved: 100 * at })),
  });

  it.each([0, 1, 6, 60])('is the same after it was cut into fields, with %d benefits', (count) => {
    expect(readGiven(cutGiven(many(count)).join(''))).toEqual(many(count));
  });

  it('is in fields of 64 bytes, eight at most: the last one has the rest', () => {
    const few = cutGiven(many(20));
    expect(few.length).toBeLessThan(8);
    expect(few.slice(0, -1).map(({ length }) => length)).toEqual(few.slice(1).map(() => 64));
    const lengths = cutGiven(many(90)).map(({ length }) => length);
    expect(lengths).toHaveLength(8);
    expect(lengths.slice(0, 7)).toEqual(Array(7).fill(64));
    expect(lengths[7]).toBeGreaterThan(64);
    const exact = { ...given, programmeId: 'x'.repeat(64 - ' NOK'.length) };
    expect(cutGiven(exact).map(({ length }) => length)).toEqual([64]);
  });

  it('is unknown of a calculation of an older version', () => {
    expect([readGiven(''), readGiven('club'), readGiven(' NOK')]).toEqual([undefined, undefined, undefined]);
  });
});

describe('uses', () => {
  const counter = counterAt({ programmeId: 'club', venueId: 'oslo' }, { usageKey: 'cake:*', of: 'venue' });
  const cake = { counter, usageKey: 'cake:*', units: 12, limit: 50 };
  const tea = { ...cake, usageKey: 'tea/card-7:2026-11', units: 1, limit: 3 };

  it('of a hold are units by usage key, until its deadline', () => {
    expect(parseHold('c', `1732300000000 ${usesText([cake, tea])}`)).toEqual({
      ...{ calculationId: 'c', deadlineMs: 1_732_300_000_000 },
      units: new Map([
        ['cake:*', 12],
        ['tea/card-7:2026-11', 1],
      ]),
    });
    expect(parseHold('c', '5').units.size).toBe(0);
  });

  it('of limits over all members name their counters: of the venue, or of the programme', () => {
    expect(readCommonUses(commonText([cake, tea]))).toEqual([cake, tea]);
    expect(readCommonUses('')).toEqual([]);
    const places = [{ venueId: 'oslo' }, { venueId: 'bergen' }].map((place) => ({ programmeId: 'club', ...place }));
    const countersOf = (of: 'venue' | 'programme') =>
      places.map((place) => counterAt(place, { usageKey: 'cake:*', of }));
    expect([countersOf('venue'), countersOf('programme')].map((own) => new Set(own).size)).toEqual([2, 1]);
    expect(new Set([...countersOf('venue'), ...countersOf('programme')]).size).toBe(3);
  });
});

describe('a kept basket', () => {
  it('is joined from its pieces in their order, and is none without the first', () => {
    const pieces = {
      b1: Buffer.from('two'),
      b0: Buffer.from('one'),
      b2: Buffer.from('three'),
      b4: Buffer.from('x'),
      a0: Buffer.from('?'),
    };
    expect(storedOf(anna, ID, pieces).basket?.toString()).toBe('onetwothree');
    expect(storedOf(anna, ID, { b1: pieces.b1 }).basket).toBeUndefined();
  });

  it('is not kept above 224 pieces of 64 bytes', () => {
    expect([isKept(Buffer.alloc(14_336)), isKept(Buffer.alloc(14_337))]).toEqual([true, false]);
  });
});

it('a sold calculation is kept for its own time, and never for less than others', () => {
  const periods = { holdMs: 1, idempotencyMs: 1, retentionMs: 7 };
  expect([{}, { soldMs: 5 }, { soldMs: 30 }].map((more) => soldMs({ ...periods, ...more }))).toEqual([7, 7, 30]);
});

it('the data that should be there has a name, if a member could be lost with it', () => {
  const guard = new DataGuard();
  const name = 'abcdefghijklmnopqrstuv';
  expect(guard.name).toBeUndefined();
  for (const nothing of [undefined, { name, hasMembers: false }]) {
    guard.expect({ name, hasMembers: true });
    expect(guard.name).toBe(name);
    guard.expect(nothing);
    expect(guard.name).toBeUndefined();
  }
});
