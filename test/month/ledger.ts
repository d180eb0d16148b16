/**
 * A ledger of postings, and the costs as docs/accounting.md defines them, from nothing but these. The till's own books and a warehouse of
 * events both keep one, so that each can be compared with what the service says.
 */

export interface Given {
  readonly benefitId: string;
  readonly saved: number;
  readonly fundedBy: string;
}

/** Something that a day's costs contain. Money is in minor units. */
export interface Posting {
  readonly calculationId: string;
  readonly calculated: string;
  readonly booked: string;
  readonly venueId: string;
  readonly programmeId: string;
  readonly tier: string;
  readonly share: string;
  readonly currency: string;
  /** All benefits of the basket. */
  readonly benefits: readonly Given[];
  /** 1 of a sale, 0 of anything else. */
  readonly sold: 0 | 1;
  readonly turnover: number;
  readonly refunded: number;
  readonly conflicts: 0 | 1;
  /** What was lost and gained by this posting of each benefit; `isWhole` where nothing had been left of it, or nothing is left. */
  readonly lost: readonly Change[];
  readonly gained: readonly Change[];
  /** True of a sale that is in the turnover, of which a part comes back. */
  readonly wasSold: boolean;
  /** True where a decision takes a sale back: what was paid is undone with it. */
  readonly isUndone: boolean;
  /** Whether all benefits are lost by it, or all of them are new. */
  readonly losesAll: boolean;
  readonly gainsAll: boolean;
  /** What was paid for all that stays, where a return gains something. */
  readonly left: number;
}

/** A posting says what it changes of these. */
export const NO_CHANGE = {
  sold: 0,
  turnover: 0,
  refunded: 0,
  conflicts: 0,
  lost: [],
  gained: [],
  isUndone: false,
  losesAll: false,
  gainsAll: false,
  left: 0,
} as const;

export interface Change {
  readonly benefitId: string;
  readonly saved: number;
  readonly isWhole: boolean;
  readonly fundedBy: string;
}

export const DIMENSIONS = ['day', 'venue', 'benefit', 'fundedBy', 'tier', 'share'] as const;
export type Dimension = (typeof DIMENSIONS)[number];
export type Reading = 'calculation' | 'booking';

const FIGURES = [
  ...['soldBaskets', 'saved', 'turnover', 'allBaskets', 'allTurnover', 'allUndoneTurnover'],
  ...['undoneBaskets', 'undoneSaved', 'undoneTurnover', 'refunded', 'conflicts'],
] as const;
export type Row = Record<string, string | number>;

/** A row without the figures that are zero, and without those that are not compared here; none where nothing is left of it. */
export function shownRow(row: Readonly<Row>): Row[] {
  const figures = FIGURES.filter((name) => (row[name] ?? 0) !== 0).map((name) => [name, row[name]!] as const);
  const names = NAMES.filter((name) => row[name] !== undefined).map((name) => [name, row[name]!] as const);
  const isOfBenefits = row['benefitId'] !== undefined || row['fundedBy'] !== undefined;
  const isEmpty = figures.every(([name]) => isOfBenefits && name.startsWith('all'));
  return isEmpty ? [] : [Object.fromEntries([...names, ...figures])];
}

const NAMES = ['day', 'venueId', 'programmeId', 'benefitId', 'fundedBy', 'tier', 'share', 'currency'] as const;

