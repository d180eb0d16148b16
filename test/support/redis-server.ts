/** A real redis-server of the test's own, in a directory of its own, on a unix socket. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { forgetProcess, temporaryDirectory, watchProcess } from './cleanup.ts';
import { until } from './wait.ts';

export class RedisServer {
  readonly directory: string;
  readonly socket: string;
  readonly #options: readonly string[];
  #child: ChildProcess | undefined;
  #client: Redis | undefined;

  private constructor(options: readonly string[]) {
    this.directory = temporaryDirectory();
    this.socket = join(this.directory, 'redis.sock');
    this.#options = options;
  }

  /** A server that is not started yet; `options` are options of redis-server, as on its command line. */
  static prepare(options: readonly string[] = []): RedisServer {
    return new RedisServer(options);
  }

  /** A started server. By default it keeps an append-only file, so that a restart finds what was answered. */
  static async launch(options: readonly string[] = []): Promise<RedisServer> {
    const server = RedisServer.prepare(options);
    await server.start();
    return server;
  }

  /** The REDIS_URL of this server. */
  get url(): string {
    return `unix:${this.socket}`;
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get pid(): number {
    const pid = this.#child?.pid;
    if (pid === undefined) throw new Error('this Redis is not running');
    return pid;
  }

  /** A connection for looking into the server; closed with it. */
  get client(): Redis {
    // A server that is gone fails the commands, which is enough to hear of it.
    this.#client ??= new Redis({ path: this.socket, maxRetriesPerRequest: 1, retryStrategy: () => null }).on(
      'error',
      () => undefined,
    );
    return this.#client;
  }

  /** Starts the server on the data it left behind and waits until it answers. */
  async start(): Promise<void> {
    const settings = ['--port', '0', '--unixsocket', this.socket, '--dir', this.directory, '--save', ''];
    const durable = ['--appendonly', 'yes', '--appendfsync', 'everysec'];
    const child = spawn('redis-server', [...settings, ...durable, ...this.#options], { stdio: 'ignore' });
    this.#child = child;
    const { pid } = child;
    if (pid === undefined) throw new Error('redis-server cannot be started');
    watchProcess(pid);
    child.once('exit', () => forgetProcess(pid));
    await until('redis-server to answer PING', () => {
      if (child.exitCode !== null || child.signalCode !== null) {
        throw new Error(`redis-server ended with ${child.exitCode ?? child.signalCode}`);
      }
      return answersPing(this.socket);
    });
  }

  signal(signal: NodeJS.Signals): void {
    process.kill(this.pid, signal);
  }

  /** The server stops answering, but its connections stay open. */
  pause(): void {
    this.signal('SIGSTOP');
  }

  resume(): void {
    this.signal('SIGCONT');
  }

  /** Ends it without any farewell, as a crash does. */
  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  stop(): Promise<void> {
    return this.#end('SIGTERM');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    this.#client?.disconnect();
    this.#client = undefined;
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    // A stopped process takes the signal only when it is continued.
    child.kill('SIGCONT');
    // A server that is writing its first append-only file refuses to end, and forgets that it was asked.
    const askAgain = setInterval(() => child.kill(signal), 500);
    await ended.finally(() => clearInterval(askAgain));
  }
}

/** Has the append-only file rewritten, and waits until that has ended so. A server loads such a file bit by bit. */
export async function rewriteFile(client: Redis, status: 'ok' | 'err' = 'ok'): Promise<void> {
  const ended = ['aof_rewrite_in_progress:0', 'aof_rewrite_scheduled:0', `aof_last_bgrewrite_status:${status}`];
  await client.bgrewriteaof();
  await until('the rewrite to end', async () => {
    const told = await client.info('persistence');
    return ended.every((line) => told.includes(line));
  });
}

/** One PING over a connection of its own. */
function answersPing(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = createConnection(socket);
    const finish = (answers: boolean) => {
      connection.destroy();
      resolve(answers);
    };
    connection.setTimeout(500, () => finish(false));
    connection.once('error', () => finish(false));
    connection.once('connect', () => connection.write('PING\r\n'));
    connection.once('data', (chunk) => finish(chunk.toString().startsWith('+PONG')));
  });
}
