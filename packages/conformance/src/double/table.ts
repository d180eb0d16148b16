import { BODY_TABLE } from './body-table.ts';
import type { Misbehaviour } from './misbehaviour.ts';
import { SALE_TABLE } from './sale-table.ts';
import { WIRE_TABLE } from './wire-table.ts';

/** Every misbehaviour by its code: what the double does, and what a caller must do about it. */
export const MISBEHAVIOURS: Readonly<Record<string, Misbehaviour>> = { ...BODY_TABLE, ...WIRE_TABLE, ...SALE_TABLE };

/** A caller selects a misbehaviour by this header, or by a loyalty ID of this prefix and the code. */
export const MISBEHAVE_HEADER = 'X-Misbehave';
export const LOYALTY_ID_PREFIX = 'misbehave-';

/** The misbehaviour of this code, undefined when there is none. */
export function misbehaviourOf(code: string): Misbehaviour | undefined {
  return Object.hasOwn(MISBEHAVIOURS, code) ? MISBEHAVIOURS[code] : undefined;
}

/** The code that a loyalty ID names, known or unknown; undefined for an ordinary ID. */
export function codeOfLoyaltyId(loyaltyId: string): string | undefined {
  return loyaltyId.startsWith(LOYALTY_ID_PREFIX) ? loyaltyId.slice(LOYALTY_ID_PREFIX.length) : undefined;
}
