import { readdirSync, readFileSync } from 'node:fs';

/** The operating system's accounts of a process, its threads and its children: CPU time and resident memory. */

/** Microseconds per clock tick in /proc/<pid>/stat: USER_HZ is 100 on every Linux. */
const TICK_US = 10_000;

/** Places of the times after the command's closing parenthesis; the command itself may contain any text. */
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;

/**
 * CPU time of a process in microseconds. The scheduler's figure per thread has nanoseconds but loses ended threads; on
 * a kernel without it, clock ticks are used. NaN without /proc.
 */
export function cpuTimeUs(pid: number): number {
  return scheduledUs(pid) ?? tickedUs(pid);
}

/** The same for a process and its children. A child that ends between two readings would falsify the difference. */
export function treeCpuTimeUs(pid: number): number {
  return processTree(pid).reduce((sum, member) => sum + cpuTimeUs(member), 0);
}

/** Resident memory of a process and its children in bytes. Shared pages count for each process. */
export function residentBytes(pid: number): number {
  return processTree(pid).reduce((sum, member) => {
    const match = /^VmRSS:\s+(\d+) kB$/m.exec(readProc(member, 'status') ?? '');
    return sum + (match ? Number(match[1]) * 1024 : Number.NaN);
  }, 0);
}

function processTree(pid: number): number[] {
  const children = (readProc(pid, `task/${pid}/children`) ?? '').trim();
  return [
    pid,
    ...children
      .split(' ')
      .filter(Boolean)
      .flatMap((child) => processTree(Number(child))),
  ];
}

function scheduledUs(pid: number): number | undefined {
  let sum = 0;
  for (const thread of listThreads(pid)) {
    const ran = Number(readProc(pid, `task/${thread}/schedstat`)?.split(' ')[0]);
    // A kernel without these statistics has either no file or one full of zeros.
    if (!Number.isFinite(ran)) continue;
    sum += ran / 1000;
  }
  return sum > 0 ? sum : undefined;
}

function tickedUs(pid: number): number {
  const stat = readProc(pid, 'stat');
  if (stat === undefined) return Number.NaN;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) * TICK_US;
}

function listThreads(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}
