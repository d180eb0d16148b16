import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NODE_OPTIONS } from '../../src/primary/gateway-process.ts';
import { enterProcess, removeFolder, strikeProcess, temporaryFolder } from './cleanup.ts';
import { benchConfiguration, type RateLimit } from './configuration.ts';
import { BenchRedis } from './redis.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const START_PATIENCE_MS = 90_000;
const STOP_PATIENCE_MS = 10_000;
const POLL_MS = 20;

/** The measured programs. */
export const CONTESTANTS = ['service', 'floor', 'fastify', 'express'] as const;
export type ContestantName = (typeof CONTESTANTS)[number];

const PROGRAMS: Readonly<Record<ContestantName, string>> = {
  service: 'src/main.ts',
  floor: 'bench/contestants/floor.ts',
  fastify: 'bench/contestants/fastify.ts',
  express: 'bench/contestants/express.ts',
};

export interface ContestantOptions {
  /** Requests per second and at once; by default too high to be reached. */
  readonly rateLimit?: RateLimit;
  /** Another address of the contestant's Redis, e.g. a proxy's socket. */
  readonly redisUrl?: (redis: BenchRedis) => Promise<string>;
}

/** A contestant as a process of its own, with its own Redis and folder. */
export class Contestant {
  readonly name: ContestantName;
  readonly secret: string;
  readonly folder: string;
  readonly redis: BenchRedis;
  readonly #child: ChildProcess;
  readonly #logFile: string;
  url = '';

  private constructor(
    name: ContestantName,
    secret: string,
    folder: string,
    redis: BenchRedis,
    env: Record<string, string>,
  ) {
    this.name = name;
    this.folder = folder;
    this.redis = redis;
    this.secret = secret;
    this.#logFile = join(folder, 'log');
    // The log goes to a file, as in production, because writing it is a part of a call's cost.
    const log = openSync(this.#logFile, 'a');
    this.#child = spawn(process.execPath, [...startOptions(name), PROGRAMS[name]], {
      cwd: ROOT,
      env,
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    enterProcess(this.pid);
  }

  static async start(name: ContestantName, options: ContestantOptions = {}): Promise<Contestant> {
    const folder = temporaryFolder();
    const redis = await BenchRedis.start(folder);
    const configurationFile = join(folder, 'environment.yaml');
    // JSON is valid YAML.
    writeFileSync(configurationFile, JSON.stringify(benchConfiguration(options.rateLimit)));
    const secret = randomBytes(32).toString('hex');
    const env = {
      PATH: process.env['PATH'] ?? '',
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: '0',
      OPS_PORT: '0',
      REDIS_URL: options.redisUrl ? await options.redisUrl(redis) : redis.url,
      LOYALTY_CONFIG: configurationFile,
      // Two active secrets, as during a rotation; calls are signed with the second one.
      LOYALTY_SECRETS: `${randomBytes(32).toString('hex')},${secret}`,
      DATA_DIR: folder,
      LOG_LEVEL: 'info',
    };
    const contestant = new Contestant(name, secret, folder, redis, env);
    try {
      await contestant.#untilReady();
    } catch (error) {
      // Its Redis would keep the benchmark from ending.
      await contestant.stop();
      throw error;
    }
    return contestant;
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  get log(): string {
    return readFileSync(this.#logFile, 'utf8');
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_PATIENCE_MS);
    this.#child.kill('SIGTERM');
    if (this.#child.exitCode === null && this.#child.signalCode === null) await ended;
    clearTimeout(timer);
    strikeProcess(this.pid);
    await this.redis.stop();
    removeFolder(this.folder);
  }

  async #untilReady(): Promise<void> {
    const endMs = performance.now() + START_PATIENCE_MS;
    while (performance.now() < endMs && this.#child.exitCode === null) {
      const line = this.log.split('\n').find((text) => text.includes('"msg":"listening"'));
      const { baseUrl, opsUrl } = line ? (JSON.parse(line) as { baseUrl: string; opsUrl?: string }) : {};
      if (baseUrl !== undefined && (await isReady(opsUrl))) {
        this.url = baseUrl;
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    throw new Error(`${this.name} did not start:\n${this.log.split('\n').slice(-20).join('\n')}`);
  }
}

/** The service reports its readiness; the others listen only once they are ready. */
async function isReady(opsUrl: string | undefined): Promise<boolean> {
  if (opsUrl === undefined) return true;
  const answer = await fetch(`${opsUrl}/readyz`).catch(() => undefined);
  await answer?.arrayBuffer();
  return answer?.ok ?? false;
}

/**
 * Reads Node's options from `npm start`, with which every contestant is started. The service gives its gateways more, which the others
 * need as well. An earlier version runs in a folder without the script that an option names.
 */
function startOptions(name: ContestantName): string[] {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: { start: string } };
  const options = /run\.sh (.*)src\/main\.ts$/.exec(scripts.start)?.[1] ?? '';
  const given = options.replaceAll('=./', `=${ROOT}/`).split(' ').filter(Boolean);
  return name === 'service' ? given : [...new Set([...given, ...NODE_OPTIONS])];
}
