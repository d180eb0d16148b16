import type { BenefitDefinition } from '@loyalty/engine/definition';
import { PRODUCT_NAMES } from '@loyalty/engine/lines/selector';
import { lineSelectorOf, namingSelectorsOf } from '../selectors.ts';
import { looksMistyped, namesIn, suggest } from './names.ts';
import type { Surroundings, Warning } from './surroundings.ts';

/** Selectors that leave out too little or too much: tobacco gets a discount, or nothing does. */

/** What the selectors of a programme do to a line, and to every line if they only say which ones they do not mean. */
const OF_A_PROGRAMME = {
  exclude: {
    nothing: 'it leaves out nothing',
    everything: 'it leaves out every other product, so that no benefit applies to them: to leave out these, write',
  },
  weighed: {
    nothing: 'it means no line',
    everything: 'it makes every other product a weighed one: to mean these, write',
  },
} as const;

/** Warns of names in `exclude` and `weighed` of a programme that no product has, and of exceptions without a rule. */
export function* findExclusionFlaws({ path, programme, products, isComplete }: Surroundings): Generator<Warning> {
  for (const [place, { nothing, everything }] of Object.entries(OF_A_PROGRAMME)) {
    const selector = lineSelectorOf(programme[place as keyof typeof OF_A_PROGRAMME]);
    if (!selector) continue;
    const own = `${path}.${place}`;
    const [written] = PRODUCT_NAMES.filter(({ excluded }) => selector[excluded]);
    if (written && !PRODUCT_NAMES.some(({ included }) => selector[included])) {
      yield { path: `${own}.${written.excluded}`, text: `${everything} ${written.included}` };
    }
    if (!isComplete) continue;
    for (const [sort, consequence] of [['included', nothing] as const, ['excluded', 'it excepts nothing'] as const]) {
      for (const { list, name, index, known } of namesIn(selector, products, sort)) {
        if (known.includes(name) || !looksMistyped(name, known)) continue;
        const text = `${consequence}: no product of a venue has this name, ${name}${suggest(name, known)}`;
        yield { path: `${own}.${list}[${index}]`, text };
      }
    }
  }
}

/** Warns of names that a benefit leaves out and that nothing else has: what was meant gets the benefit. */
export function* findUnknownExclusions(
  benefit: BenefitDefinition,
  path: string,
  { products, mentions, isComplete }: Surroundings,
): Generator<Warning> {
  if (!isComplete) return;
  for (const [place, selector] of namingSelectorsOf(benefit)) {
    for (const { list, included, name, index, known } of namesIn(selector, products, 'excluded')) {
      if (known.includes(name) || mentions.has(`${included} ${name}`) || !looksMistyped(name, known)) continue;
      const text = `it leaves out nothing: no product of a venue and no benefit has this name, ${name}${suggest(name, known)}`;
      yield { path: `${path}.${place}.${list}[${index}]`, text };
    }
  }
}
