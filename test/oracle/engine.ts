/** The engine under test, asked through its public call. */
import { limitedUses } from '@loyalty/engine/offers/limits';
import { priceBasket } from '@loyalty/engine/price';
import type { Decision, Member, Venue } from '@loyalty/engine/types';
import { buildMember, buildVenue } from '../../packages/engine/test/support/programme.ts';
import { loadEnvironment } from '../../src/programme/load.ts';
import type { OracleCase } from './types.ts';

/** High enough that the engine never has to give its exact search up on a case of this size. */
const ENOUGH_STEPS = 5_000_000;

/** The configuration file of a case, as an operator would write it. JSON is YAML. */
function configurationTextOf({ programme, products, grants, tier, basket }: OracleCase): string {
  const { venueId, baxId } = basket.context;
  const venue = {
    venueId,
    terminalSetups: [baxId],
    currencies: [basket.currency],
    timeZone: 'Europe/Oslo',
    programmeId: programme.programmeId,
    products,
  };
  const member = { programmeId: programme.programmeId, loyaltyId: basket.loyaltyId, status: 'active', grants, tier };
  return JSON.stringify({ environment: 'staging', venues: [venue], programmes: [programme], members: [member] });
}

/** Prices the case with the engine. */
export function priceWithEngine(oracleCase: OracleCase): Decision {
  const { programme, products, grants, tier, basket } = oracleCase;
  const { programmeId } = programme;
  const venue = buildVenue([...programme.benefits], programme, [...products]);
  const member = buildMember({ programmeId, loyaltyId: basket.loyaltyId, grants, ...(tier !== undefined && { tier }) });
  return priceIn(oracleCase, venue, member);
}

/** The same through the text of the configuration file, as the service does it. Reading it takes most of the time. */
export function priceAsConfigured(oracleCase: OracleCase): Decision {
  const { venues, members } = loadEnvironment(configurationTextOf(oracleCase), 'oracle case');
  return priceIn(oracleCase, venues[0]!, members[0]!);
}

function priceIn({ basket, available }: OracleCase, venue: Venue, member: Member): Decision {
  const left = new Map(
    limitedUses(venue, basket.requestedAt, member).map(({ usageKey }) => [
      usageKey,
      available[usageKey.slice(0, usageKey.lastIndexOf(':')).replace('#items', '')] ?? 0,
    ]),
  );
  return priceBasket({ basket, member, venue, available: left, maximumSteps: ENOUGH_STEPS, trace: true });
}
