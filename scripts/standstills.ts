/**
 * Lets one process after the other of a tree stand still for a moment, as a busy machine does with any of them: a test that takes
 * that for a fault of the service is found in one run instead of in many.
 */
import { readdirSync, readFileSync } from 'node:fs';

/** Longer than a call's deadline and than the silence of Redis that opens the breaker, and short enough to be no outage. */
const STANDSTILL_MS = { least: 100, most: 600 };
const PAUSE_MS = { least: 50, most: 400 };

interface Listed {
  readonly pid: number;
  readonly parent: number;
  /** One letter of proc(5): `T` for a process that is stopped. */
  readonly state: string;
}

/** Has processes below `ancestor` stand still, one at a time, until the function that is returned is called. */
export function startStandstills(ancestor: number): () => Promise<void> {
  let isOver = false;
  const going = (async () => {
    while (!isOver) {
      // A process that a test has stopped is left to the test.
      const awake = descendantsOf(ancestor).filter(({ state }) => !/[TtZ]/.test(state));
      const chosen = awake[Math.floor(Math.random() * awake.length)];
      if (chosen && signal(chosen.pid, 'SIGSTOP')) {
        await pause(STANDSTILL_MS);
        signal(chosen.pid, 'SIGCONT');
      }
      await pause(PAUSE_MS);
    }
  })();
  return () => {
    isOver = true;
    return going;
  };
}

function descendantsOf(ancestor: number): Listed[] {
  const children = Map.groupBy(listProcesses(), ({ parent }) => parent);
  const below = (pid: number): Listed[] => (children.get(pid) ?? []).flatMap((child) => [child, ...below(child.pid)]);
  return below(ancestor);
}

function listProcesses(): Listed[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        const [state = '', parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return [{ pid: Number(name), parent: Number(parent), state }];
      } catch {
        // It has ended since.
        return [];
      }
    });
}

/** False when the process has ended. */
function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

function pause({ least, most }: { readonly least: number; readonly most: number }): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, least + Math.random() * (most - least)));
}
