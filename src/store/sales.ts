import { appendEvent, type SettledEvent } from './events.ts';
import { buryIndexEntry, type IndexEntry } from './index-entry.ts';
import type { MemberToken } from './keys.ts';
import { replyText, runScript, type ScriptReply } from './scripts.ts';
import type { Store } from './store.ts';

/** A sale event on its way into the store. */
export interface Sale {
  readonly calculationId: string;
  readonly status: string;
  readonly transactionId: string | undefined;
  readonly failureReason: string | undefined;
}

export type SettleOutcome =
  | {
      readonly outcome: 'recorded';
      readonly isLate: boolean;
      readonly overRedeemed: number;
      /** What became of the calculation's live hold; undefined when it had none any more. */
      readonly hold: 'consumed' | 'released' | undefined;
    }
  | { readonly outcome: 'duplicate' | 'unknown_calculation' | 'conflict' | 'too_late' };

/**
 * Settles a calculation: the first event decides, the same outcome again is a duplicate, another one is a conflict. Each
 * settled event is appended to the stream at least once before this returns; the calculation remembers until then that
 * it is due. `entry` is the calculation's index entry as the front end has read it, `deadlineMs` an instant of Redis'
 * clock after which nothing is written.
 */
export async function settleSale(
  store: Store,
  sale: Sale,
  entry: IndexEntry | undefined,
  deadlineMs: number,
): Promise<SettleOutcome> {
  const outcome = outcomeText(sale);
  const tombstone = { kind: 'sale', outcome } as const;
  const present = entry ?? (await buryIndexEntry(store, sale.calculationId, tombstone, Math.floor(deadlineMs)));
  if (present === undefined) return recordUnknown(store, sale);
  // The first outcome stands from its tombstone on, also while a late basket has claimed the ID and not committed yet.
  if (present.tombstone?.kind === 'sale' && present.tombstone.outcome !== outcome) {
    await countConflict(store, sale.calculationId);
    return { outcome: 'conflict' };
  }
  if (present.member === undefined) return recordUnknown(store, sale);
  return settleCalculation(store, sale, present.member, outcome, deadlineMs);
}

async function settleCalculation(
  store: Store,
  sale: Sale,
  member: MemberToken,
  outcome: string,
  deadlineMs: number,
): Promise<SettleOutcome> {
  const { keys, connection, periods } = store;
  const calculationKey = keys.calculation(member, sale.calculationId);
  const consumes = sale.status === 'applied' ? 1 : 0;
  const reply = (await runScript(
    connection,
    'settle-sale',
    [calculationKey, keys.hold(member), keys.use(member)],
    [sale.calculationId, outcome, consumes, Math.floor(deadlineMs), periods.retentionMs],
  )) as ScriptReply[];
  const settled = replyText(reply[0]);
  if (settled === 'unknown') return recordUnknown(store, sale);
  if (settled === 'conflict' || settled === 'too_late') return { outcome: settled };
  const [, late, overRedeemed, uses, answered, venueId, isDue] = reply as [
    Buffer,
    number,
    number,
    Buffer,
    Buffer,
    Buffer,
    number?,
  ];
  const isLate = late === 1;
  if (settled === 'recorded' || isDue === 1) {
    await appendEvent(store, {
      ...eventFields(sale, 'recorded'),
      answered: answered.toString(),
      venueId: venueId.toString(),
      uses: consumes ? uses.toString() : '',
      late: String(late),
      overRedeemed: String(overRedeemed),
    });
    await connection.run((client) => client.hdel(calculationKey, 'event'));
  }
  if (settled !== 'recorded') return { outcome: 'duplicate' };
  const hadHold = uses.length > 0 && !isLate;
  return { outcome: settled, isLate, overRedeemed, hold: hadHold ? (consumes ? 'consumed' : 'released') : undefined };
}

/** Appended again when the event is sent again: without a calculation nothing remembers whether it was. */
async function recordUnknown(store: Store, sale: Sale): Promise<SettleOutcome> {
  await appendEvent(store, eventFields(sale, 'unknown_calculation'));
  return { outcome: 'unknown_calculation' };
}

/** A mark for reconciliation: somebody reports two outcomes of a calculation that was never seen. */
async function countConflict(store: Store, calculationId: string): Promise<void> {
  await appendEvent(store, { calculationId, result: 'conflict', status: '', transactionId: '', failureReason: '' });
}

function eventFields(sale: Sale, result: SettledEvent['result']): SettledEvent {
  return {
    calculationId: sale.calculationId,
    result,
    status: sale.status,
    transactionId: sale.transactionId ?? '',
    failureReason: sale.failureReason ?? '',
  };
}

/** The fields that make two events the same outcome, as one text without ambiguity. */
function outcomeText({ status, transactionId, failureReason }: Sale): string {
  return JSON.stringify([status, transactionId ?? null, failureReason ?? null]);
}
