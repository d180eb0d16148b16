import { type Store, soldMs } from './store.ts';

/** A sale event to be settled. */
export interface Sale {
  readonly calculationId: string;
  readonly status: string;
  readonly transactionId: string | undefined;
  readonly failureReason: string | undefined;
}

/** How a sale ended. */
export type SaleOutcome = Omit<Sale, 'calculationId'>;

/** The fields that define an outcome, as one unambiguous text. */
export function outcomeText({ status, transactionId, failureReason }: SaleOutcome): string {
  return JSON.stringify([status, transactionId ?? null, failureReason ?? null]);
}

/** The outcome from its text. */
export function parseOutcome(text: string): SaleOutcome {
  const [status, transactionId, failureReason] = JSON.parse(text) as [string, string | null, string | null];
  return { status, transactionId: transactionId ?? undefined, failureReason: failureReason ?? undefined };
}

/** Whether the units that the answer reserved are used up. */
export function consumes({ status }: Pick<SaleOutcome, 'status'>): boolean {
  return status === 'applied';
}

/** How long the calculation is kept. Goods of a sale can be returned, those of a cancelled one were never sold. */
export function keptMs({ transactionId }: SaleOutcome, periods: Store['periods']): number {
  return transactionId === undefined ? periods.retentionMs : soldMs(periods);
}
