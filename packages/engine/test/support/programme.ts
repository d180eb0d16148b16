import { compileProgramme } from '../../src/compile/compile.ts';
import type { BenefitDefinition, ProgrammeDefinition } from '../../src/definition.ts';
import type { Member, Product, Venue } from '../../src/types.ts';

/** Builds a venue around benefits, as the configuration would. */
export function buildVenue(
  benefits: BenefitDefinition[],
  more: Partial<ProgrammeDefinition> = {},
  products: Product[] = [],
  language?: string,
): Venue {
  return {
    venueId: 'venue',
    terminalSetups: ['1'],
    currencies: ['NOK'],
    timeZone: 'Europe/Oslo',
    programme: compileProgramme({ programmeId: 'programme', benefits, ...more }, language),
    products: new Map(products.map((product) => [product.productId, product])),
  };
}

export function buildMember(more: Partial<Member> = {}): Member {
  return { programmeId: 'programme', loyaltyId: 'member', status: 'active', grants: [], ...more };
}
