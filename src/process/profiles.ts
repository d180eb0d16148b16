import { mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Profile, ProfileOrder } from '../../packages/console/src/admin/administration.ts';

const MS_PER_SECOND = 1000;

/**
 * Creates the maker of profiles of this process, which writes them into `DATA_DIR/profiles`, readable by its owner only.
 * It uses Node's inspector from within, so that no port is opened. One profile is made at a time.
 */
export function createProfiler(dataDir: string, processNumber: number): (order: ProfileOrder) => Promise<Profile> {
  let isBusy = false;
  return async ({ kind, seconds }) => {
    if (isBusy) return { outcome: 'refused', reason: 'another profile of this process is being made' };
    isBusy = true;
    try {
      const folder = join(dataDir, 'profiles');
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const at = new Date().toISOString().replace(/[:.]/g, '-');
      const file = join(folder, `${kind}-${processNumber}-${at}.${kind === 'cpu' ? 'cpuprofile' : 'heapsnapshot'}`);
      await (kind === 'cpu' ? writeCpuProfile(file, seconds) : writeHeapSnapshot(file));
      return { outcome: 'written', file, process: processNumber };
    } catch (error) {
      return { outcome: 'refused', reason: (error as Error).message };
    } finally {
      isBusy = false;
    }
  };
}

/** The profile of the main thread, in which small baskets are priced. */
async function writeCpuProfile(file: string, seconds: number): Promise<void> {
  // Loaded when it is needed: nearly no process ever makes a profile.
  const { Session } = await import('node:inspector/promises');
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.start');
    await new Promise((resolve) => setTimeout(resolve, seconds * MS_PER_SECOND));
    const { profile } = await session.post('Profiler.stop');
    await writeFile(file, JSON.stringify(profile), { mode: 0o600 });
  } finally {
    session.disconnect();
  }
}

/** Holds the event loop until the snapshot is written, about a second for each 100 MB of heap. Node gives the file the mode 0600. */
async function writeHeapSnapshot(file: string): Promise<void> {
  const v8 = await import('node:v8');
  v8.writeHeapSnapshot(file);
}
