import type { LineFacts } from '../lines.ts';
import { isLimited, type Offer } from '../offers.ts';
import { type LineTakes, unitsOf } from '../split.ts';

/** Counts limited uses along a branch: one per basket or one per item, as each limit counts; a grant is one. */
export class UseCounter {
  readonly #counts = new Map<Offer, number>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  /** Counts `units` discounted units under the limit and the grant of an offer, if it has them. */
  add(offer: Offer, units: number): void {
    if (!isLimited(offer)) return;
    const before = this.#counts.get(offer) ?? 0;
    this.#counts.set(offer, before + units);
    this.#total += unitsSpent(offer, units, before === 0);
  }

  remove(offer: Offer, units: number): void {
    if (!isLimited(offer)) return;
    const after = this.#counts.get(offer)! - units;
    this.#counts.set(offer, after);
    this.#total -= unitsSpent(offer, units, after === 0);
  }
}

/** Uses by so many units of an offer, of which a basket counts one for itself. */
function unitsSpent({ use, grant, benefit }: Offer, units: number, isFirst: boolean): number {
  const byLimit = benefit.limit?.counts === 'items' ? units : Number(isFirst);
  return (use ? byLimit : 0) + Number(grant !== undefined && isFirst);
}

/** Counts what a line takes of limited benefits. */
export function countLine(uses: UseCounter, { taken, bought, rest }: LineTakes, { units: all }: LineFacts): void {
  let left = all - unitsOf(bought);
  for (const { offer, units } of taken) {
    uses.add(offer, units);
    left -= units;
  }
  if (rest && left > 0) uses.add(rest, left);
}

/** The limited uses of a combination. */
export function countTakes(takes: readonly LineTakes[], lines: readonly LineFacts[]): number {
  const uses = new UseCounter();
  for (const [line, own] of takes.entries()) countLine(uses, own, lines[line]!);
  return uses.total;
}
