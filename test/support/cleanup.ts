/**
 * Ends everything that a test started. Child processes and temporary directories are registered at their creation;
 * those still registered at the end of the test process are killed and removed.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signalQuietly } from './processes.ts';

const processes = new Set<number>();
const directories = new Set<string>();
/** What further files of this test process use; it ends with the test process. */
const kept = { processes: new Set<number>(), directories: new Set<string>() };
/** Names the folder in which the processes that are kept are listed for the end of the run (endKept). */
const KEPT_VARIABLE = 'LOYALTY_TESTS_KEPT';

process.on('exit', cleanUpAll);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // A signal ends the process past its exit hooks, and `process.exit` only throws while vitest runs a test.
  process.once(signal, () => {
    cleanUpAll();
    process.kill(process.pid, signal);
  });
}

/** A new empty directory under the system's own; short, because the path of a unix socket may have 107 bytes only. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'loy-'));
  directories.add(directory);
  return directory;
}

/** Registers a process that has to end with the test. */
export function watchProcess(pid: number): void {
  processes.add(pid);
}

/** Removes an ended process from the register. */
export function forgetProcess(pid: number): void {
  processes.delete(pid);
}

/** Has a process and its directory outlive the file that started it, for the next files of this test process. */
export function keepForNextFiles(pid: number, directory: string): void {
  kept.processes.add(pid);
  kept.directories.add(directory);
  processes.delete(pid);
  directories.delete(directory);
  writeFileSync(join(process.env[KEPT_VARIABLE]!, String(pid)), directory);
}

/**
 * Prepares the run of a suite. The function returned ends, after the last test, what a test process kept and did not end: vitest
 * kills one whose exit takes longer than half a second, as it does on a busy machine.
 */
export function endKept(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'loy-kept-'));
  process.env[KEPT_VARIABLE] = folder;
  return () => {
    for (const pid of readdirSync(folder)) {
      const directory = readFileSync(join(folder, pid), 'utf8');
      // The directory is gone when the test process could end it, and the number may be another's by now.
      if (existsSync(directory)) kept.processes.add(Number(pid));
      kept.directories.add(directory);
    }
    kept.directories.add(folder);
    cleanUpAll();
  };
}

function cleanUpAll(): void {
  for (const pid of kept.processes) processes.add(pid);
  for (const directory of kept.directories) directories.add(directory);
  cleanUp();
}

/** Kills and removes everything that is still registered, but what is kept for the next files. */
export function cleanUp(): void {
  for (const pid of processes) signalQuietly(pid, 'SIGKILL');
  processes.clear();
  for (const directory of directories) {
    killManagedRedis(directory);
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
  }
  directories.clear();
}

/** True while a process with this id exists and has not become a zombie. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** The pid file of the Redis that a service manages by itself under its DATA_DIR. */
export function managedRedisPid(dataDirectory: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(join(dataDirectory, 'redis', 'redis.pid'), 'utf8'), 10);
    return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Ends the managed Redis of this directory. A process that works in another directory is a stranger with the same
 * number.
 */
export function killManagedRedis(dataDirectory: string): void {
  const pid = managedRedisPid(dataDirectory);
  if (pid === undefined || !isAlive(pid)) return;
  try {
    if (readlinkSync(`/proc/${pid}/cwd`).startsWith(dataDirectory)) signalQuietly(pid, 'SIGKILL');
  } catch {
    // It ended between the two looks.
  }
}
