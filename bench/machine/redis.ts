import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { startManagedRedis } from '../../src/redis/managed-redis.ts';
import { enterProcess, strikeProcess } from './cleanup.ts';

/**
 * A contestant's own Redis, started by the same code as the service's embedded one: with an append-only file, written
 * before every answer. No safeguard is switched off for the benchmark.
 */
export class BenchRedis {
  readonly url: string;
  readonly socket: string;
  readonly pid: number;
  readonly client: Redis;
  readonly #stop: () => Promise<void>;

  private constructor(socket: string, pid: number, stop: () => Promise<void>) {
    this.socket = socket;
    this.url = `unix:${socket}`;
    this.pid = pid;
    this.client = new Redis({ path: socket });
    this.#stop = stop;
  }

  static async start(folder: string): Promise<BenchRedis> {
    const { PATH = '/usr/bin:/bin' } = process.env;
    const managed = await startManagedRedis(folder, PATH, () => undefined);
    if (managed.address.kind !== 'socket') throw new Error('The managed Redis is not on a unix socket.');
    const pid = Number(readFileSync(managed.pidFile, 'utf8'));
    enterProcess(pid);
    return new BenchRedis(managed.address.path, pid, () => managed.stop());
  }

  /** Stops the server until `resume`; its connections stay open. */
  pause(): void {
    process.kill(this.pid, 'SIGSTOP');
  }

  resume(): void {
    process.kill(this.pid, 'SIGCONT');
  }

  /** Bytes that the server has allocated. */
  async usedMemory(): Promise<number> {
    return numberOf(await this.client.info('memory'), 'used_memory');
  }

  /** Calls per command since the start, including those inside scripts. */
  async commandCalls(): Promise<Map<string, number>> {
    const text = await this.client.info('commandstats');
    const lines = [...text.matchAll(/^cmdstat_([^:]+):calls=(\d+),/gm)];
    return new Map(lines.map(([, name, calls]) => [name as string, Number(calls)]));
  }

  async stop(): Promise<void> {
    this.client.disconnect();
    await this.#stop();
    strikeProcess(this.pid);
  }
}

function numberOf(info: string, field: string): number {
  const match = new RegExp(`^${field}:(\\d+)`, 'm').exec(info);
  if (!match) throw new Error(`Redis' INFO has no ${field}.`);
  return Number(match[1]);
}
