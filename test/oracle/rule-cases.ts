/** Adds rules to a random case, drawn after all else, so that the case of a seed stays the same without them. */
import type { BenefitDefinition } from '../../src/pricing/definition.ts';
import type { Random } from '../../src/tools/simulator/random.ts';
import type { OracleCase } from './types.ts';

type Change = (random: Random, benefit: BenefitDefinition) => Record<string, unknown>;

/** What one benefit may say besides; each is drawn with its chance. */
const CHANGES: readonly (readonly [chance: number, change: Change])[] = [
  [0.06, () => ({ enabled: false })],
  [0.1, (random) => ({ when: random.chance(0.3) ? window(random) : [window(random), window(random)] })],
];

function window(random: Random): Record<string, unknown> {
  return {
    ...(random.chance(0.5) && { channels: random.pick([['mpos'], ['pos', 'mpos'], []]) }),
    ...(random.chance(0.5) && { tiers: random.pick([['gold'], ['silver', 'gold'], ['silver']]) }),
  };
}

export function addRules(random: Random, oracleCase: OracleCase): OracleCase {
  const benefits = oracleCase.programme.benefits.map((benefit) => {
    let changed = benefit;
    for (const [chance, change] of CHANGES) {
      if (random.chance(chance)) changed = { ...changed, ...change(random, changed) } as BenefitDefinition;
    }
    return changed;
  });
  return {
    ...oracleCase,
    ...(random.chance(0.5) && { tier: 'gold' }),
    programme: { ...oracleCase.programme, benefits },
  };
}
