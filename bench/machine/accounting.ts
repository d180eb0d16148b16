import { readdirSync, readFileSync } from 'node:fs';
import { createBaskets } from '../generator/baskets.ts';
import { median } from '../report/spread.ts';

/** What the operating system counts of processes and of the host, and the unit that CPU times are compared with. */

/** CPU time of a process and its living threads in microseconds; 0 on a kernel without the scheduler's statistics. */
export function cpuTimeUs(pid: number): number {
  return listThreads(pid).reduce((sum, thread) => {
    const [ranNs] = readProc(pid, `task/${thread}/schedstat`).split(' ');
    return sum + Number(ranNs) / 1000;
  }, 0);
}

/** The same for a process and its children. A child that ends between two readings would falsify the difference. */
export function treeCpuTimeUs(pid: number): number {
  return processTree(pid).reduce((sum, member) => sum + cpuTimeUs(member), 0);
}

/** Resident memory of a process and its children in bytes. Shared pages count for each process. */
export function residentBytes(pid: number): number {
  const kilobytes = processTree(pid).map((member) => /^VmRSS:\s+(\d+) kB$/m.exec(readProc(member, 'status'))?.[1]);
  return kilobytes.reduce((sum, each) => sum + Number(each) * 1024, 0);
}

function processTree(pid: number): number[] {
  const children = readProc(pid, `task/${pid}/children`).split(' ').filter(Boolean);
  return [pid, ...children.flatMap((child) => processTree(Number(child)))];
}

function listThreads(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** Nothing when the process or the thread has ended. */
function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').trim();
  } catch {
    return '';
  }
}

const TICK_MS = 10;
const STOLEN_LIMIT = 0.05;
const GAP_LIMIT_MS = 150;

/** Place of `steal` among the numbers of the first line of /proc/stat. */
const STEAL = 7;

/**
 * Watches the host from now on. The returned function ends that, and is true when the host stood still or gave much of the cores to
 * other machines, so that the figures of this time say more about the host.
 */
export function watchHost(): () => boolean {
  const before = readTimes();
  let lastMs = performance.now();
  let longestGapMs = 0;
  const look = (): void => {
    const nowMs = performance.now();
    longestGapMs = Math.max(longestGapMs, nowMs - lastMs - TICK_MS);
    lastMs = nowMs;
  };
  const timer = setInterval(look, TICK_MS);
  return () => {
    clearInterval(timer);
    look();
    const after = readTimes();
    const stolenShare = (after.stolen - before.stolen) / Math.max(1, after.all - before.all);
    return stolenShare > STOLEN_LIMIT || longestGapMs > GAP_LIMIT_MS;
  };
}

function readTimes(): { stolen: number; all: number } {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
  const ticks = line.trim().split(/\s+/).slice(1).map(Number);
  // User time contains that of guests, which stands at the end once more.
  return { stolen: ticks[STEAL] ?? 0, all: ticks.slice(0, STEAL + 1).reduce((sum, part) => sum + part, 0) };
}

const PARSED_BASKETS = 32;
const PARSED_SEED = 20_261_120;
const BATCH_MS = 8;
const BATCHES = 5;

const bodies = new Map<number, readonly string[]>();

/**
 * The unit of every CPU figure: CPU time of one `JSON.parse` of a basket of so many lines, in microseconds, in this Node, on this
 * machine, in these seconds. A neighbour that slows a contestant slows the unit as well.
 */
export function parseCostUs(lines: number): number {
  const isNew = !bodies.has(lines);
  const texts =
    bodies.get(lines) ?? createBaskets(PARSED_BASKETS, lines, PARSED_SEED).map((one) => JSON.stringify(one));
  bodies.set(lines, texts);
  const batches = () => Array.from({ length: BATCHES }, () => parseBatchUs(texts));
  // The first batches compile and fill caches.
  if (isNew) batches();
  return median(batches());
}

function parseBatchUs(texts: readonly string[]): number {
  const endMs = performance.now() + BATCH_MS;
  const before = process.cpuUsage();
  let parsed = 0;
  do {
    for (const text of texts) JSON.parse(text);
    parsed += texts.length;
  } while (performance.now() < endMs);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / parsed;
}
