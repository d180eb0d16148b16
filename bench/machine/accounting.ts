import { readdirSync, readFileSync } from 'node:fs';

/** What the operating system has booked on a process, its threads and its children: CPU time and resident memory. */

/** Microseconds that a clock tick of /proc/<pid>/stat stands for: USER_HZ is 100 on every Linux. */
const TICK_US = 10_000;

/** Where the times stand after the command's closing parenthesis, which may itself hold anything. */
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;

/**
 * CPU time in microseconds of a process. The scheduler's own figure per thread has nanoseconds, but forgets threads that
 * have ended; where a kernel lacks it, the clock ticks have to do. NaN where there is no /proc.
 */
export function cpuTimeUs(pid: number): number {
  return scheduledUs(pid) ?? tickedUs(pid);
}

/** The same for a process and its children, of which none may end between two looks. */
export function treeCpuTimeUs(pid: number): number {
  return processTree(pid).reduce((sum, member) => sum + cpuTimeUs(member), 0);
}

/** Resident memory in bytes of a process and its children. Pages that they share count for each. */
export function residentBytes(pid: number): number {
  return processTree(pid).reduce((sum, member) => {
    const match = /^VmRSS:\s+(\d+) kB$/m.exec(readProc(member, 'status') ?? '');
    return sum + (match ? Number(match[1]) * 1024 : Number.NaN);
  }, 0);
}

/** How many processes it has become. */
export function processCount(pid: number): number {
  return processTree(pid).length;
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
    // A kernel without these statistics has no file, or one full of zeros.
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
