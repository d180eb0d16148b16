import { execFileSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem } from 'node:os';
import type { Options } from '../options.ts';

/** Below this load the machine was idle when the run began. */
const QUIET_LOAD = 0.3;

/** The conditions of a measurement, without which its figures are worthless. */
export interface Circumstances {
  readonly startedAt: string;
  readonly commit: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly kernel: string;
  readonly node: string;
  readonly redis: string;
  readonly loadBefore: number;
  readonly options: Options;
}

export function lookAround(options: Options): Circumstances {
  return {
    startedAt: new Date().toISOString(),
    commit: describeCommit(),
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 1024 ** 3),
    kernel: release(),
    node: process.version,
    redis: ask('redis-server', ['--version']) || ask('valkey-server', ['--version']),
    loadBefore: loadavg()[0] ?? Number.NaN,
    options,
  };
}

/** Describes the conditions for the report, one line each. */
export function describeCircumstances(around: Circumstances): string[] {
  const { options, loadBefore } = around;
  const rounds = `${options.rounds} rounds, ${options.seconds} s each`;
  return [
    `${around.startedAt}, commit ${around.commit}; ${options.isShort ? 'SHORT FORM: these figures mean nothing' : rounds}`,
    `${around.cores} × ${around.cpu}, ${around.memoryGb} GB, Linux ${around.kernel}, Node ${around.node}, ${around.redis}`,
    `service, Redis and generator share these ${around.cores} cores; load before the run ${loadBefore.toFixed(2)}${
      loadBefore > QUIET_LOAD ? ': THE MACHINE WAS NOT QUIET' : ''
    }`,
  ];
}

function describeCommit(): string {
  const commit = ask('git', ['rev-parse', '--short', 'HEAD']) || 'unknown';
  return ask('git', ['status', '--porcelain', '--', 'src', 'packages', 'workers']) === ''
    ? commit
    : `${commit} with changes`;
}

function ask(program: string, args: readonly string[]): string {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
}
