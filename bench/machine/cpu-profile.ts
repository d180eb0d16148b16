import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A function and the time spent in it, without the functions it called. */
export interface SelfTime {
  readonly name: string;
  readonly place: string;
  readonly ms: number;
}

export interface ThreadProfile {
  /** The first is the main thread; the others are worker threads in the order of their start. */
  readonly file: string;
  readonly busyMs: number;
  readonly functions: readonly SelfTime[];
}

interface Node {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
}

interface CpuProfile {
  readonly nodes: readonly Node[];
  /** Microseconds of the machine's monotonic clock. */
  readonly startTime: number;
  readonly samples: readonly number[];
  /** Microseconds from one sample to the next. */
  readonly timeDeltas: readonly number[];
}

/**
 * Entries that are waiting and not work. `(program)` is work: native code, such as the HTTP server, which no function
 * of ours shows.
 */
const NO_WORK = new Set(['(idle)', '(root)']);

/** A part of the machine's monotonic time, in microseconds. */
export interface Span {
  readonly fromUs: number;
  readonly toUs: number;
}

/**
 * Reads the profiles of `node --cpu-prof` in a folder, within `span`: one file per thread, the functions with the
 * longest self time first.
 */
export function readProfiles(folder: string, span: Span): ThreadProfile[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.cpuprofile'));
  return files.sort(byThread).map((file) => {
    const profile = JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile;
    const functions = sumSelfTimes(profile, span);
    return { file, busyMs: functions.reduce((sum, { ms }) => sum + ms, 0), functions };
  });
}

/** Orders file names of the form CPU.<date>.<time>.<pid>.<thread>.<sequence>.cpuprofile by thread. */
function byThread(one: string, other: string): number {
  const threadOf = (file: string): number => Number(file.split('.').at(-3));
  return threadOf(one) - threadOf(other);
}

function sumSelfTimes({ nodes, samples, timeDeltas, startTime }: CpuProfile, { fromUs, toUs }: Span): SelfTime[] {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const times = new Map<string, { name: string; place: string; ms: number }>();
  let atUs = startTime;
  for (const [index, id] of samples.entries()) {
    atUs += timeDeltas[index] ?? 0;
    if (atUs < fromUs || atUs > toUs) continue;
    const frame = frames.get(id);
    if (!frame || NO_WORK.has(frame.functionName)) continue;
    const place = shortPlace(frame.url, frame.lineNumber);
    const key = `${frame.functionName} ${place}`;
    const entry = times.get(key) ?? { name: frame.functionName || '(anonymous)', place, ms: 0 };
    // A sample stands for the time until the next one.
    entry.ms += (timeDeltas[index + 1] ?? 0) / 1000;
    times.set(key, entry);
  }
  return [...times.values()].sort((one, other) => other.ms - one.ms);
}

function shortPlace(url: string, line: number): string {
  if (url === '') return '';
  const path = url.replace(/^file:\/\//, '').replace(/^.*\/(?=node_modules\/|src\/|workers\/)/, '');
  return `${path}:${line + 1}`;
}
