import { isDeepStrictEqual } from 'node:util';
import type { WhenDefinition } from '@loyalty/engine/compile/window';
import { entriesOf } from '@loyalty/engine/compile/words';
import type { BenefitDefinition } from '@loyalty/engine/definition';
import { PRODUCT_NAMES } from '@loyalty/engine/lines/selector';
import type { WrittenBenefit } from '../written-benefit.ts';
import { type Around, amountIn, type Said } from './advice.ts';

/** Products with two prices of a unit for the same members at the same time: the guest gets the lower, and the other is never given. */

type UnitPrice = Extract<BenefitDefinition, { kind: 'unit_price' }>;

/** Once for each two benefits. A lower price within the days of another is a campaign, and is meant. */
export function* twoPrices({ enabled }: Around): Generator<Said> {
  const byName = Map.groupBy(enabled.flatMap(namesOf), ({ list, name }) => `${list} ${name}`);
  const told = new Set<string>();
  for (const priced of byName.values()) {
    for (const [at, { name, place, number, benefit }] of priced.entries()) {
      for (const { number: before, benefit: other } of priced.slice(0, at)) {
        const pair = `${before} ${number}`;
        if (told.has(pair) || !contradict(other, benefit)) continue;
        told.add(pair);
        const prices = `${show(other.unitPrice)} of ${other.benefitId} and here ${show(benefit.unitPrice)}`;
        const sentence = `${name} has two prices for the same members at the same time, ${prices}: the lower one is given`;
        yield [place, sentence];
      }
    }
  }
}

/** The names for which a benefit sets the price, each with its place. */
function namesOf([number, { benefit }]: readonly [number, WrittenBenefit]) {
  if (benefit.kind !== 'unit_price') return [];
  const { appliesTo = {} } = benefit;
  return PRODUCT_NAMES.flatMap(({ included: list, excluded }) =>
    (appliesTo[list] ?? []).flatMap((name, index) =>
      appliesTo[excluded]?.includes(name)
        ? []
        : [{ list, name, number, benefit, place: `benefits[${number}].appliesTo.${list}[${index}]` }],
    ),
  );
}

function show(price: unknown): string {
  return JSON.stringify(price).replaceAll('"', '');
}

function contradict(one: UnitPrice, other: UnitPrice): boolean {
  if (isDeepStrictEqual(one.unitPrice, other.unitPrice)) return false;
  if (!isDeepStrictEqual(circumstancesOf(one), circumstancesOf(other))) return false;
  return daysOf(one).some((own) =>
    daysOf(other).some((also) => {
      if (own.from >= also.to || also.from >= own.to) return false;
      const isCampaign = isWithin(own, also) ? isLower(one, other) : isWithin(also, own) && isLower(other, one);
      return !isCampaign;
    }),
  );
}

/** All that decides who gets a benefit and when, but the first and the last day. */
function circumstancesOf(benefit: UnitPrice): object {
  const {
    benefitId: _id,
    text: _text,
    unitPrice: _price,
    appliesTo: _lines,
    priority: _priority,
    when,
    ...rest
  } = benefit;
  const windows = entriesOf(when).map(({ from: _from, to: _to, ...window }) => window);
  return { rest, windows: windows.filter((window) => Object.keys(window).length > 0) };
}

type Days = Required<Pick<WhenDefinition, 'from' | 'to'>>;

/**
 * Dates such as 2026-01-31 are in order as texts, also with a time, and `~` is behind them all: a date as `to` includes its
 * day, and a time does not include its minute.
 */
function daysOf({ when = {} }: UnitPrice): Days[] {
  return entriesOf(when).map(({ from = '', to = '' }) => ({ from, to: to.includes('T') ? to : `${to}~` }));
}

function isWithin(inner: Days, outer: Days): boolean {
  return inner.from >= outer.from && inner.to <= outer.to && !isDeepStrictEqual(inner, outer);
}

/** True where the one is cheaper in every currency that both have. */
function isLower({ unitPrice }: UnitPrice, other: UnitPrice): boolean {
  const prices = typeof unitPrice === 'number' ? { '': unitPrice } : unitPrice;
  return Object.entries(prices).every(
    ([currency, price]) => price < (amountIn(other.unitPrice, currency) ?? Number.POSITIVE_INFINITY),
  );
}
