import { execFileSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem } from 'node:os';
import type { Options } from '../options.ts';

/** Below this load the machine was idle when the run began. */
const QUIET_LOAD = 0.3;

/** The conditions of a measurement, without which its figures are worthless. */
export type Circumstances = ReturnType<typeof lookAround>;

export function lookAround(options: Options) {
  const head = ask('git', ['rev-parse', '--short', 'HEAD']) || 'unknown';
  const changes = ask('git', ['status', '--porcelain', '--', 'src', 'packages', 'workers']);
  return {
    startedAt: new Date().toISOString(),
    commit: changes === '' ? head : `${head} with changes`,
    cores: cpus().length,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    memoryGb: Math.round(totalmem() / 1024 ** 3),
    kernel: release(),
    node: process.version,
    redis: ask('redis-server', ['--version']) || ask('valkey-server', ['--version']),
    loadBefore: loadavg()[0] ?? Number.NaN,
    options,
  };
}

/** Describes the conditions for the report, one line each. */
export function describeCircumstances({ options, loadBefore, ...around }: Circumstances): string[] {
  const rounds = `${options.rounds} rounds, ${options.seconds} s each`;
  const noise = loadBefore > QUIET_LOAD ? ': THE MACHINE WAS NOT QUIET' : '';
  return [
    `${around.startedAt}, commit ${around.commit}; ${options.isShort ? 'SHORT FORM: these figures mean nothing' : rounds}`,
    `${around.cores} × ${around.cpu}, ${around.memoryGb} GB, Linux ${around.kernel}, Node ${around.node}, ${around.redis}`,
    `service, Redis and generator share these ${around.cores} cores; load before the run ${loadBefore.toFixed(2)}${noise}`,
  ];
}

function ask(program: string, args: readonly string[]): string {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
}
