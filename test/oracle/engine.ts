/** The engine under test, asked the way the service asks it: through the configuration file's text and its public call. */
import { limitedUses, priceBasket } from '../../src/pricing/price.ts';
import type { Decision } from '../../src/pricing/types.ts';
import { loadEnvironment } from '../../src/programme/load.ts';
import type { OracleCase } from './types.ts';

/** High enough that the engine never has to give its exact search up on a case of this size. */
const ENOUGH_STEPS = 5_000_000;

/** Prices the case with the engine. JSON is YAML, so the definition goes through the loader as an operator's would. */
export function priceWithEngine({ programme, products, grants, tier, basket, available }: OracleCase): Decision {
  const { venueId, baxId } = basket.context;
  const file = {
    environment: 'staging',
    venues: [
      {
        venueId,
        terminalSetups: [baxId],
        currencies: [basket.currency],
        timeZone: 'Europe/Oslo',
        programmeId: programme.programmeId,
        products,
      },
    ],
    programmes: [programme],
    members: [{ programmeId: programme.programmeId, loyaltyId: basket.loyaltyId, status: 'active', grants, tier }],
  };
  const environment = loadEnvironment(JSON.stringify(file), 'oracle case');
  const venue = environment.venues[0]!;
  const left = new Map(
    limitedUses(venue, basket.requestedAt, environment.members[0]).map(({ usageKey }) => [
      usageKey,
      available[usageKey.slice(0, usageKey.lastIndexOf(':'))] ?? 0,
    ]),
  );
  return priceBasket({
    basket,
    member: environment.members[0]!,
    venue,
    available: left,
    maximumSteps: ENOUGH_STEPS,
    trace: true,
  });
}
