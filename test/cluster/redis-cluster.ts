import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { slotOf } from '../../src/redis/key-slot.ts';
import { forgetProcess, temporaryDirectory, watchProcess } from '../support/cleanup.ts';
import { freePorts } from '../support/free-ports.ts';
import { until } from '../support/wait.ts';

/** Masters that fail are replaced after about this long; a test must not wait for the default of 15 s. */
const NODE_TIMEOUT_MS = 1000;
const MASTERS = 3;
const PASSWORD = 'cluster-password';

export interface ClusterOptions {
  /** Replicas of each master: one by default. */
  readonly replicas?: number;
  /** Further settings of every node. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A real Redis Cluster on loopback: three masters, three replicas unless told otherwise, a password. */
export class RedisCluster {
  readonly ports: readonly number[];
  readonly #children = new Map<number, ChildProcess>();
  readonly #directory = temporaryDirectory();
  readonly #settings: Readonly<Record<string, string>>;

  private constructor(ports: readonly number[], settings: Readonly<Record<string, string>>) {
    [this.ports, this.#settings] = [ports, settings];
  }

  static async launch({ replicas = 1, settings = {} }: ClusterOptions = {}): Promise<RedisCluster> {
    const cluster = new RedisCluster(await freePorts((1 + replicas) * MASTERS), settings);
    await Promise.all(cluster.ports.map((port) => cluster.start(port)));
    const nodes = cluster.ports.map((port) => `127.0.0.1:${port}`);
    const create = [
      '-a',
      PASSWORD,
      '--no-auth-warning',
      '--cluster',
      'create',
      ...nodes,
      '--cluster-replicas',
      String(replicas),
      '--cluster-yes',
    ];
    execFileSync('redis-cli', create, { stdio: 'ignore', timeout: 30_000 });
    await until('every node to see the whole cluster', async () => {
      const states = await Promise.all(cluster.ports.map((port) => cluster.ask(port, (node) => node.cluster('INFO'))));
      return states.every(
        (state) => state.includes('cluster_state:ok') && state.includes(`cluster_known_nodes:${cluster.ports.length}`),
      );
    });
    await until('every replica to follow its master', async () => {
      const infos = await Promise.all(
        cluster.ports.map((port) => cluster.ask(port, (node) => node.info('replication'))),
      );
      return infos.filter((info) => info.includes('master_link_status:up')).length === MASTERS * replicas;
    });
    return cluster;
  }

  /** What REDIS_URL has to be for this cluster. */
  get url(): string {
    return this.ports
      .slice(0, MASTERS)
      .map((port) => `redis://:${PASSWORD}@127.0.0.1:${port}`)
      .join(',');
  }

  /** Ports of the present masters that are alive. */
  async masters(): Promise<number[]> {
    const alive = this.ports.filter((port) => this.#children.has(port));
    const roles = await Promise.all(alive.map((port) => this.ask(port, (node) => node.info('replication'))));
    return alive.filter((_, index) => roles[index]?.includes('role:master'));
  }

  /** Asks one node over a connection of its own. */
  async ask<T>(port: number, question: (node: Redis) => Promise<T>): Promise<T> {
    const node = new Redis({
      port,
      host: '127.0.0.1',
      password: PASSWORD,
      retryStrategy: () => null,
      maxRetriesPerRequest: 0,
    });
    node.on('error', () => {
      // Thrown by the question.
    });
    try {
      return await question(node);
    } finally {
      node.disconnect();
    }
  }

  /**
   * Moves the slot of a key, which exists, to another master. While `halfway` runs, the key is there already and the slot is
   * not, so that the source answers ASK; afterwards it answers MOVED.
   */
  async moveSlotOf(
    key: string,
    halfway: (target: number) => Promise<void>,
  ): Promise<{ source: number; target: number }> {
    const slot = String(slotOf(key));
    const masters = await this.masters();
    const ids = await Promise.all(masters.map((port) => this.ask(port, (node) => node.cluster('MYID'))));
    const counts = await Promise.all(
      masters.map((port) => this.ask(port, (node) => node.call('CLUSTER', 'COUNTKEYSINSLOT', slot))),
    );
    const from = counts.indexOf(1);
    const to = (from + 1) % masters.length;
    const [source, target] = [masters[from] as number, masters[to] as number];
    const tell = (port: number, ...words: string[]) =>
      this.ask(port, (node) => node.call('CLUSTER', 'SETSLOT', slot, ...words));
    await tell(target, 'IMPORTING', ids[from] as string);
    await tell(source, 'MIGRATING', ids[to] as string);
    await this.ask(source, (node) => node.call('MIGRATE', '127.0.0.1', target, key, 0, 5000, 'AUTH', PASSWORD));
    await halfway(target);
    for (const port of [target, source]) await tell(port, 'NODE', ids[to] as string);
    return { source, target };
  }

  /** Ends a node as a crash does. */
  async kill(port: number): Promise<void> {
    const child = this.#children.get(port);
    this.#children.delete(port);
    if (!child || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async stop(): Promise<void> {
    await Promise.all(this.ports.map((port) => this.kill(port)));
  }

  /** Stops a node as a hung machine does, and has it go on. */
  signal(port: number, signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#children.get(port)?.kill(signal);
  }

  /** Starts a node, again on the data that it left behind. */
  async start(port: number): Promise<void> {
    const directory = join(this.#directory, String(port));
    mkdirSync(directory, { recursive: true });
    const settings = {
      port,
      bind: '127.0.0.1',
      dir: directory,
      save: '',
      appendonly: 'yes',
      'cluster-enabled': 'yes',
      'cluster-node-timeout': NODE_TIMEOUT_MS,
      'cluster-replica-validity-factor': 0,
      requirepass: PASSWORD,
      masterauth: PASSWORD,
      'repl-diskless-sync-delay': 0,
      ...this.#settings,
    };
    const child = spawn(
      'redis-server',
      Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
      { stdio: 'ignore' },
    );
    const { pid } = child;
    if (pid === undefined) throw new Error('redis-server cannot be started');
    watchProcess(pid);
    child.once('exit', () => forgetProcess(pid));
    this.#children.set(port, child);
    await until('a node to answer', () =>
      this.ask(port, (node) => node.ping()).then(
        () => true,
        () => false,
      ),
    );
  }
}
