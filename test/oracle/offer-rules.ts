/** Adds words of single kinds to a random case, drawn after all else, so that the case of a seed stays the same without them. */
import type { BenefitDefinition } from '../../src/pricing/definition.ts';
import type { Random } from '../../src/tools/simulator/random.ts';
import type { OracleCase } from './types.ts';

export function addOfferRules(random: Random, oracleCase: OracleCase): OracleCase {
  const { programme } = oracleCase;
  const benefits = programme.benefits.map(
    (benefit) => ({ ...benefit, ...wordsFor(random, benefit) }) as BenefitDefinition,
  );
  return { ...oracleCase, programme: { ...programme, benefits } };
}

function wordsFor(random: Random, benefit: BenefitDefinition): object {
  if (benefit.kind === 'buy_x_get_y' && random.chance(0.7)) {
    return { spread: true, buy: { ...benefit.buy, combinable: false } };
  }
  return {};
}
