/** What the store does where nobody reads baskets: an event tells what the record itself has, and completed sales are not counted. */
import { type DescribeBasket, NOBODY } from '../../src/store/calculation-events.ts';
import { eraseMember } from '../../src/store/erasure.ts';
import { sweepExpired } from '../../src/store/expiry.ts';
import type { MemberToken } from '../../src/store/keys.ts';
import type { Store } from '../../src/store/store.ts';

export const describeNothing: DescribeBasket = async ({ given }) => ({
  funders: NOBODY,
  asked: () => ({ benefits: [] }),
  answered: () => ({ benefits: [...(given?.benefits ?? [])] }),
  sent: () => ({ benefits: [] }),
});

/** A pass of the expiry job. */
export const sweepOnce = (store: Store) => sweepExpired(store, describeNothing, () => undefined);

/** Erases a member. */
export const erase = async (store: Store, member: MemberToken) =>
  (await eraseMember(store, member, describeNothing, async () => undefined)).erased;
