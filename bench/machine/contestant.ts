import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { NODE_OPTIONS } from '../../src/primary/gateway-process.ts';
import { type ManagedRedis, startManagedRedis } from '../../src/redis/managed-redis.ts';
import { benchConfiguration, type RateLimit } from './configuration.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const START_PATIENCE_MS = 90_000;
const STOP_PATIENCE_MS = 10_000;
const POLL_MS = 20;

/** The measured programs. */
export const CONTESTANTS = ['service', 'floor', 'fastify', 'express'] as const;
export type ContestantName = (typeof CONTESTANTS)[number];

export interface ContestantOptions {
  /** Requests per second and at once; by default too high to be reached. */
  readonly rateLimit?: RateLimit;
  /** Another socket in front of the contestant's Redis. */
  readonly redisSocket?: (socket: string) => Promise<string>;
}

/** What is killed or removed when the harness ends before it stopped a contestant. */
const leftovers = new Map<Contestant, () => void>();
process.on('exit', () => {
  for (const remove of leftovers.values()) remove();
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

/**
 * A contestant as a process of its own, with its own folder, and its own Redis, which is started by the same code as the service's
 * embedded one: with an append-only file, written before every answer. No safeguard is switched off for the benchmark.
 */
export class Contestant {
  readonly name: ContestantName;
  readonly secret = randomBytes(32).toString('hex');
  /** To look into the contestant's Redis. */
  readonly redis: Redis;
  readonly redisPid: number;
  readonly #managed: ManagedRedis;
  readonly #folder: string;
  readonly #child: ChildProcess;
  url = '';

  private constructor(
    name: ContestantName,
    folder: string,
    managed: ManagedRedis,
    socket: string,
    { rateLimit }: ContestantOptions,
  ) {
    this.name = name;
    this.#folder = folder;
    this.#managed = managed;
    this.redisPid = Number(readFileSync(managed.pidFile, 'utf8'));
    this.redis = new Redis({ path: managed.path });
    const configurationFile = join(folder, 'environment.yaml');
    // JSON is valid YAML.
    writeFileSync(configurationFile, JSON.stringify(benchConfiguration(rateLimit)));
    // The log goes to a file, as in production, because writing it is a part of a call's cost.
    const log = openSync(join(folder, 'log'), 'a');
    const program = name === 'service' ? 'src/main.ts' : `bench/contestants/${name}.ts`;
    this.#child = spawn(process.execPath, [...startOptions(name), program], {
      cwd: ROOT,
      stdio: ['ignore', log, log],
      env: {
        PATH: process.env['PATH'] ?? '',
        NODE_ENV: 'production',
        HOST: '127.0.0.1',
        PORT: '0',
        OPS_PORT: '0',
        REDIS_URL: `unix:${socket}`,
        LOYALTY_CONFIG: configurationFile,
        // Two active secrets, as during a rotation; calls are signed with the second one.
        LOYALTY_SECRETS: `${randomBytes(32).toString('hex')},${this.secret}`,
        DATA_DIR: folder,
        LOG_LEVEL: 'info',
      },
    });
    closeSync(log);
    leftovers.set(this, () => {
      this.#child.kill('SIGKILL');
      process.kill(this.redisPid, 'SIGKILL');
      this.#removeFolder();
    });
  }

  static async start(name: ContestantName, options: ContestantOptions = {}): Promise<Contestant> {
    // A short name, because a unix socket's path has at most 107 bytes.
    const folder = mkdtempSync(join(tmpdir(), 'lb-'));
    const managed = await startManagedRedis(folder, process.env['PATH'] ?? '/usr/bin:/bin', () => undefined);
    const socket = (await options.redisSocket?.(managed.path)) ?? managed.path;
    const contestant = new Contestant(name, folder, managed, socket, options);
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

  /** Stops its Redis until `resumeRedis`; connections stay open. */
  pauseRedis(): void {
    process.kill(this.redisPid, 'SIGSTOP');
  }

  resumeRedis(): void {
    process.kill(this.redisPid, 'SIGCONT');
  }

  async stop(): Promise<void> {
    const ended = once(this.#child, 'exit');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), STOP_PATIENCE_MS);
    this.#child.kill('SIGTERM');
    if (this.#child.exitCode === null && this.#child.signalCode === null) await ended;
    clearTimeout(timer);
    this.redis.disconnect();
    await this.#managed.stop();
    leftovers.delete(this);
    this.#removeFolder();
  }

  #removeFolder(): void {
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
  }

  async #untilReady(): Promise<void> {
    const endMs = performance.now() + START_PATIENCE_MS;
    const readLines = () => readFileSync(join(this.#folder, 'log'), 'utf8').split('\n');
    while (performance.now() < endMs && this.#child.exitCode === null) {
      const line = readLines().find((text) => text.includes('"msg":"listening"'));
      const { baseUrl, opsUrl } = line ? (JSON.parse(line) as { baseUrl: string; opsUrl?: string }) : {};
      if (baseUrl !== undefined && (await isReady(opsUrl))) {
        this.url = baseUrl;
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    throw new Error(`${this.name} did not start:\n${readLines().slice(-20).join('\n')}`);
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
 * Reads Node's options from `npm start`, with which every contestant is started. The service gives its gateways more, which the
 * others need as well.
 */
function startOptions(name: ContestantName): string[] {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: { start: string } };
  const options = /run\.sh (.*)src\/main\.ts$/.exec(scripts.start)?.[1] ?? '';
  const given = options.split(' ').filter(Boolean);
  return name === 'service' ? given : [...new Set([...given, ...NODE_OPTIONS])];
}
