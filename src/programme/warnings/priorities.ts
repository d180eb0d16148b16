import { isDeepStrictEqual } from 'node:util';
import { kindOf } from '@loyalty/engine/benefits/register';
import type { BenefitDefinition } from '@loyalty/engine/definition';
import type { Surroundings, Warning } from './surroundings.ts';

/** Priorities that decide nothing: what saves the guest most is chosen, whatever its priority. */

/** Warns of a benefit whose priority is not that of others and changes nothing but ties. */
export function* findIdlePriorities(
  benefit: BenefitDefinition,
  path: string,
  { programme, benefits }: Surroundings,
): Generator<Warning> {
  const { priority = 0, group } = benefit;
  if (priority === 0) return;
  // Of a group with an error nobody knows what it takes.
  if (group !== undefined && !groupsOf(programme)[group]) return;
  const others = benefits.map(([, own]) => own).filter((own) => own !== benefit && own.enabled !== false);
  const different = others.filter((own) => (own.priority ?? 0) !== priority);
  const decides = (other: BenefitDefinition): boolean =>
    (isOrderLevel(benefit) && isOrderLevel(other)) ||
    (drawsInOrder(benefit) && drawsInOrder(other)) ||
    (group !== undefined && group === other.group && takesPriority(programme, group)) ||
    isDeepStrictEqual(effectOf(benefit), effectOf(other));
  if (different.length === 0 || different.some(decides)) return;
  const text =
    'decides nothing but ties: the benefits that save most are chosen; to make it win, put it and those that it is to beat into a group with take: priority';
  yield { path: `${path}.priority`, text };
}

function groupsOf({ groups = {} }: Surroundings['programme']) {
  return groups as Readonly<Record<string, { readonly take?: string }>>;
}

function takesPriority(programme: Surroundings['programme'], name: string): boolean {
  return groupsOf(programme)[name]?.take === 'priority';
}

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

/** Warns of a group that takes by priority and whose benefits have one and the same. */
export function* findEqualPriorities({ path, programme, benefits, isComplete }: Surroundings): Generator<Warning> {
  if (!isComplete) return;
  for (const name of Object.keys(programme.groups ?? {})) {
    const members = benefits.filter(([, { group, enabled }]) => group === name && enabled !== false);
    const priorities = new Set(members.map(([, { priority = 0 }]) => priority));
    if (!takesPriority(programme, name) || members.length < 2 || priorities.size > 1) continue;
    const text = `has no effect: all its benefits have the priority ${[...priorities].join()}`;
    yield { path: `${path}.groups.${name}.take`, text };
  }
}
