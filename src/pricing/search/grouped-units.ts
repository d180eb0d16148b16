import type { BuyGetOffer, UnitOffer } from '../offers.ts';
import type { Take } from '../split.ts';
import type { UnitCount } from '../unit-pool.ts';

/** Per line what groups take of it while they are formed, and what they buy and share with no other benefit. */
export class GroupedUnits {
  readonly taken: Take[][] = [];
  readonly bought: Take<BuyGetOffer>[][] = [];

  constructor(lines: readonly number[]) {
    for (const line of lines) {
      this.taken[line] = [];
      this.bought[line] = [];
    }
  }

  take(offer: UnitOffer, counts: readonly UnitCount[]): void {
    for (const count of counts) this.taken[count.line]!.push({ ...count, offer });
  }

  putBack(offer: UnitOffer, counts: readonly UnitCount[]): void {
    for (const { line } of counts) remove(this.taken[line]!, offer);
  }

  buy(offer: BuyGetOffer, counts: readonly UnitCount[]): void {
    for (const count of counts) this.bought[count.line]!.push({ ...count, offer });
  }

  unbuy(offer: BuyGetOffer, counts: readonly UnitCount[]): void {
    for (const { line } of counts) remove(this.bought[line]!, offer);
  }
}

function remove(takes: Take[], offer: UnitOffer): void {
  const at = takes.findIndex((take) => take.offer === offer);
  takes.splice(at, 1);
}
