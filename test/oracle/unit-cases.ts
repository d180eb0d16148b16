/** Makes modifiers of many lines of a random case, and lets selectors take them along; drawn after all else. */
import type { BenefitDefinition } from '../../src/pricing/definition.ts';
import type { Random } from '../../src/tools/simulator/random.ts';
import type { LineBody } from '../support/wire.ts';
import type { OracleCase } from './types.ts';

export function drawModifiers(random: Random, oracleCase: OracleCase): OracleCase {
  const { basket, programme } = oracleCase;
  const lines = basket.lines.map((line, at): LineBody => {
    const { parentLineId: _, ...alone } = line;
    // Mostly below a line before it; the order of the lines says nothing about who is whose parent.
    const parents =
      at === 0 && basket.lines.length > 1 && random.chance(0.1) ? basket.lines.slice(-1) : basket.lines.slice(0, at);
    return parents.length > 0 && random.chance(0.6) ? { ...alone, parentLineId: random.pick(parents).lineId } : alone;
  });
  const withoutCircle = lines.map((line, at) => {
    const isBelowLast = at === 0 && line.parentLineId !== undefined;
    if (!isBelowLast || !lines.at(-1)!.parentLineId) return line;
    const { parentLineId: _, ...alone } = line;
    return alone;
  });
  const benefits = programme.benefits.map((benefit) => takeAlong(random, benefit));
  return { ...oracleCase, basket: { ...basket, lines: withoutCircle }, programme: { ...programme, benefits } };
}

function takeAlong(random: Random, benefit: BenefitDefinition): BenefitDefinition {
  const change = <Own extends { readonly appliesTo?: object }>(own: Own): Own =>
    random.chance(0.7)
      ? { ...own, appliesTo: { ...(own.appliesTo ?? drawNames(random)), includeModifiers: true } }
      : own;
  if (benefit.kind === 'buy_x_get_y') {
    const isAlike = random.chance(0.7);
    const buy = change(benefit.buy);
    return {
      ...benefit,
      buy,
      get: isAlike && buy.appliesTo ? { ...benefit.get, appliesTo: buy.appliesTo } : change(benefit.get),
    };
  }
  if (benefit.kind === 'bundle_price') return { ...benefit, items: benefit.items.map(change) };
  return change(benefit);
}

function drawNames(random: Random): object {
  return random.pick([
    { productGroupIds: ['g'] },
    { productGroupIds: ['h'] },
    { productIds: ['a', 'd'] },
    { productIds: ['b'] },
    {},
  ]);
}
