import type { BenefitDefinition } from '@loyalty/engine/definition';
import { venuesOf } from '../benefit-relations.ts';
import { amountIn, type Surroundings, type Warning } from './surroundings.ts';

/** Warns of vouchers of which a guest may use two on a basket that costs less than both together: it becomes free. */
export function* findVoucherSums(benefit: BenefitDefinition, path: string, around: Surroundings): Generator<Warning> {
  const { benefits, venues } = around;
  if (!isVoucher(benefit)) return;
  const before = benefits.slice(
    0,
    benefits.findIndex(([, own]) => own === benefit),
  );
  for (const currency of new Set(venuesOf(benefit, venues).flatMap(({ currencies }) => currencies))) {
    for (const [, other] of before) {
      if (!isVoucher(other) || other.enabled === false || excludesEachOther(benefit, other, around)) continue;
      const both = [benefit, other].map((own) => ({
        amount: amountIn(own.amount, currency),
        spend: amountIn(own.minimumSpend, currency) ?? 0,
        saving: amountIn(own.minimumSaving, currency) ?? 0,
      }));
      if (both.every(({ amount = 0, saving }) => saving >= amount)) continue;
      const sum = both.reduce((total, { amount }) => total + (amount ?? Number.NaN), 0);
      const spend = Math.max(...both.map((own) => own.spend));
      if (!(sum > spend)) continue;
      const text = `with ${other.benefitId} it takes ${sum} in ${currency} off baskets from ${spend} on, which may become free: minimumSaving keeps a voucher for a basket on which all of it counts, and a group with atMost: 1 takes one`;
      yield { path: `${path}.amount`, text };
      return;
    }
  }
}

type Voucher = Extract<BenefitDefinition, { kind: 'order_amount' }>;

function isVoucher(benefit: BenefitDefinition): benefit is Voucher {
  return benefit.kind === 'order_amount' && benefit.audience === 'granted' && benefit.perSpend === undefined;
}

function excludesEachOther(one: Voucher, other: Voucher, { programme }: Surroundings): boolean {
  if (one.exclusive || other.exclusive) return true;
  if (one.group === undefined || one.group !== other.group) return false;
  const groups = programme.groups as Readonly<Record<string, { readonly atMost: number } | undefined>> | undefined;
  return groups?.[one.group]?.atMost === 1;
}
