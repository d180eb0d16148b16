import type { BenefitDefinition } from '../../pricing/definition.ts';
import { PRODUCT_NAMES, type SelectorDefinition } from '../../pricing/lines/selector.ts';
import type { Surroundings, Warning } from './surroundings.ts';

/** Programmes in which the best answer may be found and not be proven: explanations then say `bounded`. */

/** Of so many members of a group the best are found by trying them; of more the steps may end before. */
const MOST_PROVEN_MEMBERS = 8;

export function* findLargeGroups({ path, programme, benefits, isComplete }: Surroundings): Generator<Warning> {
  if (!isComplete) return;
  for (const name of Object.keys(programme.groups ?? {})) {
    const members = benefits.filter(([, { group, enabled }]) => group === name && enabled !== false).length;
    if (members <= MOST_PROVEN_MEMBERS) continue;
    const text = `it has ${members} benefits: if more than ${MOST_PROVEN_MEMBERS} of them match a basket, the best may not be proven`;
    yield { path: `${path}.groups.${name}`, text };
  }
}

/** Warns of sets whose halves name some of the same products, and others besides. */
export function* findPartialOverlap(benefit: BenefitDefinition, path: string): Generator<Warning> {
  if (benefit.kind !== 'buy_x_get_y') return;
  const [buy, get] = [namesOf(benefit.buy.appliesTo), namesOf(benefit.get.appliesTo)];
  const shared = [...get].filter((name) => buy.has(name));
  if (shared.length === 0 || (shared.length === buy.size && shared.length === get.size)) return;
  const words = shared.map((name) => name.split(' ')[1]).join(', ');
  const text = `it shares ${words} with buy.appliesTo, which also names others: with many units the best sets may not be proven`;
  yield { path: `${path}.get.appliesTo`, text };
}

/** What a selector names, `productGroupIds coffee`; nothing of one that takes everything. */
function namesOf(selector: SelectorDefinition | undefined): Set<string> {
  return new Set(
    PRODUCT_NAMES.flatMap(({ included }) => (selector?.[included] ?? []).map((name) => `${included} ${name}`)),
  );
}
