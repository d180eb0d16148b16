import { isDeepStrictEqual } from 'node:util';
import { kindOf } from '@loyalty/engine/benefits/register';
import type { BenefitDefinition } from '@loyalty/engine/definition';
import { type Around, ofBenefit, type Said } from './advice.ts';
import { looksMistyped, suggest } from './names.ts';

/** Advice about what a benefit has beside others: its priority, and who pays for it. */

type Groups = Readonly<Record<string, { readonly take?: string } | undefined>>;

/** A priority that is not that of others and changes nothing but ties: what saves the guest most is chosen. */
export const idlePriority = ofBenefit('priority', (benefit, { programme, enabled }) => {
  const { priority = 0, group } = benefit;
  const groups = (programme.groups ?? {}) as Groups;
  // Of a group with an error nobody knows what it takes.
  if (priority === 0 || (group !== undefined && !groups[group])) return undefined;
  const different = enabled.map(([, own]) => own.benefit).filter((own) => (own.priority ?? 0) !== priority);
  const decides = (other: BenefitDefinition): boolean =>
    (isOrderLevel(benefit) && isOrderLevel(other)) ||
    (drawsInOrder(benefit) && drawsInOrder(other)) ||
    (group !== undefined && group === other.group && groups[group]?.take === 'priority') ||
    isDeepStrictEqual(effectOf(benefit), effectOf(other));
  if (different.length === 0 || different.some(decides)) return undefined;
  return 'decides nothing but ties: the benefits that save most are chosen; to make it win, put it and those that it is to beat into a group with take: priority';
});

/** Discounts on the order come one after the other, by priority. */
function isOrderLevel(benefit: BenefitDefinition): boolean {
  return kindOf(benefit).level === 'order';
}

/** What takes the cheapest units draws before others, by priority. */
function drawsInOrder(benefit: BenefitDefinition): boolean {
  return 'pick' in benefit && benefit.pick === 'cheapest';
}

/** What a benefit does, without whom it is for and when: two that do the same are often tied. */
function effectOf(benefit: BenefitDefinition): object {
  const { kind, percent, amount, per, unitPrice, bundlePrice, productId } = benefit as BenefitDefinition &
    Readonly<Record<string, unknown>>;
  return { kind, percent, amount, per, unitPrice, bundlePrice, productId };
}

/** A group that takes by priority and whose benefits have one and the same. */
export function* equalPriorities({ programme, enabled }: Around): Generator<Said> {
  for (const [name, group] of Object.entries((programme.groups ?? {}) as Groups)) {
    const members = enabled.filter(([, { benefit }]) => benefit.group === name);
    const priorities = new Set(members.map(([, { benefit }]) => benefit.priority ?? 0));
    if (group?.take !== 'priority' || members.length < 2 || priorities.size > 1) continue;
    yield [`groups.${name}.take`, `has no effect: all its benefits have the priority ${[...priorities].join()}`];
  }
}

/** Who bears the cost, where no other benefit has this name and one has nearly the same: the costs would be two rows. */
export const mistypedFunder = ofBenefit('fundedBy', ({ fundedBy }, { benefits }) => {
  if (fundedBy === undefined) return undefined;
  const all = benefits.flatMap(([, own]) => own.fundedBy ?? []);
  const others = all.filter((name) => name !== fundedBy);
  // Of two names that one benefit each has either may be the mistake.
  if (all.length - others.length > 1 || !looksMistyped(fundedBy, others)) return undefined;
  return `no other benefit is funded by ${fundedBy}${suggest(fundedBy, others)}`;
});
