import { amountsOf } from '@loyalty/engine/compile/amounts';
import { decimalsOf } from '@loyalty/engine/trace/wording';
import type { DecimalsAt } from './check.ts';
import type { CombinedFile } from './combined-file.ts';
import type { Fault } from './configuration-error.ts';
import { pointWords } from './number-words.ts';
import type { EnvironmentFile } from './schema.ts';
import { benefitsOf } from './written-benefit.ts';

/** Amounts as the file writes them: `25.00` is the number 25, which would sell for 0.25. */

const CURRENCY = /^[A-Z]{3}$/;
const USUAL_DECIMALS = 2;

/** Tells the decimals of amounts in a file that may have faults: those of the map's key, of the venue, or of the programme's venues. */
export function decimalsIn(file: unknown): DecimalsAt {
  const { venues, programmes } = (file ?? {}) as Partial<EnvironmentFile>;
  const known = Array.isArray(venues) ? venues : [];
  return (path) => {
    const [, list, index] = /^(venues|programmes)\[(\d+)\]/.exec(path) ?? [];
    const programmeId = list === 'programmes' ? programmes?.[Number(index)]?.programmeId : undefined;
    const venue = list === 'venues' ? known[Number(index)] : known.find((own) => own?.programmeId === programmeId);
    const currency = [path.slice(path.lastIndexOf('.') + 1), venue?.currencies?.[0]].find((text) =>
      CURRENCY.test(text!),
    );
    return currency === undefined ? USUAL_DECIMALS : decimalsOf(currency);
  };
}

/** Finds the amounts with a point. Entries with other faults are null. */
export function* findPointedAmounts(
  { venues, programmes }: EnvironmentFile,
  { writtenAt }: CombinedFile,
  decimalsAt: DecimalsAt,
): Generator<Fault> {
  for (const [amount, path] of writtenAmounts(venues, programmes)) {
    const written = writtenAt(path);
    if (!written?.includes('.')) continue;
    const allowed = `a whole number of minor units; ${pointWords(amount, decimalsAt(path))}`;
    yield { path, found: written, allowed };
  }
}

/** Every amount of the file with its path. */
function* writtenAmounts(
  venues: EnvironmentFile['venues'],
  programmes: EnvironmentFile['programmes'],
): Generator<[number, string]> {
  for (const [v, venue] of venues.entries()) {
    for (const [p, { unitPrice }] of (venue?.products ?? []).entries()) {
      yield [unitPrice, `venues[${v}].products[${p}].unitPrice`];
    }
  }
  for (const [p, programme] of programmes.entries()) {
    for (const [b, benefit] of benefitsOf(programme)) {
      for (const [field, amount] of amountsOf(benefit)) {
        const path = `programmes[${p}].benefits[${b}].${field}`;
        if (typeof amount === 'number') yield [amount, path];
        else for (const [currency, own] of Object.entries(amount)) yield [own, `${path}.${currency}`];
      }
    }
  }
}
