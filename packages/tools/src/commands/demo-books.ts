import { findCalculation } from '../../../../src/store/find-calculation.ts';
import type { Store } from '../../../../src/store/store.ts';
import type { BookEntry } from '../../../simulator/src/books.ts';
import { FAULTS, type Finding, reconcile, type ServiceBooks } from '../../../simulator/src/reconcile.ts';
import { everyEvent } from '../events/event-pages.ts';
import { renderTable } from '../terminal/table.ts';
import { openStore } from './open-store.ts';

/** The reconciliation at the end of the demo: the shop's books are compared with those of the service. */

const FINDINGS_SHOWN = 10;

/**
 * Compares the books, also with the service's Redis if it is reachable. `variables` are those of a service that the demo
 * started. Prints the findings and, as the demo's last line, whether the books agree. Resolves to true when they do.
 */
export async function reconcileBooks(
  entries: readonly BookEntry[],
  sinceMs: number,
  variables: Readonly<Record<string, string>> | undefined,
): Promise<boolean> {
  const opened = await openStore(variables).catch(() => undefined);
  try {
    const service = opened && (await openOwnBooks(opened.store, sinceMs, entries).catch(() => undefined));
    return report(entries.length, await reconcile(entries, service), service !== undefined);
  } finally {
    opened?.store.connection.close();
  }
}

/** Opens the books of the service if this Redis is the one that it writes to. */
async function openOwnBooks(
  store: Store,
  sinceMs: number,
  entries: readonly BookEntry[],
): Promise<ServiceBooks | undefined> {
  const service = await openServiceBooks(store, sinceMs);
  const recorded = entries.find(
    ({ endings: [ending] }) => ending?.outcome === 'settled' && ending.result === 'recorded',
  );
  return !recorded || (await service(recorded.calculationId)) ? service : undefined;
}

/**
 * Opens the service's own books in its Redis: the calculations, and the event streams since `sinceMs` (Unix time by
 * Redis' clock). The streams are read once, so it must be called after all events have been sent.
 */
export async function openServiceBooks(store: Store, sinceMs: number): Promise<ServiceBooks> {
  // A stream may deliver the same entry more than once, so the distinct ones count.
  const recorded = new Map<string, Set<string>>();
  for await (const { event, words } of everyEvent(store, `${Math.max(0, sinceMs - 1)}-0`)) {
    if (event.result !== 'recorded') continue;
    const { calculationId = '' } = event;
    const entries = recorded.get(calculationId) ?? new Set();
    recorded.set(calculationId, entries.add(JSON.stringify(words)));
  }
  return async (calculationId) => {
    const calculation = await findCalculation(store, calculationId);
    if (!calculation) return undefined;
    return {
      saleStatus: calculation.sale?.status,
      transactionId: calculation.sale?.transactionId,
      recordedEvents: recorded.get(calculationId)?.size ?? 0,
    };
  };
}

function report(calculations: number, findings: readonly Finding[], isBothSides: boolean): boolean {
  const sides = isBothSides
    ? "our books, the service's answers, its calculations and its event streams"
    : "our books and the service's answers (its Redis cannot be reached from here)";
  if (findings.length === 0) {
    process.stdout.write(`The books agree on all ${calculations} calculations: ${sides}.\n`);
    return true;
  }
  const rows = findings
    .slice(0, FINDINGS_SHOWN)
    .map(({ calculationId, fault, detail }) => [calculationId, fault, `${FAULTS[fault]} ${detail}`.trim()]);
  process.stdout.write(`${renderTable(['calculation', 'finding', 'meaning'], rows)}`);
  process.stdout.write(`\nThe books do not agree: ${findings.length} differences between ${sides}.\n`);
  return false;
}
