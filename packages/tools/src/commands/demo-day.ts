import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../../../../src/programme/environment.ts';
import type { LoyaltyClient } from '../../../client/src/index.ts';
import type { Books } from '../../../simulator/src/books.ts';
import { Pace } from '../../../simulator/src/pace.ts';
import { Random } from '../../../simulator/src/random.ts';
import { Till } from '../../../simulator/src/till.ts';
import { formatMoney } from '../terminal/money.ts';
import { renderTable } from '../terminal/table.ts';
import { reconcileBooks } from './demo-books.ts';

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
const BOARD_MS = 2_500;
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
  const [startMs, startedAtMs] = [performance.now(), Date.now()];
  const dayShare = () => (performance.now() - startMs) / (seconds * 1000);
  const peakEnd = Math.min(PEAK.to, PEAK.from + LONGEST_PEAK_SECONDS / seconds);
  const isPeak = () => dayShare() >= PEAK.from && dayShare() < peakEnd;
  const isOpen = () => dayShare() < 1 && !closing.aborted;
  const { place, loyaltyIds } = guestsOf(environment);
  process.stdout.write(
    `\nA day in ${seconds} s: ${tills} tills at ${place.venueId}, ${loyaltyIds.length} members, seed ${seed}\n\n`,
  );
  const showBoard = (): void => {
    const mood = isPeak() && !closing.aborted ? 'Friday peak' : isOpen() ? 'a usual hour' : 'closing';
    const time = `${((performance.now() - startMs) / 1000).toFixed(0).padStart(3)} s`;
    process.stdout.write(`${time}  ${mood.padEnd(16)}  ${summarize(books, place.currency, client.pendingSales)}\n`);
  };
  const board = setInterval(showBoard, BOARD_MS);
  const { sustained } = environment.rateLimit;
  const pace = new Pace();
  const serveGuests = async (till: Till): Promise<void> => {
    while (isOpen()) await till.serve();
    await till.finish();
  };
  const shop = Array.from({ length: tills }, (_, index) => {
    return new Till({
      client,
      books,
      random: new Random(seed + index),
      place: { ...place, cashRegisterId: `till-${index + 1}` },
      loyaltyIds,
      pace: () => sleep(pace.take(1, sustained * (isPeak() ? PEAK_SHARE : USUAL_SHARE))),
      replayAfterMs: REPLAY_AFTER_MS,
    });
  });
  await Promise.all(shop.map(serveGuests));
  const endMs = performance.now() + DRAIN_PATIENCE_MS;
  while (client.pendingSales > 0 && performance.now() < endMs) await sleep(POLL_MS);
  clearInterval(board);
  showBoard();
  process.stdout.write(`\n${renderDay(books, place.currency, options.retries())}\n`);
  return reconcileBooks([...books.entries.values()], startedAtMs - CLOCK_SLACK_MS, options.serviceVariables);
}

/** Chooses the shop's venue and its guests' cards: all members of the venue's programme, and a stranger. */
function guestsOf({ venues, members }: Environment) {
  const [venue] = venues;
  if (!venue) throw new Error('the configuration has no venue');
  const { programmeId } = venue.programme;
  const loyaltyIds = members
    // A sale would use up the benefit by which a deployment is certified.
    .filter((member) => member.programmeId === programmeId && member.loyaltyId !== CERTIFYING_MEMBER)
    .map(({ loyaltyId }) => loyaltyId);
  const place = {
    venueId: venue.venueId,
    baxId: venue.terminalSetups[0] ?? '',
    currency: venue.currencies[0] ?? '',
  };
  return { place, loyaltyIds: [...loyaltyIds, 'test-member-unknown'] };
}

/** The value below which `share` of the values lie (0.95: p95), in milliseconds; 0 for an empty list. */
function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function summarize({ totals, entries }: Books, currency: string, pending: number): string {
  const p95 = percentile(totals.waitsMs.slice(-500), 0.95).toFixed(0);
  return (
    `${totals.sales} sales, ${entries.size} calculations, ${formatMoney(totals.saved, currency)} saved, ` +
    `tills wait ${p95} ms (p95), ${pending} events under way`
  );
}

/** Renders the figures of the day after the shop has closed. */
function renderDay({ totals, entries }: Books, currency: string, retries: number): string {
  const counts = (named: ReadonlyMap<string, number>) =>
    [...named]
      .toSorted(([, a], [, b]) => b - a)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ');
  const { sales, withoutLoyalty, offline, cancelled, superseded, cardSwaps } = totals;
  const waits = [0.5, 0.95, 0.99].map((share) => percentile(totals.waitsMs, share).toFixed(1)).join(' / ');
  return renderTable(
    ['the day', ''],
    [
      ['sales', `${sales}: ${withoutLoyalty} cash, ${offline} offline, ${cancelled} abandoned`],
      ['calculations', `${entries.size}: ${superseded} superseded, of them ${cardSwaps} by another card`],
      ['loyalty steps', counts(totals.outcomes)],
      ['tills waited', `${waits} ms (p50 / p95 / p99)`],
      ['sale events', `${counts(totals.results)}; ${retries} attempts were put off`],
      ['paid', `${formatMoney(totals.paid, currency)}, loyalty saved ${formatMoney(totals.saved, currency)}`],
    ],
  );
}
