import type { BasketRequest } from '@loyalty/contract/basket-request';
import { limitedUses } from '@loyalty/engine/offers/limits';
import { priceBasket } from '@loyalty/engine/price';
import type { LimitedUse, Member, Venue } from '@loyalty/engine/types';
import { below } from '../../../../src/programme/configuration-error.ts';
import type { Environment } from '../../../../src/programme/environment.ts';
import { loadEnvironmentFrom } from '../../../../src/programme/load.ts';
import { createMemberCheck, isOfEndedBenefit } from '../../../../src/programme/member-check.ts';
import { readEnvironmentSource } from '../../../../src/programme/source.ts';
import { assertInputFile } from './input-file.ts';
import { type BasketFile, readBasketFile } from './price-basket.ts';
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
  assertInputFile(file);
  const read = readBasketFile(file, environment.venues, values.member);
  const { basket, filledIn, ignored } = read;
  if (ignored.length > 0) process.stderr.write(`price: ignored, because no basket has these: ${ignored.join(', ')}\n`);
  if (filledIn.length > 0) process.stderr.write(`price: filled in: ${filledIn.join(', ')}\n`);
  const venue = findVenue(environment, basket);
  const loyaltyId = values.member ?? basket.loyaltyId;
  const member = findMember(environment, venue, loyaltyId, describedMember(file, read, values));
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

/** A member that is in no file. */
interface DescribedMember {
  readonly fields: Readonly<Record<string, unknown>>;
  /** Where a field of it is described, for people. */
  place(path: string): string;
}

/** The member of the options, or of the basket's file, or anybody where it names none; undefined for one of the files. */
function describedMember(
  file: string,
  { filledIn, member }: BasketFile,
  values: PriceArguments,
): DescribedMember | undefined {
  const { tier, grant: grants, status } = values;
  if (tier !== undefined || grants !== undefined || status !== undefined) {
    const named = Object.entries({ status, tier, grants }).filter(([, value]) => value !== undefined);
    const place = (path: string) => (path.startsWith('grants') ? '--grant' : `--${path}`);
    return { fields: Object.fromEntries(named), place };
  }
  const place = (path: string) => `${file}: ${below('member', path)}`;
  if (member) return { fields: member, place };
  return filledIn.includes('loyaltyId') && values.member === undefined ? { fields: {}, place } : undefined;
}

function findVenue(environment: Environment, { context, currency }: BasketRequest): Venue {
  const venue = environment.findVenue(context.venueId, context.baxId);
  if (!venue) throw new Error(`the configuration has no venue ${context.venueId} with terminal setup ${context.baxId}`);
  if (!venue.currencies.includes(currency)) {
    throw new Error(`venue ${venue.venueId} does not take ${currency}, only ${venue.currencies.join(', ')}`);
  }
  return venue;
}

/** What a basket's file may say of a member; who it is, is the basket's. */
const MEMBER_FIELDS: readonly string[] = ['status', 'tier', 'memberLabel', 'grants'];

/** A member of the files, or the one that is described instead. */
function findMember(
  { members, programmes }: Environment,
  venue: Venue,
  loyaltyId: string,
  described: DescribedMember | undefined,
): Member | undefined {
  const { programmeId } = venue.programme;
  if (!described) return members.find((member) => member.programmeId === programmeId && member.loyaltyId === loyaltyId);
  const { fields, place } = described;
  const foreign = Object.keys(fields).find((name) => !MEMBER_FIELDS.includes(name));
  if (foreign !== undefined)
    throw new Error(
      `${place('')}: found the unknown field ${JSON.stringify(foreign)}, allowed: ${MEMBER_FIELDS.join(', ')}`,
    );
  const member = { programmeId, loyaltyId, status: 'active', grants: [], ...fields };
  const check = createMemberCheck(programmes);
  const ended = new Set<string>();
  let fault = check(member, ended);
  while (fault?.unknown && isOfEndedBenefit(fault)) {
    const { name } = fault.unknown;
    process.stderr.write(`price: warning: the configuration has no benefit ${name}: its grant gives nothing\n`);
    ended.add(name);
    fault = check(member, ended);
  }
  if (!fault) return member as Member;
  throw new Error(`${place(fault.path)}: found ${fault.found}, allowed: ${fault.allowed}`);
}

/**
 * What is left of every limit in units, or in minor units of money: all of it, except where one of `texts` says `name=n`. The name
 * is that of a benefit (all its limits), of a shared limit, of a grant (`benefitId/grantId`), or of one limit as its counter is
 * called: `coffee#items`, `coffee$NOK`, `coffee~programme`, with or without the period behind a colon. Throws for any other text.
 */
export function availableUnits(uses: readonly LimitedUse[], texts: readonly string[]): Map<string, number> {
  const available = new Map(uses.map(({ usageKey, limit }) => [usageKey, limit]));
  for (const text of texts) {
    const [, name = '', units] = /^(.+)=(\d+)$/.exec(text) ?? [];
    const meant = uses.filter((use) => namesOf(use).includes(name));
    if (units === undefined || meant.length === 0) {
      const known = [...new Set(uses.map((use) => namesOf(use)[0]))].join(', ') || 'none';
      throw new Error(`--left ${text}: benefitId=n is expected, with one of the limited benefits (${known})`);
    }
    for (const { usageKey, limit } of meant) available.set(usageKey, Math.min(Number(units), limit));
  }
  return available;
}

/** The names of a counter (packages/engine/src/offers/limits.ts), the shortest one first. */
function namesOf({ usageKey, benefitId }: LimitedUse): string[] {
  const counter = usageKey.slice(0, usageKey.lastIndexOf(':'));
  // A voucher has its own counter beside the limits of its benefit.
  if (counter.includes('/')) return [counter, usageKey];
  const owner = counter.replace(/[#$~].*$/, '').replace(/^@/, '');
  return [owner, benefitId, counter, usageKey];
}
