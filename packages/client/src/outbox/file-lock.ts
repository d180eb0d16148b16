import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';

/**
 * Takes the lock of an outbox, and returns what gives it back. Throws when another process, or this one through another
 * store, has it: two processes on one outbox would each send the other's events and compact the other's records away. The
 * lock is the operating system's, on an open file. It ends with its process, however that ends, and containers that share
 * a volume share it. The file stays: whoever removed a lock that looks abandoned might remove that of the next holder.
 */
export async function takeLock(path: string): Promise<() => void> {
  const tryLock = await loadLocks();
  const descriptor = openSync(path, 'a', 0o600);
  try {
    if (!isGranted(tryLock, descriptor)) throw new Error(`${path}: ${readHolder(path)} uses this outbox`);
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  leaveName(descriptor);
  return () => closeSync(descriptor);
}

type TryLock = (descriptor: number) => boolean;

/** Loaded only when a file is used, because it is machine code: a caller with a store of its own needs none for its platform. */
async function loadLocks(): Promise<TryLock> {
  try {
    return (await import('fs-native-extensions')).tryLock;
  } catch (error) {
    const platform = `${process.platform}-${process.arch}`;
    throw new Error(`no file locks for ${platform}: give the client an OutboxStore of your own`, { cause: error });
  }
}

function isGranted(tryLock: TryLock, descriptor: number): boolean {
  try {
    return tryLock(descriptor);
  } catch (error) {
    // Windows says so of a file that another process has locked.
    if ((error as NodeJS.ErrnoException).code === 'EBUSY') return false;
    throw error;
  }
}

/** For people only: whoever is refused reads it in the message. A full disk keeps nobody from the outbox. */
function leaveName(descriptor: number): void {
  try {
    ftruncateSync(descriptor);
    writeSync(descriptor, `${process.pid} on ${hostname()}`);
  } catch {
    // The lock holds without a name.
  }
}

function readHolder(path: string): string {
  try {
    const name = readFileSync(path, 'utf8');
    // A holder that has just come has not written its name yet.
    if (name !== '') return `process ${name}`;
  } catch {
    // Windows lets nobody read what is locked.
  }
  return 'another process';
}
