import type { TSchema } from '@loyalty/contract/schema-type';
import type { Situation } from '../offers/conditions.ts';
import type { TracedBenefit } from '../types.ts';

/** A condition of a window: a field of `when` that says whom or where it is open for. It is one file and one line of the register. */
export interface Condition<Written, Reason extends string = string, Compiled = Written> {
  readonly schema: TSchema;
  /** Its name in a comparison of two files, and whom the benefit is for without it, for people. */
  readonly label: string;
  readonly unrestricted: string;
  /** Why a benefit does not apply that it closes. */
  readonly reason: Reason;
  /** Undefined for what restricts nothing, as an empty list. */
  compile(written: Written): Compiled | undefined;
  isMet(own: Compiled, situation: Situation): boolean;
  /** For people: the smallest change that would open a benefit which this closes in each of its windows, and what is true of the basket. */
  words(closing: readonly Compiled[], situation: Situation): Pick<TracedBenefit, 'change' | 'explanation'>;
}

/** The compiled form of a list of names. */
export function compileNames(names: readonly string[]): ReadonlySet<string> | undefined {
  return names.length > 0 ? new Set(names) : undefined;
}

/** `gold or silver`: every name in the lists. */
export function anyOf(lists: readonly ReadonlySet<string>[]): string {
  return [...new Set(lists.flatMap((names) => [...names]))].join(' or ');
}
