import { isDeepStrictEqual } from 'node:util';
import { kindOf } from '@loyalty/engine/benefits/register';
import type { BenefitDefinition } from '@loyalty/engine/definition';
import type { WrittenBenefit } from '../written-benefit.ts';
import type { Around, Said } from './advice.ts';
import { looksMistyped, suggest } from './names.ts';

/** Advice about what a benefit has beside others: its priority, and who pays for it. */

type Groups = Readonly<Record<string, { readonly take?: string } | undefined>>;

/** A priority that is not that of others and changes nothing but ties: what saves the guest most is chosen. */
export function* idlePriority({ benefit }: WrittenBenefit, { programme, enabled }: Around): Generator<Said> {
  const { priority = 0, group } = benefit;
  const groups = (programme.groups ?? {}) as Groups;
  // Of a group with an error nobody knows what it takes.
  if (priority === 0 || (group !== undefined && !groups[group])) return;
  const different = enabled.map(([, own]) => own.benefit).filter((own) => (own.priority ?? 0) !== priority);
  const decides = (other: BenefitDefinition): boolean =>
    [isOrderLevel, drawsInOrder].some((isInOrder) => isInOrder(benefit) && isInOrder(other)) ||
    (group !== undefined && group === other.group && groups[group]?.take === 'priority') ||
    isDeepStrictEqual(effectOf(benefit), effectOf(other));
  if (different.length === 0 || different.some(decides)) return;
  yield [
    'priority',
    'decides nothing but ties: the benefits that save most are chosen; to make it win, put it and those that it is to beat into a group with take: priority',
  ];
}

/** Discounts on the order come one after the other, by priority. */
function isOrderLevel(benefit: BenefitDefinition): boolean {
  return kindOf(benefit).level === 'order';
}

/** What takes the cheapest units draws before others, by priority. */
function drawsInOrder(benefit: BenefitDefinition): boolean {
  return 'pick' in benefit && benefit.pick === 'cheapest';
}

const EFFECT = ['kind', 'percent', 'amount', 'per', 'unitPrice', 'bundlePrice', 'productId'];

/** What a benefit does, without whom it is for and when: two that do the same are often tied. */
function effectOf(benefit: BenefitDefinition): unknown[] {
  return EFFECT.map((field) => (benefit as unknown as Readonly<Record<string, unknown>>)[field]);
}

/** A group of which all benefits may apply, and one that takes by priority and whose benefits have one and the same. */
export function* idleGroups({ programme, enabled, isComplete }: Around): Generator<Said> {
  for (const [name, { atMost, take }] of Object.entries((isComplete && programme.groups) || {})) {
    const members = enabled.flatMap(([, { benefit }]) => (benefit.group === name ? [benefit.priority ?? 0] : []));
    if (take === 'priority' && members.length > 1) {
      if (new Set(members).size > 1) continue;
      yield [`groups.${name}.take`, `has no effect: all its benefits have the priority ${members[0]}`];
    } else if (members.length <= atMost) {
      const count = `${members.length} benefit${members.length === 1 ? '' : 's'}`;
      yield [`groups.${name}`, `never reached: it has ${count}, and ${atMost} may apply`];
    }
  }
}

/** Who bears the cost, where no other benefit has this name and one has nearly the same: the costs would be two rows. */
export function* mistypedFunder({ benefit: { fundedBy = '' } }: WrittenBenefit, { benefits }: Around): Generator<Said> {
  const all = benefits.flatMap(([, own]) => own.fundedBy ?? []);
  const others = all.filter((name) => name !== fundedBy);
  // Of two names that one benefit each has either may be the mistake.
  if (all.length - others.length !== 1 || !looksMistyped(fundedBy, others)) return;
  yield ['fundedBy', `no other benefit is funded by ${fundedBy}${suggest(fundedBy, others)}`];
}
