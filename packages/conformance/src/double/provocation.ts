import type { BasketRequest } from '@loyalty/contract/basket-request';
import { basket } from '../vectors/requests.ts';
import { type ConnectionAct, type Misbehaviour, Needs } from './misbehaviour.ts';
import { LOYALTY_ID_PREFIX } from './table.ts';

/** How a misbehaviour is brought about, in words that a tester can follow. */

/**
 * Control paths alongside those of the interface: the table, the misbehaviour of the next request, what reached the double,
 * and the verdict on it.
 */
export const CONTROL = {
  table: '/double/misbehaviours',
  next: '/double/next',
  seen: '/double/seen',
  verdict: '/double/verdict',
} as const;

/** A basket in which nothing can be spoiled: a misbehaviour that needs more says so. */
const BARE = basket('00000000-0000-4000-8000-000000000000', [
  { unitPrice: 0, noDiscount: true, noPercentageDiscount: true },
]) as unknown as BasketRequest;

/** One sentence: the step that provokes the misbehaviour, and what the basket must have for it. */
export function provocationOf(code: string, { act, endpoint }: Misbehaviour): string {
  const call = `a basket with the loyalty ID ${LOYALTY_ID_PREFIX}${code}`;
  if (act.kind === 'connection')
    return `before the call: curl -d ${code} <base URL>${CONTROL.next}; then send ${call}${addressFor(act)}`;
  if (endpoint === 'sale') return `report the sale of ${call}`;
  const needs = act.kind === 'body' ? needsOf(act.spoil) : undefined;
  return `send ${call}${needs === undefined ? '' : `; it needs ${needs}`}`;
}

function addressFor({ how }: ConnectionAct): string {
  return how === 'cut-handshake' || how === 'untrusted'
    ? ' to the https address of the same port, and report its sale by http'
    : '';
}

function needsOf(spoil: (request: BasketRequest) => unknown): string | undefined {
  try {
    spoil(structuredClone(BARE));
    return undefined;
  } catch (error) {
    if (error instanceof Needs) return error.message;
    throw error;
  }
}
