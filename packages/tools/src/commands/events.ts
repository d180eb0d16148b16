import { setTimeout as sleep } from 'node:timers/promises';
import { parseDateTime } from '@loyalty/contract/date-time';
import { StoreUnavailable } from '../../../../src/redis/failure.ts';
import { isBefore, msOf, readStream, STREAMS, type StreamEntry } from '../../../../src/store/event-stream.ts';
import type { Store } from '../../../../src/store/store.ts';
import { EventFile, readWritten } from '../events/event-file.ts';
import { closeOnSignals } from '../terminal/closing.ts';
import { openStore } from './open-store.ts';

/** `events`: the event streams as NDJSON, once or as they grow. */

const PAGE = 1000;
const POLL_MS = 500;
const LAST_NUMBER = '18446744073709551615';

export interface EventsArguments {
  /** An entry's ID, or an instant. */
  readonly from?: string;
  readonly follow?: boolean;
  readonly out: string;
}

/** Resolves with 0, or with 1 when events may have been removed before they were read. */
export async function exportEvents({ from, follow = false, out }: EventsArguments): Promise<number> {
  const begin = from === undefined ? undefined : readBegin(from);
  const written = out === '-' ? undefined : await readWritten(out);
  const { store } = await openStore(undefined, true);
  const file = out === '-' ? undefined : new EventFile(out);
  const write = async (text: string): Promise<void> => (file ? file.write(text) : print(text));
  try {
    const positions = new Map(STREAMS.map((stream) => [stream, written?.last.get(stream) ?? begin]));
    tell(written && written.count > 0 ? describeResume(out, written) : describeBegin(from));
    const closing = follow ? closeOnSignals() : undefined;
    return await copyEvents(store, positions, { write, closing });
  } finally {
    file?.close();
    store.connection.close();
  }
}

interface Copying {
  readonly write: (text: string) => Promise<void>;
  /** Aborted when the command is to end; absent where it ends with the last event. */
  readonly closing: AbortSignal | undefined;
}

async function copyEvents(
  store: Store,
  positions: Map<number, string | undefined>,
  { write, closing }: Copying,
): Promise<number> {
  let hasMissed = false;
  for (let isAway = false; ; ) {
    let most = 0;
    try {
      const pages = await Promise.all(
        STREAMS.map(async (stream) => {
          const after = positions.get(stream);
          const page = await readStream(store, stream, after, PAGE);
          if (page.missedBefore !== undefined) {
            hasMissed = true;
            tell(describeMissed(stream, after ?? '', page.missedBefore));
            // Nothing is left of what came before.
            positions.delete(stream);
          }
          return page.entries;
        }),
      );
      const entries = pages.flat().toSorted((one, other) => (isBefore(one.id, other.id) ? -1 : 1));
      await write(entries.map(toLine).join(''));
      for (const { stream, id } of entries) positions.set(stream, id);
      most = Math.max(...pages.map(({ length }) => length));
      isAway = false;
    } catch (error) {
      if (!closing || !(error instanceof StoreUnavailable)) throw error;
      if (!isAway) tell(`${error.message}; waiting for it`);
      isAway = true;
    }
    if (most === PAGE) continue;
    if (!closing) break;
    await sleep(POLL_MS, undefined, { signal: closing }).catch(() => undefined);
    if (closing.aborted) break;
  }
  return hasMissed ? 1 : 0;
}

/** The entry's place first, by which a later run goes on, whatever the event has. */
function toLine({ stream, id, words }: StreamEntry): string {
  const place = { stream, id };
  return `${JSON.stringify({ ...place, ...toEvent(words), ...place })}\n`;
}

/** An event is the JSON of its one field, or its fields as they stand. */
function toEvent(words: readonly string[]): object {
  if (words.length === 2 && words[1]!.startsWith('{')) return JSON.parse(words[1]!) as object;
  const fields: Record<string, string> = {};
  for (let at = 0; at + 1 < words.length; at += 2) fields[words[at]!] = words[at + 1]!;
  return fields;
}

/** The entry just before the first one that is wanted. */
function readBegin(from: string): string {
  const [, id, number = '0'] = /^(\d{1,15})(?:-(\d{1,19}))?$/.exec(from) ?? [];
  const ms = id === undefined ? parseDateTime(from) : Number(id);
  // As Redis has it, from the beginning.
  if (ms === 0 && id !== undefined) return '0-0';
  if (ms === undefined || ms < 1) {
    throw new Error(
      `--from: found ${JSON.stringify(from)}, allowed: an event's ID such as 1764362580123-0, or an instant such as 2026-11-21T14:00:00+01:00`,
    );
  }
  return BigInt(number) > 0n ? `${ms}-${BigInt(number) - 1n}` : `${ms - 1}-${LAST_NUMBER}`;
}

function tell(sentence: string): void {
  process.stderr.write(`events: ${sentence}\n`);
}

function describeBegin(from: string | undefined): string {
  return `reading from ${from ?? 'the oldest event that is kept'}`;
}

function describeResume(out: string, { count, last }: { count: number; last: ReadonlyMap<number, string> }): string {
  const places = [...last].sort(([one], [other]) => one - other).map(([stream, id]) => `${id} of stream ${stream}`);
  return `${out} has ${count.toLocaleString('en')} events; going on after ${places.join(', ')}`;
}

function describeMissed(stream: number, after: string, first: string): string {
  const until = first === '' ? 'now' : timeOf(first);
  return `MISSED: events of stream ${stream} between ${timeOf(after)} and ${until} may have been removed before they were read; calculation.retentionDays says how long they are kept`;
}

function timeOf(id: string): string {
  return new Date(msOf(id)).toISOString();
}

function print(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(text, () => resolve());
  });
}
