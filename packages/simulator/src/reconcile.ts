import type { BookEntry } from './books.ts';

/**
 * The reconciliation at the end of the day: every calculation must have exactly one outcome, in the caller's books and
 * in the service's.
 */

export const FAULTS = {
  not_settled: 'not superseded, and no event of it was answered finally',
  settled_twice: 'answered finally more than once',
  given_up: 'stopped: support has to look at it',
  lost: 'the service answered the basket, and does not know the calculation any more',
  missing_there: 'recorded by its answer, but not in the service’s books',
  different_there: 'the service’s books tell another outcome',
  event_count: 'not exactly one recorded event in the service’s streams',
} as const;
export type Fault = keyof typeof FAULTS;

export interface Finding {
  readonly calculationId: string;
  readonly fault: Fault;
  readonly detail: string;
}

/** The entry of a calculation in the service's own books. */
export interface ServiceEntry {
  readonly saleStatus: string | undefined;
  readonly transactionId: string | undefined;
  /**
   * Distinct `recorded` entries in the event streams. A repeated entry counts once, because streams deliver at least
   * once.
   */
  readonly recordedEvents: number;
}

export type ServiceBooks = (calculationId: string) => Promise<ServiceEntry | undefined>;

/** Finds every difference between the books. Without the service's books only the caller's are checked. */
export async function reconcile(entries: Iterable<BookEntry>, service?: ServiceBooks): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const entry of entries) {
    const own = findOwnFault(entry);
    const other = own === undefined && service ? findServiceFault(entry, await service(entry.calculationId)) : own;
    if (other) findings.push({ calculationId: entry.calculationId, ...other });
  }
  return findings;
}

type Found = Pick<Finding, 'fault' | 'detail'> | undefined;

function findOwnFault({ outcome, isSuperseded, endings }: BookEntry): Found {
  if (isSuperseded) return undefined;
  const [ending, ...more] = endings;
  if (!ending) return found('not_settled', outcome?.status);
  if (more.length > 0) return found('settled_twice', endings.map(({ outcome: name }) => name).join(', '));
  if (ending.outcome === 'stopped') return found('given_up', ending.detail);
  // An answered calculation is committed, while one whose call failed may be missing.
  const wasAnswered = outcome?.status !== 'failed' || outcome.failureReason === 'pos_error';
  return ending.result === 'unknown_calculation' && wasAnswered ? found('lost', outcome?.status) : undefined;
}

function findServiceFault(entry: BookEntry, there: ServiceEntry | undefined): Found {
  const { event, endings, isSuperseded } = entry;
  const recorded = there?.recordedEvents ?? 0;
  if (isSuperseded) return recorded > 0 ? found('event_count', `${recorded} for a superseded one`) : undefined;
  const [ending] = endings;
  const isKnown = ending?.outcome === 'settled' && ending.result !== 'unknown_calculation';
  if (!there) return isKnown ? found('missing_there') : undefined;
  if (there.saleStatus !== event?.status || there.transactionId !== event?.transactionId) {
    return found('different_there', `${event?.status} here, ${there.saleStatus} there`);
  }
  return isKnown && recorded !== 1 ? found('event_count', String(recorded)) : undefined;
}

function found(fault: Fault, detail = ''): Found {
  return { fault, detail };
}
