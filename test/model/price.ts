/** What a basket of the model's world costs, given what is left of each limit: the word of its answer, and what it takes. */
import type { BasketOrder } from './history.ts';
import { BENEFITS, type BenefitRule, countersOf, type Group, priceOf, useOf } from './world.ts';

export interface Price {
  readonly word: string;
  readonly uses: readonly string[];
}

interface Line {
  readonly group: Group;
  readonly price: number;
}

/** `left` tells the units that are free of a counter. */
export function priceOrder(
  { groups, day }: BasketOrder,
  grants: readonly string[],
  left: (key: string) => number,
): Price {
  const lines = groups.map((group, at) => ({ group, price: priceOf(at) }));
  const own = BENEFITS.filter((each) => grants.includes(each.benefitId) && savingOf(each, lines) > 0);
  const isMoney = ({ limit }: BenefitRule) => limit?.counts === 'money';
  const money = own.filter(isMoney);
  const shared = own.filter((benefit) => benefit.limit?.limitId !== undefined && !isMoney(benefit));
  const single = own.filter((benefit) => !isMoney(benefit) && !shared.includes(benefit));
  const taken = new Map<string, number>();
  const take = (key: string, units: number) => taken.set(key, (taken.get(key) ?? 0) + units);

  const chosen = chooseShared(shared, lines, day, left);
  for (const benefit of chosen) take(countersOf(benefit, day)[0]!, 1);
  const percents = lines
    .filter(({ group }) => !BENEFITS.some((benefit) => isMoney(benefit) && benefit.groups.includes(group)))
    .map(({ group }) => {
      const open = [...single, ...chosen].flatMap((benefit) => {
        if (!benefit.groups.includes(group)) return [];
        const counters = chosen.includes(benefit) ? [] : countersOf(benefit, day);
        const use = counters.find((counter) => left(counter) > 0);
        return use === undefined && counters.length > 0 ? [] : { benefit, use };
      });
      const best = open.toSorted((a, b) => b.benefit.percent - a.benefit.percent)[0];
      if (best?.use !== undefined) taken.set(best.use, 1);
      return best?.benefit.percent ?? 0;
    });

  const tabs = new Map<string, number>();
  for (const benefit of money) {
    const key = countersOf(benefit, day)[0]!;
    tabs.set(key, (tabs.get(key) ?? 0) + savingOf(benefit, lines));
  }
  const given = [...tabs]
    .map(([key, wanted]) => [key, Math.min(wanted, Math.max(0, left(key)))] as const)
    .filter(([, amount]) => amount > 0);
  for (const [key, amount] of given) take(key, amount);
  const isApplied = percents.some((percent) => percent > 0) || given.length > 0;
  if (!isApplied) return { word: 'unchanged no_applicable_benefits', uses: [] };
  return { word: appliedWord(percents, given), uses: [...taken].map(([key, units]) => useOf(key, units)) };
}

/** Percentages line by line, then the money that each counter gave. */
export function appliedWord(
  percents: readonly number[],
  given: Iterable<readonly [key: string, amount: number]>,
): string {
  const amounts = [...given].map(([key, amount]) => `${key}=${amount}`).sort();
  return ['applied', ...percents, ...amounts].join(' ');
}

/** Where less is left than benefits want, those apply that save most; each takes one. No two here save the same. */
function chooseShared(
  benefits: readonly BenefitRule[],
  lines: readonly Line[],
  day: number,
  left: (key: string) => number,
): readonly BenefitRule[] {
  const wanting = benefits
    .filter((benefit) => savingOf(benefit, lines) > 0)
    .toSorted((a, b) => savingOf(b, lines) - savingOf(a, lines));
  const taken = new Map<string, number>();
  return wanting.filter((benefit) => {
    const key = countersOf(benefit, day)[0]!;
    const count = (taken.get(key) ?? 0) + 1;
    if (count > left(key)) return false;
    taken.set(key, count);
    return true;
  });
}

function savingOf({ groups, percent }: BenefitRule, lines: readonly Line[]): number {
  const own = lines.filter(({ group }) => groups.includes(group));
  return own.reduce((sum, { price }) => sum + (price * percent) / 100, 0);
}
