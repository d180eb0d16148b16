import { execFileSync } from 'node:child_process';
import { cpus, loadavg } from 'node:os';

/** Describes the conditions of the measurement, one line each. */
export function describeMachine(rounds: number): string[] {
  const commit = git('rev-parse', '--short', 'HEAD');
  const isChanged = git('status', '--porcelain', '--', 'src') !== '';
  const [load = Number.NaN] = loadavg();
  return [
    `${new Date().toISOString()}, commit ${commit}${isChanged ? ' with changes' : ''}, ${rounds} rounds, CPU time of the process`,
    `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.version}, load before the run ${load.toFixed(2)}`,
  ];
}

function git(...args: string[]): string {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return 'unknown';
  }
}
