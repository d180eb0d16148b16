import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Processes that a process has started, by Linux' own account; none of one that has ended. */
export function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** True of a process of the service's own code. */
export function isGateway(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('main.ts');
  } catch {
    return false;
  }
}

/** True of a process that takes TCP connections itself, by Linux' own account. */
export function isListening(pid: number): boolean {
  const [LISTEN, STATE, INODE] = ['0A', 3, 9] as const;
  const sockets = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[STATE] === LISTEN)
    .map((fields) => `socket:[${fields[INODE]}]`);
  return readdirSync(`/proc/${pid}/fd`).some((descriptor) => sockets.includes(linkOf(`/proc/${pid}/fd/${descriptor}`)));
}

/** Where a link leads; nowhere when it is gone by now. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

/** Signals a process that may have ended already. */
export function signalQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
}
