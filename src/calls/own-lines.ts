import { unsealed } from '../contract/byte-text.ts';
import { findAnswerBytes } from '../store/calculations.ts';
import type { MemberToken } from '../store/keys.ts';
import type { Store } from '../store/store.ts';
import type { ReadCall } from './read-call.ts';
import { readStoredContent } from './stored/stored-answer.ts';

/**
 * Counts the lines of a superseding basket whose existing discount is an amount that its predecessor gave: a till that builds
 * its changed basket from the answered lines sends our discounts back as the staff's. They are only counted, because a staff
 * discount may be equal. The stored answer has no line IDs, so amounts are compared, each once. A basket that supersedes
 * nothing, or has no existing line discount, costs nothing here; a failure counts none.
 */
export async function countOwnLines(store: Store, member: MemberToken, { head, basket }: ReadCall): Promise<number> {
  const { supersedesCalculationId } = head;
  if (supersedesCalculationId === undefined) return 0;
  const existing = unsealed(basket)
    .lines.map((line) => line.existingLineDiscountAmount)
    .filter((amount) => amount > 0);
  if (existing.length === 0) return 0;
  const stored = await findAnswerBytes(store, supersedesCalculationId, member).catch(() => undefined);
  const content = stored && readStoredContent(stored);
  if (content?.status !== 'applied') return 0;
  const given = content.parts.flatMap(({ effect }) => effect?.amount ?? []);
  return existing.filter((amount) => {
    const at = given.indexOf(amount);
    if (at >= 0) given.splice(at, 1);
    return at >= 0;
  }).length;
}
