import { linkSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';

/**
 * Two processes on one outbox would each send the other's events and compact the other's records away. The lock is a
 * file that names its process; it is taken over from a process that has ended, however it ended.
 */
export class FileLock {
  readonly #path: string;
  readonly #owner: string;

  private constructor(path: string, owner: string) {
    this.#path = path;
    this.#owner = owner;
  }

  /** Takes the lock. Throws when a process that is alive has it. */
  static take(path: string): FileLock {
    const owner = nameOf(process.pid);
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      if (create(path, owner)) return new FileLock(path, owner);
      const holder = read(path);
      if (holder !== undefined && isAlive(holder)) {
        throw new Error(`${path}: process ${holder.split(' ')[0]} uses this outbox`);
      }
      if (holder !== undefined) removeStale(path, holder);
    }
    throw new Error(`${path}: the lock is taken again and again`);
  }

  /** Gives the lock back, unless somebody else has taken it meanwhile. */
  release(): void {
    if (read(this.#path) === this.#owner) rmSync(this.#path, { force: true });
  }
}

const MAX_ROUNDS = 5;

/** A link is there with its content or not at all; a file that is created and then written could be read in between. */
function create(path: string, owner: string): boolean {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, owner, { mode: 0o600 });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    unlinkSync(draft);
  }
}

/** Moves the lock of a dead process away, and puts it back when it was no longer that one: somebody else was faster. */
function removeStale(path: string, holder: string): void {
  const aside = `${path}.${process.pid}.old`;
  try {
    renameSync(path, aside);
    if (read(aside) !== holder) linkSync(aside, path);
  } catch {
    // It has been moved, or taken, between two looks; the next round sees what is there now.
  } finally {
    rmSync(aside, { force: true });
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** A pid alone is recycled, in containers at once; with the time the process started it is not. */
function nameOf(pid: number): string {
  return `${pid} ${startOf(pid) ?? ''}`.trim();
}

function isAlive(holder: string): boolean {
  const pid = Number.parseInt(holder, 10);
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return nameOf(pid) === holder;
}

/** Clock ticks from boot to the start of the process, with the boot's own name; undefined where there is no /proc. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses and may hold anything; the 22nd is the start.
    const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${started} ${boot}`;
  } catch {
    return undefined;
  }
}
