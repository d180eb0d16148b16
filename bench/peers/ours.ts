import { compileProgramme } from '../../src/pricing/compile/compile.ts';
import { type Member, priceBasket, type Venue } from '../../src/pricing/price.ts';
import type { Peer, PeerCase } from './cases.ts';

const NOTHING_HELD: ReadonlyMap<string, number> = new Map();

/** Our engine as the service calls it: with the search for the best combination, and the whole answer rendered. */
export function ourEngine({ rules, baskets }: PeerCase): Peer {
  const member: Member = { programmeId: 'peers', loyaltyId: 'member', status: 'active', grants: [] };
  const venue: Venue = {
    venueId: 'bench-venue',
    terminalSetups: ['500123'],
    currencies: ['NOK'],
    timeZone: 'Europe/Oslo',
    products: new Map(),
    programme: compileProgramme({
      programmeId: 'peers',
      benefits: rules.map(({ productGroupId, percent }) => ({
        benefitId: `percent-${productGroupId}`,
        kind: 'line_percent',
        percent,
        appliesTo: { productGroupIds: [productGroupId] },
      })),
    }),
  };
  return {
    name: 'ours',
    about: 'one line_percent benefit per group; the basket is answered whole',
    price: (at) => {
      const basket = baskets[at]!;
      const decision = priceBasket({ basket, member, venue, available: NOTHING_HELD });
      if (decision.status === 'unchanged') return basket.lines.map(() => 0);
      return decision.lines.map(({ lineDiscountAmount }) => lineDiscountAmount);
    },
  };
}
