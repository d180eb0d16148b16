/** Makes modifiers of many lines of a random case, mostly of a programme that sees them as one unit; drawn after all else. */
import type { Random } from '../../packages/simulator/src/random.ts';
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
  const modifiers = random.chance(0.85) ? 'together' : 'apart';
  return { ...oracleCase, basket: { ...basket, lines: withoutCircle }, programme: { ...programme, modifiers } };
}
