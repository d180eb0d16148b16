import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Files of a process that are kept beside the current one; with this number one process' recording stays below 4 GB. */
export const PARTS_KEPT = 30;

/** The files are named `<folder>/<base>-<process>.<day>.<part><extension>`. */
export interface RecordName {
  readonly folder: string;
  readonly base: string;
  readonly extension: string;
}

/** One file of a recording. */
interface Part {
  readonly file: string;
  readonly processNumber: number;
  /** In local time, `2026-11-22`. */
  readonly day: string;
  readonly part: number;
}

/**
 * Removes the files of every process that are no longer kept. The newest file of a process may be the one that it writes, so it
 * does not count among those that are kept. No process has a number above `processes` any more: files of such a number are removed by
 * their age, as a process that begins a file a day would have removed them.
 */
export async function removeOldRecords(name: RecordName, processes: number, now = new Date()): Promise<void> {
  const oldestDay = new Date(now.getFullYear(), now.getMonth(), now.getDate() - PARTS_KEPT);
  const byProcess = Map.groupBy(await listParts(name), ({ processNumber }) => processNumber);
  const old = [...byProcess.values()].flatMap((own) => [
    ...own.toSorted(newestFirst).slice(PARTS_KEPT + 1),
    ...own.filter(({ processNumber, day }) => processNumber > processes && new Date(`${day}T00:00`) < oldestDay),
  ]);
  // Several processes may start at once, and each file is removed by one of them.
  await Promise.all(old.map(({ file }) => rm(file, { force: true })));
}

async function listParts({ folder, base, extension }: RecordName): Promise<Part[]> {
  const names = await readdir(folder);
  return names.flatMap((name) => {
    if (!name.startsWith(`${base}-`) || !name.endsWith(extension)) return [];
    const middle = name.slice(base.length + 1, -extension.length);
    const [, processNumber, day, part] = /^(\d+)\.(\d{4}-\d{2}-\d{2})\.(\d+)$/.exec(middle) ?? [];
    if (day === undefined) return [];
    return { file: join(folder, name), processNumber: Number(processNumber), day, part: Number(part) };
  });
}

function newestFirst(one: Part, other: Part): number {
  if (one.day !== other.day) return one.day < other.day ? 1 : -1;
  return other.part - one.part;
}
