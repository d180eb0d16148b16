import type { Environment } from '../../../../src/programme/environment.ts';
import type { LoyaltyClient } from '../../../client/src/index.ts';
import type { Books } from '../../../simulator/src/books.ts';
import { FAULTS, type Finding, reconcile, type ServiceBooks } from '../../../simulator/src/reconcile.ts';
import { Shop } from '../../../simulator/src/shop.ts';
import { renderTable } from '../terminal/table.ts';
import { renderDay, startBoard } from './demo-board.ts';
import { openServiceBooks } from './demo-books.ts';
import { openStore } from './open-store.ts';

/** The demo's second part: a day in a shop, with a Friday peak in the middle, and its reconciliation. */

/** Share of the sustained rate for basket calls; their sale events need nearly as much again. */
const USUAL_SHARE = 0.4;
/** The peak's share. With its events it exceeds the sustained rate and consumes the burst. */
const PEAK_SHARE = 0.9;
/** Begin and end of the peak, as shares of the day. */
const PEAK = { from: 0.4, to: 0.65 } as const;
/** A longer peak would exhaust the burst, and calls would be refused. */
const LONGEST_PEAK_SECONDS = 6;
const REPLAY_AFTER_MS = 2_000;
const DRAIN_PATIENCE_MS = 60_000;
const POLL_MS = 50;
const FINDINGS_SHOWN = 10;
const CERTIFYING_MEMBER = 'test-member-once';
/** Tolerance for a service whose clock is behind ours. */
const CLOCK_SLACK_MS = 60_000;

export interface DayOptions {
  readonly client: LoyaltyClient;
  readonly books: Books;
  readonly environment: Environment;
  readonly seconds: number;
  readonly tills: number;
  readonly seed: number;
  /** The variables of a service that the demo started; undefined for a running one, which shares ours. */
  readonly serviceVariables: Readonly<Record<string, string>> | undefined;
  readonly retries: () => number;
  /** Aborted to close the shop early; its guests are still served and the day is reconciled. */
  readonly closing: AbortSignal;
}

/** Plays the day. Resolves to true when every calculation has exactly one outcome on both sides. */
export async function playDay(options: DayOptions): Promise<boolean> {
  const { client, books, environment, seconds, tills, seed, closing } = options;
  const startMs = performance.now();
  const startedAtMs = Date.now();
  const sustained = environment.rateLimit.sustained;
  const dayShare = () => (performance.now() - startMs) / (seconds * 1000);
  const peakEnd = Math.min(PEAK.to, PEAK.from + LONGEST_PEAK_SECONDS / seconds);
  const isPeak = () => dayShare() >= PEAK.from && dayShare() < peakEnd;
  const isOpen = () => dayShare() < 1 && !closing.aborted;
  const { place, loyaltyIds } = guestsOf(environment);
  process.stdout.write(
    `\nA day in ${seconds} s: ${tills} tills at ${place.venueId}, ${loyaltyIds.length} members, seed ${seed}\n\n`,
  );
  const shop = new Shop({
    client,
    books,
    tills,
    place,
    loyaltyIds,
    callsPerSecond: () => sustained * (isPeak() ? PEAK_SHARE : USUAL_SHARE),
    isOpen,
    replayAfterMs: REPLAY_AFTER_MS,
    seed,
  });
  const mood = () => (isPeak() && !closing.aborted ? 'Friday peak' : isOpen() ? 'a usual hour' : 'closing');
  const endBoard = startBoard({ books, currency: place.currency, pending: () => client.pendingSales, mood });
  await shop.run();
  await untilSettled(client);
  endBoard();
  process.stdout.write(`\n${renderDay(books, place.currency, options.retries())}\n`);
  return report(books.entries.size, await reconcileDay(options, startedAtMs));
}

/** Chooses the shop's venue and its guests' cards: all members of the venue's programme, and a stranger. */
function guestsOf({ venues, members }: Environment) {
  const [venue] = venues;
  if (!venue) throw new Error('the configuration has no venue');
  const loyaltyIds = members
    // A sale would use up the benefit by which a deployment is certified.
    .filter(
      ({ programmeId, loyaltyId }) => programmeId === venue.programme.programmeId && loyaltyId !== CERTIFYING_MEMBER,
    )
    .map(({ loyaltyId }) => loyaltyId);
  const place = {
    venueId: venue.venueId,
    baxId: venue.terminalSetups[0] ?? '',
    currency: venue.currencies[0] ?? '',
  };
  return { place, loyaltyIds: [...loyaltyIds, 'test-member-unknown'] };
}

async function untilSettled(client: LoyaltyClient): Promise<void> {
  const endMs = performance.now() + DRAIN_PATIENCE_MS;
  while (client.pendingSales > 0 && performance.now() < endMs) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function reconcileDay(options: DayOptions, startedAtMs: number) {
  const { books } = options;
  const opened = await openBooksOfService(options, startedAtMs - CLOCK_SLACK_MS);
  try {
    return { findings: await reconcile(books.entries.values(), opened?.service), isBothSides: opened !== undefined };
  } finally {
    opened?.close();
  }
}

/** Opens the service's Redis if it is reachable and is the one that this service writes to. */
async function openBooksOfService(
  { books, serviceVariables }: DayOptions,
  sinceMs: number,
): Promise<{ service: ServiceBooks; close: () => void } | undefined> {
  try {
    const { store } = await openStore(serviceVariables);
    const close = () => store.connection.close();
    const service = await openServiceBooks(store, sinceMs);
    const settled = [...books.entries.values()].find(({ endings: [ending] }) => {
      return ending?.outcome === 'settled' && ending.result === 'recorded';
    });
    if (!settled || (await service(settled.calculationId))) return { service, close };
    close();
    return undefined;
  } catch {
    return undefined;
  }
}

/** Prints the findings and, as the demo's last line, whether the books agree. */
function report(
  calculations: number,
  { findings, isBothSides }: { findings: readonly Finding[]; isBothSides: boolean },
): boolean {
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