/** The rows by these dimensions, as `GET /admin/costs` has them, without those in which nothing but all baskets stands. */
export function costsOf(postings: readonly Posting[], by: readonly Dimension[], on: Reading): Row[] {
  const rows = new Map<string, Row>();
  const whole = new Map<string, Row>();
  const hasBenefits = by.includes('benefit') || by.includes('fundedBy');
  for (const posting of postings) {
    const day = on === 'booking' ? posting.booked : posting.calculated;
    const namesOf = (benefit?: Pick<Given, 'benefitId' | 'fundedBy'>): Row => ({
      ...(by.includes('day') && { day }),
      ...(by.includes('venue') && { venueId: posting.venueId }),
      ...(by.includes('benefit') && { programmeId: posting.programmeId, benefitId: benefit?.benefitId ?? '' }),
      ...(by.includes('fundedBy') && { fundedBy: benefit?.fundedBy ?? '' }),
      ...(by.includes('tier') && { tier: posting.tier }),
      ...(by.includes('share') && { share: posting.share }),
      currency: posting.currency,
    });
    const add = (names: Row, figures: Readonly<Record<string, number>>): void => {
      const key = JSON.stringify(names);
      const row = rows.get(key) ?? names;
      rows.set(key, row);
      for (const [name, figure] of Object.entries(figures)) row[name] = Number(row[name] ?? 0) + figure;
    };
    const key = wholeKey(namesOf());
    const { allBaskets = 0, allTurnover = 0, allUndoneTurnover = 0 } = whole.get(key) ?? {};
    whole.set(key, {
      allBaskets: Number(allBaskets) + posting.sold,
      allTurnover: Number(allTurnover) + posting.sold * posting.turnover,
      allUndoneTurnover: Number(allUndoneTurnover) + undoneOf(posting),
    });
    const { refunded, conflicts, benefits } = posting;
    const ofAll = { refunded, conflicts };
    if (!hasBenefits) add(namesOf(), { ...ofAll, ...(benefits.length > 0 && basketFigures(posting, posting)) });
    else if (benefits.length === 0) add(namesOf(), ofAll);
    else if (by.includes('benefit')) {
      for (const benefit of touched(posting)) {
        const own = <Part extends { benefitId: string }>(list: readonly Part[]) =>
          list.filter(({ benefitId }) => benefitId === benefit.benefitId);
        const [lost, gained] = [own(posting.lost), own(posting.gained)];
        const part = { benefits: own(benefits), lost, gained };
        const [losesAll, gainsAll] = [lost.some(isWhole), gained.some(isWhole)];
        const isOfSale = part.benefits.length > 0;
        add(namesOf(benefit), {
          ...basketFigures({ ...posting, losesAll, gainsAll }, part),
          ...(isOfSale && ofAll),
        });
      }
    } else {
      for (const fundedBy of new Set(benefits.map((benefit) => benefit.fundedBy))) {
        add(namesOf({ benefitId: '', fundedBy }), {
          ...ofAll,
          ...basketFigures(posting, { benefits: [], lost: [], gained: [] }, true),
        });
      }
      for (const { benefitId, fundedBy, saved } of touched(posting)) {
        const sumOf = (changes: readonly Change[]) =>
          changes.filter((change) => change.benefitId === benefitId).reduce((sum, change) => sum + change.saved, 0);
        const undoneSaved = sumOf(posting.lost) + (posting.isUndone ? saved : 0);
        add(namesOf({ benefitId, fundedBy }), { saved: posting.sold * saved + sumOf(posting.gained), undoneSaved });
      }
    }
  }
  return [...rows.values()].flatMap((row): Row[] => shownRow({ ...row, ...whole.get(wholeKey(row)) }));
}

const isWhole = (change: Change): boolean => change.isWhole;

function wholeKey({ day, venueId, tier, share, currency }: Row): string {
  return JSON.stringify([day, venueId, tier, share, currency]);
}

/** The benefits of the basket, and those that a return gains, or loses again, although the sale did not have them. */
function touched({ benefits, gained, lost }: Posting): readonly Given[] {
  const news = [...gained, ...lost].filter(({ benefitId }) =>
    benefits.every((benefit) => benefit.benefitId !== benefitId),
  );
  return [...benefits, ...news.map(({ benefitId, fundedBy }) => ({ benefitId, saved: 0, fundedBy }))];
}

/** What a posting takes back of the turnover of all baskets, in which a basket that the till kept as it was never stood. */
function undoneOf({ isUndone, turnover, refunded, wasSold }: Posting): number {
  return (isUndone ? turnover : 0) + (wasSold ? refunded : 0);
}

/** What a posting adds to a row of baskets with a benefit, of these parts of it. */
function basketFigures(
  posting: Posting,
  { benefits, lost, gained }: Pick<Posting, 'benefits' | 'lost' | 'gained'>,
  isOfBasket = false,
): Record<string, number> {
  const { sold, turnover, isUndone, refunded, losesAll, gainsAll, left } = posting;
  const losesSome = isOfBasket ? posting.lost.length > 0 : lost.length > 0;
  const sumOf = (parts: readonly { readonly saved: number }[]) => parts.reduce((sum, { saved }) => sum + saved, 0);
  return {
    soldBaskets: sold + (gainsAll ? 1 : 0),
    saved: sold * sumOf(benefits) + sumOf(gained),
    turnover: sold * turnover + (gainsAll ? left : 0),
    undoneBaskets: isUndone || losesAll ? 1 : 0,
    undoneSaved: (isUndone ? sumOf(benefits) : 0) + sumOf(lost),
    undoneTurnover: (isUndone ? turnover : 0) + (losesSome ? refunded : 0),
  };
}
