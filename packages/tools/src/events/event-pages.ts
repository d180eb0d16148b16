import { isBefore, readStream, STREAMS, type StreamEntry } from '../../../../src/store/event-stream.ts';
import { type ReadEvent, readEvent } from '../../../../src/store/read-event.ts';
import type { Store } from '../../../../src/store/store.ts';

/** Reading the event streams page by page, from a place in each. */

const PAGE = 1000;

/** The last entry of each stream that is done; undefined where the stream is read from the oldest one that is kept. */
export type Places = Map<number, string | undefined>;

export function placesBehind(after: string | undefined): Places {
  return new Map(STREAMS.map((stream) => [stream, after]));
}

interface EventPage {
  /** Those of all streams, the oldest first. */
  readonly entries: readonly StreamEntry[];
  /** Streams of which entries behind `after` may have been removed unread; `first` is the oldest that is left, if any. */
  readonly missed: readonly { readonly stream: number; readonly after: string; readonly first: string }[];
  /** True where a stream may have more. */
  readonly isFull: boolean;
}

/** Reads a page of every stream behind its place, and leaves the places as they are. Throws `StoreUnavailable`. */
export async function readEventPage(store: Store, places: Places): Promise<EventPage> {
  const pages = await Promise.all(
    [...places].map(async ([stream, after = '']) => {
      const { entries, missedBefore } = await readStream(store, stream, after || undefined, PAGE);
      return { entries, missed: missedBefore === undefined ? [] : [{ stream, after, first: missedBefore }] };
    }),
  );
  return {
    entries: pages.flatMap(({ entries }) => entries).toSorted((one, other) => (isBefore(one.id, other.id) ? -1 : 1)),
    missed: pages.flatMap(({ missed }) => missed),
    isFull: pages.some(({ entries }) => entries.length === PAGE),
  };
}

/** Every event behind an entry's ID, or that is kept. Throws `StoreUnavailable`. */
export async function* everyEvent(store: Store, after?: string): AsyncGenerator<StreamEntry & { event: ReadEvent }> {
  const places = placesBehind(after);
  for (let isFull = true; isFull; ) {
    const page = await readEventPage(store, places);
    for (const entry of page.entries) {
      places.set(entry.stream, entry.id);
      yield { ...entry, event: readEvent(entry.words) };
    }
    isFull = page.isFull;
  }
}
