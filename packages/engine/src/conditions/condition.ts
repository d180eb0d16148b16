import type { BasketRequest } from '@loyalty/contract/basket-request';
import type { TSchema } from '@loyalty/contract/schema-type';

/** What decides about a condition. */
export interface Circumstances {
  readonly basket: Pick<BasketRequest, 'context'>;
  readonly member: {
    readonly programmeId: string;
    readonly loyaltyId: string;
    readonly tier?: string;
    /** The member's part under each salt, where the loyalty ID is a pseudonym (share.ts). */
    readonly shareParts?: Readonly<Record<string, number>>;
  };
  readonly venue: { readonly venueId: string };
}

/** For people: the smallest change that would open a benefit, and what is true of the basket. */
interface ConditionWords {
  readonly change?: string;
  readonly explanation: string;
}

/** A condition of a window: a field of `when` that says whom or where it is open for. It is one file and one line of the register. */
export interface Condition<Written, Compiled = Written> {
  readonly schema: TSchema;
  /** Its name in a comparison of two files, and whom the benefit is for without it, for people. */
  readonly label: string;
  readonly unrestricted: string;
  /** Why a benefit does not apply that it closes. */
  readonly reason: `other_${string}`;
  /** Undefined for what restricts nothing, as an empty list. */
  compile(written: Written): Compiled | undefined;
  isMet(own: Compiled, circumstances: Circumstances): boolean;
  /** About a benefit that this closes in each of its windows. */
  words(closing: readonly Compiled[], circumstances: Circumstances): ConditionWords;
}

/** The compiled form of a list of names. */
export function compileNames(names: readonly string[]): ReadonlySet<string> | undefined {
  return names.length > 0 ? new Set(names) : undefined;
}

/** `gold or silver`: every name in the lists. */
export function anyOf(lists: readonly ReadonlySet<string>[]): string {
  return [...new Set(lists.flatMap((names) => [...names]))].join(' or ');
}
