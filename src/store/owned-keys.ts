/**
 * The keys that belong to a member, and those that belong to a calculation, in the slot of its member. A key is declared here once, with
 * all that happens to it. Key names (keys.ts), a merge, a moved clock, an erasure, the copy for the member and the retention walk
 * these lists. A key that a script writes and that is not declared fails `test/store/owned-keys.test.ts`.
 */
export interface OwnedKeys {
  readonly calculation: Readonly<Record<string, CalculationKey>>;
  readonly member: Readonly<Record<string, MemberKey>>;
}

export type KeyKind = 'hash' | 'string' | 'sorted set';

interface OwnedKey {
  /** How it begins after the environment. */
  readonly prefix: string;
  readonly kind: KeyKind;
  /** In the copy for the member: as it stands, in words of its own (administration/member-copy.ts), or not at all, as it repeats what others say. */
  readonly copy: 'as it stands' | 'in words' | 'left out';
}

/** A merge moves it with its calculation, a moved clock makes it older, and an erasure removes it, whatever it is. */
export interface CalculationKey extends OwnedKey {
  /**
   * `as the record`: until the retention after the commit is over, and once it is sold for `soldMs`; a sale gives it that time.
   * `as an answer`: for the idempotency window.
   */
  readonly kept: 'as the record' | 'as an answer';
}

/** An erasure removes it, whatever it is. */
export interface MemberKey extends OwnedKey {
  /**
   * In a merge: `joined`: the other member gets what it does not have itself. `with the holds`: it goes over with the holds. `marked`: a step of
   * merge.ts has it over, and leaves a mark. `stays`.
   */
  readonly merge: 'joined' | 'with the holds' | 'marked' | 'stays';
  /** When the clock moves: `aged`: it ends sooner. `with the holds`: these end sooner in it. `stays`. */
  readonly clock: 'aged' | 'with the holds' | 'stays';
}

const CALCULATION_KEYS = {
  calculation: { prefix: 'calc', kind: 'hash', kept: 'as the record', copy: 'in words' },
  answer: { prefix: 'answer', kind: 'string', kept: 'as an answer', copy: 'left out' },
  returns: { prefix: 'returns', kind: 'hash', kept: 'as the record', copy: 'in words' },
} as const satisfies OwnedKeys['calculation'];

const MEMBER_KEYS = {
  member: { prefix: 'member', kind: 'hash', merge: 'marked', clock: 'stays', copy: 'in words' },
  use: { prefix: 'use', kind: 'hash', merge: 'marked', clock: 'stays', copy: 'in words' },
  hold: { prefix: 'hold', kind: 'hash', merge: 'with the holds', clock: 'with the holds', copy: 'in words' },
  held: { prefix: 'held', kind: 'hash', merge: 'with the holds', clock: 'with the holds', copy: 'left out' },
  holdsDue: {
    ...{ prefix: 'holds-due', kind: 'sorted set', merge: 'with the holds', clock: 'with the holds', copy: 'left out' },
  },
  /** What was given, used and taken of the member's counted grants, and when (vouchers.ts). */
  vouchers: { prefix: 'vouchers', kind: 'hash', merge: 'joined', clock: 'stays', copy: 'as it stands' },
  merged: { prefix: 'merged', kind: 'hash', merge: 'stays', clock: 'stays', copy: 'in words' },
} as const satisfies OwnedKeys['member'];

export const OWNED_KEYS = { calculation: CALCULATION_KEYS, member: MEMBER_KEYS } as const satisfies OwnedKeys;
