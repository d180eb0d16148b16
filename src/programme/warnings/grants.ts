import type { BenefitDefinition } from '@loyalty/engine/definition';
import { nearestName } from '../nearest-name.ts';
import type { WrittenBenefit } from '../written-benefit.ts';
import { type Around, amountIn, isReward, type KnownMember, type Said } from './advice.ts';

/** Advice about grants and vouchers. */

type Grant = NonNullable<KnownMember['grants']>[number];

const benefitOf = (grant: Grant): string => (typeof grant === 'string' ? grant : grant.benefitId);

/** A benefit for holders of a grant that nobody holds, and grants of a benefit that everybody has anyway. */
export function* holders({ benefit }: WrittenBenefit, { members, today }: Around): Generator<Said> {
  const { audience, benefitId } = benefit;
  const isOver = (grant: Grant) => typeof grant !== 'string' && grant.to !== undefined && grant.to < today;
  const own = members.map(({ grants = [] }) => grants.filter((grant) => benefitOf(grant) === benefitId));
  if (audience === 'granted') {
    // A reward such as the tenth coffee of a stamp card is granted later, one by one, by whoever counts the stamps.
    if (members.length === 0 || isReward(benefit)) return;
    if (own.flat().every(isOver)) yield ['audience', 'nobody can get it: no known member has a grant of it'];
    return;
  }
  const count = own.filter(({ length }) => length > 0).length;
  if (count === 0) return;
  const who = count === 1 ? 'one member has a grant' : `${count} members have grants`;
  const advice = 'with audience: granted only holders of a grant get it';
  yield [audience === undefined ? '' : 'audience', `${who} of it, and everybody has it without one: ${advice}`];
}

/**
 * Grants whose benefit the programme does not have. The campaign ended, which is no error: the grants are kept and
 * give nothing. A name that was misspelt looks the same.
 */
export function* endedGrants({ benefits, members }: Around): Generator<Said> {
  const known = benefits.map(([, { benefitId }]) => benefitId);
  const granted = members.flatMap(({ grants = [] }) => [...new Set(grants.map(benefitOf))]);
  for (const [benefitId, { length: count }] of Map.groupBy(granted, (name) => name)) {
    if (known.includes(benefitId)) continue;
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

/** Vouchers of which a guest may use two on a basket that costs less than both together: it becomes free. Told of the later one. */
export function* voucherSum({ benefit, currencies }: WrittenBenefit, around: Around): Generator<Said> {
  if (!isVoucher(benefit)) return;
  for (const currency of currencies) {
    for (const [, { benefit: other }] of around.enabled) {
      if (other === benefit) break;
      if (!isVoucher(other) || excludeEachOther(benefit, other, around)) continue;
      const both = [benefit, other].map((own) => ({
        amount: amountIn(own.amount, currency) ?? Number.NaN,
        spend: amountIn(own.minimumSpend, currency) ?? 0,
        saving: amountIn(own.minimumSaving, currency) ?? 0,
      }));
      const sum = both.reduce((total, { amount }) => total + amount, 0);
      const spend = Math.max(...both.map((own) => own.spend));
      // Each that is not spent on less than its amount leaves nothing to the other.
      if (!(sum > spend) || both.every(({ amount, saving }) => saving >= amount)) continue;
      const advice =
        'minimumSaving keeps a voucher for a basket on which all of it counts, and a group with atMost: 1 takes one';
      yield [
        'amount',
        `with ${other.benefitId} it takes ${sum} in ${currency} off baskets from ${spend} on, which may become free: ${advice}`,
      ];
      return;
    }
  }
}

function excludeEachOther(one: Voucher, other: Voucher, { programme: { groups = {} } }: Around): boolean {
  if (one.exclusive || other.exclusive) return true;
  const inGroup = one.group !== undefined && one.group === other.group;
  return inGroup && (groups as Readonly<Record<string, { readonly atMost: number }>>)[one.group]?.atMost === 1;
}
