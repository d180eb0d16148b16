import { readStream, STREAMS, type StreamEntry } from '../../../../src/store/event-stream.ts';
import { type ReadEvent, readEvent } from '../../../../src/store/read-event.ts';
import type { Store } from '../../../../src/store/store.ts';

const PAGE = 1000;

/** Every event behind an entry's ID, or that is kept, one stream after the other. Throws `StoreUnavailable`. */
export async function* everyEvent(store: Store, after?: string): AsyncGenerator<StreamEntry & { event: ReadEvent }> {
  for (const stream of STREAMS) {
    for (let behind = after; ; ) {
      const { entries } = await readStream(store, stream, behind, PAGE);
      for (const entry of entries) yield { ...entry, event: readEvent(entry.words) };
      if (entries.length < PAGE) break;
      behind = entries.at(-1)!.id;
    }
  }
}
