/** Differences where something is left out: a restriction that falls away opens a benefit, and a field that is absent has a default. */

import { compileProgramme } from '@loyalty/engine/compile/compile';
import type { ProgrammeDefinition } from '@loyalty/engine/definition';
import { describe, expect, it } from 'vitest';
import { benefitDefaults, PROGRAMME_DEFAULTS } from '../../src/programme/differences/defaults.ts';
import { findDifferences } from '../../src/programme/differences/differences.ts';

type Part = Readonly<Record<string, unknown>>;

const words = (before: Part, after: Part) => findDifferences(before, after).map(({ text }) => text);
const withBenefit = (benefit: Part) => ({
  programmes: [{ programmeId: 'club', benefits: [{ benefitId: 'b', ...benefit }] }],
});
const change = (before: Part, after: Part) => words(withBenefit(before), withBenefit(after));
const ofProgramme = (before: Part, after: Part) =>
  words({ programmes: [{ programmeId: 'club', ...before }] }, { programmes: [{ programmeId: 'club', ...after }] });

describe('a restriction that falls away, and the first one', () => {
  it.each<[string, unknown, string, string]>([
    ['venueIds', ['oslo'], 'venues: oslo', 'every venue'],
    ['tiers', ['gold', 'silver'], 'tiers: gold, silver', 'every member'],
    ['weekdays', ['mon'], 'days: mon', 'every day'],
    ['channels', ['pos'], 'channels: pos', 'every channel'],
  ])('of the list %s', (name, list, was, open) => {
    const first = was.replace(': ', `: ${open} → `);
    for (const none of [{ when: { [name]: [] } }, { when: {} }, {}]) {
      expect(change({ when: { [name]: list } }, none)).toEqual([`B: ${was} → ${open}`]);
      expect(change(none, { when: { [name]: list } })).toEqual([`B: ${first}`]);
    }
    expect(change({ when: { [name]: [] } }, {})).toEqual([]);
    expect(change({}, { when: { [name]: [] } })).toEqual([]);
  });

  it('of hours, a share of the members, and whole windows', () => {
    expect(change({ when: { hours: '14:00-16:00' } }, {})).toEqual(['B: hours 14:00-16:00 → the whole day']);
    expect(change({ when: { hours: 7 } }, { when: {} })).toEqual(['B: hours 7 → the whole day']);
    const share = { from: 0, below: 50, salt: 'spring' };
    expect(change({ when: { share } }, { when: {} })).toEqual([
      'B: share {from:0,below:50,salt:spring} → every member',
    ]);
    expect(change({}, { when: { share } })).toEqual(['B: share every member → {from:0,below:50,salt:spring}']);
    expect(change({ when: { share } }, { when: { share: { ...share, below: 60 } } })).toEqual([
      'B: when.share.below 50 → 60',
    ]);
    const windows = [{ weekdays: ['mon'], venueIds: ['oslo'] }];
    expect(change({ when: windows }, {})).toEqual(['B: when [{weekdays:[mon],venueIds:[oslo]}] → always']);
    expect(change({}, { when: windows })).toEqual(['B: when always → [{weekdays:[mon],venueIds:[oslo]}]']);
    expect(change({ when: windows }, { when: {} })).toEqual(['B: when [{weekdays:[mon],venueIds:[oslo]}] → always']);
    expect(change({ when: windows }, { when: [{ weekdays: ['mon'], venueIds: [] }] })).toEqual([
      'B: when [{weekdays:[mon],venueIds:[oslo]}] → [{weekdays:[mon],venueIds:every venue}]',
    ]);
    expect(change({ when: windows }, { when: [...windows, {}] })[0]).toMatch(/→ \[.*,always\]$/);
  });

  it('of nothing else that is empty in a list', () => {
    expect(change({ items: [{ quantity: 1 }] }, { items: [{ quantity: 1, appliesTo: {} }] })).toEqual([
      'B: items [{quantity:1}] → [{quantity:1,appliesTo:{}}]',
    ]);
  });

  it('of those who get it', () => {
    expect(change({ audience: 'granted' }, {})).toEqual(['B: for granted → everyone']);
    expect(change({}, { audience: 'granted' })).toEqual(['B: for everyone → granted']);
    expect(change({ audience: 'everyone' }, {})).toEqual([]);
  });

  it('of the products', () => {
    const groups = (...productGroupIds: string[]) => ({ appliesTo: { productGroupIds } });
    expect(change(groups('coffee'), {})).toEqual(['B: product groups: coffee → every product']);
    expect(change(groups('coffee'), { appliesTo: {} })).toEqual(['B: product groups: coffee → every product']);
    expect(change({}, groups('coffee', 'tea'))).toEqual(['B: product groups: every product → coffee, tea']);
    expect(change(groups('coffee'), { appliesTo: { excludeProductIds: ['1'] } })).toEqual([
      ...['B: product groups: coffee → every product', 'B: products left out + 1'],
    ]);
    expect(change({ appliesTo: { excludeProductIds: ['1'] } }, {})).toEqual(['B: products left out − 1']);
    // Another list still says which products.
    const both = { appliesTo: { productGroupIds: ['coffee'], productIds: ['1'] } };
    expect(change(both, groups('coffee'))).toEqual(['B: products − 1']);
    expect(change(both, { appliesTo: { eans: ['7'] } })).toEqual([
      ...['B: product groups − coffee', 'B: products − 1', 'B: appliesTo.eans + 7'],
    ]);
    expect(change(both, {})).toEqual([
      ...['B: product groups: coffee → every product', 'B: products: 1 → every product'],
    ]);
    const half = (given: Part) => ({ get: { quantity: 1, ...given } });
    expect(change(half(groups('cake')), half({}))).toEqual(['B: get.appliesTo.productGroupIds: cake → every product']);
  });

  it('of the lines that a programme leaves out, which are none without a selector', () => {
    const exclude = { productGroupIds: ['tobacco'] };
    expect(ofProgramme({ exclude }, {})).toEqual(['club: exclude.productGroupIds − tobacco']);
    expect(ofProgramme({}, { exclude })).toEqual(['club: exclude.productGroupIds + tobacco']);
    expect(ofProgramme({ exclude: { ...exclude, excludeEans: ['7'] } }, { exclude: { excludeEans: ['7'] } })).toEqual([
      'club: exclude.productGroupIds: tobacco → every product',
    ]);
  });

  it('of a currency, without which nobody gets the benefit there', () => {
    const spend = (minimumSpend: unknown) => ({ minimumSpend });
    expect(change(spend({ NOK: 5_000, SEK: 5_500 }), spend({ NOK: 5_000 }))).toEqual([
      'B: minimum spend 55.00 SEK → not given in SEK',
    ]);
    expect(change(spend({ NOK: 5_000 }), {})).toEqual(['B: minimum spend 50.00 NOK → none']);
  });

  it('of the time of a basket', () => {
    const requestedAt = { pastHours: 24, aheadMinutes: 5 };
    expect(words({ requestedAt }, {})).toEqual(['requestedAt {pastHours:24,aheadMinutes:5} → any time']);
    expect(words({ requestedAt }, { requestedAt: { ...requestedAt, pastHours: 48 } })).toEqual([
      'requestedAt.pastHours 24 → 48',
    ]);
  });
});

