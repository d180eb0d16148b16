/** What selectors leave out: a misspelt name leaves out nothing, and an exception without a rule everything else. */
import { describe, expect, it } from 'vitest';
import { inspectEnvironment } from '../../src/programme/inspect.ts';
import { sourceOf } from '../../src/programme/source.ts';
import { bun, coffee, oslo, ten, warn } from './warned.ts';

const tobacco = { ...coffee, productId: '9', productGroupId: 'tobacco', name: 'Snus' };
const venues = [{ ...oslo, products: [coffee, bun, tobacco] }];

describe('a misspelt exclusion', () => {
  const lost = (name: string, meant: string) =>
    `it leaves out nothing: no product of a venue and no benefit has this name, ${name}; did you mean ${meant}?`;
  const tobaco = { appliesTo: { excludeProductGroupIds: ['pastry', 'tobaco'] } };

  it('of a benefit, in each of its selectors', () => {
    const place = 'appliesTo.excludeProductGroupIds[1]';
    expect(warn({ ...ten, ...tobaco }, { venues })).toEqual([`[0].${place}: ${lost('tobaco', 'tobacco')}`]);
    const half = { quantity: 1, ...tobaco };
    expect(warn({ kind: 'buy_x_get_y', buy: half, get: half }, { venues })).toEqual([
      `[0].buy.${place}: ${lost('tobaco', 'tobacco')}`,
      `[0].get.${place}: ${lost('tobaco', 'tobacco')}`,
    ]);
    const items = [{ quantity: 1, appliesTo: { productGroupIds: ['coffee'] } }, half];
    expect(warn({ kind: 'bundle_price', items, percent: 10 }, { venues })).toEqual([
      `[0].items[1].${place}: ${lost('tobaco', 'tobacco')}`,
    ]);
  });

  it('of a programme', () => {
    const exclude = { productGroupIds: ['tobacco'], excludeProductGroupIds: ['cofee'] };
    expect(warn(ten, { venues, programme: { exclude, weighed: exclude } })).toEqual(
      ['exclude', 'weighed'].map(
        (name) =>
          `programmes[0].${name}.excludeProductGroupIds[0]: it excepts nothing: no product of a venue has this name, cofee; did you mean coffee?`,
      ),
    );
  });

  it('is none where the name may be right', () => {
    const without = (...excludeProductGroupIds: string[]) => ({ ...ten, appliesTo: { excludeProductGroupIds } });
    expect(warn(without('tobacco'), { venues })).toEqual([]);
    expect(warn(without('magazines'), { venues })).toEqual([]);
    expect(warn({ ...ten, appliesTo: { excludeProductIds: ['4710'] } }, { venues })).toEqual([]);
    expect(warn({ ...ten, ...tobaco }, { venues: [{ ...oslo, products: [] }] })).toEqual([]);
    const named = { ...ten, appliesTo: { productGroupIds: ['coffee', 'tobaco'] } };
    expect(warn([{ ...ten, ...tobaco }, named, named], { venues })).toEqual([]);
  });
});

it('is not told while an entry has an error that may be why nothing has its name', () => {
  const inspect = (more: object) => {
    const selector = { productGroupIds: ['tobaco'], excludeProductGroupIds: ['pastri'] };
    const benefits = [{ benefitId: 'b0', ...ten, appliesTo: { excludeProductGroupIds: ['tobaco'] }, ...more }];
    const benefit = { benefitId: 'b1', ...ten, appliesTo: { excludeProductGroupIds: ['tobaco'] } };
    const programmes = [{ programmeId: 'club', exclude: selector, benefits: [...benefits, benefit] }];
    const text = JSON.stringify({ environment: 'staging', venues, programmes });
    return inspectEnvironment(sourceOf(text, 'x.yaml'), '2026-11-21').warnings.length;
  };
  expect([inspect({}), inspect({ percnt: 5 })]).toEqual([4, 0]);
});

describe('an exception without a rule', () => {
  it('is told of a programme, for which it leaves out or weighs everything else', () => {
    const only = { excludeProductIds: ['4711'] };
    expect(warn(ten, { programme: { exclude: only } })).toEqual([
      'programmes[0].exclude.excludeProductIds: it leaves out every other product, so that no benefit applies to them: to leave out these, write productIds',
    ]);
    expect(warn(ten, { programme: { weighed: only } })).toEqual([
      'programmes[0].weighed.excludeProductIds: it makes every other product a weighed one: to mean these, write productIds',
    ]);
    expect(warn(ten, { programme: { exclude: { excludeEans: ['7'] } } })).toContain(
      'programmes[0].exclude.excludeEans: it leaves out every other product, so that no benefit applies to them: to leave out these, write eans',
    );
    const eans = { excludeEans: ['7'], productGroupIds: ['coffee'] };
    expect(warn(ten, { programme: { exclude: eans, weighed: eans } })).toEqual([]);
    expect(warn({ ...ten, appliesTo: only })).toEqual([]);
  });
});
