import { readFileSync } from 'node:fs';

/** Processes that a process has started, by Linux' own account. */
export function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
}