describe('a field that is absent', () => {
  it('has its default, where none would say something else', () => {
    const half = (given: Part) => ({ get: { quantity: 1, ...given } });
    expect(change(half({ percent: 50 }), half({}))).toEqual(['B: off the given units 50 % → 100 %']);
    const limit = { quantity: 1_000, period: 'lifetime', counts: 'baskets' };
    expect(change({ limit: { ...limit, of: 'programme' } }, { limit })).toEqual(['B: limit of programme → member']);
    expect(change({ limit: { ...limit, of: 'member' } }, { limit })).toEqual([]);
    // Of a limit that is gone nothing remains.
    expect(change({ limit: { ...limit, of: 'programme' } }, {}).at(-1)).toBe('B: limit of programme → none');
    const set = (more: object) => ({ kind: 'buy_x_get_y', percent: undefined, buy: { quantity: 1 }, ...more });
    const get = { quantity: 2 };
    expect(change({ maximumUnits: 1, pick: 'cheapest' }, { maximumUnits: 1 })).toEqual(['B: pick cheapest → best']);
    expect(change({ maximumUnits: 1, pick: 'best' }, { maximumUnits: 1 })).toEqual([]);
    expect(change(set({ get, pick: 'cheapest' }), set({ get }))).toEqual(['B: pick cheapest → per_set']);
    expect(change(set({ get: { ...get, complete: true } }), set({ get }))).toEqual(['B: get.complete yes → no']);
    expect(ofProgramme({ existingLineDiscounts: 'keep' }, {})).toEqual([
      'club: existingLineDiscounts keep → replace_if_larger',
    ]);
    expect(ofProgramme({ returns: 'repriced' }, {})).toEqual(['club: returns repriced → as_paid']);
  });

  it('of the settings too, one by one or all of them', () => {
    expect(words({ returns: { days: 10 } }, {})).toEqual(['returns.days 10 → 30']);
    expect(words({}, { rateLimit: { burst: 300 } })).toEqual(['rateLimit.burst 200 → 300']);
    expect(words({}, { calculation: { holdMinutes: 30 } })).toEqual([]);
    expect(words({ events: { lines: false } }, {})).toEqual(['events.lines no → yes']);
  });

  /** A programme as the engine takes it; a compiled one has functions, which are compared by what they are written as. */
  const compiled = (definition: object) =>
    JSON.stringify(compileProgramme({ programmeId: 'club', ...definition } as ProgrammeDefinition), (_, value) =>
      typeof value === 'function' ? String(value) : value instanceof Map ? [...value] : value,
    );
  const merged = (path: string, value: unknown, base: Part): Part => {
    const [name = '', ...inner] = path.split('.');
    return { ...base, [name]: inner.length === 0 ? value : merged(inner.join('.'), value, (base[name] ?? {}) as Part) };
  };
  const around = {
    limit: { quantity: 3, period: 'day', counts: 'baskets' },
    requires: { spend: 500 },
    minimumSpend: 1_000,
  };
  const KINDS: readonly Part[] = [
    { kind: 'order_percent', percent: 10, ...around },
    { kind: 'buy_x_get_y', buy: { quantity: 1 }, get: { quantity: 2 }, ...around },
    { kind: 'free_product', productId: '1', ...around },
    { kind: 'line_percent', percent: 10, maximumUnits: 1, ...around },
  ];
  const DEFAULTS = KINDS.flatMap((base) =>
    [...benefitDefaults(base.kind)].map(([path, value]) => [base.kind, path, value, base] as const),
  );

  it.each(DEFAULTS)('of a benefit: %s, %s is %j to the engine too', (_, path, value, base) => {
    const of = (benefit: Part) => compiled({ benefits: [{ benefitId: 'b', ...benefit }] });
    expect(of(merged(path, value, base))).toBe(of(base));
  });

  it.each([...PROGRAMME_DEFAULTS].filter(([path]) => path !== 'returns'))(
    'of a programme: %s is %j to the engine too',
    (path, value) => {
      expect(compiled({ [path]: value })).toBe(compiled({}));
    },
  );
});
