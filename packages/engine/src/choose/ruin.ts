import type { Choice } from './choice.ts';
import type { Model, Multipliers } from './model.ts';
import type { Turn } from './multipliers.ts';
import type { Subproblem } from './roles.ts';

/** Ruin and recreate: what is taken out of a choice, and who answers anew. */

/** Offers that answer, with so many sets or bundles at most. */
export interface Step {
  readonly turn: Turn;
  readonly most?: number | undefined;
}

/** Multipliers, or a part of the coupons' dual prices; at 0 coupons keep what they have without the others. */
export type AtMultipliers = Multipliers | number;

export interface Move {
  readonly released: readonly Subproblem[];
  readonly order: readonly Step[];
  readonly at?: AtMultipliers;
  /** A line of which sets and bundles take nothing. */
  readonly without?: number;
}

type MoveOf = (choice: Choice) => Move | undefined;

const SHARES = [1, 0, 0.8, 0.5] as const;

/** One answers anew; or one forms a set or a bundle more, and all others answer anew. */
export function movesOf({ lines, coupons, plain }: Model, turns: readonly Turn[]): MoveOf[] {
  const moves: MoveOf[] = [];
  const ofPlain: Multipliers = { unit: plain, deal: new Float64Array(plain.length) };
  const all = turns.map((turn): Step => ({ turn }));
  // A line that cannot be split takes one benefit: it may be better off without a set that has one of its units.
  for (const [line, { isSplittable, units }] of lines.entries())
    if (!isSplittable && units > 1)
      moves.push(({ taken }) => {
        const isTaken = taken.some((own, role) => own[line]! > 0 && !coupons.includes(role));
        return isTaken ? { released: turns.flat(), order: all, without: line } : undefined;
      });
  for (const turn of turns) for (const at of SHARES) moves.push(() => ({ released: turn, order: [{ turn }], at }));
  for (const one of turns) {
    const others = all.filter(({ turn }) => turn !== one);
    if (one.length > 1) continue;
    const [{ roles, size }] = one as readonly [Subproblem];
    moves.push((choice) => {
      const most = Math.ceil(choice.unitsOf(roles) / size) + 1;
      return { released: turns.flat(), order: [{ turn: one, most }, ...others], at: ofPlain };
    });
  }
  return moves;
}
