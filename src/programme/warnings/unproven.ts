import type { BenefitDefinition } from '@loyalty/engine/definition';
import { PRODUCT_NAMES, type SelectorDefinition } from '@loyalty/engine/lines/selector';
import type { Warning } from './surroundings.ts';

/** Programmes in which the best answer may be found and not be proven: explanations then say `bounded`. */

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
