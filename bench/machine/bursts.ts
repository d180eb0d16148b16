import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { enterProcess, strikeProcess } from './cleanup.ts';

/** Runs beside bursts, which end with it. */
export async function besideBursts<T>(perSecond: number, workMs: number, run: () => Promise<T>): Promise<T> {
  const bursts = startBursts(perSecond, workMs);
  try {
    return await run();
  } finally {
    bursts.end();
  }
}

/**
 * Bursts of work in a process that has nothing to do with what is measured, at times as random as those of an open loop. They
 * show how much of a delay is the machine's, which has too few cores for all that wants to run.
 */
function startBursts(perSecond: number, workMs: number): { readonly end: () => void } {
  const program = fileURLToPath(new URL('bursts-process.ts', import.meta.url));
  const child = spawn(process.execPath, [program, String(perSecond), String(workMs)], { stdio: 'ignore' });
  const pid = child.pid as number;
  enterProcess(pid);
  return {
    end: () => {
      child.kill('SIGKILL');
      strikeProcess(pid);
    },
  };
}
