import type { BenefitDefinition } from '@loyalty/engine/definition';
import { endedBenefits } from '../member-check.ts';
import { nearestName } from '../nearest-name.ts';
import type { WrittenBenefit } from '../written-benefit.ts';
import { type Around, amountIn, isReward, type KnownMember, ofBenefit, type Said } from './advice.ts';

/** Advice about grants and vouchers. */

type Grant = NonNullable<KnownMember['grants']>[number];

const benefitOf = (grant: Grant): string => (typeof grant === 'string' ? grant : grant.benefitId);

/** A reward such as the tenth coffee of a stamp card is granted later, one by one, by whoever counts the stamps. */
export const ungranted = ofBenefit('audience', (benefit, { members, today }) => {
  if (benefit.audience !== 'granted' || members.length === 0 || isReward(benefit)) return undefined;
  const isOver = (grant: Grant) => typeof grant !== 'string' && grant.to !== undefined && grant.to < today;
  const isGood = (grant: Grant) => benefitOf(grant) === benefit.benefitId && !isOver(grant);
  if (members.some(({ grants = [] }) => grants.some(isGood))) return undefined;
  return 'nobody can get it: no known member has a grant of it';
});

/** Grants of a benefit that everybody has anyway. */
export function* needlessGrants(
  { benefit: { audience, benefitId } }: WrittenBenefit,
  { members }: Around,
): Generator<Said> {
  const isHolder = ({ grants = [] }: KnownMember) => grants.some((grant) => benefitOf(grant) === benefitId);
  const holders = audience === 'granted' ? 0 : members.filter(isHolder).length;
  if (holders === 0) return;
  const who = holders === 1 ? 'one member has a grant' : `${holders} members have grants`;
  const advice = 'with audience: granted only holders of a grant get it';
  yield [audience === undefined ? '' : 'audience', `${who} of it, and everybody has it without one: ${advice}`];
}

/**
 * Grants whose benefit the programme does not have. The campaign ended, which is no error: the grants are kept and
 * give nothing. A name that was misspelt looks the same.
 */
export function* endedGrants({ programme: { programmeId }, benefits, members }: Around): Generator<Said> {
  const known = benefits.map(([, { benefitId }]) => benefitId);
  const grantable = new Map([[programmeId, new Set(known)]]);
  const ended = members.flatMap(({ grants = [] }) => endedBenefits(programmeId, grants, grantable));
  for (const [benefitId, { length: count }] of Map.groupBy(ended, (name) => name)) {
    const who = count === 1 ? '1 member holds' : `${count} members hold`;
    const nearest = nearestName(benefitId, known);
    const meant = nearest === undefined ? '' : `; if it is misspelt, ${nearest} may be meant`;
    const why = 'its campaign has ended, and the grant is kept without effect';
    yield ['benefits', `${who} a grant of ${benefitId}, which the programme does not have: ${why}${meant}`];
  }
}

type Voucher = Extract<BenefitDefinition, { kind: 'order_amount' }>;

function isVoucher(benefit: BenefitDefinition): benefit is Voucher {
  return benefit.kind === 'order_amount' && benefit.audience === 'granted' && benefit.perSpend === undefined;
}

/** Vouchers of which a guest may use two on a basket that costs less than both together: it becomes free. */
export const voucherSum = ofBenefit('amount', (benefit, { programme, enabled }, { currencies }) => {
  if (!isVoucher(benefit)) return undefined;
  const before = enabled.slice(
    0,
    enabled.findIndex(([, own]) => own.benefit === benefit),
  );
  for (const currency of currencies) {
    for (const [, { benefit: other }] of before) {
      if (!isVoucher(other) || excludeEachOther(benefit, other, programme)) continue;
      const both = [benefit, other].map((own) => ({
        amount: amountIn(own.amount, currency),
        spend: amountIn(own.minimumSpend, currency) ?? 0,
        saving: amountIn(own.minimumSaving, currency) ?? 0,
      }));
      if (both.every(({ amount = 0, saving }) => saving >= amount)) continue;
      const sum = both.reduce((total, { amount }) => total + (amount ?? Number.NaN), 0);
      const spend = Math.max(...both.map((own) => own.spend));
      if (!(sum > spend)) continue;
      return `with ${other.benefitId} it takes ${sum} in ${currency} off baskets from ${spend} on, which may become free: minimumSaving keeps a voucher for a basket on which all of it counts, and a group with atMost: 1 takes one`;
    }
  }
  return undefined;
});

function excludeEachOther(one: Voucher, other: Voucher, { groups = {} }: Around['programme']): boolean {
  if (one.exclusive || other.exclusive) return true;
  if (one.group === undefined || one.group !== other.group) return false;
  return (groups as Readonly<Record<string, { readonly atMost: number }>>)[one.group]?.atMost === 1;
}
