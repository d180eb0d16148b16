import type { BenefitDefinition } from '@loyalty/engine/definition';
import { looksMistyped, suggest } from './names.ts';
import type { Surroundings, Warning } from './surroundings.ts';

/** Warns of who bears the cost where no other benefit has this name and one has nearly the same: the costs would be two rows. */
export function* findMistypedFunders(
  { fundedBy }: BenefitDefinition,
  path: string,
  { benefits }: Surroundings,
): Generator<Warning> {
  if (fundedBy === undefined) return;
  const all = benefits.flatMap(([, own]) => own.fundedBy ?? []);
  const others = all.filter((name) => name !== fundedBy);
  // Of two names that one benefit each has either may be the mistake.
  const isRare = all.filter((name) => name === fundedBy).length === 1;
  if (!isRare || !looksMistyped(fundedBy, others)) return;
  const text = `no other benefit is funded by ${fundedBy}${suggest(fundedBy, others)}`;
  yield { path: `${path}.fundedBy`, text };
}
