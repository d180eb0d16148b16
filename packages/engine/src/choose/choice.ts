import type { Role } from './roles.ts';

/** A choice of a component: units by role and line, and what that leaves of each line. */
export class Choice {
  /** By role, then by line. */
  readonly taken: readonly Int32Array[];
  /** Per line the units that nobody has to itself, and those that no set or bundle has. */
  readonly free: Int32Array;
  readonly freeOfDeals: Int32Array;
  readonly #roles: readonly Role[];

  constructor(roles: readonly Role[], taken: readonly Int32Array[], free: Int32Array, freeOfDeals: Int32Array) {
    this.#roles = roles;
    this.taken = taken;
    this.free = free;
    this.freeOfDeals = freeOfDeals;
  }

  copy(): Choice {
    const taken = this.taken.map((units) => units.slice());
    return new Choice(this.#roles, taken, this.free.slice(), this.freeOfDeals.slice());
  }

  /** Gives a role so many units of a line more, or less. */
  add(role: number, line: number, units: number): void {
    const { isExclusive, isOfDeal } = this.#roles[role]!;
    this.taken[role]![line]! += units;
    if (isExclusive) this.free[line]! -= units;
    if (isOfDeal) this.freeOfDeals[line]! -= units;
  }

  clear(roles: readonly number[]): void {
    for (const role of roles) {
      const taken = this.taken[role]!;
      for (let line = 0; line < taken.length; line++) if (taken[line] !== 0) this.add(role, line, -taken[line]!);
    }
  }

  /** Gives a role the units of each line that are said, and no others. */
  set(role: number, units: ArrayLike<number>): void {
    const taken = this.taken[role]!;
    for (let line = 0; line < taken.length; line++)
      if (taken[line] !== units[line]) this.add(role, line, units[line]! - taken[line]!);
  }

  unitsOf(roles: readonly number[]): number {
    let units = 0;
    for (const role of roles) {
      const taken = this.taken[role]!;
      for (let line = 0; line < taken.length; line++) units += taken[line]!;
    }
    return units;
  }

  /** Equal for equal choices of a component and for no others: all that is taken, role by role. */
  get key(): string {
    let key = '';
    for (let role = 0; role < this.taken.length; role++) {
      const taken = this.taken[role]!;
      for (let line = 0; line < taken.length; line++) if (taken[line] !== 0) key += `${role}.${line}.${taken[line]} `;
    }
    return key;
  }
}
