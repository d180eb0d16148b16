import type { BasketRequest } from '@loyalty/contract/basket-request';
import { limitedUses } from '@loyalty/engine/offers/limits';
import { priceBasket } from '@loyalty/engine/price';
import type { Member, Venue } from '@loyalty/engine/types';
import type { Environment } from '../../../../src/programme/environment.ts';
import { loadEnvironmentFrom } from '../../../../src/programme/load.ts';
import { createMemberCheck, isOfEndedBenefit } from '../../../../src/programme/member-check.ts';
import { readEnvironmentSource } from '../../../../src/programme/source.ts';
import { type BasketFile, readBasketFile } from './price-basket.ts';
import { availableUnits } from './price-left.ts';
import { renderExplanation, renderPricing } from './price-tables.ts';

/**
 * `price basket.json`: prices a basket without a service. There is no Redis clock to compare with, so its time is
 * accepted unless `--clock-off` is given.
 */

/** The arguments as the command line passes them. */
export interface PriceArguments {
  readonly config: string;
  readonly member?: string;
  /** These describe a member that is in no file. */
  readonly tier?: string;
  readonly grant?: readonly string[];
  readonly status?: string;
  /** `benefitId=n`, of one of its limits or of a grant as in `availableUnits`, repeatable. */
  readonly left?: readonly string[];
  readonly clockOff?: boolean;
  readonly explain?: boolean;
  /** Prints the decision as JSON. */
  readonly json?: boolean;
}

/** Returns 0 when the basket was priced, with or without a benefit, and 1 when the member is unknown. */
export function price(file: string, values: PriceArguments): number {
  const environment = loadEnvironmentFrom(readEnvironmentSource(values.config));
  const read = readBasketFile(file, environment.venues, values.member);
  const { basket, filledIn, ignored } = read;
  if (ignored.length > 0) process.stderr.write(`price: ignored, because no basket has these: ${ignored.join(', ')}\n`);
  if (filledIn.length > 0) process.stderr.write(`price: filled in: ${filledIn.join(', ')}\n`);
  const venue = findVenue(environment, basket);
  const loyaltyId = values.member ?? basket.loyaltyId;
  const member = findMember(environment, venue, loyaltyId, describedMember(read, values));
  if (!member) {
    process.stdout.write(values.json ? '{"status":"member_not_found"}\n' : 'member_not_found\n');
    process.stderr.write(
      `price: no member ${loyaltyId} is in the files: describe one with --status active, --tier or --grant\n`,
    );
    return 1;
  }
  const left = [...Object.entries(read.left).map(([name, units]) => `${name}=${units}`), ...(values.left ?? [])];
  const available = availableUnits(limitedUses(venue, basket.requestedAt, member), left);
  const isClockOff = values.clockOff ?? false;
  const decision = priceBasket({ basket, member, venue, available, isClockOff, trace: values.explain ?? false });
  if (values.json) {
    process.stdout.write(`${JSON.stringify({ filledIn, basket, decision }, null, 2)}\n`);
    return 0;
  }
  process.stdout.write(renderPricing(basket, decision));
  if (decision.trace) process.stdout.write(`\n${renderExplanation(decision.trace, basket.currency)}`);
  return 0;
}

type DescribedMember = Pick<PriceArguments, 'tier' | 'grant' | 'status'>;

/** A member that is in no file: that of the options, that of the basket's file, or anybody where it names none. */
function describedMember({ basket, filledIn, member }: BasketFile, values: PriceArguments): DescribedMember {
  const { tier, grant, status } = values;
  const isOptional = tier === undefined && grant === undefined && status === undefined;
  if (!isOptional) return { ...(tier && { tier }), ...(grant && { grant }), ...(status && { status }) };
  if (member) {
    const written = member as { readonly tier?: string; readonly grants?: readonly string[]; readonly status?: string };
    const grants = written.grants === undefined ? {} : { grant: written.grants };
    return { status: written.status ?? 'active', ...(written.tier !== undefined && { tier: written.tier }), ...grants };
  }
  return filledIn.includes('loyaltyId') && values.member === undefined && basket.loyaltyId === 'made-up'
    ? { status: 'active' }
    : {};
}

function findVenue(environment: Environment, { context, currency }: BasketRequest): Venue {
  const venue = environment.findVenue(context.venueId, context.baxId);
  if (!venue) throw new Error(`the configuration has no venue ${context.venueId} with terminal setup ${context.baxId}`);
  if (!venue.currencies.includes(currency)) {
    throw new Error(`venue ${venue.venueId} does not take ${currency}, only ${venue.currencies.join(', ')}`);
  }
  return venue;
}

/** A member of the files, or the one that the options describe instead. */
function findMember(
  { members, programmes }: Environment,
  venue: Venue,
  loyaltyId: string,
  { tier, grant, status }: DescribedMember,
): Member | undefined {
  const { programmeId } = venue.programme;
  if (tier === undefined && grant === undefined && status === undefined) {
    return members.find((member) => member.programmeId === programmeId && member.loyaltyId === loyaltyId);
  }
  const described = {
    ...{ programmeId, loyaltyId, status: status ?? 'active', grants: [...(grant ?? [])] },
    ...(tier !== undefined && { tier }),
  };
  const check = createMemberCheck(programmes);
  const ended = new Set<string>();
  let fault = check(described, ended);
  while (fault?.unknown && isOfEndedBenefit(fault)) {
    const { name } = fault.unknown;
    process.stderr.write(`price: warning: the configuration has no benefit ${name}: its grant gives nothing\n`);
    ended.add(name);
    fault = check(described, ended);
  }
  if (!fault) return described as Member;
  const option = fault.path.startsWith('grants') ? '--grant' : `--${fault.path}`;
  throw new Error(`${option}: found ${fault.found}, allowed: ${fault.allowed}`);
}
