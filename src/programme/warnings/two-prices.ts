import { type WhenDefinition, windowsOf } from '@loyalty/engine/compile/window';
import type { BenefitDefinition } from '@loyalty/engine/definition';
import { PRODUCT_NAMES } from '@loyalty/engine/lines/selector';
import type { WrittenBenefit } from '../written-benefit.ts';
import type { Around, Said } from './advice.ts';

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
  if (JSON.stringify(one.unitPrice) === JSON.stringify(other.unitPrice)) return false;
  if (circumstancesOf(one) !== circumstancesOf(other)) return false;
  return daysOf(one).some((own) =>
    daysOf(other).some((also) => overlap(own, also) && !isCampaign(one, own, other, also)),
  );
}

/** All that decides who gets a benefit and when, but the first and the last day. */
function circumstancesOf({
  benefitId: _id,
  text: _text,
  unitPrice: _price,
  appliesTo: _lines,
  priority: _priority,
  when,
  ...rest
}: UnitPrice): string {
  const windows = windowsOf(when).map(({ from: _from, to: _to, ...window }) => sorted(window));
  return JSON.stringify([sorted(rest), windows.filter((window) => window.length > 0)]);
}

function sorted(mapping: object): [string, unknown][] {
  return Object.entries(mapping).sort(([one], [other]) => (one < other ? -1 : 1));
}

type Days = Pick<WhenDefinition, 'from' | 'to'>;

function daysOf({ when }: BenefitDefinition): readonly Days[] {
  const windows = windowsOf(when);
  return windows.length === 0 ? [{}] : windows;
}

/**
 * Dates such as 2026-01-31 are in order as texts, also with a time, and `~` is behind them all: a date as `to` includes its
 * day, and a time does not include its minute.
 */
const span = ({ from = '', to = '' }: Days): readonly [string, string] => [from, hasTime(to) ? to : `${to}~`];
const hasTime = (text: string): boolean => text.includes('T');

function overlap(one: Days, other: Days): boolean {
  const [[from, to], [otherFrom, otherTo]] = [span(one), span(other)];
  return from < otherTo && otherFrom < to;
}

/** True where the one is within the days of the other and cheaper, in whatever currency. */
function isCampaign(one: UnitPrice, own: Days, other: UnitPrice, also: Days): boolean {
  return isWithin(own, also) ? isLower(one, other) : isWithin(also, own) && isLower(other, one);
}

function isWithin(inner: Days, outer: Days): boolean {
  const [[from, to], [outerFrom, outerTo]] = [span(inner), span(outer)];
  return from >= outerFrom && to <= outerTo && (from !== outerFrom || to !== outerTo);
}

function isLower(inner: UnitPrice, outer: UnitPrice): boolean {
  const [low, high] = [inner.unitPrice, outer.unitPrice].map((price) =>
    typeof price === 'number' ? { '': price } : price,
  );
  return Object.entries(low!).every(
    ([currency, price]) => price < ((high as Record<string, number>)[currency] ?? Number.POSITIVE_INFINITY),
  );
}
