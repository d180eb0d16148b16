import { readDecisions } from './decisions.ts';
import { EVENT_STREAMS } from './keys.ts';
import { bookedMsOf, type ReadEvent, readEvent } from './read-event.ts';
import type { Store } from './store.ts';

/**
 * Searches the event streams, newest first: they have every settled calculation by time, for as long as it is retained, and
 * cost a sale nothing that it does not cost anyway.
 */

/** An event of the stream. */
export type SoldEvent = ReadEvent & {
  /** When it was appended, by Redis' clock, ms since 1970. */
  readonly atMs: number;
};

export interface SaleQuestion {
  readonly fromMs: number;
  readonly toMs: number;
  readonly matches: (event: SoldEvent) => boolean | Promise<boolean>;
  readonly most: number;
}

export interface SalesFound {
  /** Newest first. An event that was appended twice is found once (docs/events.md). */
  readonly events: readonly SoldEvent[];
  /** Set when there may be more: the search goes on before this instant. */
  readonly beforeMs: number | undefined;
}

const PAGE = 500;
/** Events that one search looks at, which are about a second of work; the next one goes on. */
const MOST_LOOKED_AT = 40_000;

/** Throws `StoreUnavailable`. */
export async function searchSales(
  store: Store,
  { fromMs, toMs, matches, most }: SaleQuestion,
  mostLookedAt = MOST_LOOKED_AT,
): Promise<SalesFound> {
  const streams = Array.from({ length: EVENT_STREAMS }, (_, number) => new Backwards(store, number, fromMs, toMs));
  const found = new Map<string, SoldEvent>();
  const decisions = await readDecisions(store);
  for (let lookedAt = 0; ; lookedAt += 1) {
    await Promise.all(streams.map((stream) => stream.fill()));
    const newest = streams.reduce((one, other) => (other.headMs > one.headMs ? other : one));
    const event = newest.take();
    if (!event) return { events: [...found.values()], beforeMs: undefined };
    // The whole millisecond is looked at, so that the next search may begin before it.
    const isOver = found.size >= most || lookedAt >= mostLookedAt;
    const last = [...found.values()].at(-1);
    if (isOver && event.atMs !== last?.atMs) return { events: [...found.values()], beforeMs: event.atMs + 1 };
    // The events of a member itself are of no sale.
    const standing = event.calculationId === undefined ? undefined : standingOf(event, decisions);
    if (standing && (await matches(standing))) found.set(countedBy(standing), standing);
  }
}

/** In the place of an outcome against which a person has decided stands the event of the decision. */
function standingOf(event: SoldEvent, decisions: ReadonlyMap<string, number>): SoldEvent | undefined {
  const { calculationId = '', result } = event;
  const decidedMs = decisions.get(calculationId);
  if (result === 'resolved') return decidedMs === undefined ? undefined : { ...event, result: 'recorded' };
  // On a cluster a sale that was booked before may be appended again after the decision.
  const isDecided = decidedMs !== undefined && bookedMsOf(event, event.atMs) <= decidedMs;
  return result === 'recorded' && isDecided ? undefined : event;
}

/** One stream, read from its newest entry on. */
class Backwards {
  readonly #store: Store;
  readonly #key: string;
  readonly #from: string;
  #next: string | undefined;
  #entries: [id: string, words: string[]][] = [];

  constructor(store: Store, number: number, fromMs: number, toMs: number) {
    this.#store = store;
    this.#key = store.keys.events(number);
    this.#from = String(fromMs);
    // The end is not part of the range, and an ID without a number stands for all of its millisecond.
    this.#next = toMs > fromMs ? String(toMs - 1) : undefined;
  }

  /** The instant of the next entry; −∞ at the end. */
  get headMs(): number {
    const [entry] = this.#entries;
    return entry ? Number(entry[0].split('-')[0]) : Number.NEGATIVE_INFINITY;
  }

  async fill(): Promise<void> {
    const before = this.#next;
    if (this.#entries.length > 0 || before === undefined) return;
    const read = (await this.#store.connection.run(this.#key, (client, key) =>
      client.xrevrange(key, before, this.#from, 'COUNT', PAGE),
    )) as [string, string[]][];
    this.#entries = read;
    this.#next = read.length < PAGE ? undefined : `(${read.at(-1)![0]}`;
  }

  take(): SoldEvent | undefined {
    const entry = this.#entries.shift();
    return entry && { ...readEvent(entry[1]), atMs: Number(entry[0].split('-')[0]) };
  }
}

/** By what an event counts once. Two outcomes of a calculation that nobody knows are two. */
function countedBy({ calculationId, result, returnId, status }: SoldEvent): string {
  return [calculationId, result, returnId, status].join(' ');
}
