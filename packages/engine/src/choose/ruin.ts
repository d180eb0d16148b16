import type { Choice } from './choice.ts';
import type { Model, Multipliers } from './model.ts';
import type { Block } from './multipliers.ts';
import type { Subproblem } from './roles.ts';

/** Ruin and recreate (Schrimpf et al., 2000): which offers lose their units in a choice, and which then answer anew. */

/** A block that answers, with so many sets or bundles at most. */
export interface Answer {
  readonly block: Block;
  readonly atMost?: number | undefined;
}

/**
 * What units cost those who answer: Lagrangian multipliers; or what coupons would give for a unit, with this part of the worth of their limits
 * deducted. At a part of 0 coupons keep what they have, and all others answer on what is left.
 */
export type Prices =
  | { readonly multipliers: Multipliers; readonly isRelaxed: boolean }
  | { readonly partOfLimits: number };

export interface Move {
  readonly ruined: readonly Subproblem[];
  readonly answers: readonly Answer[];
  readonly prices: Prices;
  /** A line of which sets and bundles take nothing. */
  readonly without?: number;
}

type MoveOf = (choice: Choice) => Move | undefined;

const PARTS_OF_LIMITS = [1, 0, 0.8, 0.5] as const;

/** One answers anew; or one forms a set or a bundle more, and all others answer anew. */
export function movesOf({ lines, coupons, plain }: Model, blocks: readonly Block[]): MoveOf[] {
  const moves: MoveOf[] = [];
  const all = blocks.map((block): Answer => ({ block }));
  // A line that cannot be split takes one benefit: it may be better off without a set that has one of its units.
  for (const [line, { isSplittable, units }] of lines.entries())
    if (!isSplittable && units > 1)
      moves.push(({ taken }) => {
        const isTaken = taken.some((units, role) => units[line]! > 0 && !coupons.includes(role));
        if (!isTaken) return undefined;
        return { ruined: blocks.flat(), answers: all, prices: { partOfLimits: 1 }, without: line };
      });
  for (const block of blocks)
    for (const partOfLimits of PARTS_OF_LIMITS)
      moves.push(() => ({ ruined: block, answers: [{ block }], prices: { partOfLimits } }));
  const plainPrices: Prices = {
    multipliers: { unit: plain, deal: new Float64Array(plain.length) },
    isRelaxed: true,
  };
  for (const block of blocks) {
    if (block.length > 1) continue;
    const [{ roles, size }] = block as readonly [Subproblem];
    const others = all.filter((answer) => answer.block !== block);
    moves.push((choice) => {
      const atMost = Math.ceil(choice.unitsOf(roles) / size) + 1;
      return { ruined: blocks.flat(), answers: [{ block, atMost }, ...others], prices: plainPrices };
    });
  }
  return moves;
}
