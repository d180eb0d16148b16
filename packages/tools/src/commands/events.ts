import { closeSync, createReadStream, openSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseDateTime } from '@loyalty/contract/date-time';
import { StoreUnavailable } from '../../../../src/redis/failure.ts';
import { msOf, type StreamEntry } from '../../../../src/store/event-stream.ts';
import { placesBehind, readEventPage } from '../events/event-pages.ts';
import { readLines } from '../ndjson/read-lines.ts';
import { closeOnSignals } from '../terminal/closing.ts';
import { assertOutputFile } from './input-file.ts';
import { openStore } from './open-store.ts';

/** `events`: the event streams as NDJSON, once or as they grow. */

const POLL_MS = 500;
/** Pseudonyms of members and receipts are nobody else's business. */
const MODE = 0o600;
const LAST_NUMBER = '18446744073709551615';

/** Enough of a line to read its place in the stream. */
const HEAD_BYTES = 80;
const PLACE = /^\{"stream":(\d+),"id":"(\d+-\d+)"/;

export interface EventsArguments {
  /** An entry's ID, or an instant. */
  readonly from?: string;
  readonly follow?: boolean;
  readonly out: string;
}

/** Resolves with 0, or with 1 when events may have been removed before they were read. */
export async function exportEvents({ from, follow = false, out }: EventsArguments): Promise<number> {
  const places = placesBehind(from === undefined ? undefined : readBegin(from));
  assertOutputFile('--out', out);
  const written = out === '-' ? undefined : await readWritten(out);
  for (const [stream, id] of written?.last ?? []) places.set(stream, id);
  // Before the store, whose connection would keep a command that has failed from ending.
  const file = out === '-' ? undefined : openSync(out, 'a', MODE);
  const { store } = await openStore(undefined, true);
  const write = async (text: string): Promise<void> => (file === undefined ? print(text) : writeFileSync(file, text));
  // With --follow the command goes on until it is told to end.
  const closing = follow ? closeOnSignals() : undefined;
  let [hasMissed, isAway] = [false, false];
  try {
    tell(
      written && written.count > 0
        ? describeResume(out, written)
        : `reading from ${from ?? 'the oldest event that is kept'}`,
    );
    for (;;) {
      let isFull = false;
      try {
        const page = await readEventPage(store, places);
        for (const { stream, after, first } of page.missed) {
          hasMissed = true;
          tell(describeMissed(stream, after, first));
          // Nothing is left of what came before.
          places.set(stream, undefined);
        }
        await write(page.entries.map(toLine).join(''));
        for (const { stream, id } of page.entries) places.set(stream, id);
        isFull = page.isFull;
        isAway = false;
      } catch (error) {
        if (!closing || !(error instanceof StoreUnavailable)) throw error;
        if (!isAway) tell(`${error.message}; waiting for it`);
        isAway = true;
      }
      if (isFull) continue;
      if (closing) await sleep(POLL_MS, undefined, { signal: closing }).catch(() => undefined);
      if (!closing || closing.aborted) return hasMissed ? 1 : 0;
    }
  } finally {
    if (file !== undefined) closeSync(file);
    store.connection.close();
  }
}

interface WrittenEvents {
  readonly count: number;
  /** The last entry of each stream. */
  readonly last: ReadonlyMap<number, string>;
}

/**
 * Reads what a file has, and cuts off a last line that an ended process has not completed. Throws where a line is no event of
 * an export.
 */
async function readWritten(path: string): Promise<WrittenEvents> {
  const last = new Map<number, string>();
  let [count, complete] = [0, 0];
  // A pipe or a terminal has nothing to read, and would be waited for.
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return { count, last };
  for await (const lines of readLines(createReadStream(path))) {
    for (const { bytes, endOffset, number } of lines) {
      const place = PLACE.exec(bytes?.toString('latin1', 0, HEAD_BYTES) ?? '');
      // Only the last line of a file can lack its break. It is no export's before its file has shown that it is one.
      if (bytes?.length === endOffset - complete && (count > 0 || place)) {
        truncateSync(path, complete);
        return { count, last };
      }
      if (!place) throw new Error(`${path}: line ${number} is not an event of this command; name another file`);
      last.set(Number(place[1]), place[2]!);
      [count, complete] = [number, endOffset];
    }
  }
  return { count, last };
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

function describeResume(out: string, { count, last }: WrittenEvents): string {
  const places = [...last].sort(([one], [other]) => one - other).map(([stream, id]) => `${id} of stream ${stream}`);
  return `${out} has ${count.toLocaleString('en')} events; going on after ${places.join(', ')}`;
}

function describeMissed(stream: number, after: string, first: string): string {
  const [since, until] = [after, first].map((id) => (id === '' ? 'now' : new Date(msOf(id)).toISOString()));
  return `MISSED: events of stream ${stream} between ${since} and ${until} may have been removed before they were read; calculation.retentionDays says how long they are kept`;
}

function print(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(text, () => resolve());
  });
}
