/**
 * A real Redis Cluster of two masters whose clocks differ. The machine has one clock, so in front of each node stands a proxy
 * that has the node run scripts which read its clock as it is meant to be: every script is called by its SHA, and the proxy
 * puts another of the same length in its place. Key lifetimes are the real clock's.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { forgetProcess, temporaryDirectory, watchProcess } from '../support/cleanup.ts';
import { freePorts } from '../support/free-ports.ts';
import { SCRIPTS } from '../support/scripts.ts';
import { until, within } from '../support/wait.ts';

const BUS_OFFSET = 10_000;
const SLOTS = 16_384;
const PING_MS = 500;

export class SkewedPair {
  readonly nodes: readonly SkewedNode[];

  private constructor(nodes: readonly SkewedNode[]) {
    this.nodes = nodes;
  }

  /** One node for each skew, the first with the lower half of the slots. */
  static async launch(skewsMs: readonly [number, number]): Promise<SkewedPair> {
    const ports = await freePorts(2 * skewsMs.length);
    const directory = temporaryDirectory();
    const nodes = await Promise.all(
      skewsMs.map((skewMs, at) =>
        SkewedNode.start(skewMs, ports[2 * at] as number, ports[2 * at + 1] as number, join(directory, String(at))),
      ),
    );
    const half = SLOTS / nodes.length;
    for (const [at, { client }] of nodes.entries()) {
      await client.call('CLUSTER', 'ADDSLOTSRANGE', String(at * half), String((at + 1) * half - 1));
      await client.call('CLUSTER', 'SET-CONFIG-EPOCH', String(at + 1));
    }
    const [first, second] = nodes as [SkewedNode, SkewedNode];
    await first.client.call('CLUSTER', 'MEET', '127.0.0.1', String(second.port), String(second.port + BUS_OFFSET));
    await until('both nodes to see the whole cluster', async () => {
      const states = await Promise.all(nodes.map(({ client }) => client.cluster('INFO')));
      return states.every((state) => state.includes('cluster_state:ok') && state.includes('cluster_known_nodes:2'));
    });
    return new SkewedPair(nodes);
  }

  /** What REDIS_URL has to be for this cluster. */
  get url(): string {
    return this.nodes.map(({ proxyPort }) => `redis://127.0.0.1:${proxyPort}`).join(',');
  }

  /** The node that a key lives on. */
  async nodeOf(key: string): Promise<SkewedNode> {
    const slot = Number(await this.nodes[0]!.client.cluster('KEYSLOT', key));
    return this.nodes[Math.floor(slot / (SLOTS / this.nodes.length))]!;
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.stop()));
  }
}

class SkewedNode {
  readonly port: number;
  readonly proxyPort: number;
  /** Past the proxy: for looking into the node. */
  readonly client: Redis;
  readonly #child: ChildProcess;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** SHA as the service calls it → SHA of the script that reads the other clock. */
  readonly #shas = new Map<string, string>();
  #marker: string | undefined;
  #gate: { readonly opened: Promise<void>; readonly open: () => void } | undefined;

  private constructor(child: ChildProcess, port: number, proxyPort: number) {
    [this.#child, this.port, this.proxyPort] = [child, port, proxyPort];
    this.client = new Redis({ port, retryStrategy: () => 50, maxRetriesPerRequest: null });
    this.client.on('error', () => {
      // It is not up yet, or has been stopped.
    });
    this.#server = createServer({ noDelay: true }, (socket) => this.#accept(socket));
  }

  static async start(skewMs: number, port: number, proxyPort: number, directory: string): Promise<SkewedNode> {
    mkdirSync(directory);
    const settings = {
      ...{ port, bind: '127.0.0.1', dir: directory, save: '', appendonly: 'yes', 'cluster-enabled': 'yes' },
      ...{ 'cluster-announce-port': proxyPort, 'cluster-announce-bus-port': port + BUS_OFFSET },
    };
    const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const child = spawn('redis-server', args, { stdio: 'ignore' });
    const { pid } = child;
    if (pid === undefined) throw new Error('redis-server cannot be started');
    watchProcess(pid);
    child.once('exit', () => forgetProcess(pid));
    const node = new SkewedNode(child, port, proxyPort);
    await until('the node to answer', () => {
      if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`);
      return within(node.client.ping(), PING_MS);
    });
    for (const { sha, source } of SCRIPTS.values()) {
      node.#shas.set(sha, (await node.client.script('LOAD', skewed(source, skewMs))) as string);
    }
    node.#server.listen(proxyPort, '127.0.0.1');
    await once(node.#server, 'listening');
    return node;
  }

  /** From the next request that calls this script on, the node gets nothing until `release`. */
  hangAt(script: string): void {
    this.#marker = this.#shas.get(SCRIPTS.get(script)!.sha);
  }

  release(): void {
    this.#marker = undefined;
    this.#gate?.open();
    this.#gate = undefined;
  }

  async stop(): Promise<void> {
    this.release();
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    this.client.disconnect();
    if (this.#child.exitCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }

  #accept(client: Socket): void {
    const redis = createConnection({ port: this.port, host: '127.0.0.1', noDelay: true });
    for (const socket of [client, redis]) {
      this.#sockets.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => this.#sockets.delete(socket));
    }
    redis.pipe(client);
    let carried = '';
    let order = Promise.resolve();
    client.on('data', (chunk) => {
      const text = carried + chunk.toString('latin1');
      // A request ends with a line break: digits at the end are the beginning of a SHA whose rest is on its way.
      carried = /[0-9a-f]{0,39}$/.exec(text)?.[0] ?? '';
      const piece = this.#replaceShas(text.slice(0, text.length - carried.length));
      order = order.then(() => this.#forward(redis, piece));
    });
    client.once('close', () => void order.then(() => redis.end()));
  }

  #replaceShas(text: string): string {
    return text.replace(/\b[0-9a-f]{40}\b/g, (sha) => this.#shas.get(sha) ?? sha);
  }

  async #forward(redis: Socket, piece: string): Promise<void> {
    if (this.#marker !== undefined && piece.includes(this.#marker)) {
      this.#marker = undefined;
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#gate = { opened: promise, open: resolve };
    }
    while (this.#gate) await this.#gate.opened;
    redis.write(Buffer.from(piece, 'latin1'));
  }
}

/** The same script with a clock that is off by so much. */
function skewed(source: string, skewMs: number): string {
  const [shebang, ...lines] = source.split('\n');
  const clock =
    'local function skewed_time() local time = redis.call("TIME"); ' +
    `return { string.format("%.0f", tonumber(time[1]) + ${Math.round(skewMs / 1000)}), time[2] } end`;
  return [shebang, clock, ...lines].join('\n').replaceAll("redis.call('TIME')", 'skewed_time()');
}
